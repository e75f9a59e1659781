// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Congestion control: for each sender of the simulator a tcp_sock, which has what the algorithms of net/ipv4 read and
 * write. It lives between calls; what the simulator's TCP knows better is put in before each, and what an algorithm
 * may change is taken out after it.
 */
#include <linux/slab.h>
#include <linux/version.h>
#include <net/tcp.h>

#include "cong.h"

struct conn {
	struct seam_user user;
	struct seam_sock *s;
	bool initialised;
	struct tcp_sock tp;
};

static struct conn *conn_of(const struct sock *sk)
{
	return container_of(tcp_sk(sk), struct conn, tp);
}

static struct inet_connection_sock *icsk_of(struct conn *c)
{
	return &c->tp.inet_conn;
}

static struct sock *sock_of(struct conn *c)
{
	return (struct sock *)&c->tp;
}

/* ---- fields across the seam --------------------------------------------------------------------- */

static void load(struct conn *c)
{
	const struct seam_sock *s = c->s;
	struct tcp_sock *tp = &c->tp;
	struct sock *sk = sock_of(c);
	struct inet_connection_sock *icsk = icsk_of(c);
	u32 now = tcp_jiffies32;

	tp->snd_cwnd = s->snd_cwnd;
	tp->snd_ssthresh = s->snd_ssthresh;
	tp->snd_cwnd_cnt = s->snd_cwnd_cnt;
	tp->snd_cwnd_clamp = s->snd_cwnd_clamp;
	tp->app_limited = s->app_limited;
	sk->sk_pacing_rate = (unsigned long)s->pacing_rate;
	sk->sk_pacing_status = s->pacing ? SK_PACING_NEEDED : SK_PACING_NONE;
	tp->ecn_flags = (s->ecn_ok ? TCP_ECN_OK : 0) | (s->demand_cwr ? TCP_ECN_DEMAND_CWR : 0);
	icsk->icsk_ack.pending = (s->ack_timer ? ICSK_ACK_TIMER : 0) |
				 (s->ack_now ? ICSK_ACK_NOW : 0);

	tp->is_cwnd_limited = s->is_cwnd_limited;
	icsk->icsk_ca_state = s->ca_state;
	sk->sk_pacing_shift = s->pacing_shift;
	tp->prior_cwnd = s->prior_cwnd;
	tp->prior_ssthresh = s->prior_ssthresh;
	tp->undo_marker = s->undo_marker;
	tp->snd_una = s->snd_una;
	tp->snd_nxt = s->snd_nxt;
	tp->rcv_nxt = s->rcv_nxt;
	tp->high_seq = s->high_seq;
	tp->mss_cache = s->mss_cache;
	tp->advmss = s->advmss;
	sk->sk_gso_max_size = s->gso_max_size;
	tp->packets_out = s->packets_out;
	tp->sacked_out = s->sacked_out;
	tp->lost_out = s->lost_out;
	tp->retrans_out = s->retrans_out;
	tp->max_packets_out = s->max_packets_out;
	tp->delivered = s->delivered;
	tp->delivered_ce = s->delivered_ce;
	tp->lost = s->lost;
	tp->srtt_us = s->srtt_us;
	tp->rtt_min.s[0].v = s->min_rtt_us;
	tp->rx_opt.rcv_tsval = s->rcv_tsval;
	tp->rx_opt.rcv_tsecr = s->rcv_tsecr;
	tp->lsndtime = now - (u32)s->lsndtime;
	tp->snd_cwnd_stamp = now - (u32)s->snd_cwnd_stamp;
	tp->tcp_mstamp = s->mstamp;
	tp->delivered_mstamp = s->delivered_mstamp;
	tp->tcp_clock_cache = (u64)s->clock_ns;
	tp->tcp_wstamp_ns = (u64)s->wstamp_ns;
}

static void store(struct conn *c)
{
	const struct tcp_sock *tp = &c->tp;
	const struct sock *sk = sock_of(c);
	struct seam_sock *s = c->s;

	s->snd_cwnd = tp->snd_cwnd;
	s->snd_ssthresh = tp->snd_ssthresh;
	s->snd_cwnd_cnt = tp->snd_cwnd_cnt;
	s->snd_cwnd_clamp = tp->snd_cwnd_clamp;
	s->app_limited = tp->app_limited;
	s->pacing_rate = sk->sk_pacing_rate;
	s->pacing = sk->sk_pacing_status != SK_PACING_NONE;
	s->demand_cwr = !!(tp->ecn_flags & TCP_ECN_DEMAND_CWR);
	s->ack_now = !!(icsk_of(c)->icsk_ack.pending & ICSK_ACK_NOW);
}

