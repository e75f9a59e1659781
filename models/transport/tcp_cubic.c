// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * CUBIC with HyStart in Linux's integers (net/ipv4/tcp_cubic.c): four forms, because the units of its clock, what it
 * counts and what ends slow start have changed between 2.6.32 and 5.5.
 */
#include "transport/tcp.h"

#include <string.h>

enum { FORM_2_6_32, FORM_2_6_39, FORM_4_0, FORM_5_5 };

struct cubic_params {
	int64_t form;
	int64_t fast_convergence, beta, scale, friendliness, initial_ssthresh;
	int64_t hystart, hystart_detect, hystart_low_window, hystart_ack_delta;
};

#define BETA_SCALE  1024u
#define CUBIC_HZ    10 /* time runs in 1/1024 s */
#define RATIO_SHIFT 4
#define RATIO_LIMIT (32u << RATIO_SHIFT)
#define MIN_SAMPLES 8u
#define TRAIN	    0x1u
#define DELAY	    0x2u

struct cubic {
	u32 cnt; /* ACKs for a segment more */
	u32 last_max_cwnd, loss_cwnd;
	u32 last_cwnd, last_time;
	u32 origin, k;
	u32 delay_min; /* us since 5.5, before: << 3 in ms, or in jiffies */
	u32 epoch_start;
	u32 ack_cnt, tcp_cwnd;
	u32 delayed_ack; /* ACK ratio << 4, before 4.0 */
	/* HyStart */
	u32 found, sample_cnt, round_start, end_seq, last_ack, curr_rtt;
};

_Static_assert(sizeof(struct cubic) <= sizeof(((struct tcp_sock *)0)->ca_priv), "fits ca_priv");

static struct cubic *cubic_of(struct tcp_sock *sk)
{
	return (struct cubic *)sk->ca_priv;
}

static const struct cubic_params *params_of(const struct tcp_sock *sk)
{
	return sk->ca_params;
}

/* ---- cube root ----------------------------------------------------------------------------- */

/*
 * Linux starts its one Newton step from a table of 64 roots, 64 * cbrt(x - 0.8) "refined by hand". The
 * hand's part is this, for x = 8 .. 63.
 */
static const s8 root_refined[56] = {
	0, 0, 0, 0, 0, 0,  0,  2,  -1, 0, -1, 0, -1, -1, -1, 0, -1, 0, 0,
	0, 0, 0, 0, 0, -1, -1, -1, -1, 0, 0,  0, 0,  0,	 0,  0, 0,  0, -1,
	0, 0, 0, 0, 0, 0,  0,  0,  0,  0, 1,  0, 0,  0,	 1,  1, 0,  1,
};

static u32 root_start(u32 x)
{
	u64 limit = ((u64)(5 * x - 4) << 18) / 5;
	u32 r = 0;

	for (u32 bit = 128; bit; bit >>= 1) {
		u64 try = r + bit;

		if (try * try * try <= limit)
			r += bit;
	}
	return r + (u32)root_refined[x - 8];
}

u32 tcp_cubic_root(u64 a)
{
	u32 bits = a ? 64u - (u32)__builtin_clzll(a) : 0;
	u32 x;

	if (a < 8)
		return a < 4 ? a > 0 : 2;
	if (bits < 7)
		return (root_start((u32)a) + 35) >> 6;
	bits = (bits * 84 >> 8) - 1;
	x = (root_start((u32)(a >> (bits * 3))) + 10) << bits >> 6;
	x = 2 * x + (u32)(a / ((u64)x * (x - 1)));
	return x * 341 >> 10;
}

/* ---- clocks -------------------------------------------------------------------------------- */

/* The clock of HyStart's rounds. */
static u32 hystart_clock(const struct tcp_sock *sk)
{
	switch (params_of(sk)->form) {
	case FORM_2_6_32:
		return sk->tcp->jiffies;
	case FORM_5_5:
		return (u32)sk->tcp->us;
	default:
		return (u32)(sk->tcp->us / 1000);
	}
}

