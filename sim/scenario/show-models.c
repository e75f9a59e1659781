// SPDX-License-Identifier: GPL-3.0-or-later
/* `wlanq models`; the reference pages are report/reference.h. */
#include <string.h>

#include "scenario/show-param.h"
#include "scenario/show.h"

/* Kinds in the order of their first class. */
static GPtrArray *kinds_of(const struct registry *reg)
{
	GPtrArray *kinds = g_ptr_array_new();

	for (const struct model_class *const *p = reg->classes; *p; p++) {
		bool seen = false;

		for (guint i = 0; i < kinds->len && !seen; i++)
			seen = !strcmp(((const struct model_kind *)kinds->pdata[i])->name,
				       (*p)->kind->name);
		if (!seen)
			g_ptr_array_add(kinds, (gpointer)(*p)->kind);
	}
	return kinds;
}

static bool of_kind(const struct model_class *cls, const struct model_kind *kind)
{
	return !strcmp(cls->kind->name, kind->name);
}

GString *show_models(const struct registry *reg)
{
	GPtrArray *kinds = kinds_of(reg);
	GString *out = g_string_new(NULL);

	for (guint i = 0; i < kinds->len; i++) {
		const struct model_kind *kind = kinds->pdata[i];

		g_string_append_printf(out, "%s%s: %s\n", i ? "\n" : "", kind->name, kind->doc);
		for (const struct model_class *const *p = reg->classes; *p; p++)
			if (of_kind(*p, kind))
				g_string_append_printf(out, "  %-17s %s\n", (*p)->name, (*p)->doc);
	}
	g_ptr_array_free(kinds, TRUE);
	return out;
}

/* ---- one model, on the terminal ------------------------------------------------------------ */

static void text_param(GString *out, const struct param_text *t)
{
	g_string_append_printf(out, "  %-21s %s\n", t->key, t->doc);
	g_string_append_printf(out, "  %-21s   %s", "", t->type);
	if (*t->range)
		g_string_append_printf(out, ", %s", t->range);
	if (!strcmp(t->def, "required"))
		g_string_append(out, "; required");
	else if (*t->def)
		g_string_append_printf(out, "; default %s", t->def);
	if (*t->notes)
		g_string_append_printf(out, "; %s", t->notes);
	g_string_append_c(out, '\n');
}

/* Several lines with an indent before each. */
static void text_lines(GString *out, const char *text)
{
	char **lines = g_strsplit(text, "\n", -1);

	for (char **l = lines; *l; l++)
		if (**l)
			g_string_append_printf(out, "  %s\n", *l);
	g_strfreev(lines);
}

static void text_class(GString *out, const struct model_class *cls)
{
	GArray *params = param_texts(cls->params);

	g_string_append_printf(out, "%s (%s)\n  %s\n", cls->name, cls->kind->name, cls->doc);
	if (cls->source)
		g_string_append_printf(out, "\nsource\n  %s\n", cls->source);
	if (params->len)
		g_string_append(out, "\nparameters\n");
	for (guint i = 0; i < params->len; i++)
		text_param(out, &g_array_index(params, struct param_text, i));
	if (cls->probes && cls->probes->name)
		g_string_append(out, "\nmetrics\n");
	for (const struct probe *p = cls->probes; p && p->name; p++) {
		char *metrics = probe_metrics(p), *kind = probe_kind(p);

		g_string_append_printf(out, "  %s\n    %s (%s%s%s)\n", metrics,
				       p->doc ? p->doc : "", kind, p->unit && *p->unit ? ", " : "",
				       p->unit ? p->unit : "");
		g_free(kind);
		g_free(metrics);
	}
	if (cls->not_modelled) {
		g_string_append(out, "\nnot modelled\n");
		text_lines(out, cls->not_modelled);
	}
	g_array_free(params, TRUE);
}

static bool is_called(const struct model_class *cls, const char *name)
{
	const char *slash = strchr(name, '/');

	if (!slash)
		return !strcmp(cls->name, name);
	return !strcmp(cls->name, slash + 1) && strlen(cls->kind->name) == (size_t)(slash - name) &&
	       !strncmp(cls->kind->name, name, (size_t)(slash - name));
}

GString *show_model(const struct registry *reg, const char *name, struct errors *errors)
{
	struct place place = {.at = {"models", 0, 0}};
	GPtrArray *names = g_ptr_array_new();
	GString *out = g_string_new(NULL);

	for (const struct model_class *const *p = reg->classes; *p; p++) {
		g_ptr_array_add(names, (gpointer)(*p)->name);
		if (!is_called(*p, name))
			continue;
		if (out->len)
			g_string_append_c(out, '\n');
		text_class(out, *p);
	}
	if (!out->len) {
		const char *near =
			nearest_name(name, (const char *const *)names->pdata, names->len);

		errors_add(errors, place, "no model '%s'%s%s%s", name,
			   near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
		g_string_free(out, TRUE);
		out = NULL;
	}
	g_ptr_array_free(names, TRUE);
	return out;
}
