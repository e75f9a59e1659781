/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What the differential driver runs: the same calls through two builds of the same subject, one with the kernel
 * files of this tree, one with Linux's own. A subject file includes kernel headers by name only, is compiled once
 * for each, and writes all that can be seen of it, outputs and state, into a record after each call.
 */
#ifndef WLANQ_TESTS_DIFF_H
#define WLANQ_TESTS_DIFF_H

#include <linux/kernel.h>

#include "engine/draw.h"

#define DIFF_RECORD_MAX 1024

/* One call. It says by itself what to do: a sequence stays valid when any op is taken out. */
struct diff_op {
	u32 code;
	u32 x, y, z;
	s64 dt; /* the clock moves by so many ns before the call */
};

struct diff_record {
	u32 n;
	u64 v[DIFF_RECORD_MAX];
};

static inline void diff_put(struct diff_record *r, u64 v)
{
	if (r->n < DIFF_RECORD_MAX)
		r->v[r->n++] = v;
}

struct diff_subject {
	const char *name;
	size_t size; /* of the state, which starts zeroed */
	void (*init)(void *state);
	/* Does the call and notes its outputs. */
	void (*apply)(void *state, const struct diff_op *op, struct diff_record *out);
	/* Notes all of the state. */
	void (*record)(void *state, struct diff_record *out);
	void (*fini)(void *state); /* may be NULL */
	/* The next op of a sequence; @mode is the sequence's own, so that sequences differ in kind. */
	void (*make)(struct draw *d, u32 mode, struct diff_op *op);
	/* The op in words, into @buf. */
	void (*print)(const struct diff_op *op, char *buf, size_t len);
	/* Name of record entry @i. */
	void (*field)(u32 i, char *buf, size_t len);
};

/* Uniform in [lo, hi]. */
static inline u32 diff_between(struct draw *d, u32 lo, u32 hi)
{
	u64 span = (u64)hi - lo + 1;

	return lo + (u32)(((draw_bits(d->key, d->index++) >> 32) * span) >> 32);
}

static inline u32 diff_u32(struct draw *d)
{
	return (u32)(draw_bits(d->key, d->index++) >> 32);
}

/* True once in @n times. */
static inline bool diff_one_in(struct draw *d, u32 n)
{
	return draw_next_below(d, n) == 0;
}

/* Small, typical and extreme steps of time, forwards mostly; ns. */
static inline s64 diff_step(struct draw *d)
{
	u32 kind = draw_next_below(d, 64);

	if (kind < 16)
		return 0;
	if (kind < 40)
		return diff_between(d, 1, 2000000);
	if (kind < 56)
		return diff_between(d, 1, 120000000);
	if (kind < 60)
		return (s64)diff_between(d, 1, 4000) * 1000000;
	if (kind < 62) /* to about where CoDel's clock has gone half round, or all of it */
		return ((s64)diff_between(d, 1, 4) << 41) + (s64)diff_between(d, 0, 4096) - 2048;
	if (kind < 63)
		return -(s64)diff_between(d, 1, 200000000);
	return (s64)(draw_bits(d->key, d->index++) >> 1);
}

/* NULL-terminated; the one symbol of the build against Linux's files. */
extern const struct diff_subject *const diff_subjects[];

#endif