static u32 delay_min_jiffies(const struct tcp_sock *sk, const struct cubic *ca)
{
	switch (params_of(sk)->form) {
	case FORM_2_6_32:
		return ca->delay_min >> 3;
	case FORM_5_5:
		return tcp_us_to_jiffies(sk->tcp, ca->delay_min);
	default:
		return tcp_us_to_jiffies(sk->tcp, (u64)(ca->delay_min >> 3) * 1000);
	}
}

/* ---- the curve ----------------------------------------------------------------------------- */

static void epoch_begin(struct tcp_sock *sk, struct cubic *ca, u32 cwnd, u32 acked)
{
	u64 factor = (1ull << (10 + 3 * CUBIC_HZ)) / (u64)(params_of(sk)->scale * 10);

	ca->epoch_start = sk->tcp->jiffies;
	ca->ack_cnt = acked;
	ca->tcp_cwnd = cwnd;
	if (ca->last_max_cwnd <= cwnd) {
		ca->k = 0;
		ca->origin = cwnd;
	} else {
		ca->k = tcp_cubic_root(factor * (ca->last_max_cwnd - cwnd));
		ca->origin = ca->last_max_cwnd;
	}
}

static u32 curve(const struct tcp_sock *sk, const struct cubic *ca)
{
	u64 t = (u64)(s64)(s32)(sk->tcp->jiffies - ca->epoch_start);
	u64 offs, delta;

	t = ((t + delay_min_jiffies(sk, ca)) << CUBIC_HZ) / sk->tcp->hz;
	offs = t < ca->k ? ca->k - t : t - ca->k;
	delta = ((u64)(params_of(sk)->scale * 10) * offs * offs * offs) >> (10 + 3 * CUBIC_HZ);
	return t < ca->k ? ca->origin - (u32)delta : ca->origin + (u32)delta;
}

/* What Reno with CUBIC's beta would have reached. */
static void friendliness(const struct tcp_sock *sk, struct cubic *ca, u32 cwnd)
{
	u32 beta = (u32)params_of(sk)->beta;
	u32 scale = 8 * (BETA_SCALE + beta) / 3 / (BETA_SCALE - beta);
	u32 delta = max_u32((cwnd * scale) >> 3,
			    1); /* Linux spins for ever with a beta that makes it 0 */

	while (ca->ack_cnt > delta) {
		ca->ack_cnt -= delta;
		ca->tcp_cwnd++;
	}
	if (ca->tcp_cwnd > cwnd)
		ca->cnt = min_u32(ca->cnt, cwnd / (ca->tcp_cwnd - cwnd));
}

static void cubic_update(struct tcp_sock *sk, struct cubic *ca, u32 acked)
{
	const struct cubic_params *par = params_of(sk);
	u32 cwnd = sk->snd_cwnd, now = sk->tcp->jiffies;

	ca->ack_cnt += acked;
	if (ca->last_cwnd == cwnd && (s32)(now - ca->last_time) <= (s32)(sk->tcp->hz / 32))
		return;
	/* The curve moves once a jiffy. */
	if (par->form < FORM_4_0 || !ca->epoch_start || now != ca->last_time) {
		u32 target;

		ca->last_cwnd = cwnd;
		ca->last_time = now;
		if (!ca->epoch_start)
			epoch_begin(sk, ca, cwnd, acked);
		target = curve(sk, ca);
		ca->cnt = target > cwnd ? cwnd / (target - cwnd) : 100 * cwnd;
		/* While no loss has told the bandwidth: 5 % an RTT at least (2.6.39). */
		if (par->form == FORM_2_6_39 && !ca->loss_cwnd)
			ca->cnt = min_u32(ca->cnt, 20);
		else if (par->form >= FORM_4_0 && !ca->last_max_cwnd)
			ca->cnt = min_u32(ca->cnt, 20);
	}
	if (par->friendliness)
		friendliness(sk, ca, cwnd);
	if (par->form >= FORM_4_0) {
		ca->cnt = max_u32(ca->cnt, 2);
		return;
	}
	ca->cnt = (ca->cnt << RATIO_SHIFT) / ca->delayed_ack;
	ca->cnt = max_u32(ca->cnt, 1);
}

