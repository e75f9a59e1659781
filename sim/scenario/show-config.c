// SPDX-License-Identifier: GPL-3.0-or-later
/* `wlanq validate`: the effective configuration. */
#include <string.h>

#include "scenario/bind.h"
#include "scenario/show-queue.h"
#include "scenario/show.h"
#include "scenario/units.h"

/* One value on its way out. */
struct row {
	char *path;
	json_t *value;
	enum origin origin;
	struct place place; /* .at.file NULL: a default */
};

static void clear_row(gpointer data)
{
	struct row *r = data;

	g_free(r->path);
	json_decref(r->value);
}

static void add_row(GArray *rows, char *path, json_t *value, enum origin origin,
		    const struct node *n)
{
	struct row r = {.path = path, .value = value, .origin = origin};

	if (n && origin > ORIGIN_ERA)
		r.place = n->place;
	g_array_append_val(rows, r);
}

static void add_values(GArray *rows, const char *path, const struct bound_value *v, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		char *inner =
			g_strdup_printf("%s.%s", path, v[i].name ? v[i].name : v[i].param->name);

		if (v[i].param->type == PARAM_STRUCT) {
			add_values(rows, inner, v[i].sub, v[i].n_sub);
			g_free(inner);
		} else if (v[i].slot) {
			add_row(rows, g_strdup(inner), json_string(v[i].slot->cls->name),
				v[i].origin, v[i].node);
			add_values(rows, inner, v[i].slot->values, v[i].slot->n_values);
			g_free(inner);
		} else {
			add_row(rows, inner, value_json(&v[i]), v[i].origin, v[i].node);
		}
	}
}

static void add_bound(GArray *rows, const struct bound *b)
{
	add_values(rows, b->path, b->values, b->n_values);
}

/* The name of a model that lies in the map itself: `driver`, `model`. */
static void add_class(GArray *rows, const struct bound *b, const char *key)
{
	struct row r = {.path = g_strdup_printf("%s.%s", b->path, key),
			.value = json_string(b->cls->name),
			.origin = b->chosen ? (enum origin)b->chosen->origin : ORIGIN_DECLARED};

	if (b->chosen)
		r.place = b->chosen->place;
	g_array_append_val(rows, r);
}

static void add_node(GArray *rows, const struct config_node *node)
{
	add_bound(rows, node->host);
	for (uint32_t i = 0; i < node->n_protocols; i++)
		add_bound(rows, node->protocols[i]);
	for (uint32_t i = 0; i < node->n_interfaces; i++) {
		add_class(rows, node->interfaces[i].driver, "driver");
		add_bound(rows, node->interfaces[i].netdev);
		add_bound(rows, node->interfaces[i].driver);
	}
}

static GArray *new_rows(void)
{
	GArray *rows = g_array_new(FALSE, FALSE, sizeof(struct row));

	g_array_set_clear_func(rows, clear_row);
	return rows;
}

static GArray *all_rows(const struct config *c)
{
	GArray *rows = new_rows();

	for (uint32_t i = 0; i < c->n_nodes; i++)
		add_node(rows, &c->nodes[i]);
	for (uint32_t i = 0; i < c->n_links; i++) {
		add_class(rows, c->links[i], "model");
		add_bound(rows, c->links[i]);
	}
	for (uint32_t i = 0; i < c->n_traffic; i++) {
		add_class(rows, c->traffic[i], "model");
		add_bound(rows, c->traffic[i]);
	}
	return rows;
}

/* ---- text ---------------------------------------------------------------------------------- */

static char *value_text(const json_t *v);

/* "[a, b]", "{vo: 2, vi: 3}" */
static char *flow_text(const json_t *v)
{
	bool array = json_is_array(v);
	GString *out = g_string_new(array ? "[" : "{");
	const char *key;
	json_t *item;
	size_t i;

	json_array_foreach(v, i, item)
	{
		char *text = value_text(item);

		g_string_append_printf(out, "%s%s", i ? ", " : "", text);
		g_free(text);
	}
	json_object_foreach((json_t *)v, key, item)
	{
		char *text = value_text(item);

		g_string_append_printf(out, "%s%s: %s", out->len > 1 ? ", " : "", key, text);
		g_free(text);
	}
	return g_string_free(g_string_append_c(out, array ? ']' : '}'), FALSE);
}

