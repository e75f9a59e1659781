// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/picture.h"

#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* Colours that the colour-blind can tell apart (Okabe and Ito 2008), dark enough on white. */
static const char *const colours[] = {"#0072B2", "#D55E00", "#009E73", "#CC79A7",
				      "#E69F00", "#56B4E9", "#7A5195", "#8C6D31"};

struct terminal {
	const char *end, *setting;
};

static const struct terminal terminals[] = {
	{".png", "pngcairo size 1000,640 font ',12' noenhanced"},
	{".svg", "svg size 900,580 dynamic font 'sans,13' background '#ffffff' noenhanced"},
	{".pdf", "pdfcairo size 18cm,11.5cm font ',11' noenhanced"},
};

static void curve_free(void *p)
{
	struct curve *c = p;

	g_free(c->label);
	g_free(c->x);
	g_free(c->y);
	g_free(c);
}

void picture_init(struct picture *p)
{
	memset(p, 0, sizeof(*p));
	p->curves = g_ptr_array_new_with_free_func(curve_free);
}

void picture_clear(struct picture *p)
{
	g_ptr_array_unref(p->curves);
	g_free(p->x_label);
	g_free(p->y_label);
}

struct curve *picture_add(struct picture *p, const char *label, uint32_t n)
{
	struct curve *c = g_new0(struct curve, 1);

	c->label = g_strdup(label);
	c->x = g_new(double, n + 1);
	c->y = g_new(double, n + 1);
	g_ptr_array_add(p->curves, c);
	return c;
}

static const struct terminal *find_terminal(const char *file)
{
	for (size_t i = 0; i < G_N_ELEMENTS(terminals); i++) {
		if (g_str_has_suffix(file, terminals[i].end))
			return &terminals[i];
	}
	return NULL;
}

bool picture_known(const char *file, GError **error)
{
	if (find_terminal(file))
		return true;
	g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_INVAL,
		    "%s: a picture ends in .png, .svg or .pdf", file);
	return false;
}

/* In gnuplot's single quotes only the quote itself is special. */
static void append_quoted(GString *s, const char *text)
{
	g_string_append_c(s, '\'');
	for (; *text; text++) {
		if (*text == '\'')
			g_string_append_c(s, '\'');
		if ((unsigned char)*text >= ' ')
			g_string_append_c(s, *text);
	}
	g_string_append_c(s, '\'');
}

static void append_set(GString *s, const char *what, const char *text)
{
	g_string_append_printf(s, "set %s ", what);
	append_quoted(s, text);
	g_string_append_c(s, '\n');
}

/* The legend stands below the picture: inside, there is no corner that every CDF leaves free. */
static void append_key(GString *s, const struct picture *p)
{
	size_t longest = 0;

	for (guint i = 0; i < p->curves->len; i++)
		longest = MAX(longest, strlen(((struct curve *)p->curves->pdata[i])->label));
	g_string_append_printf(s, "set key below maxcols %d samplen 3 height 1\n",
			       longest > 40   ? 1
			       : longest > 24 ? 2
					      : 3);
}

/* A title is not wrapped by gnuplot. */
#define TITLE_WIDTH 100

/* @text for double quotes, with a line break wherever a line would become too long. */
static void append_wrapped(GString *s, const char *text)
{
	char *flat = g_strdelimit(g_strdup(text), "\"\\`\n", ' ');
	char **words = g_strsplit(flat, " ", -1);
	size_t width = 0;

	for (char **w = words; *w; w++) {
		if (width > 0 && width + strlen(*w) >= TITLE_WIDTH) {
			g_string_append(s, "\\n");
			width = 0;
		} else if (width > 0) {
			g_string_append_c(s, ' ');
		}
		g_string_append(s, *w);
		width += strlen(*w) + 1;
	}
	g_strfreev(words);
	g_free(flat);
}

