// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/run-text.h"

#include <stdlib.h>
#include <string.h>

#include "engine/model.h"
#include "report/metric-info.h"
#include "report/table.h"
#include "sweep/decimal.h"

static int by_name(const void *a, const void *b)
{
	return strcmp(((const struct result_metric *)a)->name,
		      ((const struct result_metric *)b)->name);
}

int64_t metric_list_find(const struct metric_list *m, const char *name)
{
	struct result_metric wanted = {.name = name};
	const struct result_metric *found =
		m->n ? bsearch(&wanted, m->v, m->n, sizeof(wanted), by_name) : NULL;

	return found ? found->micro : METRIC_ABSENT;
}

/* Where names that begin with @prefix stand, if there are any: the first that does not sort before it. */
static uint32_t first_with(const struct metric_list *m, const char *prefix)
{
	uint32_t low = 0, high = m->n;

	while (low < high) {
		uint32_t mid = low + (high - low) / 2;

		if (strcmp(m->v[mid].name, prefix) < 0)
			low = mid + 1;
		else
			high = mid;
	}
	return low;
}

static int64_t find2(const struct metric_list *m, const char *base, const char *rest)
{
	char *name = g_strconcat(base, ".", rest, NULL);
	int64_t micro = metric_list_find(m, name);

	g_free(name);
	return micro;
}

/* ---- traffic -------------------------------------------------------------------------------- */

struct column_of {
	const char *rest; /* of the metric, behind the traffic */
	const char *title;
};

static const struct column_of traffic_columns[] = {
	{"goodput_mbit", "goodput Mbit/s"},
	{"tps", "tps"},
	{"mos", "MOS"},
	{"jain", "Jain"},
	{"rtt_ms.min", "rtt ms: min"},
	{"rtt_ms.mean", "mean"},
	{"rtt_ms.p50", "p50"},
	{"rtt_ms.p95", "p95"},
	{"rtt_ms.p99", "p99"},
	{"rtt_ms.max", "max"},
	{"rtt_ms.mdev", "mdev"},
	{"delay_ms.mean", "delay ms: mean"},
	{"delay_ms.p95", "p95"},
	{"delay_ms.max", "max"},
	{"plt_ms.mean", "load ms: mean"},
	{"plt_ms.p95", "p95"},
	{"lost", "lost"},
	{"unfinished", "unfinished"},
	{"retransmits", "retransmits"},
	{"reordered", "reordered"},
};

/* Names before a metric that matches; each once, in order. The array owns them. */
static GPtrArray *owners(const struct metric_list *m, bool (*match)(const char *name, size_t *len))
{
	GPtrArray *list = g_ptr_array_new_with_free_func(g_free);

	for (uint32_t i = 0; i < m->n; i++) {
		const char *last = list->len ? list->pdata[list->len - 1] : NULL;
		size_t len;

		if (!match(m->v[i].name, &len) ||
		    (last && strlen(last) == len && !strncmp(last, m->v[i].name, len)))
			continue;
		g_ptr_array_add(list, g_strndup(m->v[i].name, len));
	}
	return list;
}

static bool is_traffic(const char *name, size_t *len)
{
	*len = strcspn(name, ".");
	return metric_info(name).of_traffic;
}

/* Whether a column is worth its place: one of @names has it, and fairness is told where it is not perfect. */
static bool any_has(const struct metric_list *m, const GPtrArray *names, const char *rest)
{
	int64_t dull = strcmp(rest, "jain") ? METRIC_ABSENT : MICRO;

	for (guint i = 0; i < names->len; i++) {
		int64_t micro = find2(m, names->pdata[i], rest);

		if (micro != METRIC_ABSENT && micro != dull)
			return true;
	}
	return false;
}

/* A group of more than so many is one row, else its members are told too. */
#define GROUP_ROWS 8

/* How many members the group @name has among @names: up1, up2, ... of up. */
static guint members_of(GHashTable *names, const char *name)
{
	guint n = 0;

	for (bool found = true; found; n += found) {
		char *member = g_strdup_printf("%s%u", name, n + 1);

		found = g_hash_table_contains(names, member);
		g_free(member);
	}
	return n;
}

/* Each of @names, with its members if it is a group. The table borrows the names. */
static GHashTable *groups_of(const GPtrArray *names)
{
	GHashTable *set = g_hash_table_new(g_str_hash, g_str_equal);
	GHashTable *groups = g_hash_table_new(g_str_hash, g_str_equal);

	for (guint i = 0; i < names->len; i++)
		g_hash_table_add(set, names->pdata[i]);
	for (guint i = 0; i < names->len; i++)
		g_hash_table_insert(groups, names->pdata[i],
				    GUINT_TO_POINTER(members_of(set, names->pdata[i])));
	g_hash_table_unref(set);
	return groups;
}

