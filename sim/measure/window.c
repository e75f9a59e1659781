// SPDX-License-Identifier: GPL-3.0-or-later
#include <glib.h>

#include "measure/anatomy.h"
#include "measure/gauge.h"
#include "measure/histogram.h"
#include "measure/metrics.h"
#include "measure/probes.h"
#include "measure/queue-stat.h"
#include "measure/samples.h"
#include "measure/shares.h"

static void open_probe(void *arg, const struct probe_place *place)
{
	struct sim *sim = arg;

	switch (place->probe->shape) {
	case PROBE_COUNTER:
		*(uint64_t *)place->data = 0;
		break;
	case PROBE_GAUGE:
		gauge_window_open(place->data, sim->now);
		break;
	case PROBE_SAMPLES:
		samples_reset(place->data);
		break;
	case PROBE_HISTOGRAM:
		histogram_reset(place->data);
		break;
	case PROBE_QUEUE:
		queue_stat_window_open(place->data, sim->now);
		break;
	case PROBE_ANATOMY:
		anatomy_reset(place->data);
		break;
	case PROBE_SHARES:
		shares_reset(place->data);
		break;
	case PROBE_VALUE:
	case PROBE_JAIN: /* of samples that have a probe of their own */
		break;
	}
}

static void close_probe(void *arg, const struct probe_place *place)
{
	struct sim *sim = arg;

	if (place->probe->shape == PROBE_GAUGE)
		gauge_window_close(place->data, sim->now);
	else if (place->probe->shape == PROBE_QUEUE)
		queue_stat_window_close(place->data, sim->now);
}

static void clear_probe(void *arg, const struct probe_place *place)
{
	switch (place->probe->shape) {
	case PROBE_GAUGE:
		gauge_clear(place->data);
		break;
	case PROBE_SAMPLES:
		samples_clear(place->data);
		break;
	case PROBE_HISTOGRAM:
		histogram_clear(place->data);
		break;
	case PROBE_QUEUE:
		queue_stat_clear(place->data);
		break;
	case PROBE_ANATOMY:
		anatomy_clear(place->data);
		break;
	case PROBE_SHARES:
		shares_clear(place->data);
		break;
	case PROBE_COUNTER:
	case PROBE_VALUE:
	case PROBE_JAIN:
		break;
	}
}

void metrics_window_open(struct sim *sim)
{
	probes_each_unnamed(sim, open_probe, sim);
	objects_window_open(sim);
}

void metrics_window_close(struct sim *sim)
{
	probes_each_unnamed(sim, close_probe, sim);
	objects_window_close(sim);
}

void metrics_clear(struct sim *sim)
{
	probes_each_unnamed(sim, clear_probe, NULL);
}

struct want {
	struct sim *sim;
	const char *metric;
};

static void want_probe(void *arg, const struct probe_place *place)
{
	struct want *w = arg;
	char *bytes;

	if (place->probe->shape != PROBE_QUEUE)
		return;
	bytes = g_strconcat(place->name, ".bytes", NULL);
	if (g_str_has_prefix(w->metric, bytes) && strchr(".", w->metric[strlen(bytes)]))
		queue_stat_want_bytes(place->data, w->sim->now);
	g_free(bytes);
}

void metrics_want(struct sim *sim, const char *metric)
{
	struct want w = {.sim = sim, .metric = metric};

	probes_each(sim, want_probe, &w);
}
