// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Claim: what TCP leaves out on its fast ways (the next data, the next ACK of an open window, full segments that go out)
 * is what would do nothing: the wire looks the same with and without them.
 * Set-up: eras and congestion controls, with and without GSO, SACK, timestamps and ECN, over a path of 40 Mbit/s and
 * 10 ms each way with a queue of 60 packets; without loss, with 1 % and with 10 % lost both ways, and with 5 % of the
 * packets late by 3 ms; 4 MB are sent and the connection is closed. Once the other end answers what it reads with a third
 * of it, and once the sender's interface has 1 Mbit/s, so that jiffies pass between packets, for a tenth of the bytes.
 * Expected: each header on each way at its time, and when the sender's timer would run then (hashed, FNV-1a), the number
 * of events, and what tcp_get_info() tells are equal. Without loss, more than nine tenths of the segments that arrive go the fast way under 6.1.
 * Tolerance: none.
 */
#include "check-main.h"

#include "tcp-lab.h"

struct seen {
	u64 hash, packets, events, fast, arrived;
	struct tcp_info info[2];
};

struct setting {
	const char *era, *key, *value;
	const struct model_class *cc;
	u32 lost, late; /* of 1000 packets */
	bool answers;
	bool slow; /* an interface of 1 Mbit/s: several jiffies a packet */
};

struct bed {
	const struct setting *s;
	struct seen seen;
};

static void mix(struct seen *s, u64 value)
{
	s->hash = (s->hash ^ value) * 1099511628211ull;
}

static void tap(struct tcp_lab *l, u32 way, const struct packet *p)
{
	struct seen *s = &((struct bed *)l->arg)->seen;
	const struct tcp_header *h = &p->tcp;

	s->packets++;
	mix(s, (u64)l->lab.sim->now << 1 | way);
	mix(s, (u64)h->seq << 32 | h->ack);
	mix(s, (u64)h->wnd << 32 | p->payload);
	mix(s, (u64)h->tsval << 32 | h->tsecr);
	mix(s, (u64)h->flags << 24 | h->n_sack << 16 | p->header << 8 | p->skb.tos);
	if (l->client)
		mix(s, (u64)l->client->xmit_timeout << 8 | l->client->xmit_pending);
	if (!(h->flags & TCP_FLAG_SYN))
		for (u32 i = 0; i < h->n_sack; i++)
			mix(s, (u64)h->sack[i].start << 32 | h->sack[i].end);
}

static bool verdict(struct tcp_lab *l, u32 way, struct packet *p, sim_time *late)
{
	const struct setting *s = ((const struct bed *)l->arg)->s;
	u32 r = (u32)(draw_bits(7 + way, l->pipe[way].n) % 1000);

	if (r >= 1000 - s->late)
		*late = 3 * SIM_MS;
	return r < s->lost;
}

static void answer(void *arg, struct tcp_sock *sk, u32 bytes, const struct packet *p)
{
	lab_readable(arg, sk, bytes, p);
	tcp_write(sk, bytes / 3);
}

static const struct tcp_user answering = {.established = lab_server_established,
					  .readable = answer,
					  .peer_closed = lab_peer_closed,
					  .closed = lab_closed};

static struct tcp *tcp_at(struct tcp_lab *l, u32 i)
{
	return (struct tcp *)l->host[i]->protocols[host_proto_index(PROTO_TCP)];
}

static struct seen run(const struct setting *s, bool no_fast)
{
	struct bed bed = {.s = s};
	struct tcp_lab *l = tcp_lab_new(s->era, s->cc);