/* ---- HyStart ------------------------------------------------------------------------------- */

static void hystart_reset(struct tcp_sock *sk)
{
	struct cubic *ca = cubic_of(sk);

	ca->round_start = ca->last_ack = hystart_clock(sk);
	ca->end_seq = sk->snd_nxt;
	ca->curr_rtt = params_of(sk)->form == FORM_5_5 ? UINT32_MAX : 0;
	ca->sample_cnt = 0;
}

static void found(struct tcp_sock *sk, struct cubic *ca, u32 what)
{
	ca->found |= what;
	if (ca->found & (u32)params_of(sk)->hystart_detect)
		sk->snd_ssthresh = sk->snd_cwnd;
}

/* Room for the sender's own packets of several segments (5.6): at most 1 ms. */
static u32 ack_delay(const struct tcp_sock *sk)
{
	u64 us;

	if (!sk->pacing_rate)
		return 0;
	us = (u64)sk->gso_max_size * 4 * 1000000 / sk->pacing_rate;
	return us < 1000 ? (u32)us : 1000;
}

static void hystart_5_5(struct tcp_sock *sk, u32 delay)
{
	const struct cubic_params *par = params_of(sk);
	struct cubic *ca = cubic_of(sk);
	u32 threshold, now;

	if (after(sk->snd_una, ca->end_seq))
		hystart_reset(sk);
	if (sk->snd_cwnd < (u32)par->hystart_low_window)
		return;
	if (par->hystart_detect & TRAIN) {
		now = hystart_clock(sk);
		if ((s32)(now - ca->last_ack) <= (s32)(par->hystart_ack_delta / 1000)) {
			ca->last_ack = now;
			threshold = ca->delay_min + ack_delay(sk);
			/* Pacing spreads a round by up to half an RTT of its own. */
			if (!sk->pacing)
				threshold >>= 1;
			if ((s32)(now - ca->round_start) > (s32)threshold)
				found(sk, ca, TRAIN);
		}
	}
	if (par->hystart_detect & DELAY) {
		ca->curr_rtt = min_u32(ca->curr_rtt, delay);
		if (ca->sample_cnt < MIN_SAMPLES) {
			ca->sample_cnt++;
		} else {
			threshold = min_u32(max_u32(ca->delay_min >> 3, 4000), 16000);
			if (ca->curr_rtt > ca->delay_min + threshold)
				found(sk, ca, DELAY);
		}
	}
}

static void hystart_old(struct tcp_sock *sk, u32 delay)
{
	const struct cubic_params *par = params_of(sk);
	struct cubic *ca = cubic_of(sk);
	u32 now = hystart_clock(sk), delta = 2, low = 4u << 3, shift = 4;

	if (par->form == FORM_2_6_32) {
		delta = tcp_us_to_jiffies(sk->tcp, (u64)par->hystart_ack_delta / 1000);
		low = 2u << 3;
	} else {
		delta = (u32)(par->hystart_ack_delta / 1000000);
		if (par->form == FORM_4_0)
			shift = 3;
	}
	if ((s32)(now - ca->last_ack) <= (s32)delta) {
		u32 elapsed = now - ca->round_start;

		ca->last_ack = now;
		if (par->form == FORM_2_6_32 ? elapsed >= ca->delay_min >> 4
					     : (s32)elapsed > (s32)(ca->delay_min >> 4))
			ca->found |= TRAIN;
	}
	if (ca->sample_cnt < MIN_SAMPLES) {
		if (!ca->curr_rtt || ca->curr_rtt > delay)
			ca->curr_rtt = delay;
		ca->sample_cnt++;
	} else if (ca->curr_rtt >
		   ca->delay_min + min_u32(max_u32(ca->delay_min >> shift, low), 16u << 3)) {
		ca->found |= DELAY;
	}
	found(sk, ca, 0);
}

/* ---- ops ----------------------------------------------------------------------------------- */

static void cubic_reset(struct tcp_sock *sk)
{
	struct cubic *ca = cubic_of(sk);

	memset(ca, 0, sizeof(*ca));
	ca->delayed_ack = 2u << RATIO_SHIFT;
}

