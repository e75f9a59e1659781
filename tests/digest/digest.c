// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Prints what a run of toy models comes to: a digest of all that was dispatched, and every metric. The
 * same lines must come from any compiler at any level of optimisation (compare.py).
 */
#include <inttypes.h>
#include <stdio.h>
#include <xxhash.h>

#include "measure/metrics.h"
#include "toy-model.h"

#define TOYS 12

static const int64_t delays[] = {SIM_MS, 3 * SIM_MS, 7777777};

static void trace(struct sim *sim, const struct event *ev)
{
	int64_t word[3] = {sim->now, ev->rank, (int64_t)ev->seq};

	XXH3_64bits_update(sim->trace_arg, word, sizeof(word));
}

static void finish(struct sim *sim, void *arg)
{
	struct metrics *m;
	char buf[MICRO_TEXT];

	metrics_window_close(sim);
	objects_audit(sim);
	m = metrics_collect(sim, 2 * SIM_SEC);
	for (uint32_t i = 0; i < m->n; i++)
		printf("%s %s\n", m->v[i].name, micro_format(buf, m->v[i].micro));
	metrics_free(m);
}

static void print_anatomy(void *arg, const char *name, const struct anatomy *a)
{
	int64_t mean[2];
	int64_t all = anatomy_slowest(a, 50, mean);

	printf("%s %" PRId64 " %" PRId64 " %" PRId64 "\n", name, all, mean[0], mean[1]);
}

static void make(struct sim *sim, struct toy_params *params, struct toy_soft_params *soft)
{
	struct object *last = NULL;

	for (int i = 0; i < TOYS; i++) {
		struct toy_params *p = &params[i];
		char path[16];

		*p = (struct toy_params){
			.on = 1,
			.count = 2 + i,
			.period = (1 + i) * 700 * SIM_US,
			.rate = 6000000,
			.parcel = 1500,
			.loss = PROB_ONE / 8,
			.deadline = PARAM_UNSET,
			.peer = last,
			.delays = {.n = 3, .items = delays},
		};
		if (i % 2)
			p->spring = (struct slot){
				.cls = &test_toy_soft, .params = soft, .path = "spring"};
		snprintf(path, sizeof(path), "toy%d", i);
		last = object_new(sim, &test_toy, path, p, NULL);
		if (i > 0 && i <= TOY_STATIONS)
			test_toy.ops->station_add(sim->objects[0], last);
		if (i == TOY_STATIONS)
			last = NULL;
	}
}

static int run(uint64_t seed)
{
	struct toy_soft_params soft = {.factor = 1234567};
	struct toy_params params[TOYS];
	struct sim *sim = sim_new(seed);
	int failed;

	sim->trace_arg = XXH3_createState();
	XXH3_64bits_reset(sim->trace_arg);
	sim->trace = trace;
	make(sim, params, &soft);
	objects_start(sim);
	failed = sim_run(sim, SIM_SEC);
	metrics_window_open(sim);
	failed |= sim_run(sim, 3 * SIM_SEC);
	printf("seed %" PRIu64 " digest %016" PRIx64 "\n", seed,
	       (uint64_t)XXH3_64bits_digest(sim->trace_arg));
	failed |= sim_call(sim, finish, NULL);
	metrics_anatomies(sim, print_anatomy, NULL);
	if (failed)
		fprintf(stderr, "%s\n", sim->error);
	XXH3_freeState(sim->trace_arg);
	metrics_clear(sim);
	sim_free(sim);
	return failed;
}

int main(void)
{
	int failed = 0;

	for (uint64_t seed = 1; seed <= 3; seed++)
		failed |= run(seed);
	return failed != 0;
}
