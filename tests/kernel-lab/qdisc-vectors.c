// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * qdisc-vectors list: number and qdisc of each subject of models/kernel/lab/vectors.h.
 * qdisc-vectors run LIBRARY [SUBJECT CALL]: the vectors' calls before a library of a tree's files, with no simulator
 * between; prints what the module models/kernel/lab/qdisc-module.c does; with CALL, the hundred calls up to that one.
 * qdisc-vectors wheel LIBRARY: of "SET DELTA FIRED" lines, in jiffies since the start, checks that a timer of the
 * library's world that is set at SET fires FIRED jiffies later.
 */
#include <dlfcn.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "kernel/lab/vectors.h"

#define TICK 4000000ll /* HZ is 250 */
#define ERR  200

struct world {
	struct seam_boot boot;
	const struct seam_core *core;
	struct vec_run run;
	u32 gone, gone_numbers;
	s64 due;
	u32 timer;
};

static struct world *of(struct seam_boot *b)
{
	return (struct world *)b;
}

static u32 on_draw(struct seam_boot *b, void *up)
{
	return vec_draw(&of(b)->run);
}

static void on_timer(struct seam_boot *b, void *up, u32 timer, s64 at)
{
	struct world *w = of(b);

	if (at < 0 && timer != w->timer)
		return;
	w->timer = timer;
	w->due = at < 0 ? VEC_NONE : at;
}

static void on_trap(struct seam_boot *b, const char *symbol, const char *files)
{
	fprintf(stderr, "trap: %s of %s\n", symbol, files);
	exit(1);
}

static void on_bug(struct seam_boot *b, const char *file, int line, const char *what)
{
	fprintf(stderr, "bug: %s:%d: %s\n", file ? file : "", line, what);
	exit(1);
}

static void on_gone(struct seam_boot *b, void *up, void *cookie, enum seam_gone why)
{
	of(b)->gone++;
	of(b)->gone_numbers += vec_mix((u32)(uintptr_t)cookie);
}

static void on_wake(struct seam_boot *b, void *up)
{
}

static void on_reduce(struct seam_boot *b, void *up, int n, int bytes)
{
}

static void world_open(struct world *w, const char *library)
{
	void *so = dlopen(library, RTLD_NOW | RTLD_LOCAL);

	*w = (struct world){
		.boot = {.draw = on_draw,
			 .timer = on_timer,
			 .trap = on_trap,
			 .bug = on_bug,
			 .gone = on_gone,
			 .wake = on_wake,
			 .reduce = on_reduce},
		.core = so ? dlsym(so, SEAM_SYMBOL) : NULL,
		.due = VEC_NONE,
	};
	if (!w->core || w->core->abi != SEAM_ABI || !w->core->qdisc || w->core->hz != 250) {
		fprintf(stderr, "%s: not a library of qdiscs with HZ 250\n", library);
		exit(2);
	}
	w->boot.now = VEC_START;
	w->core->boot(&w->boot);
}

static void pass(struct world *w, s64 at)
{
	while (w->due != VEC_NONE && w->due <= at) {
		w->boot.now = w->due;
		w->due = VEC_NONE;
		w->core->fired(w->timer);
	}
	w->boot.now = at;
}

/* ---- subjects ---------------------------------------------------------------------------------- */

static u32 options_of(struct seam_option *to, const struct vec_option *o, u32 max)
{
	u32 n = vec_options(o, max);

	for (u32 i = 0; i < n; i++)
		to[i] = (struct seam_option){.name = o[i].name, .value = o[i].value};
	return n;
}

static void change(struct world *w, void *q, const struct vec_option *o, u32 max)
{
	struct seam_option options[8];
	u32 n = options_of(options, o, max);
	char err[ERR];

	if (n && w->core->qdisc->change(q, options, n, err, sizeof(err))) {
		fprintf(stderr, "%s\n", err);
		exit(1);
	}
}

static struct vec_answer one(struct world *w, void *q, const struct seam_queue *state,
			     const struct vec_call *c, const struct vec_subject *s)
{
	const struct seam_qdisc *ops = w->core->qdisc;
	struct vec_answer a = {0};
	struct seam_given given;

	w->gone = 0;
	w->gone_numbers = 0;
	pass(w, c->at);
	switch (c->what) {
	case VEC_ENQUEUE:
		a.result = (u32)ops->enqueue(q, &c->p);
		break;
	case VEC_PEEK:
		a.result = (u32)(uintptr_t)ops->peek(q);
		break;
	case VEC_DEQUEUE:
		if (ops->dequeue(q, &given)) {
			a.result = (u32)(uintptr_t)given.cookie;
			a.dsfield = given.dsfield;
		}
		break;
	case VEC_CHANGE:
		change(w, q, s->later, 3);
		break;
	case VEC_RESET:
		ops->reset(q);
		break;
	}
	a.qlen = state->qlen;
	a.backlog = state->backlog;
	a.drops = (u32)state->drops;
	a.overlimits = (u32)state->overlimits;
	a.gone = w->gone;
	a.gone_numbers = w->gone_numbers;
	a.due = w->due;
	return a;
}

