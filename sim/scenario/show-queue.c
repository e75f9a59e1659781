// SPDX-License-Identifier: GPL-3.0-or-later
#include "scenario/show-queue.h"

#include <string.h>

#include "scenario/units.h"

struct queue_row {
	const char *path; /* of the object */
	char *name; /* "laptop.wlan0.ring"; NULL: a note */
	char *note;
	int64_t packets, bytes, rate_bps;
	bool inherited; /* the rate is another's */
};

struct collect {
	GArray *rows;
	const struct object *obj;
};

static void clear_row(gpointer data)
{
	struct queue_row *r = data;

	g_free(r->name);
	g_free(r->note);
}

/* A qdisc calls its queue "qdisc" and lies at PATH.qdisc: the name stands once. */
static char *queue_name(const char *path, const char *name)
{
	const char *last = strrchr(path, '.');

	if (!*name || (last && !strcmp(last + 1, name)))
		return g_strdup(path);
	return g_strdup_printf("%s.%s", path, name);
}

static void take_queue(void *arg, const char *name, int64_t packets, int64_t bytes,
		       int64_t rate_bps)
{
	struct collect *c = arg;
	struct queue_row r = {.path = c->obj->path,
			      .name = queue_name(c->obj->path, name),
			      .packets = packets,
			      .bytes = bytes,
			      .rate_bps = rate_bps};

	g_array_append_val(c->rows, r);
}

static void take_note(void *arg, const char *text)
{
	struct collect *c = arg;
	struct queue_row r = {.path = c->obj->path, .note = g_strdup(text)};

	g_array_append_val(c->rows, r);
}

/* Whether the object at @path lies at or below @owner. */
static bool lies_in(const char *path, const char *owner)
{
	size_t len = strlen(owner);

	return !strncmp(path, owner, len) && (!path[len] || path[len] == '.');
}

/* Whether two objects are of one interface: their paths agree in node and interface. */
static bool same_interface(const char *a, const char *b)
{
	int dots = 0;

	for (; *a && *a == *b; a++, b++)
		if (*a == '.' && ++dots == 2)
			return true;
	return dots == 1 && (!*a || *a == '.') && (!*b || *b == '.');
}

/*
 * A queue that knows no rate drains at that of the object which it lies in, else at that which something else
 * of its interface (a rate control) tells.
 */
static void inherit_rates(GArray *rows)
{
	for (guint i = 0; i < rows->len; i++) {
		struct queue_row *r = &g_array_index(rows, struct queue_row, i);
		const struct queue_row *best = NULL;

		for (guint k = 0; k < rows->len && r->name && r->rate_bps <= 0; k++) {
			const struct queue_row *o = &g_array_index(rows, struct queue_row, k);

			if (o->rate_bps <= 0 || o->inherited || !same_interface(r->path, o->path))
				continue;
			if (!best || (lies_in(r->path, o->path) && !lies_in(r->path, best->path)))
				best = o;
		}
		if (best) {
			r->rate_bps = best->rate_bps;
			r->inherited = true;
		}
	}
}

/* Rows that only told a rate have done so. */
static void drop_rates(GArray *rows)
{
	for (guint i = rows->len; i-- > 0;) {
		const struct queue_row *r = &g_array_index(rows, struct queue_row, i);

		if (r->name && r->packets < 0 && r->bytes < 0)
			g_array_remove_index(rows, i);
	}
}

/* What is given in one measure is told in the others too, with full frames. */
static void fill_measures(GArray *rows)
{
	for (guint i = 0; i < rows->len; i++) {
		struct queue_row *r = &g_array_index(rows, struct queue_row, i);

		if (r->packets >= 0 && r->bytes < 0 && r->packets <= INT64_MAX / QUEUE_FRAME_BYTES)
			r->bytes = r->packets * QUEUE_FRAME_BYTES;
		else if (r->bytes >= 0 && r->packets < 0)
			r->packets = r->bytes / QUEUE_FRAME_BYTES;
	}
}

