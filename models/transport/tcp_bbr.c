// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * BBR, version 1, in Linux's fixed point (net/ipv4/tcp_bbr.c, 6.1): paces at a model of the path, the largest delivery
 * rate of ten round trips and the smallest RTT of ten seconds.
 */
#include "transport/tcp.h"

#include "engine/draw.h"

#define BW_SCALE	24
#define BW_UNIT		(1u << BW_SCALE) /* bandwidth in segments/us, times this */
#define UNIT		256u /* gains in 1/256 */
#define HIGH_GAIN	(UNIT * 2885 / 1000 + 1) /* 2/ln 2: the rate may double each round */
#define DRAIN_GAIN	(UNIT * 1000 / 2885)
#define CWND_GAIN	(UNIT * 2)
#define CYCLE_LEN	8u
#define CYCLE_RAND	7u
#define BW_ROUNDS	(CYCLE_LEN + 2)
#define MIN_RTT_WIN_SEC 10u
#define PROBE_RTT_US	200000u
#define CWND_MIN	4u
#define FULL_BW_THRESH	(UNIT * 5 / 4)
#define FULL_BW_CNT	3u
#define MIN_TSO_RATE	(1200000u / 8) /* bytes/s */
#define MARGIN_PERCENT	1u /* paces a little below the bandwidth */
/* Policers */
#define LT_MIN_ROUNDS  4u
#define LT_LOSS_THRESH 50u /* of 256 lost */
#define LT_RATIO       (UNIT / 8)
#define LT_DIFF	       (4000u / 8) /* bytes/s */
#define LT_MAX_ROUNDS  48u
/* Aggregation of ACKs */
#define EXTRA_ACKED_WIN	   5u
#define EPOCH_ACKED_MAX	   (1u << 20)
#define EXTRA_ACKED_MAX_US 100000u

enum bbr_mode { STARTUP, DRAIN, PROBE_BW, PROBE_RTT };

static const u16 cycle_gain[CYCLE_LEN] = {
	UNIT * 5 / 4, UNIT * 3 / 4, UNIT, UNIT, UNIT, UNIT, UNIT, UNIT,
};

struct bbr {
	u64 cycle_us, ack_epoch_us;
	struct tcp_minmax bw; /* by round */
	u32 min_rtt_us, min_rtt_stamp, probe_rtt_done_stamp;
	u32 rounds, next_rtt_delivered;
	u32 lt_bw, lt_last_delivered, lt_last_ms, lt_last_lost;
	u32 prior_cwnd, full_bw;
	u32 ack_epoch_acked;
	u16 extra_acked[2];
	u16 pacing_gain, cwnd_gain;
	u8 mode, prev_ca_state, full_bw_cnt, cycle_idx, lt_rounds;
	u8 extra_win_rounds, extra_win_idx;
	bool packet_conservation, round_start, idle_restart, probe_rtt_round_done;
	bool lt_is_sampling, lt_use_bw, full_bw_reached, has_seen_rtt;
};

_Static_assert(sizeof(struct bbr) <= sizeof(((struct tcp_sock *)0)->ca_priv), "fits ca_priv");

static struct bbr *bbr_of(struct tcp_sock *sk)
{
	return (struct bbr *)sk->ca_priv;
}

/* ---- bandwidth and rates ------------------------------------------------------------------- */

static u32 max_bw(const struct bbr *b)
{
	return minmax_get(&b->bw);
}

static u32 bbr_bw(const struct bbr *b)
{
	return b->lt_use_bw ? b->lt_bw : max_bw(b);
}

static u64 bytes_per_sec(const struct tcp_sock *sk, u64 bw, u32 gain)
{
	bw = bw * sk->mss_cache * gain / UNIT;
	return bw * (1000000 / 100 * (100 - MARGIN_PERCENT)) >> BW_SCALE;
}

static void init_pacing_rate(struct tcp_sock *sk, struct bbr *b)
{
	u32 rtt = 1000;

	if (sk->srtt) {
		rtt = max_u32(tcp_srtt_us(sk), 1);
		b->has_seen_rtt = true;
	}
	sk->pacing_rate = bytes_per_sec(sk, (u64)sk->snd_cwnd * BW_UNIT / rtt, HIGH_GAIN);
}