static const struct tcp_congestion_ops *enter(struct conn *c)
{
	seam_enter(&c->user);
	load(c);
	return icsk_of(c)->icsk_ca_ops;
}

/* ---- what algorithms call in TCP ------------------------------------------------------------------ */

/* The simulator goes on by itself and may come in again meanwhile. */
void tcp_enter_cwr(struct sock *sk)
{
	struct conn *c = conn_of(sk);

	store(c);
	seam_boot->enter_cwr(seam_boot, c->user.up);
	seam_enter(&c->user);
	load(c);
}

/* __tcp_send_ack() has got further arguments, which do not matter here. */
asm(".globl __tcp_send_ack\n.set __tcp_send_ack, seam_send_ack");
void seam_send_ack(struct sock *sk, u32 rcv_nxt)
{
	struct conn *c = conn_of(sk);

	store(c);
	seam_boot->send_ack(seam_boot, c->user.up, rcv_nxt);
	seam_enter(&c->user);
	load(c);
}

/* ---- entries ---------------------------------------------------------------------------------------- */

static void *cong_create(const char *name, void *up, struct seam_sock *s)
{
	struct tcp_congestion_ops *ops = tcp_ca_find(name);
	struct conn *c = ops ? kzalloc(sizeof(*c), GFP_KERNEL) : NULL;
	struct sock *sk;

	if (!c)
		return NULL;
	c->user.up = up;
	c->s = s;
	sk = sock_of(c);
	sock_net_set(sk, &init_net);
	sk->sk_state = TCP_ESTABLISHED;
	sk->sk_family = AF_INET;
	sk->sk_max_pacing_rate = ~0UL;
	icsk_of(c)->icsk_ca_ops = ops;
	return c;
}

static u32 cong_has(void *conn)
{
	struct conn *c = conn;
	const struct tcp_congestion_ops *ops = icsk_of(c)->icsk_ca_ops;

	return (ops->flags & TCP_CONG_NEEDS_ECN ? SEAM_CONG_NEEDS_ECN : 0) |
	       (ops->cong_control ? SEAM_CONG_CONTROL : 0) |
	       (ops->min_tso_segs ? SEAM_CONG_MIN_TSO_SEGS : 0) |
	       (ops->sndbuf_expand ? SEAM_CONG_SNDBUF_EXPAND : 0) |
	       (ops->pkts_acked ? SEAM_CONG_PKTS_ACKED : 0) |
	       (ops->in_ack_event ? SEAM_CONG_IN_ACK_EVENT : 0) |
	       (ops->cwnd_event ? SEAM_CONG_CWND_EVENT : 0);
}

static void cong_init(void *conn)
{
	struct conn *c = conn;
	const struct tcp_congestion_ops *ops = enter(c);

	c->tp.prior_ssthresh = 0;
	if (ops->init)
		ops->init(sock_of(c));
	c->initialised = true;
	store(c);
}

static void cong_destroy(void *conn)
{
	struct conn *c = conn;
	const struct tcp_congestion_ops *ops = icsk_of(c)->icsk_ca_ops;

	seam_enter(&c->user);
	if (c->initialised && ops->release)
		ops->release(sock_of(c));
	seam_timers_drop(&c->user);
	seam_user = NULL;
	kfree(c);
}

static u32 cong_ssthresh(void *conn)
{
	struct conn *c = conn;
	u32 r = enter(c)->ssthresh(sock_of(c));

	store(c);
	return r;
}

static void cong_avoid(void *conn, u32 ack, u32 acked)
{
	struct conn *c = conn;

	enter(c)->cong_avoid(sock_of(c), ack, acked);
	store(c);
}

/* Linux changes the state behind the call. */
static void cong_set_state(void *conn, u8 state)
{
	struct conn *c = conn;

	enter(c);
	tcp_set_ca_state(sock_of(c), state);
	store(c);
}