static bool no_value(const json_t *v)
{
	const char *key;
	json_t *item;

	if (!json_is_object(v))
		return json_is_null(v);
	json_object_foreach((json_t *)v, key, item)
	{
		if (!json_is_null(item))
			return false;
	}
	return json_object_size(v) > 0;
}

static char *value_text(const json_t *v)
{
	char *dump, *text;

	if (no_value(v))
		return g_strdup("-");
	if (json_is_string(v))
		return g_strdup(json_string_value(v));
	if (json_is_array(v) || json_is_object(v))
		return flow_text(v);
	dump = json_dumps(v, JSON_ENCODE_ANY);
	text = g_strdup(dump);
	free(dump);
	return text;
}

static void text_row(GString *out, const struct row *r)
{
	char *value = value_text(r->value);

	g_string_append_printf(out, "  %-38s %-22s %s", r->path, value, origin_names[r->origin]);
	if (r->place.at.file && r->place.at.line)
		g_string_append_printf(out, " %s:%u", r->place.at.file, r->place.at.line);
	g_string_append_c(out, '\n');
	g_free(value);
}

static void text_rows(GString *out, GArray *rows, const char *title)
{
	g_string_append_printf(out, "\n%s\n", title);
	for (guint i = 0; i < rows->len; i++)
		text_row(out, &g_array_index(rows, struct row, i));
	g_array_free(rows, TRUE);
}

/* What a node looks like without its own name, to see which counted ones are alike. */
static char *node_print(const struct config_node *node)
{
	GArray *rows = new_rows();
	GString *out = g_string_new(NULL);

	add_node(rows, node);
	for (guint i = 0; i < rows->len; i++) {
		const struct row *r = &g_array_index(rows, struct row, i);
		char *value = value_text(r->value);

		g_string_append_printf(out, "%s %s %d\n", r->path + strlen(node->name), value,
				       r->origin);
		g_free(value);
	}
	g_array_free(rows, TRUE);
	return g_string_free(out, FALSE);
}

static void text_nodes(GString *out, const struct config *c)
{
	char *before = NULL;
	uint32_t like = 0;

	for (uint32_t i = 0; i < c->n_nodes; i++) {
		const struct config_node *node = &c->nodes[i];
		char *print = node->counted ? node_print(node) : NULL;
		GArray *rows;
		char *title;

		if (print && before && !g_strcmp0(c->nodes[like].counted, node->counted) &&
		    !strcmp(print, before)) {
			g_string_append_printf(out, "  %s: as %s\n", node->name,
					       c->nodes[like].name);
			g_free(print);
			continue;
		}
		g_free(before);
		before = print;
		like = i;
		rows = new_rows();
		add_node(rows, node);
		title = g_strdup_printf("%s, kernel %s", node->name, node->kernel);
		text_rows(out, rows, title);
		g_free(title);
	}
	g_free(before);
}

/* What a traffic looks like without its own name and ends, to see which of a group are alike. */
static char *bound_print(const struct bound *b)
{
	GArray *rows = new_rows();
	GString *out = g_string_new(b->cls->name);

	add_bound(rows, b);
	for (guint i = 0; i < rows->len; i++) {
		const struct row *r = &g_array_index(rows, struct row, i);
		const char *key = r->path + strlen(b->path);
		char *value = value_text(r->value);

		if (strcmp(key, ".from") && strcmp(key, ".to"))
			g_string_append_printf(out, "%s %s %d\n", key, value, r->origin);
		g_free(value);
	}
	g_array_free(rows, TRUE);
	return g_string_free(out, FALSE);
}

static void text_ends(GString *out, const struct bound *b)
{
	for (uint32_t i = 0; i < b->n_values; i++) {
		const struct bound_value *v = &b->values[i];

		if (!strcmp(v->param->name, "from") || !strcmp(v->param->name, "to"))
			g_string_append_printf(out, ", %s %s", v->param->name,
					       v->node ? v->node->text : "-");
	}
}

