// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * DCTCP: the window comes down by the share of marked segments, and the receiver's ACKs tell of each change of the mark
 * (net/ipv4/tcp_dctcp.c and tcp_dctcp.h of 6.1; RFC 8257).
 */
#include "transport/tcp.h"

#define MAX_ALPHA 1024u

struct dctcp_params {
	int64_t shift_g, alpha_on_init;
};

struct dctcp {
	u32 old_delivered, old_delivered_ce;
	u32 prior_rcv_nxt;
	u32 alpha; /* share of marks, in 1/1024 */
	u32 next_seq; /* the round ends when it is acknowledged */
	u32 loss_cwnd;
	bool ce_state; /* the last segment received was marked */
};

_Static_assert(sizeof(struct dctcp) <= sizeof(((struct tcp_sock *)0)->ca_priv), "fits ca_priv");

static struct dctcp *dctcp_of(struct tcp_sock *sk)
{
	return (struct dctcp *)sk->ca_priv;
}

static const struct dctcp_params *params_of(const struct tcp_sock *sk)
{
	return sk->ca_params;
}

static void round_begin(struct tcp_sock *sk, struct dctcp *ca)
{
	ca->next_seq = sk->snd_nxt;
	ca->old_delivered = sk->delivered;
	ca->old_delivered_ce = sk->delivered_ce;
}

static void dctcp_init(struct tcp_sock *sk)
{
	struct dctcp *ca = dctcp_of(sk);

	/* A peer without ECN: plain Reno, dctcp_reno there. */
	if (!(sk->ecn_flags & TCP_ECN_OK)) {
		sk->ca_ops = tcp_reno_class.kind_ops;
		return;
	}
	ca->prior_rcv_nxt = sk->rcv_nxt;
	ca->alpha = min_u32((u32)params_of(sk)->alpha_on_init, MAX_ALPHA);
	ca->loss_cwnd = 0;
	ca->ce_state = false;
	round_begin(sk, ca);
}

/* ---- the sender ---------------------------------------------------------------------------- */

static u32 dctcp_ssthresh(struct tcp_sock *sk)
{
	struct dctcp *ca = dctcp_of(sk);

	ca->loss_cwnd = sk->snd_cwnd;
	return max_u32(sk->snd_cwnd - (u32)(((u64)sk->snd_cwnd * ca->alpha) >> 11), 2);
}

/* alpha = (1 - g) alpha + g F once a round; F: the share of marked segments in it. */
static void dctcp_in_ack(struct tcp_sock *sk, u32 flags)
{
	struct dctcp *ca = dctcp_of(sk);
	u32 g = (u32)params_of(sk)->shift_g, alpha = ca->alpha, less = alpha >> g;
	u32 delivered, ce;

	if (before(sk->snd_una, ca->next_seq))
		return;
	delivered = sk->delivered - ca->old_delivered;
	ce = sk->delivered_ce - ca->old_delivered_ce;
	/* min_not_zero(): it goes all the way to 0. */
	alpha -= less ? less : alpha;
	if (ce)
		alpha = min_u32(alpha + (ce << (10 - g)) / max_u32(delivered, 1), MAX_ALPHA);
	ca->alpha = alpha;
	round_begin(sk, ca);
}

static void react_to_loss(struct tcp_sock *sk)
{
	dctcp_of(sk)->loss_cwnd = sk->snd_cwnd;
	sk->snd_ssthresh = max_u32(sk->snd_cwnd >> 1, 2);
}

static void dctcp_state(struct tcp_sock *sk, u8 state)
{
	if (state == TCP_CA_Recovery && state != sk->ca_state)
		react_to_loss(sk);
}

static u32 dctcp_undo(struct tcp_sock *sk)
{
	return max_u32(sk->snd_cwnd, dctcp_of(sk)->loss_cwnd);
}

/* ---- the receiver -------------------------------------------------------------------------- */

static void echo(struct tcp_sock *sk, bool ce)
{
	if (ce)
		sk->ecn_flags |= TCP_ECN_DEMAND_CWR;
	else
		sk->ecn_flags &= (u8)~TCP_ECN_DEMAND_CWR;
}

/* The mark has changed: what is unacknowledged is so with the old echo, the new segment at once with the new one. */
static void ce_arrived(struct tcp_sock *sk, bool ce)
{
	struct dctcp *ca = dctcp_of(sk);

	if (ca->ce_state != ce) {
		if (sk->ack_pending & ACK_TIMER) {
			echo(sk, ca->ce_state);
			tcp_send_ack_of(sk, ca->prior_rcv_nxt);
		}
		sk->ack_pending |= ACK_NOW;
	}
	ca->prior_rcv_nxt = sk->rcv_nxt;
	ca->ce_state = ce;
	echo(sk, ce);
}

static void dctcp_event(struct tcp_sock *sk, enum tcp_ca_event ev)
{
	switch (ev) {
	case CA_EVENT_ECN_IS_CE:
	case CA_EVENT_ECN_NO_CE:
		ce_arrived(sk, ev == CA_EVENT_ECN_IS_CE);
		break;
	case CA_EVENT_LOSS:
		react_to_loss(sk);
		break;
	default:
		break;
	}
}

static const struct tcp_congestion_ops dctcp_ops = {
	.flags = TCP_CONG_NEEDS_ECN,
	.init = dctcp_init,
	.ssthresh = dctcp_ssthresh,
	.cong_avoid = tcp_reno_cong_avoid,
	.set_state = dctcp_state,
	.cwnd_event = dctcp_event,
	.in_ack_event = dctcp_in_ack,
	.undo_cwnd = dctcp_undo,
};

#define P(field) .offset = offsetof(struct dctcp_params, field)

/* clang-format off */
static const struct param dctcp_param_table[] = {
	{"shift_g", PARAM_INT, 0, P(shift_g), "4", 0, 10,
	 "alpha follows the marks by 1/2^n a round trip", "dctcp_shift_g"},
	{"alpha_on_init", PARAM_INT, 0, P(alpha_on_init), "1024", 0, MAX_ALPHA,
	 "share of marks that is assumed at the start, in 1/1024", "dctcp_alpha_on_init"},
	PARAM_END,
};
/* clang-format on */

const struct model_class tcp_dctcp_class = {
	.kind = &kind_congestion,
	.name = "dctcp",
	.doc = "DCTCP: the window comes down by the share of ECN marks; for queues that mark at a threshold",
	.source =
		"Linux 6.1 net/ipv4/tcp_dctcp.c; RFC 8257; Alizadeh et al., Data center TCP (2010)",
	.not_modelled =
		"Accurate ECN, PLB. Kernels before 3.18 do not have it; in their eras it runs as in 6.1.",
	.params_size = sizeof(struct dctcp_params),
	.params = dctcp_param_table,
	.kind_ops = &dctcp_ops,
};