static void cong_cwnd_event(void *conn, enum seam_cong_event ev)
{
	static const enum tcp_ca_event events[SEAM_CONG_EVENTS] = {
		[SEAM_CONG_TX_START] = CA_EVENT_TX_START,
		[SEAM_CONG_CWND_RESTART] = CA_EVENT_CWND_RESTART,
		[SEAM_CONG_COMPLETE_CWR] = CA_EVENT_COMPLETE_CWR,
		[SEAM_CONG_LOSS] = CA_EVENT_LOSS,
		[SEAM_CONG_ECN_NO_CE] = CA_EVENT_ECN_NO_CE,
		[SEAM_CONG_ECN_IS_CE] = CA_EVENT_ECN_IS_CE,
	};
	struct conn *c = conn;
	const struct tcp_congestion_ops *ops = enter(c);

	if (ops->cwnd_event)
		ops->cwnd_event(sock_of(c), events[ev]);
	store(c);
}

static void cong_in_ack_event(void *conn, u32 flags)
{
	struct conn *c = conn;
	const struct tcp_congestion_ops *ops = enter(c);

	if (ops->in_ack_event)
		ops->in_ack_event(sock_of(c),
				  (flags & SEAM_CONG_ACK_SLOWPATH ? CA_ACK_SLOWPATH : 0) |
					  (flags & SEAM_CONG_ACK_WIN_UPDATE ? CA_ACK_WIN_UPDATE
									    : 0) |
					  (flags & SEAM_CONG_ACK_ECE ? CA_ACK_ECE : 0));
	store(c);
}

static u32 cong_undo_cwnd(void *conn)
{
	struct conn *c = conn;
	u32 r = enter(c)->undo_cwnd(sock_of(c));

	store(c);
	return r;
}

static void cong_pkts_acked(void *conn, u32 pkts, s32 rtt_us, u32 in_flight)
{
	const struct ack_sample sample = {
		.pkts_acked = pkts, .rtt_us = rtt_us, .in_flight = in_flight};
	struct conn *c = conn;
	const struct tcp_congestion_ops *ops = enter(c);

	if (ops->pkts_acked)
		ops->pkts_acked(sock_of(c), &sample);
	store(c);
}

static u32 cong_min_tso_segs(void *conn)
{
	struct conn *c = conn;
	u32 r = enter(c)->min_tso_segs(sock_of(c));

	store(c);
	return r;
}

static void cong_control(void *conn, u32 ack, u32 flag, const struct seam_rate_sample *rs)
{
	const struct rate_sample sample = {
		.prior_mstamp = rs->prior_mstamp,
		.prior_delivered = rs->prior_delivered,
		.prior_delivered_ce = rs->prior_delivered_ce,
		.delivered = rs->delivered,
		.delivered_ce = rs->delivered_ce,
		.interval_us = rs->interval_us,
		.rtt_us = rs->rtt_us,
		.losses = (int)rs->losses,
		.acked_sacked = rs->acked_sacked,
		.prior_in_flight = rs->prior_in_flight,
		.last_end_seq = rs->last_end_seq,
		.is_app_limited = rs->is_app_limited,
		.is_retrans = rs->is_retrans,
		.is_ack_delayed = rs->is_ack_delayed,
	};
	struct conn *c = conn;
	const struct tcp_congestion_ops *ops = enter(c);

#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 10, 0)
	ops->cong_control(sock_of(c), ack, (int)flag, &sample);
#else
	ops->cong_control(sock_of(c), &sample);
#endif
	store(c);
}

static u32 cong_sndbuf_expand(void *conn)
{
	struct conn *c = conn;
	u32 r = enter(c)->sndbuf_expand(sock_of(c));

	store(c);
	return r;
}

const struct seam_cong seam_cong_entries = {
	.create = cong_create,
	.has = cong_has,
	.init = cong_init,
	.destroy = cong_destroy,
	.ssthresh = cong_ssthresh,
	.cong_avoid = cong_avoid,
	.set_state = cong_set_state,
	.cwnd_event = cong_cwnd_event,
	.in_ack_event = cong_in_ack_event,
	.undo_cwnd = cong_undo_cwnd,
	.pkts_acked = cong_pkts_acked,
	.min_tso_segs = cong_min_tso_segs,
	.cong_control = cong_control,
	.sndbuf_expand = cong_sndbuf_expand,
};