static void text_section(GString *out, struct bound *const *list, uint32_t n, const char *what)
{
	const struct bound *like = NULL;
	char *before = NULL;

	for (uint32_t i = 0; i < n; i++) {
		char *print = list[i]->group ? bound_print(list[i]) : NULL;
		GArray *rows;
		char *title;

		if (print && like && like->group == list[i]->group && !strcmp(print, before)) {
			g_string_append_printf(out, "  %s: as %s", list[i]->path, like->path);
			text_ends(out, list[i]);
			g_string_append_c(out, '\n');
			g_free(print);
			continue;
		}
		g_free(before);
		before = print;
		like = list[i];
		rows = new_rows();
		title = g_strdup_printf("%s, %s", list[i]->path, what);
		add_class(rows, list[i], "model");
		add_bound(rows, list[i]);
		text_rows(out, rows, title);
		g_free(title);
	}
	g_free(before);
}

static void text_head(GString *out, const struct scenario *s, const struct config *c)
{
	char duration[UNITS_TEXT_MAX], warmup[UNITS_TEXT_MAX];
	uint64_t runs = s->n_cases ? s->n_cases : 1;

	units_format(PARAM_TIME, c->duration, duration);
	units_format(PARAM_TIME, c->warmup, warmup);
	for (uint32_t i = 0; i < s->n_axes; i++)
		runs *= s->axes[i].n_values;
	g_string_append_printf(out, "%s%s%s\n", s->name, s->about ? ": " : "",
			       s->about ? s->about : "");
	g_string_append_printf(out, "kernel %s, duration %s, warm-up %s, core %s\n", c->kernel,
			       duration, warmup, c->core);
	g_string_append_printf(out,
			       "sweep: %u cases, %u axes, seeds %" G_GUINT64_FORMAT
			       " .. %" G_GUINT64_FORMAT ": %" G_GUINT64_FORMAT " runs\n",
			       s->n_cases, s->n_axes, s->seed, s->seed + s->repeat - 1,
			       runs * s->repeat);
	if (s->n_expects)
		g_string_append_printf(out, "expectations: %u\n", s->n_expects);
}

GString *show_config(const struct scenario *s, const struct config *c, struct sim *built)
{
	GString *out = g_string_new(NULL);

	text_head(out, s, c);
	text_nodes(out, c);
	text_section(out, c->links, c->n_links, "link");
	text_section(out, c->traffic, c->n_traffic, "traffic");
	if (built)
		queues_text(built, out);
	return out;
}

/* ---- JSON ---------------------------------------------------------------------------------- */

static json_t *row_json(const struct row *r)
{
	json_t *o = json_object();

	json_object_set_new(o, "path", json_string(r->path));
	json_object_set(o, "value", r->value);
	json_object_set_new(o, "origin", json_string(origin_names[r->origin]));
	if (r->place.at.file) {
		json_object_set_new(o, "file", json_string(r->place.at.file));
		json_object_set_new(o, "line", json_integer(r->place.at.line));
	}
	return o;
}

json_t *show_config_json(const struct scenario *s, const struct config *c, struct sim *built)
{
	json_t *o = json_object(), *values = json_array();
	GArray *rows = all_rows(c);

	json_object_set_new(o, "format", json_integer(1));
	json_object_set_new(o, "scenario", json_string(s->name));
	json_object_set_new(o, "errors", json_array());
	for (guint i = 0; i < rows->len; i++)
		json_array_append_new(values, row_json(&g_array_index(rows, struct row, i)));
	g_array_free(rows, TRUE);
	json_object_set_new(o, "values", values);
	if (built)
		json_object_set_new(o, "queues", queues_json(built));
	return o;
}

json_t *show_errors_json(const struct errors *e)
{
	json_t *o = json_object();

	json_object_set_new(o, "format", json_integer(1));
	json_object_set_new(o, "errors", errors_json(e));
	return o;
}
