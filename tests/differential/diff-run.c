// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * diff-run OTHER.so: random calls through the kernel files of this tree and through OTHER.so, the same subjects
 * built with Linux's own files. After every call all outputs and all state must be equal, and where one stops at a
 * BUG the other must too. At the first difference the sequence is shrunk and printed; it repeats from the seed.
 */
#include <dlfcn.h>
#include <getopt.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <linux/bug.h>
#include <linux/kernel.h>
#include <linux/ktime.h>

#include "diff.h"

#define SEQUENCE_MAX 1200

struct sequence {
	u32 mode, hz;
	s64 start;
	u32 n;
	struct diff_op ops[SEQUENCE_MAX];
};

/* One build of a subject and what its last call gave. */
struct side {
	const struct diff_subject *subject;
	void *state;
	struct diff_record out, state_out;
	bool bug;
};

struct runner {
	struct side ours, theirs;
	u64 seed;
	u64 calls, bugs;
	jmp_buf bug;
	bool in_call;
};

/* The kernel's BUG has no argument to find us by. */
static _Thread_local struct runner *running;

/* In place of models/kernel/bug.c: a bug is an outcome to compare. */
void kernel_bug(const char *file, int line, const char *what)
{
	if (running && running->in_call)
		longjmp(running->bug, 1);
	fprintf(stderr, "BUG outside of a call: %s (%s:%d)\n", what, file, line);
	abort();
}

static void side_start(struct side *s)
{
	memset(s->state, 0, s->subject->size);
	s->subject->init(s->state);
}

static void side_call(struct runner *r, struct side *s, const struct diff_op *op)
{
	s->out.n = 0;
	s->state_out.n = 0;
	s->bug = false;
	r->in_call = true;
	if (setjmp(r->bug)) {
		s->bug = true;
		r->bugs++;
	} else {
		s->subject->apply(s->state, op, &s->out);
	}
	r->in_call = false;
	s->subject->record(s->state, &s->state_out);
}

static void side_end(struct runner *r, struct side *s)
{
	r->in_call = true;
	if (!setjmp(r->bug) && s->subject->fini)
		s->subject->fini(s->state);
	r->in_call = false;
}

static bool records_equal(const struct diff_record *a, const struct diff_record *b)
{
	return a->n == b->n && !memcmp(a->v, b->v, a->n * sizeof(a->v[0]));
}

/* Returns the index of the call that differs, or s->n. */
static u32 run(struct runner *r, const struct sequence *s)
{
	u32 i;

	kernel_clock.now_ns = s->start;
	kernel_clock.hz = s->hz;
	side_start(&r->ours);
	side_start(&r->theirs);
	for (i = 0; i < s->n; i++) {
		kernel_clock.now_ns += s->ops[i].dt;
		side_call(r, &r->ours, &s->ops[i]);
		side_call(r, &r->theirs, &s->ops[i]);
		r->calls++;
		if (r->ours.bug != r->theirs.bug || !records_equal(&r->ours.out, &r->theirs.out) ||
		    !records_equal(&r->ours.state_out, &r->theirs.state_out))
			break;
	}
	if (i == s->n) {
		side_end(r, &r->ours);
		side_end(r, &r->theirs);
	}
	return i;
}

static void generate(struct runner *r, u64 number, struct sequence *s)
{
	static const u32 hz[] = {100, 250, 300, 1000};
	struct draw d = {.key = draw_key(r->seed, r->ours.subject->name), .index = number << 20};
	u32 modes = diff_u32(&d);

	s->mode = modes & 0xffff;
	s->hz = hz[modes >> 16 & 3];
	/* at boot, an hour or so before CoDel's clock wraps, or anywhere */
	s->start = modes >> 18 & 1   ? 0
		   : modes >> 19 & 1 ? (1LL << 42) - 500000000
				     : (s64)(draw_bits(d.key, d.index++) >> 2);
	s->n = diff_one_in(&d, 4) ? SEQUENCE_MAX : diff_between(&d, 20, 300);
	for (u32 i = 0; i < s->n; i++) {
		s->ops[i] = (struct diff_op){0};
		r->ours.subject->make(&d, s->mode, &s->ops[i]);
	}
}

/* Runs a changed copy; keeps the change when the two still differ. */
static bool keeps_failing(struct runner *r, struct sequence *s, const struct sequence *changed)
{
	u32 at = run(r, changed);

	if (at == changed->n)
		return false;
	*s = *changed;
	s->n = at + 1;
	return true;
}

static bool simpler(struct runner *r, struct sequence *s, u32 i, struct sequence *t)
{
	bool progress = false;

	for (u32 what = 0; what < 8 && i < s->n; what++) {
		struct diff_op *op;

		*t = *s;
		op = &t->ops[i];
		switch (what) {
		case 0:
			op->dt = 0;
			break;
		case 1:
			op->dt /= 2;
			break;
		case 2:
			op->x = 0;
			break;
		case 3:
			op->x /= 2;
			break;
		case 4:
			op->y = 0;
			break;
		case 5:
			op->y /= 2;
			break;
		case 6:
			op->z = 0;
			break;
		case 7:
			op->z /= 2;
			break;
		}
		if (memcmp(op, &s->ops[i], sizeof(*op)) && keeps_failing(r, s, t))
			progress = true;
	}
	return progress;
}