static void set_pacing_rate(struct tcp_sock *sk, struct bbr *b, u32 bw, u32 gain)
{
	u64 rate = bytes_per_sec(sk, bw, gain);

	if (!b->has_seen_rtt && sk->srtt)
		init_pacing_rate(sk, b);
	if (b->full_bw_reached || rate > sk->pacing_rate)
		sk->pacing_rate = rate;
}

static u32 bbr_min_tso_segs(struct tcp_sock *sk)
{
	return sk->pacing_rate < MIN_TSO_RATE ? 1 : 2;
}

static u32 tso_segs_goal(struct tcp_sock *sk)
{
	u64 bytes = sk->pacing_rate >> sk->pacing_shift;
	u64 most = 65536 - 1 - TCP_MAX_TCP_HEADER;

	if (bytes > most)
		bytes = most;
	return min_u32(max_u32((u32)bytes / sk->mss_cache, bbr_min_tso_segs(sk)), 0x7f);
}

/* ---- what should be in flight -------------------------------------------------------------- */

static u32 bdp(const struct bbr *b, u32 bw, u32 gain)
{
	u64 w;

	if (b->min_rtt_us == UINT32_MAX)
		return 10;
	w = (u64)bw * b->min_rtt_us;
	return (u32)(((w * gain / UNIT) + BW_UNIT - 1) / BW_UNIT);
}

/* Whole packets of several segments at both ends, and an even number for delayed ACKs. */
static u32 quantize(struct tcp_sock *sk, const struct bbr *b, u32 cwnd)
{
	cwnd += 3 * tso_segs_goal(sk);
	cwnd = (cwnd + 1) & ~1u;
	if (b->mode == PROBE_BW && b->cycle_idx == 0)
		cwnd += 2;
	return cwnd;
}

static u32 inflight_target(struct tcp_sock *sk, const struct bbr *b, u32 bw, u32 gain)
{
	return quantize(sk, b, bdp(b, bw, gain));
}

/* In the network when the next packet departs: what is in flight less what will be delivered until then. */
static u32 in_net_at_edt(struct tcp_sock *sk, const struct bbr *b, u32 inflight)
{
	sim_time now = sk->sim->now;
	sim_time edt = sk->wstamp_ns > now ? sk->wstamp_ns : now;
	u64 us = (u64)(edt - now) / 1000;
	u32 delivered = (u32)((u64)bbr_bw(b) * us >> BW_SCALE);

	if (b->pacing_gain > UNIT)
		inflight += tso_segs_goal(sk);
	return delivered >= inflight ? 0 : inflight - delivered;
}

static u32 aggregation_cwnd(const struct bbr *b)
{
	u32 most, extra = b->extra_acked[0] > b->extra_acked[1] ? b->extra_acked[0]
								: b->extra_acked[1];

	if (!b->full_bw_reached)
		return 0;
	most = (u32)((u64)bbr_bw(b) * EXTRA_ACKED_MAX_US / BW_UNIT);
	return min_u32(extra, most);
}

/* ---- the window ---------------------------------------------------------------------------- */

static void save_cwnd(struct tcp_sock *sk, struct bbr *b)
{
	if (b->prev_ca_state < TCP_CA_Recovery && b->mode != PROBE_RTT)
		b->prior_cwnd = sk->snd_cwnd;
	else
		b->prior_cwnd = max_u32(b->prior_cwnd, sk->snd_cwnd);
}

