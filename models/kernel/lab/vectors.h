/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Calls of qdiscs, drawn, and what is noted down of each. The same source runs in user space before files of a Linux
 * tree, and in a kernel module before the running kernel's own qdiscs: all that is noted must be equal.
 */
#ifndef WLANQ_LAB_VECTORS_H
#define WLANQ_LAB_VECTORS_H

#include "../shim/seam.h"

#define VEC_CALLS 30000
/* Where the run begins, in ns: some time after a boot. */
#define VEC_START 1000000000ll
#define VEC_NONE  (-1ll)

/* ---- subjects: a qdisc, its options under tc's names in base units, and what they are changed to half way, if it can be -- */

struct vec_option {
	const char *name;
	s64 value;
};

struct vec_subject {
	const char *kind;
	struct vec_option set[8], later[3];
};

#define VEC_MS 1000000ll

static const struct vec_subject vec_subjects[] = {
	{"fq_codel", {{0}}, {{"limit", 40}}},
	{"fq_codel",
	 {{"limit", 60}, {"target", 2 * VEC_MS}, {"interval", 20 * VEC_MS}, {"quantum", 300}},
	 {{"target", 9 * VEC_MS}}},
	{"fq_codel", {{"memory_limit", 200000}, {"drop_batch", 4}, {"ecn", 0}}, {{"ecn", 1}}},
	{"fq_codel",
	 {{"limit", 1000},
	  {"target", VEC_MS},
	  {"interval", 5 * VEC_MS},
	  {"ce_threshold", 3 * VEC_MS}},
	 {{"quantum", 3000}}},
	{"codel", {{0}}, {{"limit", 20}}},
	{"codel",
	 {{"limit", 50}, {"target", VEC_MS}, {"interval", 10 * VEC_MS}, {"ecn", 1}},
	 {{"interval", 40 * VEC_MS}}},
	{"codel",
	 {{"limit", 300}, {"target", 2 * VEC_MS}, {"ce_threshold", 4 * VEC_MS}},
	 {{"ecn", 1}}},
	{"pie", {{0}}, {{"limit", 30}}},
	{"pie",
	 {{"limit", 200}, {"target", 5 * VEC_MS}, {"tupdate", 10 * VEC_MS}, {"ecn", 1}},
	 {{"target", 20 * VEC_MS}}},
	{"pie",
	 {{"limit", 400}, {"bytemode", 1}, {"dq_rate_estimator", 1}, {"alpha", 4}, {"beta", 30}},
	 {{"tupdate", 32 * VEC_MS}}},
	{"sfq", {{0}}, {{0}}},
	{"sfq", {{"limit", 60}, {"quantum", 3000}, {"depth", 30}, {"headdrop", 1}}, {{0}}},
	{"sfq", {{"perturb", 2000 * VEC_MS}, {"limit", 100}}, {{0}}},
	{"cake", {{0}}, {{"bandwidth", 3000000}}},
	{"cake", {{"bandwidth", 12000000}, {"rtt", 20 * VEC_MS}}, {{"bandwidth", 40000000}}},
	{"cake",
	 {{"diffserv", 1}, {"ack_filter", 1}, {"wash", 1}, {"memlimit", 400000}},
	 {{"flows", 6}}},
	{"cake",
	 {{"bandwidth", 8000000}, {"link_layer", 1}, {"overhead", 18}, {"mpu", 64}, {"ingress", 1}},
	 {{"diffserv", 2}}},
};

#define VEC_SUBJECTS (sizeof(vec_subjects) / sizeof(vec_subjects[0]))

static inline u32 vec_options(const struct vec_option *o, u32 max)
{
	u32 n = 0;

	while (n < max && o[n].name)
		n++;
	return n;
}

/* ---- the run --------------------------------------------------------------------------------------------------- */

enum vec_what { VEC_ENQUEUE, VEC_DEQUEUE, VEC_PEEK, VEC_CHANGE, VEC_RESET };

struct vec_run {
	u64 calls_rng, draws_rng;
	u32 n, made, draws;
	s64 now;
	u64 hash;
};

struct vec_call {
	enum vec_what what;
	s64 at; /* ns */
	struct seam_packet p; /* to be enqueued; .cookie is its number */
};

struct vec_answer {
	u32 result; /* of enqueue, or the number of the packet; 0: none */
	u32 dsfield; /* as it came out */
	u32 qlen, backlog, drops, overlimits;
	u32 gone,
		gone_numbers; /* packets that were dropped in this call: how many, and a sum over them */
	s64 due; /* ns, of the one timer that the qdisc has; VEC_NONE */
};

static inline u32 vec_random(u64 *s)
{
	*s ^= *s >> 12;
	*s ^= *s << 25;
	*s ^= *s >> 27;
	return (u32)(*s * 0x2545f4914f6cdd1dull >> 32);
}

/* What the kernel draws while it is called. */
static inline u32 vec_draw(struct vec_run *r)
{
	r->draws++;
	return vec_random(&r->draws_rng);
}

static inline void vec_hash(struct vec_run *r, u64 word)
{
	r->hash = (r->hash ^ word) * 0x100000001b3ull;
	r->hash ^= r->hash >> 29;
}

