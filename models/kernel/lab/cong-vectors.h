/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The same drawn calls of congestion controls for two worlds: the library, and the module before the running kernel's own.
 * A sender that is moved by hand: ACKs, losses, timeouts, false alarms, idle times, ECN, rate samples. Each world brings
 * a struct cvec_world.
 */
#ifndef WLANQ_LAB_CONG_VECTORS_H
#define WLANQ_LAB_CONG_VECTORS_H

#include "seam.h"

#define CVEC_CALLS 30000u
#define CVEC_PARTS 10u /* so many hashes on the way, which tell where two worlds part */

static const char *const cvec_names[] = {"reno",     "cubic",	  "bbr",   "bic",   "westwood",
					 "htcp",     "highspeed", "hybla", "vegas", "nv",
					 "scalable", "lp",	  "veno",  "yeah",  "illinois",
					 "dctcp",    "cdg"};
#define CVEC_NAMES (sizeof(cvec_names) / sizeof(cvec_names[0]))

struct cvec {
	u64 calls_rng, draws_rng;
	u32 calls, draws;
	u64 hash;
	s64 now;
	struct seam_sock s;
	u32 path_rtt, path_loss, events;
	void *conn;
	u32 has;
};

struct cvec_world {
	const struct seam_cong *ops;
	/* Around each call: the clock stands at v->now. */
	void (*enter)(struct cvec *v);
	void (*leave)(struct cvec *v);
	void (*tell)(const struct cvec *v, const char *name);
};

static inline u32 cvec_random(u64 *s)
{
	*s ^= *s >> 12;
	*s ^= *s << 25;
	*s ^= *s >> 27;
	return (u32)(*s * 0x2545f4914f6cdd1dull >> 32);
}

static inline u32 cvec_below(struct cvec *v, u32 n)
{
	return (u32)((u64)cvec_random(&v->calls_rng) * n >> 32);
}

/* What an algorithm draws while it is called. */
static inline u32 cvec_draw(struct cvec *v)
{
	v->draws++;
	return cvec_random(&v->draws_rng);
}

static inline void cvec_word(struct cvec *v, u64 word)
{
	v->hash = (v->hash ^ word) * 0x100000001b3ull;
	v->hash ^= v->hash >> 29;
}

/* What tcp_enter_cwr() makes of the sender here, as long as it is told of nothing. */
static inline void cvec_enter_cwr(struct cvec *v)
{
	cvec_word(v, 0xc3);
	v->s.prior_cwnd = v->s.snd_cwnd;
	if (v->s.snd_cwnd > 4)
		v->s.snd_ssthresh = v->s.snd_cwnd - v->s.snd_cwnd / 4;
}

static inline void cvec_begin(struct cvec *v, u32 number)
{
	*v = (struct cvec){
		.calls_rng = 0x9e3779b97f4a7c15ull * (number + 1),
		.draws_rng = 0xd1342543de82ef95ull * (number + 1),
		.hash = 0xcbf29ce484222325ull,
		.now = 1000000000,
		.s =
			{
				.snd_cwnd = 10,
				.snd_ssthresh = 0x7fffffff,
				.snd_cwnd_clamp = 0xffffffff,
				.pacing_rate = ~0ull,
				.ecn_ok = true,
				.pacing_shift = 10,
				.mss_cache = 1448,
				.advmss = 1448,
				.gso_max_size = 65536 - 321,
				.min_rtt_us = 0xffffffff,
				.snd_una = 4000000000u,
				.snd_nxt = 4000000000u,
				.rcv_nxt = 77,
			},
	};
}

/* ---- calls ---------------------------------------------------------------------------------------- */

static inline void cvec_time(struct cvec *v)
{
	v->s.mstamp = (u64)v->now / 1000;
	v->s.clock_ns = v->now;
	v->s.wstamp_ns = v->now + (s64)cvec_below(v, 200000);
}

/* After each call: all that it may have changed. */
static inline void cvec_done(struct cvec *v, const struct cvec_world *w, u32 answer)
{
	const struct seam_sock *s = &v->s;

	cvec_word(v, (u64)s->snd_cwnd << 32 | s->snd_ssthresh);
	cvec_word(v, (u64)s->snd_cwnd_cnt << 32 | answer);
	cvec_word(v, s->pacing_rate);
	cvec_word(v, (u64)s->app_limited << 32 | v->draws);
	cvec_word(v, s->pacing | s->demand_cwr << 1 | s->ack_now << 2);
	w->leave(v);
	if (++v->calls % (CVEC_CALLS / CVEC_PARTS) == 0)
		w->tell(v, NULL);
}

static inline void cvec_event(struct cvec *v, const struct cvec_world *w, enum seam_cong_event ev)
{
	if (!(v->has & SEAM_CONG_CWND_EVENT))
		return;
	w->enter(v);
	w->ops->cwnd_event(v->conn, ev);
	cvec_done(v, w, ev);
}