/* In the first round of a recovery as much is sent as is delivered; after it the old window returns. */
static bool recover_or_restore(struct tcp_sock *sk, struct bbr *b, const struct rate_sample *rs,
			       u32 acked, u32 *new_cwnd)
{
	u8 prev = b->prev_ca_state, state = sk->ca_state;
	u32 cwnd = sk->snd_cwnd;

	if (rs->losses)
		cwnd = cwnd > rs->losses ? cwnd - rs->losses : 1;
	if (state == TCP_CA_Recovery && prev != TCP_CA_Recovery) {
		b->packet_conservation = true;
		b->next_rtt_delivered = sk->delivered;
		cwnd = tcp_packets_in_flight(sk) + acked;
	} else if (prev >= TCP_CA_Recovery && state < TCP_CA_Recovery) {
		cwnd = max_u32(cwnd, b->prior_cwnd);
		b->packet_conservation = false;
	}
	b->prev_ca_state = state;
	*new_cwnd = cwnd;
	if (b->packet_conservation)
		*new_cwnd = max_u32(cwnd, tcp_packets_in_flight(sk) + acked);
	return b->packet_conservation;
}

static void set_cwnd(struct tcp_sock *sk, struct bbr *b, const struct rate_sample *rs, u32 bw,
		     u32 gain)
{
	u32 acked = rs->acked_sacked, cwnd = sk->snd_cwnd, target;

	if (acked && !recover_or_restore(sk, b, rs, acked, &cwnd)) {
		target = quantize(sk, b, bdp(b, bw, gain) + aggregation_cwnd(b));
		if (b->full_bw_reached)
			cwnd = min_u32(cwnd + acked, target);
		else if (cwnd < target || sk->delivered < 10)
			cwnd += acked;
		cwnd = max_u32(cwnd, CWND_MIN);
	}
	sk->snd_cwnd = min_u32(cwnd, sk->snd_cwnd_clamp);
	if (b->mode == PROBE_RTT)
		sk->snd_cwnd = min_u32(sk->snd_cwnd, CWND_MIN);
}

/* ---- the cycle of gains -------------------------------------------------------------------- */

static bool is_next_phase(struct tcp_sock *sk, struct bbr *b, const struct rate_sample *rs)
{
	bool full_length = (s64)(sk->delivered_us - b->cycle_us) > (s64)b->min_rtt_us;
	u32 inflight, bw;

	if (b->pacing_gain == UNIT)
		return full_length;
	inflight = in_net_at_edt(sk, b, rs->prior_in_flight);
	bw = max_bw(b);
	if (b->pacing_gain > UNIT)
		return full_length &&
		       (rs->losses || inflight >= inflight_target(sk, b, bw, b->pacing_gain));
	return full_length || inflight <= inflight_target(sk, b, bw, UNIT);
}

static void advance_phase(const struct tcp_sock *sk, struct bbr *b)
{
	b->cycle_idx = (b->cycle_idx + 1) & (CYCLE_LEN - 1);
	b->cycle_us = sk->delivered_us;
}

/* 0 .. 6, from eight bits a draw as get_random_u32_below() takes them: what would make some more likely is drawn again. */
static u32 cycle_rand(struct tcp_sock *sk)
{
	u32 x;

	do
		x = CYCLE_RAND * (u32)(draw_bits(sk->draw_key, sk->draw_index++) >> 56);
	while ((u8)x < 256 % CYCLE_RAND);
	return x >> 8;
}

static void reset_probe_bw(struct tcp_sock *sk, struct bbr *b)
{
	b->mode = PROBE_BW;
	b->cycle_idx = (u8)(CYCLE_LEN - 1 - cycle_rand(sk));
	advance_phase(sk, b);
}

/* ---- policers: the long-term rate ---------------------------------------------------------- */

static void lt_reset_interval(const struct tcp_sock *sk, struct bbr *b)
{
	b->lt_last_ms = (u32)(sk->delivered_us / 1000);
	b->lt_last_delivered = sk->delivered;
	b->lt_last_lost = sk->lost;
	b->lt_rounds = 0;
}

static void lt_reset(const struct tcp_sock *sk, struct bbr *b)
{
	b->lt_bw = 0;
	b->lt_use_bw = false;
	b->lt_is_sampling = false;
	lt_reset_interval(sk, b);
}