static inline void vec_begin(struct vec_run *r, u32 subject)
{
	*r = (struct vec_run){
		.calls_rng = 0x9e3779b97f4a7c15ull * (subject + 1),
		.draws_rng = 0xc2b2ae3d27d4eb4full * (subject + 1),
		.now = VEC_START,
		.hash = 0xcbf29ce484222325ull,
	};
}

/* A dropped packet's share of gone_numbers. */
static inline u32 vec_mix(u32 number)
{
	number *= 2654435761u;
	return number ^ number >> 15;
}

static inline void vec_packet(struct vec_run *r, struct seam_packet *p)
{
	u32 bits = vec_random(&r->calls_rng), more = vec_random(&r->calls_rng);
	/* a few heavy flows among many */
	u32 flow = bits & 1 ? (bits >> 1) % 4 : (bits >> 1) % 60;
	u32 i;

	*p = (struct seam_packet){.segments = 1};
	p->cookie = (void *)(unsigned long)++r->made;
	p->ip_version = flow % 7 == 3 ? 6 : 4;
	p->protocol = flow % 5 == 4 ? 6 : flow % 11 == 10 ? 1 : 17;
	if (p->ip_version == 6 && p->protocol == 1)
		p->protocol = 58;
	for (i = 0; i < (p->ip_version == 6 ? 4 : 1); i++) {
		p->src[i] = 0x0a000001u + flow % 13 + i * 77;
		p->dst[i] = 0x0a000101u + flow % 3 + i * 91;
	}
	p->sport = (u16)(2000 + flow);
	p->dport = (u16)(80 + flow % 2);
	p->dsfield = (u8)(more & 0xff);
	p->len = more >> 8 & 1 ? 1514 : 110 + (more >> 9) % 1405;
	if (p->protocol == 6) {
		p->tcp.seq = 1000;
		p->tcp.ack = 100000 + r->made * 1448 / 3;
		p->tcp.window = 500;
		p->tcp.flags = more >> 10 & 7 ? 16 : 24;
		p->tcp.tsval = 1000 + r->made / 8;
		p->tcp.tsecr = 77;
		if ((more >> 13 & 7) == 0) {
			p->tcp.n_sack = 1;
			p->tcp.sack[0].start = p->tcp.ack + 3000;
			p->tcp.sack[0].end = p->tcp.ack + 4448;
		}
		/* mostly pure ACKs: Ethernet, IP, TCP with timestamps, perhaps a SACK block */
		if (more >> 16 & 3)
			p->len =
				14 + (p->ip_version == 6 ? 40 : 20) + 32 + (p->tcp.n_sack ? 12 : 0);
	}
	p->link_len = p->len;
	p->truesize = 768 + (p->len + 255) / 256 * 256;
	/* every fourth flow comes without, as from another host */
	p->hash = flow % 4 ? vec_mix(flow + 1) | 1 : 0;
	p->priority = 0;
}

/* The next call; false: all are done. */
static inline bool vec_next(struct vec_run *r, struct vec_call *c)
{
	/* of 16 calls so many enqueue: it fills, stands, drains and runs empty */
	static const u8 load[] = {11, 9, 8, 8, 7, 5};
	static const s64 steps[] = {0, 1000, 200000, 3000000, 30000000, 400000000};
	u32 bits = vec_random(&r->calls_rng), kind = bits >> 4 & 63, pace = r->n / 7000 % 3;
	s64 step = steps[kind < 20   ? 0
			 : kind < 40 ? 1
			 : kind < 61 ? 1 + pace
			 : kind < 63 ? 2 + pace
				     : 4];

	if (r->n == VEC_CALLS)
		return false;
	if (step)
		r->now += vec_random(&r->calls_rng) % (u32)step;
	if (kind == 63 && (bits >> 10) % 50 == 0)
		r->now += 4000000000ll;
	c->at = r->now;
	if (r->n == VEC_CALLS / 2) {
		c->what = VEC_CHANGE;
	} else if (r->n == VEC_CALLS / 4 * 3) {
		c->what = VEC_RESET;
	} else if ((bits & 15) < load[r->n / 1500 % 6]) {
		c->what = VEC_ENQUEUE;
		vec_packet(r, &c->p);
	} else {
		c->what = (bits >> 16) % 40 ? VEC_DEQUEUE : VEC_PEEK;
	}
	r->n++;
	return true;
}

static inline void vec_note(struct vec_run *r, const struct vec_answer *a)
{
	vec_hash(r, (u64)a->result << 32 | a->dsfield);
	vec_hash(r, (u64)a->qlen << 32 | a->backlog);
	vec_hash(r, (u64)a->drops << 32 | a->overlimits);
	vec_hash(r, (u64)a->gone << 32 | a->gone_numbers);
	vec_hash(r, (u64)a->due);
	vec_hash(r, r->draws);
}

/* ---- the timer wheel --------------------------------------------------------------------------------------------- */

/* Deltas of timers, in jiffies, that the running kernel is asked to wait for. */
#define VEC_TIMERS 400

static inline u32 vec_delta(u64 *rng)
{
	u32 bits = vec_random(rng);

	/* all levels alike, up to 16,000; levels begin at 63 << 3 n */
	return (bits & 7) == 7 ? (63u << 3 * (bits >> 3 & 1)) + (bits >> 4) % 3 - 1
			       : 1 + (bits >> 8) % (16u << (bits & 7) * 3 / 2);
}

#endif
