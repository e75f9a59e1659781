// SPDX-License-Identifier: GPL-3.0-or-later
/* The timers: retransmission, probes, delayed ACK. All but pacing run in jiffies, as Linux's do. */
#include "transport/tcp.h"

#include <errno.h>

#include "engine/draw.h"

/*
 * When a timer that is to run at jiffy @expires does run. Since 4.8 it goes into a wheel whose levels have 1, 8, 64, ...
 * jiffies to the bucket and is rounded up to the bucket's end (kernel/time/timer.c); before, it ran at its jiffy if that
 * was less than 256 away.
 */
static sim_time timer_ns(const struct tcp *t, u32 expires)
{
	s32 delta = (s32)(expires - t->jiffies);
	u32 shift = 0;

	if (t->par->timer_wheel) {
		if (delta < 0)
			expires = t->jiffies;
		while (delta >= (63 << shift) && shift < 24)
			shift += 3;
		expires = ((expires >> shift) + 1) << shift;
	} else if (delta < 1) {
		expires = t->jiffies + 1;
	}
	return (sim_time)expires * t->tick_ns - TCP_CLOCK_OFFSET;
}

void tcp_reset_xmit_timer(struct tcp_sock *sk, u8 what, u32 when, u32 max)
{
	if (when > max)
		when = max;
	sk->xmit_pending = what;
	sk->probe_kept = false;
	sk->xmit_timeout = sk->tcp->jiffies + when;
	event_postpone(sk->sim, &sk->xmit_timer, timer_ns(sk->tcp, sk->xmit_timeout));
}

/* The timer is left to run out; it finds nothing to do. */
void tcp_clear_xmit_timer(struct tcp_sock *sk)
{
	sk->xmit_pending = XMIT_NONE;
}

s64 tcp_rto_delta_us(const struct tcp_sock *sk)
{
	s64 rto = tcp_jiffies_to_us(sk->tcp, sk->rto);

	if (!sk->packets_out)
		return rto;
	return (s64)tcp_seg(sk, sk->seg_head)->sent_us + rto - (s64)sk->tcp->us;
}

void tcp_reset_delack_timer(struct tcp_sock *sk, u32 expires)
{
	sk->ack_timeout = expires;
	event_postpone(sk->sim, &sk->delack_timer, timer_ns(sk->tcp, expires));
}

void tcp_clear_delack_timer(struct tcp_sock *sk)
{
	sk->ack_pending = 0;
}

/* ---- zero window --------------------------------------------------------------------------- */

static u32 probe0_base(const struct tcp_sock *sk)
{
	return max_u32(sk->rto, sk->tcp->rto_min_j);
}

u32 tcp_probe0_when(const struct tcp_sock *sk)
{
	const struct tcp *t = sk->tcp;
	u32 most = 32 - (u32)__builtin_clz(t->rto_max_j / t->rto_min_j);
	u64 when = (u64)probe0_base(sk) << min_u32(most, sk->backoff);

	return when < t->rto_max_j ? (u32)when : t->rto_max_j;
}

void tcp_check_probe_timer(struct tcp_sock *sk)
{
	if (!sk->packets_out && sk->xmit_pending == XMIT_NONE)
		tcp_reset_xmit_timer(sk, XMIT_PROBE0, probe0_base(sk), sk->tcp->rto_max_j);
}

static void probe_timer(struct tcp_sock *sk)
{
	u32 timeout;
	int err;

	if (sk->packets_out || !sk->unsent_n) {
		sk->probes_out = 0;
		return;
	}
	if (sk->probes_out >= (u32)sk->par->retries2 && sk->fin_queued) {
		tcp_done(sk, ETIMEDOUT);
		return;
	}
	err = tcp_write_wakeup(sk);
	if (sk->packets_out || !sk->unsent_n) {
		sk->probes_out = 0;
		sk->backoff = 0;
		return;
	}
	sk->probes_out++;
	if (err <= 0) {
		if (sk->backoff < sk->par->retries2)
			sk->backoff++;
		timeout = tcp_probe0_when(sk);
	} else {
		timeout = sk->tcp->hz / 2;
	}
	tcp_reset_xmit_timer(sk, XMIT_PROBE0, timeout, sk->tcp->rto_max_j);
}

/* ---- retransmission timeout ---------------------------------------------------------------- */

/* How long @boundary backed-off timeouts from @base take, in ticks of the timestamp clock. */
static u64 model_timeout(const struct tcp_sock *sk, u32 boundary, u32 base)
{
	const struct tcp *t = sk->tcp;
	u32 linear = 31 - (u32)__builtin_clz(t->rto_max_j / base | 1);
	u64 jiffies;

	if (boundary <= linear)
		jiffies = ((2ull << boundary) - 1) * base;
	else
		jiffies = ((2ull << linear) - 1) * base + (u64)(boundary - linear) * t->rto_max_j;
	return sk->par->rtt_clock == RTT_USEC ? jiffies * 1000 / t->hz : jiffies;
}