static void cubic_init(struct tcp_sock *sk)
{
	const struct cubic_params *par = params_of(sk);

	cubic_reset(sk);
	if (par->hystart)
		hystart_reset(sk);
	else if (par->initial_ssthresh)
		sk->snd_ssthresh = (u32)par->initial_ssthresh;
}

static void cubic_cong_avoid(struct tcp_sock *sk, u32 ack, u32 acked)
{
	const struct cubic_params *par = params_of(sk);
	struct cubic *ca = cubic_of(sk);

	if (!tcp_is_cwnd_limited(sk))
		return;
	if (par->form < FORM_4_0) {
		if (sk->snd_cwnd <= sk->snd_ssthresh) {
			if (par->hystart && after(ack, ca->end_seq))
				hystart_reset(sk);
			tcp_slow_start(sk, acked);
			return;
		}
	} else if (tcp_in_slow_start(sk)) {
		if (par->form == FORM_4_0 && par->hystart && after(ack, ca->end_seq))
			hystart_reset(sk);
		acked = tcp_slow_start(sk, acked);
		if (!acked)
			return;
	}
	cubic_update(sk, ca, acked);
	tcp_cong_avoid_ai(sk, ca->cnt, acked);
}

static u32 cubic_ssthresh(struct tcp_sock *sk)
{
	const struct cubic_params *par = params_of(sk);
	struct cubic *ca = cubic_of(sk);
	u32 cwnd = sk->snd_cwnd, beta = (u32)par->beta;

	ca->epoch_start = 0;
	/* Fast convergence: who has less than last time leaves room for who is new. */
	if (cwnd < ca->last_max_cwnd && par->fast_convergence)
		ca->last_max_cwnd = cwnd * (BETA_SCALE + beta) / (2 * BETA_SCALE);
	else
		ca->last_max_cwnd = cwnd;
	ca->loss_cwnd = cwnd;
	return max_u32(cwnd * beta / BETA_SCALE, 2);
}

static u32 cubic_undo(struct tcp_sock *sk)
{
	const struct cubic *ca = cubic_of(sk);

	switch (params_of(sk)->form) {
	case FORM_2_6_32:
		return max_u32(sk->snd_cwnd, ca->last_max_cwnd);
	case FORM_5_5:
		return tcp_reno_undo_cwnd(sk);
	default:
		return max_u32(sk->snd_cwnd, ca->loss_cwnd);
	}
}

static void cubic_state(struct tcp_sock *sk, u8 state)
{
	if (state != TCP_CA_Loss)
		return;
	cubic_reset(sk);
	hystart_reset(sk);
}

/* Idle time is no time of the curve (4.3). */
static void cubic_event(struct tcp_sock *sk, enum tcp_ca_event ev)
{
	struct cubic *ca = cubic_of(sk);
	u32 now = sk->tcp->jiffies;
	s32 delta = (s32)(now - sk->lsndtime);

	if (ev != CA_EVENT_TX_START || params_of(sk)->form < FORM_4_0)
		return;
	if (ca->epoch_start && delta > 0) {
		ca->epoch_start += (u32)delta;
		if (after(ca->epoch_start, now))
			ca->epoch_start = now;
	}
}

static void cubic_acked(struct tcp_sock *sk, const struct ack_sample *s)
{
	const struct cubic_params *par = params_of(sk);
	struct cubic *ca = cubic_of(sk);
	u32 delay;

	if (par->form < FORM_4_0 && sk->ca_state == TCP_CA_Open) {
		ca->delayed_ack += s->pkts_acked - (ca->delayed_ack >> RATIO_SHIFT);
		ca->delayed_ack = min_u32(ca->delayed_ack, RATIO_LIMIT);
	}
	if (s->rtt_us < 0)
		return;
	/* Just after a recovery the samples tell of it. */
	if (ca->epoch_start && (s32)(sk->tcp->jiffies - ca->epoch_start) < (s32)sk->tcp->hz)
		return;
	switch (par->form) {
	case FORM_2_6_32:
		delay = tcp_us_to_jiffies(sk->tcp, (u32)s->rtt_us) << 3;
		break;
	case FORM_5_5:
		delay = (u32)s->rtt_us;
		break;
	default:
		delay = ((u32)s->rtt_us << 3) / 1000;
		break;
	}
	delay = max_u32(delay, 1);
	if (!ca->delay_min || ca->delay_min > delay)
		ca->delay_min = delay;
	if (!par->hystart)
		return;
	if (par->form == FORM_5_5) {
		if (!ca->found && tcp_in_slow_start(sk))
			hystart_5_5(sk, delay);
	} else if (!(ca->found & (u32)par->hystart_detect) && sk->snd_cwnd <= sk->snd_ssthresh &&
		   sk->snd_cwnd >= (u32)par->hystart_low_window) {
		hystart_old(sk, delay);
	}
}