/* Two intervals with losses and the same rate: somebody polices. */
static void lt_interval_done(struct tcp_sock *sk, struct bbr *b, u32 bw)
{
	if (b->lt_bw) {
		u32 diff = bw > b->lt_bw ? bw - b->lt_bw : b->lt_bw - bw;

		if (diff * UNIT <= LT_RATIO * b->lt_bw ||
		    bytes_per_sec(sk, diff, UNIT) <= LT_DIFF) {
			b->lt_bw = (bw + b->lt_bw) >> 1;
			b->lt_use_bw = true;
			b->pacing_gain = UNIT;
			b->lt_rounds = 0;
			return;
		}
	}
	b->lt_bw = bw;
	lt_reset_interval(sk, b);
}

static void lt_sampling(struct tcp_sock *sk, struct bbr *b, u32 losses, bool app_limited)
{
	u32 lost, delivered, ms;

	if (b->lt_use_bw) {
		if (b->mode == PROBE_BW && b->round_start && ++b->lt_rounds >= LT_MAX_ROUNDS) {
			lt_reset(sk, b);
			reset_probe_bw(sk, b);
		}
		return;
	}
	if (!b->lt_is_sampling) {
		if (!losses)
			return;
		lt_reset_interval(sk, b);
		b->lt_is_sampling = true;
	}
	if (app_limited) {
		lt_reset(sk, b);
		return;
	}
	if (b->round_start)
		b->lt_rounds++;
	if (b->lt_rounds < LT_MIN_ROUNDS)
		return;
	if (b->lt_rounds > 4 * LT_MIN_ROUNDS) {
		lt_reset(sk, b);
		return;
	}
	if (!losses)
		return;
	lost = sk->lost - b->lt_last_lost;
	delivered = sk->delivered - b->lt_last_delivered;
	if (!delivered || lost * UNIT < LT_LOSS_THRESH * delivered)
		return;
	ms = (u32)(sk->delivered_us / 1000) - b->lt_last_ms;
	if ((s32)ms < 1)
		return;
	if (ms >= UINT32_MAX / 1000) {
		lt_reset(sk, b);
		return;
	}
	lt_interval_done(sk, b, (u32)((u64)delivered * BW_UNIT / (ms * 1000)));
}

/* ---- the model ----------------------------------------------------------------------------- */

static void update_bw(struct tcp_sock *sk, struct bbr *b, const struct rate_sample *rs)
{
	u64 bw;

	b->round_start = false;
	if (rs->delivered < 0 || rs->interval_us <= 0)
		return;
	if (!before(rs->prior_delivered, b->next_rtt_delivered)) {
		b->next_rtt_delivered = sk->delivered;
		b->rounds++;
		b->round_start = true;
		b->packet_conservation = false;
	}
	lt_sampling(sk, b, rs->losses, rs->is_app_limited);
	bw = (u64)rs->delivered * BW_UNIT / (u64)rs->interval_us;
	if (!rs->is_app_limited || bw >= max_bw(b))
		minmax_running(&b->bw, BW_ROUNDS, b->rounds, (u32)bw, true);
}

static void update_ack_aggregation(struct tcp_sock *sk, struct bbr *b, const struct rate_sample *rs)
{
	u32 us, expected, extra;

	if (!rs->acked_sacked || rs->delivered < 0 || rs->interval_us <= 0)
		return;
	if (b->round_start) {
		if (b->extra_win_rounds < 0x1f)
			b->extra_win_rounds++;
		if (b->extra_win_rounds >= EXTRA_ACKED_WIN) {
			b->extra_win_rounds = 0;
			b->extra_win_idx = !b->extra_win_idx;
			b->extra_acked[b->extra_win_idx] = 0;
		}
	}
	us = (u32)(sk->delivered_us - b->ack_epoch_us);
	expected = (u32)((u64)bbr_bw(b) * us / BW_UNIT);
	if (b->ack_epoch_acked <= expected ||
	    b->ack_epoch_acked + rs->acked_sacked >= EPOCH_ACKED_MAX) {
		b->ack_epoch_acked = 0;
		b->ack_epoch_us = sk->delivered_us;
		expected = 0;
	}
	b->ack_epoch_acked = min_u32(0xfffff, b->ack_epoch_acked + rs->acked_sacked);
	extra = min_u32(b->ack_epoch_acked - expected, sk->snd_cwnd);
	if (extra > b->extra_acked[b->extra_win_idx])
		b->extra_acked[b->extra_win_idx] = (u16)min_u32(extra, UINT16_MAX);
}