static inline void cvec_state(struct cvec *v, const struct cvec_world *w, u8 state)
{
	w->enter(v);
	w->ops->set_state(v->conn, state);
	v->s.ca_state = state;
	cvec_done(v, w, state);
}

static inline void cvec_ssthresh(struct cvec *v, const struct cvec_world *w)
{
	u32 r;

	v->s.prior_ssthresh = v->s.snd_ssthresh;
	v->s.prior_cwnd = v->s.snd_cwnd;
	v->s.high_seq = v->s.snd_nxt;
	w->enter(v);
	r = w->ops->ssthresh(v->conn);
	v->s.snd_ssthresh = r;
	cvec_done(v, w, r);
}

static inline void cvec_loss(struct cvec *v, const struct cvec_world *w)
{
	u8 state = cvec_below(v, 4) ? 3 : 2;

	if (v->s.ca_state >= 2)
		return;
	v->s.snd_cwnd_cnt = 0;
	cvec_ssthresh(v, w);
	cvec_state(v, w, state);
}

static inline void cvec_timeout(struct cvec *v, const struct cvec_world *w)
{
	cvec_ssthresh(v, w);
	cvec_event(v, w, SEAM_CONG_LOSS);
	v->s.snd_cwnd = 1;
	v->s.snd_cwnd_cnt = 0;
	cvec_state(v, w, 4);
}

static inline void cvec_undo(struct cvec *v, const struct cvec_world *w)
{
	u32 r;

	if (v->s.ca_state < 2)
		return;
	w->enter(v);
	r = w->ops->undo_cwnd(v->conn);
	v->s.snd_cwnd = r;
	if (v->s.snd_ssthresh < v->s.prior_ssthresh)
		v->s.snd_ssthresh = v->s.prior_ssthresh;
	cvec_done(v, w, r);
	cvec_state(v, w, 0);
}

static inline void cvec_recovered(struct cvec *v, const struct cvec_world *w)
{
	if ((s32)(v->s.snd_una - v->s.high_seq) < 0)
		return;
	if (v->s.ca_state != 4 && !(v->has & SEAM_CONG_CONTROL)) {
		v->s.snd_cwnd = v->s.snd_ssthresh;
		cvec_event(v, w, SEAM_CONG_COMPLETE_CWR);
	}
	cvec_state(v, w, 0);
}

static inline void cvec_control(struct cvec *v, const struct cvec_world *w, u32 acked, u32 rtt,
				u32 in_flight)
{
	struct seam_rate_sample rs = {
		.prior_mstamp = v->s.mstamp - rtt,
		.prior_delivered = v->s.delivered > acked + 20 ? v->s.delivered - acked - 20 : 0,
		.delivered = (s32)acked + 20,
		.interval_us = rtt,
		.rtt_us = rtt,
		.losses = cvec_below(v, 16) ? 0 : cvec_below(v, 8),
		.acked_sacked = acked,
		.prior_in_flight = in_flight,
		.last_end_seq = v->s.snd_una,
		.is_app_limited = !cvec_below(v, 32),
		.is_retrans = !cvec_below(v, 64),
		.is_ack_delayed = !cvec_below(v, 4),
	};

	v->s.lost += rs.losses;
	if (!cvec_below(v, 40)) {
		rs.delivered = -1;
		rs.interval_us = -1;
		rs.rtt_us = -1;
	}
	w->enter(v);
	w->ops->cong_control(v->conn, v->s.snd_una, 0, &rs);
	cvec_done(v, w, 0);
}

static inline void cvec_ack(struct cvec *v, const struct cvec_world *w)
{
	u32 acked = cvec_below(v, 3) ? 2 : 1 + cvec_below(v, 40), in_flight = v->s.packets_out;
	u32 rtt = v->path_rtt + cvec_below(v, v->path_rtt / 2 + 1);

	if (acked > in_flight)
		acked = in_flight;
	v->s.snd_una += acked * v->s.mss_cache;
	v->s.packets_out -= acked;
	v->s.delivered += acked;
	if (!cvec_below(v, 20))
		v->s.delivered_ce += acked;
	v->s.delivered_mstamp = v->s.mstamp;
	v->s.srtt_us = v->s.srtt_us ? v->s.srtt_us + rtt - (v->s.srtt_us >> 3) : rtt << 3;
	v->s.min_rtt_us = v->path_rtt;
	v->s.rcv_tsval += cvec_below(v, 4);
	v->s.rcv_tsecr = (u32)(v->s.mstamp / 1000) - rtt / 1000;
	if (v->has & SEAM_CONG_IN_ACK_EVENT) {
		w->enter(v);
		w->ops->in_ack_event(v->conn, cvec_below(v, 8));
		cvec_done(v, w, 0);
	}
	if (v->has & SEAM_CONG_PKTS_ACKED) {
		w->enter(v);
		w->ops->pkts_acked(v->conn, acked, cvec_below(v, 16) ? (s32)rtt : -1,
				   in_flight * v->s.mss_cache);
		cvec_done(v, w, 0);
	}
	if (v->s.ca_state >= 2)
		cvec_recovered(v, w);
	if (v->has & SEAM_CONG_CONTROL) {
		cvec_control(v, w, acked, rtt, in_flight);
	} else if (v->s.ca_state != 2 && v->s.ca_state != 3 && acked) {
		w->enter(v);
		w->ops->cong_avoid(v->conn, v->s.snd_una, acked);
		cvec_done(v, w, 0);
	}
}