static void run(struct world *w, u32 subject, u32 show)
{
	static const struct seam_device dev = {
		.mtu = 1500, .hard_header_len = 14, .tx_queue_len = 1000};
	const struct vec_subject *s = &vec_subjects[subject];
	struct seam_queue state = {0};
	struct seam_option options[8];
	u32 n = options_of(options, s->set, 8);
	struct vec_call c;
	char err[ERR];
	void *q;

	vec_begin(&w->run, subject);
	w->boot.now = VEC_START;
	w->due = VEC_NONE;
	q = w->core->qdisc->create(s->kind, w, &dev, &state, options, n, err, sizeof(err));
	if (!q) {
		fprintf(stderr, "%s\n", err);
		exit(1);
	}
	while (vec_next(&w->run, &c)) {
		struct vec_answer a = one(w, q, &state, &c, s);

		vec_note(&w->run, &a);
		if (show && w->run.n <= show && w->run.n + 100 > show)
			printf("call %u at %" PRId64
			       ": %u: %u/%x q %u %u drops %u %u gone %u due %" PRId64 " draws %u\n",
			       w->run.n, c.at, c.what, a.result, a.dsfield, a.qlen, a.backlog,
			       a.drops, a.overlimits, a.gone, a.due, w->run.draws);
		if (w->run.n % (VEC_CALLS / 10) == 0)
			printf("%u %s calls %u drops %u overlimits %u draws %u %016" PRIx64 "\n",
			       subject, s->kind, w->run.n, a.drops, a.overlimits, w->run.draws,
			       w->run.hash);
	}
	w->core->qdisc->destroy(q);
}

/* The secret of flow hashes is drawn once a boot, when it is needed first. */
static void draw_secret(struct world *w)
{
	static const struct seam_device dev = {
		.mtu = 1500, .hard_header_len = 14, .tx_queue_len = 1000};
	struct seam_queue state = {0};
	struct seam_packet p;
	char err[ERR];
	void *q;

	vec_begin(&w->run, VEC_SUBJECTS);
	vec_packet(&w->run, &p);
	p.hash = 0;
	q = w->core->qdisc->create("fq_codel", w, &dev, &state, NULL, 0, err, sizeof(err));
	if (q) {
		w->core->qdisc->enqueue(q, &p);
		pass(w, VEC_START);
		w->core->qdisc->destroy(q);
	}
	printf("secret draws %u\n", w->run.draws);
}

/* ---- the wheel --------------------------------------------------------------------------------- */

/* pie's timer has any period: when it has fired at SET it is set anew, for DELTA jiffies. */
static int wheel(struct world *w)
{
	static const struct seam_device dev = {
		.mtu = 1500, .hard_header_len = 14, .tx_queue_len = 1000};
	struct seam_queue state = {0};
	struct vec_option o = {"tupdate", 0};
	u64 set, delta, fired, n = 0, wrong = 0;
	char err[ERR];
	void *q = w->core->qdisc->create("pie", w, &dev, &state, NULL, 0, err, sizeof(err));

	while (q && scanf("%" SCNu64 " %" SCNu64 " %" SCNu64, &set, &delta, &fired) == 3) {
		u64 ours;

		w->boot.now = (s64)set * TICK;
		o.value = (s64)delta * TICK;
		change(w, q, &o, 1);
		w->core->fired(w->timer);
		ours = (u64)(w->due / TICK) - set;
		if (ours != fired) {
			printf("set at jiffy %" PRIu64 " for %" PRIu64
			       ": Linux fires after %" PRIu64 ", the library after %" PRIu64 "\n",
			       set, delta, fired, ours);
			wrong++;
		}
		n++;
	}
	printf("%" PRIu64 " timers, %" PRIu64 " of them otherwise\n", n, wrong);
	return n == VEC_TIMERS && !wrong ? 0 : 1;
}

int main(int argc, char **argv)
{
	struct world w;

	if (argc == 2 && !strcmp(argv[1], "list")) {
		for (u32 i = 0; i < VEC_SUBJECTS; i++)
			printf("%u %s\n", i, vec_subjects[i].kind);
		return 0;
	}
	if (argc < 3) {
		fprintf(stderr,
			"qdisc-vectors list | run LIBRARY [SUBJECT CALL] | wheel LIBRARY\n");
		return 2;
	}
	world_open(&w, argv[2]);
	if (!strcmp(argv[1], "wheel"))
		return wheel(&w);
	draw_secret(&w);
	for (u32 i = 0; i < VEC_SUBJECTS; i++)
		run(&w, i,
		    argc == 5 && i == strtoul(argv[3], NULL, 10) ? (u32)strtoul(argv[4], NULL, 10)
								 : 0);
	return 0;
}