/* Takes out what the failure does not need, larger pieces first, then makes the numbers small. */
static void shrink(struct runner *r, struct sequence *s)
{
	struct sequence *t = malloc(sizeof(*t));
	bool progress = true;

	for (u32 round = 0; progress && round < 40; round++) {
		progress = false;
		for (u32 piece = s->n; piece; piece /= 2) {
			for (u32 at = 0; at + piece <= s->n;) {
				*t = *s;
				memmove(&t->ops[at], &t->ops[at + piece],
					(t->n - at - piece) * sizeof(t->ops[0]));
				t->n -= piece;
				if (keeps_failing(r, s, t))
					progress = true;
				else
					at++;
			}
		}
		*t = *s;
		t->start = 0;
		if (s->start && keeps_failing(r, s, t))
			progress = true;
		for (u32 i = 0; i < s->n; i++)
			progress |= simpler(r, s, i, t);
	}
	free(t);
}

static void print_difference(const struct runner *r)
{
	const struct diff_record *a = &r->ours.out, *b = &r->theirs.out;
	char name[64];

	if (r->ours.bug != r->theirs.bug)
		printf("    only %s stopped at a BUG\n", r->ours.bug ? "ours" : "Linux");
	if (a->n != b->n)
		printf("    outputs: ours %u, Linux %u\n", a->n, b->n);
	for (u32 i = 0; i < a->n && i < b->n; i++)
		if (a->v[i] != b->v[i])
			printf("    output %u: ours %llu, Linux %llu\n", i,
			       (unsigned long long)a->v[i], (unsigned long long)b->v[i]);
	a = &r->ours.state_out;
	b = &r->theirs.state_out;
	for (u32 i = 0; i < a->n && i < b->n; i++) {
		if (a->v[i] == b->v[i])
			continue;
		r->ours.subject->field(i, name, sizeof(name));
		printf("    %s: ours %llu, Linux %llu\n", name, (unsigned long long)a->v[i],
		       (unsigned long long)b->v[i]);
	}
}

static void report(struct runner *r, u64 number, struct sequence *s)
{
	char text[128];

	printf("%s: sequence %llu of seed %llu differs; what is left of it:\n",
	       r->ours.subject->name, (unsigned long long)number, (unsigned long long)r->seed);
	shrink(r, s);
	run(r, s);
	printf("    clock %lld ns, HZ %u\n", (long long)s->start, s->hz);
	for (u32 i = 0; i < s->n; i++) {
		r->ours.subject->print(&s->ops[i], text, sizeof(text));
		printf("    %+lld ns: %s\n", (long long)s->ops[i].dt, text);
	}
	print_difference(r);
}

/* Returns false at a difference, which is then printed and *left set to the ops that it takes. */
static bool compare(struct runner *r, const struct diff_subject *ours,
		    const struct diff_subject *theirs, u64 calls, u32 *left)
{
	struct sequence *s = malloc(sizeof(*s));
	bool same = true;
	u64 number;

	r->ours = (struct side){.subject = ours, .state = malloc(ours->size)};
	r->theirs = (struct side){.subject = theirs, .state = malloc(theirs->size)};
	r->calls = 0;
	r->bugs = 0;
	for (number = 0; same && r->calls < calls; number++) {
		generate(r, number, s);
		same = run(r, s) == s->n;
		if (!same) {
			s->n = run(r, s) + 1;
			report(r, number, s);
			*left = s->n;
		}
	}
	if (same)
		printf("%s: %llu calls in %llu sequences compared, all identical (%llu stopped at a BUG)\n",
		       ours->name, (unsigned long long)r->calls, (unsigned long long)number,
		       (unsigned long long)r->bugs / 2);
	fflush(stdout);
	free(r->ours.state);
	free(r->theirs.state);
	free(s);
	return same;
}

static const struct option options[] = {
	{"calls", required_argument, NULL, 'c'},
	{"seed", required_argument, NULL, 's'},
	{"only", required_argument, NULL, 'o'},
	{"expect-difference", required_argument, NULL, 'e'},
	{0},
};

int main(int argc, char **argv)
{
	const struct diff_subject *const *theirs;
	struct runner *r = calloc(1, sizeof(*r));
	u64 calls = 1000000, total = 0;
	const char *only = NULL;
	u32 different = 0, expect = 0, left = 0;
	void *so;
	int c;

	r->seed = 1;
	while ((c = getopt_long(argc, argv, "", options, NULL)) != -1) {
		if (c == 'c')
			calls = strtoull(optarg, NULL, 10);
		else if (c == 's')
			r->seed = strtoull(optarg, NULL, 10);
		else if (c == 'o')
			only = optarg;
		else if (c == 'e')
			expect = (u32)strtoul(optarg, NULL, 10);
		else
			return 2;
	}
	so = optind < argc ? dlopen(argv[optind], RTLD_NOW | RTLD_LOCAL) : NULL;
	theirs = so ? dlsym(so, "diff_subjects") : NULL;
	if (!theirs || theirs == diff_subjects) {
		fprintf(stderr, "diff-run: %s\n", optind < argc ? dlerror() : "which library?");
		return 2;
	}

	running = r;
	for (u32 i = 0; diff_subjects[i]; i++) {
		if (only && strcmp(only, diff_subjects[i]->name))
			continue;
		if (!compare(r, diff_subjects[i], theirs[i], calls, &left))
			different++;
		total += r->calls;
	}
	free(r);

	/* For the test of this test: a difference must be found, and shrunk to so many calls at most. */
	if (expect) {
		printf("%s\n", different && left <= expect ? "found, and shrunk"
							   : "not found, or not shrunk");
		return !(different && left <= expect);
	}
	printf("differential: %llu calls compared\n", (unsigned long long)total);
	return different ? 1 : 0;
}
