// SPDX-License-Identifier: GPL-3.0-or-later
/* Warnings and the latency anatomy: the parts of run-text.h that interpret. */
#include "report/run-text.h"

#include <stdlib.h>
#include <string.h>

#include "engine/model.h"
#include "report/metric-info.h"
#include "report/table.h"
#include "sweep/decimal.h"

/* One that gets less than this part of what is in the middle of its like starves. */
#define STARVED_PART 10

struct got {
	const char *name; /* of the metric */
	int64_t micro;
	char *like; /* the names of its metrics: alike for traffics of one model. NULL for stations */
};

static int by_kind_and_amount(const void *a, const void *b)
{
	const struct got *x = a, *y = b;
	int c = g_strcmp0(x->like, y->like);

	return c ? c : x->micro < y->micro ? -1 : x->micro > y->micro;
}

/* Of @n sorted ones of a kind, those far below the middle. */
static void warn_kind(const struct got *all, uint32_t n, GString *out)
{
	char mine[MICRO_TEXT], middle[MICRO_TEXT];
	int64_t median = all[n / 2].micro;

	for (uint32_t i = 0; i < n && all[i].micro * STARVED_PART < median; i++)
		g_string_append_printf(
			out, "warning: %s starves: %s Mbit/s; the median of its like is %s\n",
			all[i].name, decimal_short(mine, all[i].micro, 3),
			decimal_short(middle, median, 3));
}

static void warn_starved(GArray *all, GString *out)
{
	guint first = 0;

	g_array_sort(all, by_kind_and_amount);
	for (guint i = 1; i <= all->len; i++) {
		const struct got *g = (const struct got *)all->data;

		if (i < all->len && g_strcmp0(g[i].like, g[first].like) == 0)
			continue;
		warn_kind(g + first, i - first, out);
		first = i;
	}
}

/* The names of all metrics of a traffic, without the traffic's own. */
static char *kind_of(const struct metric_list *m, const char *traffic)
{
	GString *s = g_string_new(NULL);
	size_t len = strlen(traffic);

	for (uint32_t i = 0; i < m->n; i++) {
		if (!strncmp(m->v[i].name, traffic, len) && m->v[i].name[len] == '.')
			g_string_append(s, m->v[i].name + len);
	}
	return g_string_free(s, FALSE);
}

/* What a traffic sends and nobody gets: of UDP, which does not mind. */
static void warn_undelivered(const struct metric_list *m, const char *traffic, int64_t goodput,
			     GString *out)
{
	char got[MICRO_TEXT], sent[MICRO_TEXT];
	char *name = g_strconcat(traffic, ".sent_mbit", NULL);
	int64_t micro = metric_list_find(m, name);

	if (micro != METRIC_ABSENT && goodput * STARVED_PART < micro)
		g_string_append_printf(out, "warning: %s: of %s Mbit/s sent %s arrive\n", traffic,
				       decimal_short(sent, micro, 3),
				       decimal_short(got, goodput, 3));
	g_free(name);
}

static void warn_stalled(const struct metric_list *m, GString *out)
{
	for (uint32_t i = 0; i < m->n; i++) {
		struct metric_info info = metric_info(m->v[i].name);
		char *base, *delay, *traffic;

		/* A traffic that lost samples and got none has no distribution at all. */
		if (!info.of_traffic || strcmp(info.base, "lost") || m->v[i].micro == 0)
			continue;
		traffic = g_strndup(m->v[i].name, strcspn(m->v[i].name, "."));
		base = g_strconcat(traffic, ".rtt_ms.mean", NULL);
		delay = g_strconcat(traffic, ".delay_ms.mean", NULL);
		if (metric_list_find(m, base) == METRIC_ABSENT &&
		    metric_list_find(m, delay) == METRIC_ABSENT)
			g_string_append_printf(out, "warning: %s: every one was lost\n", traffic);
		g_free(delay);
		g_free(base);
		g_free(traffic);
	}
}