	l->arg = &bed;
	l->tap = tap;
	l->verdict = verdict;
	l->pipe[0].rate = l->pipe[1].rate = s->slow ? 1000000 : 40000000;
	l->pipe[0].delay = l->pipe[1].delay = 10 * SIM_MS;
	l->bottleneck = 30000000;
	l->bottleneck_room = 60;
	for (u32 i = 0; i < 2 && s->key; i++)
		param_set(&tcp_class, l->tp[i], s->key, s->value);
	l->want = s->slow ? 400000 : 4000000;
	l->close_after = true;
	if (s->answers)
		l->server_user = &answering;
	tcp_lab_start(l);
	tcp_at(l, 0)->no_fast = tcp_at(l, 1)->no_fast = no_fast;
	tcp_lab_run(l, 20 * SIM_SEC);
	bed.seen.events = l->lab.sim->n_events;
	for (u32 i = 0; i < 2; i++) {
		bed.seen.fast += tcp_at(l, i)->rx_fast;
		bed.seen.arrived += tcp_at(l, i)->rx_segments;
	}
	tcp_get_info(l->client, &bed.seen.info[0]);
	tcp_get_info(l->server, &bed.seen.info[1]);
	tcp_lab_free(l);
	return bed.seen;
}

static const char *const eras[] = {"2.6.32", "3.2", "3.6", "4.6", "6.1", "6.18"};
static const struct {
	const char *key, *value;
	bool answers, slow;
} keys[] = {{NULL, NULL},    {"gso", "off", true}, {"gso", "off", false, true},
	    {"gso", "off"},  {"sack", "false"},	   {"timestamps", "false"},
	    {"ecn", "1"},    {"pacing", "true"},   {"rack", "off"},
	    {"tlp", "false"}};
static const struct {
	u32 lost, late;
} paths[] = {{0, 0}, {10, 0}, {100, 0}, {0, 50}};

START_TEST(test_same)
{
	static const struct model_class *const ccs[] = {&tcp_cubic_class, &tcp_bbr_class};

	for (u32 e = 0; e < ARRAY_SIZE(eras); e++) {
		for (u32 k = 0; k < ARRAY_SIZE(keys); k++) {
			for (u32 i = 0; i < 2 * ARRAY_SIZE(paths); i++) {
				struct setting s = {eras[e],	       keys[k].key,
						    keys[k].value,     ccs[i & 1],
						    paths[i / 2].lost, paths[i / 2].late,
						    keys[k].answers,   keys[k].slow};
				struct seen fast = run(&s, false), slow = run(&s, true);

				ck_assert_uint_eq(slow.fast, 0);
				ck_assert_msg(
					fast.hash == slow.hash && fast.packets == slow.packets &&
						fast.events == slow.events,
					"%s, %s %s, %s, lost %u, late %u: %llu and %llu packets",
					s.era, s.key ? s.key : "", s.key ? s.value : "", s.cc->name,
					s.lost, s.late, (unsigned long long)fast.packets,
					(unsigned long long)slow.packets);
				ck_assert_mem_eq(fast.info, slow.info, sizeof(fast.info));
			}
		}
	}
}
END_TEST

START_TEST(test_taken)
{
	struct setting s = {"6.1", "gso", "off", &tcp_cubic_class, 0, 0, false, false};
	struct seen fast = run(&s, false);

	ck_assert_uint_gt(fast.packets, 4000);
	ck_assert_uint_gt(fast.fast * 10, fast.arrived * 9);
}
END_TEST

static void last_stamp(struct tcp_lab *l, u32 way, const struct packet *p)
{
	if (way == 1)
		*(u32 *)l->arg = p->tcp.tsval;
}

static void check_stamp(bool no_fast)
{
	struct tcp_lab *l = tcp_lab_new("6.1", &tcp_cubic_class);
	u32 stamp = 0;

	l->arg = &stamp;
	l->tap = last_stamp;
	l->pipe[0].rate = l->pipe[1].rate = 40000000;
	l->pipe[0].delay = l->pipe[1].delay = 10 * SIM_MS;
	l->want = 1000000;
	tcp_lab_start(l);
	tcp_at(l, 0)->no_fast = no_fast;
	tcp_lab_run(l, 2 * SIM_SEC);
	ck_assert_uint_eq(l->received, l->want);
	ck_assert_uint_ne(stamp, 0);
	ck_assert_uint_eq(l->client->rcv_tsval, stamp);
	tcp_lab_free(l);
}

/* Linux's congestion controls may ask for the peer's clock (tcp_lp does), whichever way the ACK went. */
START_TEST(test_stamp)
{
	check_stamp(false);
	check_stamp(true);
}
END_TEST

CHECK_MAIN("tcp-fast", test_same, test_taken, test_stamp)