static bool write_timeout(struct tcp_sock *sk)
{
	const struct tcp_params *par = sk->par;
	bool expired = false;

	if (sk->state == TCP_SYN_SENT)
		expired = sk->retransmits >= par->syn_retries;
	else if (sk->state == TCP_SYN_RECV)
		expired = sk->retransmits >= par->synack_retries;
	else if (sk->retransmits)
		expired = (s64)(s32)(tcp_ts(sk) - sk->retrans_stamp) >=
			  (s64)model_timeout(sk, (u32)par->retries2, sk->tcp->rto_min_j);
	if (expired) {
		tcp_done(sk, ETIMEDOUT);
		return true;
	}
	/* A new flow hash: perhaps another path (4.4). */
	if (tcp_since(sk, ERA_REHASH))
		sk->txhash = (u32)(draw_bits(sk->draw_key, sk->draw_index++) >> 32) | 1;
	return false;
}

static void retransmit_timer(struct tcp_sock *sk)
{
	const struct tcp *t = sk->tcp;

	if (!sk->packets_out)
		return;
	if (!sk->snd_wnd && sk->state >= TCP_ESTABLISHED) {
		/* The peer closed its window over data in flight: they become its probes. */
		tcp_enter_loss(sk);
		tcp_retransmit_seg(sk, sk->seg_head, 1);
		goto reset;
	}
	sk->info.timeouts++;
	sk->tcp->timeouts++;
	if (write_timeout(sk))
		return;
	if (tcp_frto_usable(sk))
		tcp_frto_enter(sk);
	else
		tcp_enter_loss(sk);
	sk->retransmits++;
	if (tcp_retransmit_seg(sk, sk->seg_head, 1) == -ENOBUFS) {
		tcp_reset_xmit_timer(sk, XMIT_RETRANS, t->hz / 2, t->rto_max_j);
		return;
	}
	sk->backoff++;
	/* The first SYNs go out a second apart (6.5). */
	if (sk->state == TCP_SYN_SENT && sk->retransmits <= sk->par->syn_linear_timeouts) {
		sk->backoff = 0;
		tcp_reset_xmit_timer(sk, XMIT_RETRANS, sk->rto, t->rto_max_j);
		return;
	}
reset:
	sk->rto = min_u32(sk->rto << 1, t->rto_max_j);
	tcp_reset_xmit_timer(sk, XMIT_RETRANS, sk->rto, t->rto_max_j);
}

static void xmit_expired(struct sim *sim, struct event *ev)
{
	struct tcp_sock *sk = container_of(ev, struct tcp_sock, xmit_timer);
	u8 what = sk->xmit_pending;

	if (sk->state == TCP_CLOSE || what == XMIT_NONE)
		return;
	if (sk->locked) {
		event_schedule(sim, ev, sk->unlock_event.due);
		return;
	}
	tcp_clock(sk->tcp, sim);
	if (after(sk->xmit_timeout, sk->tcp->jiffies)) {
		event_schedule(sim, &sk->xmit_timer, timer_ns(sk->tcp, sk->xmit_timeout));
		return;
	}
	switch (what) {
	case XMIT_REO:
		tcp_rack_reo_timeout(sk);
		break;
	case XMIT_LOSS_PROBE:
		tcp_send_loss_probe(sk);
		break;
	case XMIT_RETRANS:
		sk->xmit_pending = XMIT_NONE;
		retransmit_timer(sk);
		break;
	case XMIT_PROBE0:
		sk->xmit_pending = XMIT_NONE;
		probe_timer(sk);
		break;
	default:
		break;
	}
	tcp_release(sk);
}

static void delack_expired(struct sim *sim, struct event *ev)
{
	struct tcp_sock *sk = container_of(ev, struct tcp_sock, delack_timer);

	if (sk->state == TCP_CLOSE)
		return;
	if (sk->locked) {
		event_schedule(sim, ev, sk->unlock_event.due);
		return;
	}
	tcp_clock(sk->tcp, sim);
	tcp_delack_expired(sk);
}

static void pacing_expired(struct sim *sim, struct event *ev)
{
	struct tcp_sock *sk = container_of(ev, struct tcp_sock, pacing_timer);

	tcp_tsq_run(sim, &sk->tsq_event);
}

void tcp_init_timers(struct tcp_sock *sk)
{
	event_init(&sk->xmit_timer, xmit_expired, RANK_TIMER);
	event_init(&sk->delack_timer, delack_expired, RANK_TIMER);
	event_init(&sk->comp_timer, tcp_comp_sack_expired, RANK_TIMER);
	event_init(&sk->pacing_timer, pacing_expired, RANK_TIMER);
	event_init(&sk->tsq_event, tcp_tsq_run, RANK_TIMER);
	event_init(&sk->read_event, tcp_reader_woken, RANK_TIMER);
	event_init(&sk->unlock_event, tcp_unlock, RANK_TIMER);
}

void tcp_stop_timers(struct tcp_sock *sk)
{
	event_cancel(sk->sim, &sk->xmit_timer);
	event_cancel(sk->sim, &sk->delack_timer);
	event_cancel(sk->sim, &sk->comp_timer);
	event_cancel(sk->sim, &sk->pacing_timer);
	event_cancel(sk->sim, &sk->tsq_event);
	event_cancel(sk->sim, &sk->read_event);
	tcp_backlog_purge(sk);
	sk->tsq_queued = false;
	sk->xmit_pending = XMIT_NONE;
}
