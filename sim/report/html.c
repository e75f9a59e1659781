// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/html.h"

#include <glib/gstdio.h>
#include <string.h>

#include "report/group.h"
#include "report/plot.h"
#include "report/run-text.h"
#include "report/sweep-text.h"

/* More columns than this in one table help nobody; summary.csv has all. */
#define COLUMNS_MAX 24
/* Cases with a section of their own. */
#define SECTIONS_MAX 60

static const char style[] =
	"body{font:15px/1.45 system-ui,sans-serif;max-width:75em;margin:2em auto;padding:0 1em;color:#222}\n"
	"h1{font-size:1.6em;margin-bottom:0}h2{font-size:1.2em;margin-top:2em}\n"
	"table{border-collapse:collapse;font-size:.9em;display:block;overflow-x:auto}\n"
	"th,td{padding:.2em .7em;border-bottom:1px solid #ddd;text-align:left;white-space:nowrap}\n"
	"th.n,td.n{text-align:right;font-variant-numeric:tabular-nums}\n"
	"pre{background:#f6f6f6;padding:.7em;overflow-x:auto;font-size:.85em}\n"
	".bad{color:#b00}img{max-width:100%}summary{cursor:pointer;font-weight:600}\n";

/*
 * The picture as a data URL: what an SVG names inside stays inside. One that cannot be drawn leaves its reason;
 * the tables are worth a report without it.
 */
static void add_picture(const struct results *r, const struct plot_request *q, const char *folder,
			GString *out)
{
	GError *error = NULL;
	char *file = g_build_filename(folder, "p.svg", NULL), *svg = NULL, *coded, *name;
	uint32_t left_out;
	size_t len;
	bool ok;

	ok = plot_draw(r, q, file, &left_out, &error) &&
	     g_file_get_contents(file, &svg, &len, &error);
	if (ok) {
		coded = g_base64_encode((const guchar *)svg, len);
		name = plot_name(q);
		g_string_append(out, "<p><img alt=\"");
		html_escape(out, name);
		g_string_append_printf(out, "\" src=\"data:image/svg+xml;base64,%s\"></p>\n",
				       coded);
		g_free(coded);
		g_free(name);
	} else {
		g_string_append(out, "<p class=\"bad\">");
		html_escape(out, error->message);
		g_string_append(out, "</p>\n");
		g_clear_error(&error);
	}
	g_free(svg);
	g_free(file);
}

static bool add_pictures(const struct results *r, GString *out, GError **error)
{
	static const char *const files[] = {"p.svg", "p.gp", "p.dat"};
	char *folder = g_dir_make_tmp("wlanq-report-XXXXXX", error);
	GArray *list;

	if (!folder)
		return false;
	list = plot_declared(r);
	for (guint i = 0; i < list->len; i++)
		add_picture(r, &g_array_index(list, struct plot_request, i), folder, out);
	g_array_unref(list);
	for (size_t i = 0; i < G_N_ELEMENTS(files); i++) {
		char *path = g_build_filename(folder, files[i], NULL);

		g_unlink(path);
		g_free(path);
	}
	g_rmdir(folder);
	g_free(folder);
	return true;
}

static void add_pre(GString *out, const GString *text)
{
	if (text->len == 0)
		return;
	g_string_append(out, "<pre>");
	html_escape(out, text->str);
	g_string_append(out, "</pre>\n");
}

/* Traffic, queues and anatomy of the first run of a group that ended well. */
static void add_group(const struct results *r, const struct group *g, GString *out)
{
	const struct result_row *row = NULL;
	struct metric_list m;
	GString *text;
	json_t *run;

	for (guint i = 0; i < g->rows->len && !row; i++) {
		if (row_ok(g->rows->pdata[i]))
			row = g->rows->pdata[i];
	}
	if (!row)
		return;
	m = (struct metric_list){row->metrics, row->n_metrics};
	text = g_string_new(NULL);
	run_text(&m, text);
	run = results_run(r, row, NULL);
	run_text_anatomy(run, text);
	g_string_append(out, "<details><summary>");
	html_escape(out, *g->label ? g->label : r->name);
	g_string_append_printf(out, ", seed %" G_GUINT64_FORMAT "</summary>\n", row->seed);
	add_pre(out, text);
	g_string_append(out, "</details>\n");
	g_string_free(text, TRUE);
	json_decref(run);
}

static void add_groups(const struct results *r, GString *out)
{
	struct groups *groups = groups_new(r, NULL, NULL);

	for (guint i = 0; i < groups->list->len && i < SECTIONS_MAX; i++)
		add_group(r, groups->list->pdata[i], out);
	if (groups->list->len > SECTIONS_MAX)
		g_string_append_printf(out, "<p>and %u more</p>\n",
				       groups->list->len - SECTIONS_MAX);
	groups_free(groups);
}

/* Which program made the runs, off the first of them. */
static void add_origin(const struct results *r, GString *out)
{
	for (uint32_t i = 0; i < r->n_rows; i++) {
		json_t *run = row_ok(&r->rows[i]) ? results_run(r, &r->rows[i], NULL) : NULL;

		if (!run)
			continue;
		g_string_append(out, "<p>wlanq ");
		html_escape(out, json_string_value(json_object_get(run, "version")));
		g_string_append(out, ", scenario ");
		html_escape(out, *r->file ? r->file : r->name);
		g_string_append_printf(out, ", %u runs.</p>\n", r->n_rows);
		json_decref(run);
		return;
	}
}

static void add_table(const struct results *r, GString *out)
{
	GString *failures = g_string_new(NULL);
	uint32_t more;
	struct table *t = sweep_table(r, COLUMNS_MAX, &more);

	g_string_append(out,
			"<h2>Results</h2>\n<p>Means over the seeds, with half of their 95&nbsp;% "
			"interval.</p>\n");
	table_html(t, out);
	table_free(t);
	if (more > 0)
		g_string_append_printf(out, "<p>%u more columns are in " SUMMARY_NAME ".</p>\n",
				       more);
	sweep_text_failures(r, SECTIONS_MAX, failures);
	if (failures->len > 0)
		g_string_append(out, "<h2 class=\"bad\">Runs that did not end well</h2>\n");
	add_pre(out, failures);
	g_string_free(failures, TRUE);
}

GString *html_report(const struct results *r, GError **error)
{
	GString *out =
		g_string_new("<!DOCTYPE html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">\n"
			     "<meta name=\"viewport\" content=\"width=device-width\">\n<title>");

	html_escape(out, r->name);
	g_string_append_printf(out, "</title>\n<style>\n%s</style></head><body>\n<h1>", style);
	html_escape(out, r->name);
	g_string_append(out, "</h1>\n<p>");
	html_escape(out, r->about);
	g_string_append(out, "</p>\n");
	add_origin(r, out);
	add_table(r, out);
	g_string_append(out, "<h2>Distributions</h2>\n");
	if (!add_pictures(r, out, error)) {
		g_string_free(out, TRUE);
		return NULL;
	}
	g_string_append(out, "<h2>Cases</h2>\n");
	add_groups(r, out);
	g_string_append(out, "</body></html>\n");
	return out;
}