static inline void cvec_sizes(struct cvec *v, const struct cvec_world *w)
{
	u32 r;

	if (v->has & SEAM_CONG_MIN_TSO_SEGS) {
		w->enter(v);
		r = w->ops->min_tso_segs(v->conn);
		cvec_done(v, w, r);
	}
	if (v->has & SEAM_CONG_SNDBUF_EXPAND) {
		w->enter(v);
		r = w->ops->sndbuf_expand(v->conn);
		cvec_done(v, w, r);
	}
	cvec_event(v, w, cvec_below(v, 2) ? SEAM_CONG_ECN_NO_CE : SEAM_CONG_ECN_IS_CE);
	v->s.ack_now = false;
	v->s.rcv_nxt += 1448;
}

/* Sends what the window has room for, or less. */
static inline void cvec_send(struct cvec *v, const struct cvec_world *w)
{
	u32 room = v->s.snd_cwnd > v->s.packets_out ? v->s.snd_cwnd - v->s.packets_out : 0;
	bool limited = cvec_below(v, 8) > 0;
	u32 sent = limited ? room : cvec_below(v, room + 1);

	if (!sent)
		return;
	if (!v->s.packets_out)
		cvec_event(v, w, SEAM_CONG_TX_START);
	v->s.packets_out += sent;
	v->s.snd_nxt += sent * v->s.mss_cache;
	v->s.lsndtime = 0;
	v->s.max_packets_out = v->s.packets_out;
	v->s.is_cwnd_limited = limited;
}

static inline void cvec_step(struct cvec *v, const struct cvec_world *w)
{
	static const u32 rtts[] = {200, 2000, 20000, 80000, 400000};
	static const u32 losses[] = {20, 200, 1000, 5000};
	s64 pass, before = v->now / 4000000;
	u32 r;

	if (v->events++ % 1500 == 0) {
		v->path_rtt = rtts[cvec_below(v, 5)];
		v->path_loss = losses[cvec_below(v, 4)];
	}
	pass = cvec_below(v, cvec_below(v, 8) ? 300000 : v->path_rtt * 1000);
	if (!cvec_below(v, 1000)) {
		pass += (s64)cvec_below(v, 2000000000) * (1 + cvec_below(v, 20));
		v->s.snd_una = v->s.snd_nxt;
		v->s.packets_out = 0;
		v->s.app_limited = v->s.delivered ? v->s.delivered : 1;
	}
	v->now += pass;
	/* In jiffies of an HZ of 250. */
	v->s.lsndtime += (s32)(v->now / 4000000 - before);
	cvec_time(v);
	if (cvec_below(v, v->path_loss)) {
		if (cvec_below(v, 30))
			cvec_ack(v, w);
		else
			cvec_sizes(v, w);
	} else {
		r = cvec_below(v, 100);
		if (r < 70) {
			cvec_loss(v, w);
		} else if (r < 80) {
			cvec_timeout(v, w);
		} else if (r < 90) {
			cvec_event(v, w, SEAM_CONG_CWND_RESTART);
			v->s.snd_cwnd = v->s.snd_cwnd < 10 ? v->s.snd_cwnd : 10;
		} else {
			cvec_undo(v, w);
		}
	}
	if (v->s.snd_cwnd > 20000)
		cvec_loss(v, w);
	cvec_send(v, w);
}

/* All calls of one algorithm; false: it is not there. */
static inline bool cvec_run(struct cvec *v, u32 number, const struct cvec_world *w)
{
	cvec_begin(v, number);
	cvec_time(v);
	w->enter(v);
	v->conn = w->ops->create(cvec_names[number], v, &v->s);
	if (v->conn)
		w->ops->init(v->conn);
	w->leave(v);
	if (!v->conn)
		return false;
	v->has = w->ops->has(v->conn);
	cvec_word(v, v->has);
	while (v->calls < CVEC_CALLS)
		cvec_step(v, w);
	w->enter(v);
	w->ops->destroy(v->conn);
	w->leave(v);
	w->tell(v, cvec_names[number]);
	return true;
}

#endif