/* Three rounds without a quarter more: the pipe is full. */
static void check_full_bw(struct bbr *b, const struct rate_sample *rs)
{
	if (b->full_bw_reached || !b->round_start || rs->is_app_limited)
		return;
	if (max_bw(b) >= (u64)b->full_bw * FULL_BW_THRESH / UNIT) {
		b->full_bw = max_bw(b);
		b->full_bw_cnt = 0;
		return;
	}
	b->full_bw_reached = ++b->full_bw_cnt >= FULL_BW_CNT;
}

static void check_drain(struct tcp_sock *sk, struct bbr *b)
{
	if (b->mode == STARTUP && b->full_bw_reached) {
		b->mode = DRAIN;
		sk->snd_ssthresh = inflight_target(sk, b, max_bw(b), UNIT);
	}
	if (b->mode == DRAIN && in_net_at_edt(sk, b, tcp_packets_in_flight(sk)) <=
					inflight_target(sk, b, max_bw(b), UNIT))
		reset_probe_bw(sk, b);
}

static void check_probe_rtt_done(struct tcp_sock *sk, struct bbr *b)
{
	u32 now = sk->tcp->jiffies;

	if (!b->probe_rtt_done_stamp || !after(now, b->probe_rtt_done_stamp))
		return;
	b->min_rtt_stamp = now;
	sk->snd_cwnd = max_u32(sk->snd_cwnd, b->prior_cwnd);
	if (b->full_bw_reached)
		reset_probe_bw(sk, b);
	else
		b->mode = STARTUP;
}

static void probe_rtt(struct tcp_sock *sk, struct bbr *b)
{
	u32 in_flight = tcp_packets_in_flight(sk);

	sk->app_limited = sk->delivered + in_flight;
	if (!sk->app_limited)
		sk->app_limited = 1;
	if (!b->probe_rtt_done_stamp && in_flight <= CWND_MIN) {
		b->probe_rtt_done_stamp =
			sk->tcp->jiffies + tcp_us_to_jiffies(sk->tcp, PROBE_RTT_US);
		b->probe_rtt_round_done = false;
		b->next_rtt_delivered = sk->delivered;
	} else if (b->probe_rtt_done_stamp) {
		if (b->round_start)
			b->probe_rtt_round_done = true;
		if (b->probe_rtt_round_done)
			check_probe_rtt_done(sk, b);
	}
}

static void update_min_rtt(struct tcp_sock *sk, struct bbr *b, const struct rate_sample *rs)
{
	u32 now = sk->tcp->jiffies;
	bool expired = after(now, b->min_rtt_stamp + MIN_RTT_WIN_SEC * sk->tcp->hz);

	if (rs->rtt_us >= 0 &&
	    (rs->rtt_us < (s64)b->min_rtt_us || (expired && !rs->is_ack_delayed))) {
		b->min_rtt_us = (u32)rs->rtt_us;
		b->min_rtt_stamp = now;
	}
	if (expired && !b->idle_restart && b->mode != PROBE_RTT) {
		b->mode = PROBE_RTT;
		save_cwnd(sk, b);
		b->probe_rtt_done_stamp = 0;
	}
	if (b->mode == PROBE_RTT)
		probe_rtt(sk, b);
	if (rs->delivered > 0)
		b->idle_restart = false;
}

static void update_gains(struct bbr *b)
{
	switch (b->mode) {
	case STARTUP:
		b->pacing_gain = HIGH_GAIN;
		b->cwnd_gain = HIGH_GAIN;
		break;
	case DRAIN:
		b->pacing_gain = DRAIN_GAIN;
		b->cwnd_gain = HIGH_GAIN;
		break;
	case PROBE_BW:
		b->pacing_gain = b->lt_use_bw ? UNIT : cycle_gain[b->cycle_idx];
		b->cwnd_gain = CWND_GAIN;
		break;
	default:
		b->pacing_gain = UNIT;
		b->cwnd_gain = UNIT;
		break;
	}
}