/* A qdisc above mac80211's own queues, which never refuse a packet. */
static void warn_bypassed(const struct metric_list *m, GString *out)
{
	static const char end[] = ".qdisc.packets.max";

	for (uint32_t i = 0; i < m->n; i++) {
		char *dev, *sent, *txq;

		if (m->v[i].micro != 0 || !g_str_has_suffix(m->v[i].name, end))
			continue;
		dev = g_strndup(m->v[i].name, strlen(m->v[i].name) - strlen(end));
		sent = g_strconcat(dev, ".qdisc.sent_packets", NULL);
		txq = g_strconcat(dev, ".txq.be.packets.max", NULL);
		if (metric_list_find(m, sent) > 0 && metric_list_find(m, txq) != METRIC_ABSENT)
			g_string_append_printf(
				out,
				"warning: %s.qdisc held no packet: they wait in %s.txq below it, "
				"so the qdisc decides nothing\n",
				dev, dev);
		g_free(txq);
		g_free(sent);
		g_free(dev);
	}
}

static void got_clear(void *p)
{
	g_free(((struct got *)p)->like);
}

void run_text_warnings(const struct metric_list *m, GString *out)
{
	GArray *greedy = g_array_new(FALSE, FALSE, sizeof(struct got));
	GArray *stations = g_array_new(FALSE, FALSE, sizeof(struct got));

	g_array_set_clear_func(greedy, got_clear);
	for (uint32_t i = 0; i < m->n; i++) {
		const char *name = m->v[i].name;
		struct metric_info info = metric_info(name);
		struct got g = {.name = name, .micro = m->v[i].micro};
		char *traffic = g_strndup(name, strcspn(name, ".")), *retransmits;

		retransmits = g_strconcat(traffic, ".retransmits", NULL);
		if (strcmp(info.base, "goodput_mbit") == 0 && info.of_traffic) {
			/* TCP takes what it can get, so flows of a kind should get alike. */
			if (metric_list_find(m, retransmits) != METRIC_ABSENT) {
				g.like = kind_of(m, traffic);
				g_array_append_val(greedy, g);
			}
			warn_undelivered(m, traffic, g.micro, out);
		} else if (strcmp(info.base, "goodput_mbit") == 0 && strstr(name, ".sta.")) {
			g_array_append_val(stations, g);
		}
		g_free(retransmits);
		g_free(traffic);
	}
	warn_starved(greedy, out);
	warn_starved(stations, out);
	warn_stalled(m, out);
	warn_bypassed(m, out);
	g_array_unref(greedy);
	g_array_unref(stations);
}

static double sum_parts(const json_t *parts)
{
	double sum = 0;
	const char *name;
	json_t *value;

	json_object_foreach((json_t *)parts, name, value) sum += json_number_value(value);
	return sum;
}

static void part_cells(struct table *t, double ms, double sum)
{
	table_number(t, decimal_from_double(ms), 4);
	if (sum > 0)
		table_cellf(t, "%.1f %%", ms / sum * 100);
	else
		table_cell(t, "-");
}

static void anatomy_table(const char *flow, const json_t *a, GString *out)
{
	const json_t *mean = json_object_get(a, "mean_ms"),
		     *slow = json_object_get(a, "slowest_ms");
	double mean_sum = sum_parts(mean), slow_sum = sum_parts(slow);
	struct table *t = table_new();
	const char *part;
	json_t *value;

	table_column(t, flow, false);
	table_column(t, "mean ms", true);
	table_column(t, "share", true);
	table_column(t, "slowest 5 % ms", true);
	table_column(t, "share", true);
	json_object_foreach((json_t *)mean, part, value)
	{
		double v = json_number_value(value);
		double s = json_number_value(json_object_get(slow, part));

		if (v == 0 && s == 0)
			continue;
		table_cell(t, part);
		part_cells(t, v, mean_sum);
		part_cells(t, s, slow_sum);
	}
	table_cell(t, "all");
	part_cells(t, mean_sum, mean_sum);
	part_cells(t, slow_sum, slow_sum);
	table_text(t, "", out);
	table_free(t);
}

void run_text_anatomy(const json_t *run, GString *out)
{
	const char *flow;
	json_t *a;

	json_object_foreach(json_object_get(run, "anatomy"), flow, a)
	{
		g_string_append_c(out, '\n');
		anatomy_table(flow, a, out);
	}
}