static GArray *collect_rows(struct sim *sim)
{
	struct collect c = {.rows = g_array_new(FALSE, FALSE, sizeof(struct queue_row))};
	struct model_describe d = {.arg = &c, .queue = take_queue, .note = take_note};

	g_array_set_clear_func(c.rows, clear_row);
	for (uint32_t i = 0; i < sim->n_objects; i++) {
		c.obj = sim->objects[i];
		if (c.obj->cls->ops && c.obj->cls->ops->describe)
			c.obj->cls->ops->describe(c.obj, &d);
	}
	inherit_rates(c.rows);
	drop_rates(c.rows);
	fill_measures(c.rows);
	return c.rows;
}

/* Time to send the whole queue, in 10^-3 ms; -1 when it has no bound or no rate. */
static int64_t drain_us(const struct queue_row *r)
{
	if (r->bytes < 0 || r->rate_bps <= 0)
		return -1;
	return (int64_t)((__int128)r->bytes * 8 * 1000000 / r->rate_bps);
}

static char *count_text(int64_t v)
{
	return v < 0 ? g_strdup("-") : g_strdup_printf("%" G_GINT64_FORMAT, v);
}

static char *ms_text(int64_t us)
{
	return us < 0 ? g_strdup("-")
		      : g_strdup_printf("%" G_GINT64_FORMAT ".%03d", us / 1000, (int)(us % 1000));
}

/* 866.667Mbit, not 866.666666Mbit: to the kbit/s from 1 Mbit/s on. */
static int64_t shown_bps(int64_t bps)
{
	return bps < 1000000 ? bps : (bps + 500) / 1000 * 1000;
}

void queues_text(struct sim *sim, GString *out)
{
	GArray *rows = collect_rows(sim);

	g_string_append_printf(out,
			       "\nqueues (what a model does not bound, in frames of %d bytes)\n",
			       QUEUE_FRAME_BYTES);
	g_string_append_printf(out, "  %-38s %10s %12s %12s  %s\n", "", "packets", "bytes", "ms",
			       "at");
	for (guint i = 0; i < rows->len; i++) {
		const struct queue_row *r = &g_array_index(rows, struct queue_row, i);
		char *packets, *bytes, *ms, rate[UNITS_TEXT_MAX] = "-";

		if (!r->name)
			continue;
		packets = count_text(r->packets);
		bytes = count_text(r->bytes);
		ms = ms_text(drain_us(r));
		if (r->rate_bps > 0)
			units_format(PARAM_RATE, shown_bps(r->rate_bps), rate);
		g_string_append_printf(out, "  %-38s %10s %12s %12s  %s\n", r->name, packets, bytes,
				       ms, rate);
		g_free(packets);
		g_free(bytes);
		g_free(ms);
	}
	for (guint i = 0; i < rows->len; i++) {
		const struct queue_row *r = &g_array_index(rows, struct queue_row, i);

		if (!r->name)
			g_string_append_printf(out, "  %s: %s\n", r->path, r->note);
	}
	g_array_free(rows, TRUE);
}

static json_t *count_json(int64_t v)
{
	return v < 0 ? json_null() : json_integer(v);
}

json_t *queues_json(struct sim *sim)
{
	GArray *rows = collect_rows(sim);
	json_t *list = json_array();

	for (guint i = 0; i < rows->len; i++) {
		const struct queue_row *r = &g_array_index(rows, struct queue_row, i);
		int64_t us = drain_us(r);
		json_t *o = json_object();

		json_array_append_new(list, o);
		if (!r->name) {
			json_object_set_new(o, "object", json_string(r->path));
			json_object_set_new(o, "note", json_string(r->note));
			continue;
		}
		json_object_set_new(o, "queue", json_string(r->name));
		json_object_set_new(o, "packets", count_json(r->packets));
		json_object_set_new(o, "bytes", count_json(r->bytes));
		json_object_set_new(o, "ms", us < 0 ? json_null() : json_real((double)us / 1000));
		json_object_set_new(o, "rate_bps", count_json(r->rate_bps > 0 ? r->rate_bps : -1));
	}
	g_array_free(rows, TRUE);
	return list;
}