static guint group_size(GHashTable *groups, const char *name)
{
	return GPOINTER_TO_UINT(g_hash_table_lookup(groups, name));
}

static bool is_folded(GHashTable *groups, const char *name)
{
	size_t len = strlen(name);
	char *group;
	bool folded;

	while (len && g_ascii_isdigit(name[len - 1]))
		len--;
	group = g_strndup(name, len);
	folded = *group && strcmp(group, name) && group_size(groups, group) > GROUP_ROWS;

	g_free(group);
	return folded;
}

static void traffic_name(struct table *t, GHashTable *groups, const char *name)
{
	guint n = group_size(groups, name);
	char *text = n > GROUP_ROWS ? g_strdup_printf("%s (%u)", name, n) : g_strdup(name);

	table_cell(t, text);
	g_free(text);
}

void run_text_traffic(const struct metric_list *m, GString *out)
{
	bool shown[G_N_ELEMENTS(traffic_columns)];
	GPtrArray *names = owners(m, is_traffic);
	GHashTable *groups = groups_of(names);
	struct table *t = table_new();

	table_column(t, "traffic", false);
	for (size_t c = 0; c < G_N_ELEMENTS(traffic_columns); c++) {
		shown[c] = any_has(m, names, traffic_columns[c].rest);
		if (shown[c])
			table_column(t, traffic_columns[c].title, true);
	}
	for (guint i = 0; i < names->len; i++) {
		if (is_folded(groups, names->pdata[i]))
			continue;
		traffic_name(t, groups, names->pdata[i]);
		for (size_t c = 0; c < G_N_ELEMENTS(traffic_columns); c++) {
			if (shown[c])
				table_number(t, find2(m, names->pdata[i], traffic_columns[c].rest),
					     4);
		}
	}
	if (names->len > 0)
		table_text(t, "", out);
	table_free(t);
	g_hash_table_unref(groups);
	g_ptr_array_unref(names);
}

/* ---- queues --------------------------------------------------------------------------------- */

static bool is_queue(const char *name, size_t *len)
{
	static const char end[] = ".packets.mean";

	if (!g_str_has_suffix(name, end))
		return false;
	*len = strlen(name) - strlen(end);
	return true;
}

/* "overlimit 12, tail 3" of PREFIX.drops.QUEUE.CAUSE, where @queue is PREFIX.QUEUE; "-" without drops. */
static char *drops_text(const struct metric_list *m, const char *queue)
{
	const char *dot = strrchr(queue, '.');
	char *prefix = g_strdup_printf("%.*s%sdrops.%s.", dot ? (int)(dot - queue) : 0, queue,
				       dot ? "." : "", dot ? dot + 1 : queue);
	GString *s = g_string_new(NULL);
	char number[MICRO_TEXT];

	for (uint32_t i = first_with(m, prefix); i < m->n && g_str_has_prefix(m->v[i].name, prefix);
	     i++) {
		if (m->v[i].micro == 0)
			continue;
		g_string_append_printf(s, "%s%s %s", s->len ? ", " : "",
				       m->v[i].name + strlen(prefix),
				       micro_format(number, m->v[i].micro));
	}
	g_free(prefix);
	if (s->len == 0)
		g_string_append_c(s, '-');
	return g_string_free(s, FALSE);
}

/* The line that `tc -s qdisc` prints; nothing for what is no qdisc. */
static void tc_line(const struct metric_list *m, const char *queue, GString *out)
{
	static const char *const names[] = {"sent_bytes", "sent_packets", "dropped", "overlimits",
					    "requeues"};
	char text[G_N_ELEMENTS(names)][MICRO_TEXT];
	bool any = false;

	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		int64_t micro = find2(m, queue, names[i]);

		if (micro == METRIC_ABSENT)
			return;
		any |= micro != 0;
		micro_format(text[i], micro);
	}
	if (!any)
		return;
	g_string_append_printf(
		out, "  %s: Sent %s bytes %s pkt (dropped %s, overlimits %s requeues %s)\n", queue,
		text[0], text[1], text[2], text[3], text[4]);
}

/* PREFIX.drops.QUEUE.CAUSE, of a queue that keeps no counts of its own: the length of PREFIX.drops.QUEUE. */
static bool is_drop(const char *name, size_t *len)
{
	const char *drops = strstr(name, ".drops."), *cause;

	cause = drops ? strchr(drops + strlen(".drops."), '.') : NULL;
	*len = cause ? (size_t)(cause - name) : 0;
	return cause;
}

