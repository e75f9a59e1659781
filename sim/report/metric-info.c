// SPDX-License-Identifier: GPL-3.0-or-later
#include "report/metric-info.h"

#include <glib.h>
#include <string.h>

static const struct metric_info infos[] = {
	{"goodput_mbit", "Mbit/s", HIGHER_IS_BETTER, true},
	{"flow_goodput_mbit", "Mbit/s", HIGHER_IS_BETTER, true},
	{"sent_mbit", "Mbit/s", NEITHER, true},
	{"rtt_ms", "ms", LOWER_IS_BETTER, true},
	{"delay_ms", "ms", LOWER_IS_BETTER, true},
	{"plt_ms", "ms", LOWER_IS_BETTER, true},
	{"tps", "1/s", HIGHER_IS_BETTER, true},
	{"mos", "MOS", HIGHER_IS_BETTER, true},
	{"jain", "", HIGHER_IS_BETTER, true},
	{"lost", "packets", LOWER_IS_BETTER, true},
	{"unfinished", "", LOWER_IS_BETTER, true},
	{"retransmits", "packets", LOWER_IS_BETTER, true},
	{"reordered", "packets", LOWER_IS_BETTER, true},
	{"sacks", "", NEITHER, true},
	{"sojourn_ms", "ms", LOWER_IS_BETTER, false},
	{"stall_ms", "ms", LOWER_IS_BETTER, false},
	{"packets", "packets", NEITHER, false},
	{"bytes", "bytes", NEITHER, false},
	{"limit", "", NEITHER, false},
	{"interrupts_per_packet", "", NEITHER, false},
	{"airtime_share", "", NEITHER, false},
	{"busy_share", "", NEITHER, false},
	{"collisions", "", NEITHER, false},
	{"retries", "", NEITHER, false},
};

static const struct metric_info unknown = {"", "", NEITHER, false};

static const char *const stats[] = {"min", "mean", "p50", "p90", "p95", "p99", "max", "mdev"};

const char *metric_stat(const char *name)
{
	const char *dot = strrchr(name, '.');

	for (size_t i = 0; dot && i < G_N_ELEMENTS(stats); i++) {
		if (strcmp(dot + 1, stats[i]) == 0)
			return stats[i];
	}
	return NULL;
}

char *metric_base(const char *name)
{
	const char *stat = metric_stat(name);

	return stat ? g_strndup(name, strlen(name) - strlen(stat) - 1) : g_strdup(name);
}

struct metric_info metric_info(const char *name)
{
	char *base = metric_base(name);
	const char *first = strchr(base, '.'), *last = strrchr(base, '.');
	struct metric_info info = unknown;

	for (size_t i = 0; last && i < G_N_ELEMENTS(infos); i++) {
		if (strcmp(last + 1, infos[i].base) == 0)
			info = infos[i];
	}
	/* run.packets counts deliveries, and is no queue's. */
	if (g_str_has_prefix(base, "run."))
		info = unknown;
	/* TRAFFIC.goodput_mbit; a station has one too, as NODE.IF.sta.PEER.goodput_mbit. */
	if (first != last)
		info.of_traffic = false;
	g_free(base);
	return info;
}

int metric_rank(const char *name)
{
	static const char *const order[] = {
		"goodput_mbit", "rtt_ms.mean",	 "rtt_ms.p95",	 "lost", "plt_ms.mean", "tps",
		"mos",		"delay_ms.mean", "delay_ms.p95", "jain", "retransmits",
	};
	const char *dot = strchr(name, '.');

	for (size_t i = 0; dot && i < G_N_ELEMENTS(order); i++) {
		if (strcmp(dot + 1, order[i]) == 0)
			return (int)i;
	}
	return -1;
}

char *metric_label(const char *name)
{
	const char *unit = metric_info(name).unit;

	return *unit ? g_strdup_printf("%s (%s)", name, unit) : g_strdup(name);
}
