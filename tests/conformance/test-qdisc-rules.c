// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Claim: every registered qdisc keeps the rules of its kind, whatever it does with packets.
 * Set-up: each class with the defaults of each era and txqueuelen 20, driven by 20000 drawn calls: enqueues of
 * packets of all sizes, priorities, flows and ECN codes, dequeues, and time that passes from 1 us to 1 s.
 * Expected, at every step: qlen and backlog are the packets and bytes that went in and were neither given out
 * nor freed; the statistics say the same; a refused packet is gone at once; peek changes not a byte and gives
 * what dequeue gives unless dequeue drops; reset leaves nothing behind, and the same calls then give the same
 * answers as they did to the new qdisc.
 * Tolerance: none.
 */
#include <stdio.h>

#include "bed.h"
#include "engine/draw.h"
#include "engine/pool.h"
#include "measure/metrics.h"

#define STEPS 20000

/* ck_assert() writes to a pipe each time. */
#define MUST(cond)                           \
	do {                                 \
		if (!(cond))                 \
			ck_abort_msg(#cond); \
	} while (0)

/* Time shifts by this leave microseconds, CoDel's 1024 ns and all jiffies alike. */
#define ROUND (1024 * 4 * SIM_MS)

struct ledger {
	u32 packets, bytes; /* in the qdisc */
};

struct drive {
	struct sim *sim;
	struct qdisc *q;
	struct ledger held;
	u64 key, index;
	u64 base; /* packets made before this round */
	u64 trace; /* a hash of all answers */
};

static int64_t tx_queue_len = 20;

/*
 * What Linux itself does otherwise. Its peek takes the packet out of the qdisc and keeps it, with all drops and marks of a
 * dequeue (qdisc_peek_dequeued()). Its resets do not rewind everything.
 */
static const char *reset_keeps(const struct model_class *cls)
{
	static const char *const kept[][2] = {
		{"linux.pie", "draws go on"},
		{"linux.red", "draws go on"},
		{"linux.netem", "draws go on"},
		{"linux.cake", "draws and the flows' BLUE go on"},
		{"linux.sfq", "the hash is drawn anew by the clock"},
		{"linux.htb", "buckets keep what is in them"},
	};

	for (u32 i = 0; i < sizeof(kept) / sizeof(kept[0]); i++)
		if (!strcmp(cls->name, kept[i][0]))
			return kept[i][1];
	return NULL;
}

static void freed(struct sk_buff *skb)
{
	struct ledger *l = skb->sk;

	l->packets--;
	l->bytes -= qdisc_len((struct packet *)skb);
}

static u32 draw(struct drive *d, u32 n)
{
	return draw_below(d->key, d->index++, n);
}

static void note(struct drive *d, u64 answer)
{
	d->trace = draw_bits(d->trace, answer);
}

static void check_counts(struct drive *d)
{
	MUST(d->q->qlen == d->held.packets);
	MUST(d->q->backlog == d->held.bytes);
	MUST(queue_stat_packets(&d->q->stat) == d->held.packets);
	MUST(queue_stat_bytes(&d->q->stat) == d->held.bytes);
	MUST(d->sim->packets->live == d->held.packets);
}

static void enqueue(struct drive *d)
{
	struct packet *p = packet_new(d->sim);
	u64 before = d->q->stat.dropped;
	u32 held = d->held.packets;
	int rc;

	p->skb.len = 60 + draw(d, 1455);
	p->skb.truesize = packet_truesize(p->skb.len);
	p->skb.priority = draw(d, 20);
	p->skb.hash = draw_bits(1, draw(d, 4)) | 1;
	p->skb.tos = (u8)draw(d, 256);
	p->dport = (u16)draw(d, 4);
	p->skb.sk = &d->held;
	p->skb.destructor = freed;
	qdisc_set_len(p);
	d->held.packets++;
	d->held.bytes += qdisc_len(p);
	rc = qdisc_enqueue(d->q, p);
	note(d, (u64)rc);
	/* One that stands for a link ends the sender's account; the ledger goes on. */
	if (rc == NET_XMIT_SUCCESS && d->q->stat.dropped == before && !p->skb.destructor) {
		d->held.packets++;
		d->held.bytes += qdisc_len(p);
		p->skb.destructor = freed;
	}
	MUST(rc == NET_XMIT_SUCCESS || rc == NET_XMIT_DROP || rc == NET_XMIT_CN ||
	     rc == NET_XMIT_BYPASS);
	if (rc == NET_XMIT_DROP || rc == NET_XMIT_BYPASS) {
		MUST(d->held.packets == held);
		MUST(d->q->stat.dropped == before + 1);
	}
}

static void dequeue(struct drive *d)
{
	size_t size = d->q->obj.cls->size;
	void *image = g_memdup2(d->q, size);
	const struct packet *peeked = d->q->ops->peek(d->q);
	u64 dropped = d->q->stat.dropped;
	struct packet *p;

	MUST(d->q->obj.cls->tree_file || !memcmp(image, d->q, size));
	g_free(image);
	p = qdisc_dequeue(d->q);
	if (d->q->stat.dropped == dropped)
		MUST(peeked == p);
	note(d, p ? p->id - d->base : 0);
	if (!p)
		return;
	qdisc_left(d->q, qdisc_len(p), p->since);
	packet_free(d->sim, p);
}

static void pass_time(struct drive *d)
{
	static const sim_time units[] = {SIM_US, 10 * SIM_US, SIM_MS, 5 * SIM_MS, 100 * SIM_MS};

	sim_run(d->sim, d->sim->now + units[draw(d, 5)] * (1 + draw(d, 10)));
}

/* The same calls in each round; @bias: of 16 calls so many enqueue. */
static void play(struct drive *d)
{
	d->index = 0;
	d->trace = 0;
	d->base = d->sim->packets ? d->sim->packets->taken : 0;
	for (u32 i = 0; i < STEPS; i++) {
		/* Now and then the queue fills, then it empties. */
		u32 bias = i / 1000 % 2 ? 4 : 10, what = draw(d, 16);

		if (what < bias)
			enqueue(d);
		else if (what < 14)
			dequeue(d);
		else
			pass_time(d);
		if (d->sim->packets)
			check_counts(d);
	}
}

static void woken(void *up, u32 queue)
{
}

static void keep_rules(const struct model_class *cls, const char *era)
{
	struct drive d = {.sim = sim_new(1), .key = draw_key(7, cls->name)};
	struct qdisc_dev dev = {.mtu = 1500,
				.hard_header_len = ETH_HLEN,
				.tx_queue_len = &tx_queue_len,
				.hz = 250,
				.era = era_number(era),
				.n_queues = 1,
				.wake = woken};
	struct bed b;
	u64 first;

	bed_open(&b, cls->name, era);
	d.q = qdisc_new(d.sim, &b.slot, NULL, &dev, NULL, NULL);
	play(&d);
	first = d.trace;
	for (int i = 0; i < 2; i++) {
		qdisc_reset(d.q);
		check_counts(&d);
		ck_assert_uint_eq(d.held.packets, 0);
		ck_assert_ptr_null(d.q->ops->peek(d.q));
		ck_assert_ptr_null(qdisc_dequeue(d.q));
		sim_run(d.sim, (d.sim->now / ROUND + 2) * ROUND);
		play(&d);
		ck_assert_msg(d.trace == first || reset_keeps(cls),
			      "%s of %s: other answers after a reset", cls->name, era);
	}
	objects_audit(d.sim);
	metrics_clear(d.sim);
	sim_free(d.sim);
	bed_close(&b);
}

START_TEST(test_rules)
{
	const struct model_class *cls;
	u32 n = 0;

	for (; (cls = bed_qdisc(n)); n++)
		for (u32 e = 0; e < bed_eras_n(); e++)
			keep_rules(cls, bed_eras[e]);
	ck_assert_uint_ge(n, 5);
}
END_TEST

CHECK_MAIN("qdisc-rules", test_rules)