/* ---- ops ----------------------------------------------------------------------------------- */

static void bbr_main(struct tcp_sock *sk, const struct rate_sample *rs)
{
	struct bbr *b = bbr_of(sk);
	u32 bw;

	update_bw(sk, b, rs);
	update_ack_aggregation(sk, b, rs);
	if (b->mode == PROBE_BW && is_next_phase(sk, b, rs))
		advance_phase(sk, b);
	check_full_bw(b, rs);
	check_drain(sk, b);
	update_min_rtt(sk, b, rs);
	update_gains(b);
	bw = bbr_bw(b);
	set_pacing_rate(sk, b, bw, b->pacing_gain);
	set_cwnd(sk, b, rs, bw, b->cwnd_gain);
}

static void bbr_init(struct tcp_sock *sk)
{
	struct bbr *b = bbr_of(sk);

	*b = (struct bbr){
		.next_rtt_delivered = sk->delivered,
		.prev_ca_state = TCP_CA_Open,
		.min_rtt_us = tcp_min_rtt(sk),
		.min_rtt_stamp = sk->tcp->jiffies,
		.ack_epoch_us = sk->tcp->us,
		.mode = STARTUP,
	};
	sk->snd_ssthresh = TCP_INFINITE_SSTHRESH;
	minmax_reset(&b->bw, b->rounds, 0);
	init_pacing_rate(sk, b);
	lt_reset(sk, b);
	sk->pacing = true;
}

static void bbr_event(struct tcp_sock *sk, enum tcp_ca_event ev)
{
	struct bbr *b = bbr_of(sk);

	if (ev != CA_EVENT_TX_START || !sk->app_limited)
		return;
	b->idle_restart = true;
	b->ack_epoch_us = sk->tcp->us;
	b->ack_epoch_acked = 0;
	if (b->mode == PROBE_BW)
		set_pacing_rate(sk, b, bbr_bw(b), UNIT);
	else if (b->mode == PROBE_RTT)
		check_probe_rtt_done(sk, b);
}

static u32 bbr_ssthresh(struct tcp_sock *sk)
{
	save_cwnd(sk, bbr_of(sk));
	return sk->snd_ssthresh;
}

static u32 bbr_undo_cwnd(struct tcp_sock *sk)
{
	struct bbr *b = bbr_of(sk);

	b->full_bw = 0;
	b->full_bw_cnt = 0;
	lt_reset(sk, b);
	return sk->snd_cwnd;
}

static u32 bbr_sndbuf_expand(struct tcp_sock *sk)
{
	return 3;
}

static void bbr_set_state(struct tcp_sock *sk, u8 state)
{
	struct bbr *b = bbr_of(sk);

	if (state != TCP_CA_Loss)
		return;
	b->prev_ca_state = TCP_CA_Loss;
	b->full_bw = 0;
	b->round_start = true;
	lt_sampling(sk, b, 1, false);
}

static const struct tcp_congestion_ops bbr_ops = {
	.init = bbr_init,
	.ssthresh = bbr_ssthresh,
	.cong_control = bbr_main,
	.set_state = bbr_set_state,
	.cwnd_event = bbr_event,
	.undo_cwnd = bbr_undo_cwnd,
	.min_tso_segs = bbr_min_tso_segs,
	.sndbuf_expand = bbr_sndbuf_expand,
};

const struct model_class tcp_bbr_class = {
	.kind = &kind_congestion,
	.name = "bbr",
	.doc = "BBR version 1",
	.source =
		"Linux 6.1 net/ipv4/tcp_bbr.c; Cardwell et al., BBR: congestion-based congestion control (2016)",
	.not_modelled = "Kernels before 4.9 do not have it; in their eras it runs as in 6.1.",
	.kind_ops = &bbr_ops,
};