static GString *make_script(const struct picture *p, const char *name, const char *data,
			    const struct terminal *t)
{
	GString *s =
		g_string_new("# Drawn by wlanq. `gnuplot` with this file's name draws it again.\n");
	guint drawn = 0;

	g_string_append_printf(s, "set terminal %s\n", t->setting);
	append_set(s, "output", name);
	g_string_append(s, "set title \"");
	append_wrapped(s, p->title);
	if (p->subtitle) {
		g_string_append(s, "\\n");
		append_wrapped(s, p->subtitle);
	}
	g_string_append(s, "\"\n");
	append_set(s, "xlabel", p->x_label);
	append_set(s, "ylabel", p->y_label);
	if (p->log_x)
		g_string_append(s, "set logscale x 10\nset mxtics 10\n");
	if (p->x_high > p->x_low)
		g_string_append_printf(s, "set xrange [%.6g:%.6g]\n", p->x_low, p->x_high);
	g_string_append(s, "set rmargin 4\n");
	if (p->unit_y)
		g_string_append(s, "set yrange [0:1.01]\nset ytics 0.1\n");
	else
		g_string_append(s, "set yrange [0:*]\n");
	g_string_append(s,
			"set grid xtics ytics mxtics lc '#cccccc' lt 1 lw 0.5, lc '#e8e8e8' lt 1 "
			"lw 0.5\nset tics nomirror out\n");
	append_key(s, p);
	g_string_append(s, "plot ");
	for (guint i = 0; i < p->curves->len; i++) {
		const struct curve *c = p->curves->pdata[i];

		if (i > 0)
			g_string_append(s, ", \\\n     ");
		append_quoted(s, data);
		g_string_append_printf(s, " index %u using 1:2 with %s ", i,
				       c->steps ? "steps" : "lines");
		if (c->real)
			g_string_append(s, "lc '#000000' lw 3 ");
		else
			g_string_append_printf(s, "lc '%s' lw 2 dt %u ",
					       colours[drawn % G_N_ELEMENTS(colours)],
					       1 + drawn / (guint)G_N_ELEMENTS(colours));
		drawn += !c->real;
		g_string_append(s, "title ");
		append_quoted(s, c->label);
	}
	g_string_append_c(s, '\n');
	return s;
}

static GString *make_data(const struct picture *p)
{
	GString *s = g_string_new(NULL);

	for (guint i = 0; i < p->curves->len; i++) {
		const struct curve *c = p->curves->pdata[i];

		g_string_append_printf(s, "%s# %s\n", i ? "\n\n" : "", c->label);
		for (uint32_t j = 0; j < c->n; j++)
			g_string_append_printf(s, "%.10g %.8g\n", c->x[j], c->y[j]);
	}
	return s;
}

static bool run_gnuplot(const char *folder, const char *script, GError **error)
{
	char *argv[] = {(char *)"gnuplot", (char *)script, NULL};
	char *words = NULL;
	GError *why = NULL;
	int status;
	bool ok;

	if (!g_spawn_sync(folder, argv, NULL, G_SPAWN_SEARCH_PATH | G_SPAWN_STDOUT_TO_DEV_NULL,
			  NULL, NULL, NULL, &words, &status, &why)) {
		g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_NOENT,
			    "gnuplot draws the pictures and cannot be started: %s", why->message);
		g_error_free(why);
		return false;
	}
	ok = g_spawn_check_wait_status(status, NULL);
	if (!ok)
		g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "gnuplot %s/%s: %s", folder,
			    script, g_strstrip(words));
	g_free(words);
	return ok;
}

bool picture_write(const struct picture *p, const char *file, GError **error)
{
	const struct terminal *t = find_terminal(file);
	char *folder = g_path_get_dirname(file), *name = g_path_get_basename(file);
	char *stem = g_strndup(name, strlen(name) - strlen(t->end));
	char *script = g_strconcat(stem, ".gp", NULL), *data = g_strconcat(stem, ".dat", NULL);
	char *script_path = g_build_filename(folder, script, NULL);
	char *data_path = g_build_filename(folder, data, NULL);
	GString *script_text = make_script(p, name, data, t), *data_text = make_data(p);
	struct stat st;
	bool ok = false;

	g_mkdir_with_parents(folder, 0777);
	g_unlink(file);
	if (!g_file_set_contents(data_path, data_text->str, (gssize)data_text->len, error) ||
	    !g_file_set_contents(script_path, script_text->str, (gssize)script_text->len, error))
		goto out;
	if (!run_gnuplot(folder, script, error))
		goto out;
	ok = g_stat(file, &st) == 0 && st.st_size > 0;
	if (!ok)
		g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_FAILED, "gnuplot left %s empty",
			    file);
out:
	if (!ok)
		g_unlink(file);
	g_string_free(script_text, TRUE);
	g_string_free(data_text, TRUE);
	g_free(data_path);
	g_free(script_path);
	g_free(data);
	g_free(script);
	g_free(stem);
	g_free(name);
	g_free(folder);
	return ok;
}