/* Drops that no row of the table has: a driver counts them once, and has a queue for each category. */
static void drop_lines(const struct metric_list *m, GString *out)
{
	GPtrArray *names = owners(m, is_drop);

	for (guint i = 0; i < names->len; i++) {
		const char *name = names->pdata[i], *drops = strstr(name, ".drops.");
		char *queue = g_strdup_printf("%.*s.%s", (int)(drops - name), name,
					      drops + strlen(".drops."));
		char *text;

		if (find2(m, queue, "packets.mean") == METRIC_ABSENT) {
			text = drops_text(m, queue);
			if (strcmp(text, "-"))
				g_string_append_printf(out, "  %s: drops %s\n", queue, text);
			g_free(text);
		}
		g_free(queue);
	}
	g_ptr_array_unref(names);
}

void run_text_queues(const struct metric_list *m, GString *out)
{
	static const char *const columns[] = {"packets.mean",	"packets.p95",
					      "packets.max",	"sojourn_ms.mean",
					      "sojourn_ms.p95", "sojourn_ms.max"};
	GPtrArray *queues = owners(m, is_queue);
	struct table *t = table_new();
	uint32_t shown = 0, idle = 0;

	table_column(t, "queue", false);
	table_column(t, "packets: mean", true);
	table_column(t, "p95", true);
	table_column(t, "max", true);
	table_column(t, "sojourn ms: mean", true);
	table_column(t, "p95", true);
	table_column(t, "max", true);
	table_column(t, "drops", false);
	for (guint i = 0; i < queues->len; i++) {
		char *drops = drops_text(m, queues->pdata[i]);

		/* A queue that nothing passed is not worth a line. */
		if (find2(m, queues->pdata[i], "sojourn_ms.mean") == METRIC_ABSENT &&
		    find2(m, queues->pdata[i], "packets.max") <= 0 && !strcmp(drops, "-")) {
			idle++;
		} else {
			shown++;
			table_cell(t, queues->pdata[i]);
			for (size_t c = 0; c < G_N_ELEMENTS(columns); c++)
				table_number(t, find2(m, queues->pdata[i], columns[c]), 4);
			table_cell(t, drops);
		}
		g_free(drops);
	}
	if (shown > 0)
		table_text(t, "", out);
	for (guint i = 0; i < queues->len; i++)
		tc_line(m, queues->pdata[i], out);
	drop_lines(m, out);
	if (idle > 0)
		g_string_append_printf(out, "  (%u queues that nothing passed are not shown)\n",
				       idle);
	table_free(t);
	g_ptr_array_unref(queues);
}

/* ---- the rest ------------------------------------------------------------------------------- */

/* What of an object is told on one line; the rest is in --json. */
static const char *const device_metrics[] = {
	"tx_packets",
	"rx_packets",
	"stops",
	"wakes",
	"interrupts_per_packet",
	"retries",
	"airtime_share",
	"collisions",
	"busy_share",
	"noqueue_drops",
	"ampdu.mean",
	"away_share",
	"goodput_mbit",
	"lifetime.dropped",
};

static bool is_device(const char *name, size_t *len)
{
	const char *dot;

	for (size_t i = 0; i < G_N_ELEMENTS(device_metrics); i++) {
		size_t n = strlen(name), end = strlen(device_metrics[i]);

		if (n <= end || name[n - end - 1] != '.' ||
		    strcmp(name + n - end, device_metrics[i]))
			continue;
		*len = n - end - 1;
		dot = memchr(name, '.', *len);
		/* TRAFFIC.goodput_mbit has had its table. */
		return strcmp(device_metrics[i], "goodput_mbit") || dot;
	}
	return false;
}

static void device_lines(const struct metric_list *m, GString *out)
{
	GPtrArray *names = owners(m, is_device);
	GHashTable *seen = g_hash_table_new(g_str_hash, g_str_equal);
	char number[MICRO_TEXT];

	for (guint i = 0; i < names->len; i++) {
		GString *line = g_string_new(NULL);

		if (!g_hash_table_add(seen, names->pdata[i])) {
			g_string_free(line, TRUE);
			continue;
		}
		for (size_t k = 0; k < G_N_ELEMENTS(device_metrics); k++) {
			int64_t micro = find2(m, names->pdata[i], device_metrics[k]);

			if (micro != METRIC_ABSENT && micro != 0)
				g_string_append_printf(line, "%s%s %s", line->len ? ", " : "",
						       device_metrics[k],
						       decimal_short(number, micro, 4));
		}
		if (line->len > 0)
			g_string_append_printf(out, "%s: %s\n", (char *)names->pdata[i], line->str);
		g_string_free(line, TRUE);
	}
	g_hash_table_unref(seen);
	g_ptr_array_unref(names);
}

void run_text(const struct metric_list *m, GString *out)
{
	run_text_traffic(m, out);
	g_string_append_c(out, '\n');
	run_text_queues(m, out);
	g_string_append_c(out, '\n');
	device_lines(m, out);
	run_text_warnings(m, out);
}
