// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/run-profile.h"

#include "measure/micro.h"
#include "report/table.h"
#include "sweep/decimal.h"

/* Shares of a whole, in 10^-6, that add up to all of it: each is what the rounded sum grows by. */
struct shares_of {
	uint64_t whole, sum;
	int64_t told;
};

static json_t *next_share(struct shares_of *s, uint64_t part)
{
	int64_t upto, share;

	s->sum += part;
	upto = s->whole ? micro_ratio(s->sum, s->whole) : 0;
	share = upto - s->told;
	s->told = upto;
	return decimal_json(share);
}

/* Mean ns of one of @n. */
static json_t *mean_ns(const struct profile *p, uint64_t ticks, uint64_t n)
{
	return decimal_json(n ? decimal_from_double((double)(profile_ns(p, ticks) / n)) : 0);
}

static json_t *parts_json(const struct profile *p)
{
	struct shares_of time = {.whole = profile_total(p)};
	const struct profile_part *const *v;
	uint32_t n = profile_parts(p, &v);
	json_t *list = json_array();

	for (uint32_t i = 0; i < n; i++)
		json_array_append_new(list, json_pack("{s:s, s:s, s:I, s:o, s:o}", "layer",
						      v[i]->layer, "model", v[i]->model, "calls",
						      (json_int_t)v[i]->calls, "share",
						      next_share(&time, v[i]->ticks), "ns",
						      mean_ns(p, v[i]->ticks, v[i]->calls)));
	return list;
}

static json_t *events_json(const struct profile *p)
{
	struct shares_of time = {.whole = profile_total(p)}, count = {0};
	const struct profile_event *const *v;
	uint32_t n = profile_events(p, &v);
	json_t *list = json_array();

	for (uint32_t i = 0; i < n; i++)
		count.whole += v[i]->count;
	for (uint32_t i = 0; i < n; i++)
		json_array_append_new(
			list, json_pack("{s:s, s:s, s:s, s:I, s:o, s:o, s:o}", "layer",
					v[i]->part->layer, "model", v[i]->part->model, "event",
					v[i]->name, "count", (json_int_t)v[i]->count, "count_share",
					next_share(&count, v[i]->count), "share",
					next_share(&time, v[i]->ticks), "ns",
					mean_ns(p, v[i]->ticks, v[i]->count)));
	return list;
}

json_t *run_profile_json(const struct profile *p)
{
	return json_pack(
		"{s:o, s:o, s:o, s:o}", "cpu_s",
		decimal_json(decimal_from_double((double)profile_cpu_ns(p) / 1e9)), "left_out_s",
		decimal_json(decimal_from_double((double)profile_ns(p, profile_gaps(p)) / 1e9)),
		"parts", parts_json(p), "events", events_json(p));
}

static void text_cell(struct table *t, const json_t *row, const char *key)
{
	table_cell(t, json_string_value(json_object_get(row, key)));
}

static void count_cell(struct table *t, const json_t *row, const char *key)
{
	table_cellf(t, "%lld", (long long)json_integer_value(json_object_get(row, key)));
}

static void share_cell(struct table *t, const json_t *row, const char *key)
{
	table_cellf(t, "%.1f %%", json_number_value(json_object_get(row, key)) * 100);
}

static void ns_cell(struct table *t, const json_t *row)
{
	table_cellf(t, "%.0f", json_number_value(json_object_get(row, "ns")));
}

void run_profile_text(const json_t *profile, GString *out)
{
	double cpu = json_number_value(json_object_get(profile, "cpu_s"));
	double left_out = json_number_value(json_object_get(profile, "left_out_s"));
	struct table *parts = table_new(), *events = table_new();
	json_t *row;
	size_t i;

	table_column(parts, "layer", false);
	table_column(parts, "model", false);
	table_column(parts, "CPU time", true);
	table_column(parts, "calls", true);
	table_column(parts, "ns a call", true);
	json_array_foreach(json_object_get(profile, "parts"), i, row)
	{
		text_cell(parts, row, "layer");
		text_cell(parts, row, "model");
		share_cell(parts, row, "share");
		count_cell(parts, row, "calls");
		ns_cell(parts, row);
	}
	table_column(events, "layer", false);
	table_column(events, "model", false);
	table_column(events, "event", false);
	table_column(events, "events", true);
	table_column(events, "share", true);
	table_column(events, "CPU time", true);
	table_column(events, "ns an event", true);
	json_array_foreach(json_object_get(profile, "events"), i, row)
	{
		text_cell(events, row, "layer");
		text_cell(events, row, "model");
		text_cell(events, row, "event");
		count_cell(events, row, "count");
		share_cell(events, row, "count_share");
		share_cell(events, row, "share");
		ns_cell(events, row);
	}
	g_string_append_printf(out, "\n%.3f s of CPU, by what ran at the time:\n", cpu);
	table_text(parts, "", out);
	g_string_append(out, "\nEvents, each with all that it led to at once:\n");
	table_text(events, "", out);
	if (left_out > 0)
		g_string_append_printf(
			out, "(%.3f s in which others had the processor are left out)\n", left_out);
	table_free(parts);
	table_free(events);
}