static const struct tcp_congestion_ops cubic_ops = {
	.init = cubic_init,
	.ssthresh = cubic_ssthresh,
	.cong_avoid = cubic_cong_avoid,
	.set_state = cubic_state,
	.undo_cwnd = cubic_undo,
	.cwnd_event = cubic_event,
	.pkts_acked = cubic_acked,
};

#define P(field) .offset = offsetof(struct cubic_params, field)

/* clang-format off */
static const struct param cubic_param_table[] = {
	{"form", PARAM_ENUM, 0, P(form), "5.5", .doc = "the kernel whose arithmetic it is",
	 .eras = (const struct param_era[]){{"2.6.32", "2.6.32"}, {"3.2", "2.6.39"}, {"4.6", "4.0"},
					    {"6.1", "5.5"}, {NULL, NULL}},
	 .values = (const struct param_enum[]){
		{"2.6.32", FORM_2_6_32, "clock in jiffies, counts ACKs"},
		{"2.6.39", FORM_2_6_39, "clock in ms, counts ACKs, 5 % an RTT before the first loss"},
		{"4.0", FORM_4_0, "clock in ms, counts segments, at most half a segment an ACK"},
		{"5.5", FORM_5_5, "clock in us"},
		{NULL, 0, NULL}}},
	{"fast_convergence", PARAM_BOOL, 0, P(fast_convergence), "true",
	 .doc = "a flow whose maximum falls gives room", .linux_name = "fast_convergence"},
	{"beta", PARAM_INT, 0, P(beta), "717", 1, 1023, "window kept on a loss, in 1/1024", "beta"},
	{"scale", PARAM_INT, 0, P(scale), "41", 1, 1000, "steepness of the curve, 1024 * 0.04",
	 "bic_scale"},
	{"friendliness", PARAM_BOOL, 0, P(friendliness), "true",
	 .doc = "not slower than Reno", .linux_name = "tcp_friendliness"},
	{"initial_ssthresh", PARAM_INT, 0, P(initial_ssthresh), "0", 0, 1000000,
	 "slow start ends here when HyStart is off; 0: at the first loss", "initial_ssthresh"},
	{"hystart", PARAM_BOOL, 0, P(hystart), "true", .doc = "leave slow start before losses",
	 .linux_name = "hystart"},
	{"hystart_detect", PARAM_INT, 0, P(hystart_detect), "3", 1, 3,
	 "1 ACK trains, 2 delay, 3 both", "hystart_detect"},
	{"hystart_low_window", PARAM_INT, 0, P(hystart_low_window), "16", 0, 10000,
	 "HyStart looks from this window on", "hystart_low_window"},
	{"hystart_ack_delta", PARAM_TIME, 0, P(hystart_ack_delta), "2ms", 1000, 1000000000,
	 "ACKs closer than this are a train", "hystart_ack_delta_us"},
	PARAM_END,
};
/* clang-format on */

const struct model_class tcp_cubic_class = {
	.kind = &kind_congestion,
	.name = "cubic",
	.doc = "CUBIC with HyStart",
	.source =
		"Linux 2.6.32 to 6.1 net/ipv4/tcp_cubic.c; RFC 9438; Ha and Rhee, Taming the elephants "
		"(HyStart)",
	.params_size = sizeof(struct cubic_params),
	.params = cubic_param_table,
	.kind_ops = &cubic_ops,
};
