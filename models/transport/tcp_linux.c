// SPDX-License-Identifier: GPL-3.0-or-later
/* The simulator's TCP over Linux's own congestion controls: what a socket knows goes in, what they decide comes out. */
#include "transport/tcp_linux.h"

#include <stdlib.h>
#include <string.h>

#include "kernel/shim/loader.h"
#include "transport/tcp.h"

struct tcp_linux {
	struct linux_client client;
	struct tcp_sock *sk;
	void *conn; /* at the seam */
	struct seam_sock s;
	struct tcp_congestion_ops ops; /* without those that the file does not have */
};

/* ---- fields across the seam --------------------------------------------------------------------- */

static u32 srtt_us(const struct tcp_sock *sk)
{
	return sk->par->rtt_clock == RTT_USEC ? sk->srtt : tcp_srtt_us(sk) << 3;
}

/* All that an algorithm may read; a member of seam_sock that is not set here stands for nothing. */
static void fill(struct tcp_linux *l)
{
	const struct tcp_sock *sk = l->sk;
	struct seam_sock *s = &l->s;
	u32 jiffies = sk->tcp->jiffies;

	s->snd_cwnd = sk->snd_cwnd;
	s->snd_ssthresh = sk->snd_ssthresh;
	s->snd_cwnd_cnt = sk->snd_cwnd_cnt;
	s->snd_cwnd_clamp = sk->snd_cwnd_clamp;
	s->app_limited = sk->app_limited;
	s->pacing_rate = sk->pacing_rate;
	s->pacing = sk->pacing;
	s->demand_cwr = !!(sk->ecn_flags & TCP_ECN_DEMAND_CWR);
	s->ack_now = !!(sk->ack_pending & ACK_NOW);
	s->ecn_ok = !!(sk->ecn_flags & TCP_ECN_OK);
	s->ack_timer = !!(sk->ack_pending & ACK_TIMER);
	/* Older kernels have another rule, which is then behind the flag. */
	s->is_cwnd_limited = tcp_since(sk, ERA_WRITE_LIMITS) ? sk->is_cwnd_limited
							     : tcp_is_cwnd_limited(sk);
	s->ca_state = sk->ca_state;
	s->pacing_shift = sk->pacing_shift;
	s->prior_cwnd = sk->prior_cwnd;
	s->prior_ssthresh = sk->prior_ssthresh;
	s->undo_marker = sk->undo_marker;
	s->snd_una = sk->snd_una;
	s->snd_nxt = sk->snd_nxt;
	s->rcv_nxt = sk->rcv_nxt;
	s->high_seq = sk->high_seq;
	s->mss_cache = sk->mss_cache;
	s->advmss = sk->advmss;
	s->gso_max_size = sk->gso_max_size;
	s->packets_out = sk->packets_out;
	s->sacked_out = sk->sacked_out;
	s->lost_out = sk->lost_out;
	s->retrans_out = sk->retrans_out;
	s->max_packets_out = sk->max_packets_out;
	s->delivered = sk->delivered;
	s->delivered_ce = sk->delivered_ce;
	s->lost = sk->lost;
	s->srtt_us = srtt_us(sk);
	s->min_rtt_us = tcp_min_rtt(sk);
	s->rcv_tsval = sk->rcv_tsval;
	s->rcv_tsecr = sk->rcv_tsecr;
	s->lsndtime = (s32)(jiffies - sk->lsndtime);
	s->snd_cwnd_stamp = (s32)(jiffies - sk->snd_cwnd_stamp);
	s->mstamp = sk->tcp->us;
	s->delivered_mstamp = sk->delivered_us;
	s->clock_ns = sk->sim->now;
	s->wstamp_ns = sk->wstamp_ns;
}

static void take(struct tcp_linux *l)
{
	const struct seam_sock *s = &l->s;
	struct tcp_sock *sk = l->sk;

	sk->snd_cwnd = s->snd_cwnd;
	sk->snd_ssthresh = s->snd_ssthresh;
	sk->snd_cwnd_cnt = s->snd_cwnd_cnt;
	sk->snd_cwnd_clamp = s->snd_cwnd_clamp;
	sk->app_limited = s->app_limited;
	sk->pacing_rate = s->pacing_rate;
	sk->pacing = s->pacing;
	if (s->demand_cwr)
		sk->ecn_flags |= TCP_ECN_DEMAND_CWR;
	else
		sk->ecn_flags &= (u8)~TCP_ECN_DEMAND_CWR;
	if (s->ack_now)
		sk->ack_pending |= ACK_NOW;
	/* The socket's own stream, so that an algorithm draws as ours does. */
	sk->draw_index = (u32)l->client.draw.index;
}

static const struct seam_cong *enter(struct tcp_linux *l)
{
	fill(l);
	l->client.draw.index = l->sk->draw_index;
	return linux_enter(&l->client)->cong;
}

/* ---- what Linux asks for ------------------------------------------------------------------------ */

static struct tcp_linux *of_client(struct linux_client *c)
{
	return container_of(c, struct tcp_linux, client);
}

static void enter_cwr(struct linux_client *c)
{
	struct tcp_linux *l = of_client(c);

	take(l);
	tcp_enter_cwr(l->sk);
	fill(l);
}

static void send_ack(struct linux_client *c, u32 rcv_nxt)
{
	struct tcp_linux *l = of_client(c);

	take(l);
	tcp_send_ack_of(l->sk, rcv_nxt);
	fill(l);
}

static const struct linux_client_ops client_ops = {
	.enter_cwr = enter_cwr,
	.send_ack = send_ack,
};

/* ---- ops ---------------------------------------------------------------------------------------- */

static void cc_set_ops(struct tcp_linux *l);

static void cc_init(struct tcp_sock *sk)
{
	struct tcp_linux *l = sk->ca_linux;

	enter(l)->init(l->conn);
	take(l);
	/* It may have found that another algorithm is wanted. */
	cc_set_ops(l);
}

static u32 cc_ssthresh(struct tcp_sock *sk)
{
	struct tcp_linux *l = sk->ca_linux;
	u32 r = enter(l)->ssthresh(l->conn);

	take(l);
	return r;
}

static void cc_cong_avoid(struct tcp_sock *sk, u32 ack, u32 acked)
{
	struct tcp_linux *l = sk->ca_linux;

	enter(l)->cong_avoid(l->conn, ack, acked);
	take(l);
}

static void cc_set_state(struct tcp_sock *sk, u8 state)
{
	struct tcp_linux *l = sk->ca_linux;

	enter(l)->set_state(l->conn, state);
	take(l);
}

static void cc_cwnd_event(struct tcp_sock *sk, enum tcp_ca_event ev)
{
	static const u8 events[] = {
		[CA_EVENT_TX_START] = SEAM_CONG_TX_START,
		[CA_EVENT_CWND_RESTART] = SEAM_CONG_CWND_RESTART,
		[CA_EVENT_COMPLETE_CWR] = SEAM_CONG_COMPLETE_CWR,
		[CA_EVENT_LOSS] = SEAM_CONG_LOSS,
		[CA_EVENT_ECN_NO_CE] = SEAM_CONG_ECN_NO_CE,
		[CA_EVENT_ECN_IS_CE] = SEAM_CONG_ECN_IS_CE,
	};
	struct tcp_linux *l = sk->ca_linux;

	enter(l)->cwnd_event(l->conn, (enum seam_cong_event)events[ev]);
	take(l);
}

/* Linux's fast path is a hint that nothing but an advance was in the ACK; without it the outcome is the same. */
static void cc_in_ack_event(struct tcp_sock *sk, u32 flag)
{
	struct tcp_linux *l = sk->ca_linux;
	u32 flags = SEAM_CONG_ACK_SLOWPATH;

	if (flag & FLAG_WIN_UPDATE)
		flags |= SEAM_CONG_ACK_WIN_UPDATE;
	if (flag & FLAG_ECE)
		flags |= SEAM_CONG_ACK_ECE;
	enter(l)->in_ack_event(l->conn, flags);
	take(l);
}

static u32 cc_undo_cwnd(struct tcp_sock *sk)
{
	struct tcp_linux *l = sk->ca_linux;
	u32 r = enter(l)->undo_cwnd(l->conn);

	take(l);
	return r;
}

static void cc_pkts_acked(struct tcp_sock *sk, const struct ack_sample *sample)
{
	struct tcp_linux *l = sk->ca_linux;

	enter(l)->pkts_acked(l->conn, sample->pkts_acked, sample->rtt_us, sample->in_flight);
	take(l);
}

static u32 cc_min_tso_segs(struct tcp_sock *sk)
{
	struct tcp_linux *l = sk->ca_linux;
	u32 r = enter(l)->min_tso_segs(l->conn);

	take(l);
	return r;
}

static void cc_cong_control(struct tcp_sock *sk, const struct rate_sample *rs)
{
	const struct seam_rate_sample sample = {
		.prior_mstamp = rs->prior_us,
		.prior_delivered = rs->prior_delivered,
		.delivered = rs->delivered,
		.interval_us = rs->interval_us,
		.rtt_us = rs->rtt_us,
		.losses = rs->losses,
		.acked_sacked = rs->acked_sacked,
		.prior_in_flight = rs->prior_in_flight,
		.last_end_seq = rs->last_end_seq,
		.is_app_limited = rs->is_app_limited,
		.is_retrans = rs->is_retrans,
		.is_ack_delayed = rs->is_ack_delayed,
	};
	struct tcp_linux *l = sk->ca_linux;

	enter(l)->cong_control(l->conn, sk->snd_una, 0, &sample);
	take(l);
}

static u32 cc_sndbuf_expand(struct tcp_sock *sk)
{
	struct tcp_linux *l = sk->ca_linux;
	u32 r = enter(l)->sndbuf_expand(l->conn);

	take(l);
	return r;
}

static void cc_set_ops(struct tcp_linux *l)
{
	u32 has = linux_enter(&l->client)->cong->has(l->conn);

	l->ops = (struct tcp_congestion_ops){
		.flags = has & SEAM_CONG_NEEDS_ECN ? TCP_CONG_NEEDS_ECN : 0,
		.init = cc_init,
		.ssthresh = cc_ssthresh,
		.cong_avoid = cc_cong_avoid,
		.set_state = cc_set_state,
		.cwnd_event = has & SEAM_CONG_CWND_EVENT ? cc_cwnd_event : NULL,
		.in_ack_event = has & SEAM_CONG_IN_ACK_EVENT ? cc_in_ack_event : NULL,
		.undo_cwnd = cc_undo_cwnd,
		.pkts_acked = has & SEAM_CONG_PKTS_ACKED ? cc_pkts_acked : NULL,
		.min_tso_segs = has & SEAM_CONG_MIN_TSO_SEGS ? cc_min_tso_segs : NULL,
		.cong_control = has & SEAM_CONG_CONTROL ? cc_cong_control : NULL,
		.sndbuf_expand = has & SEAM_CONG_SNDBUF_EXPAND ? cc_sndbuf_expand : NULL,
	};
}

/* ---- sockets ------------------------------------------------------------------------------------ */

void tcp_linux_attach(struct tcp_sock *sk, const struct model_class *cls)
{
	struct tcp_linux *l = calloc(1, sizeof(*l));
	struct object *obj = &sk->tcp->obj;
	const struct seam_core *core;

	SIM_CHECK(sk->sim, obj, l, "no memory");
	l->sk = sk;
	sk->ca_linux = l;
	sk->ca_ops = &l->ops;
	linux_client_init(&l->client, obj, cls->library, &client_ops, false);
	l->client.draw = (struct draw){.key = sk->draw_key, .index = sk->draw_index};
	core = linux_enter(&l->client);
	SIM_CHECK(
		sk->sim, obj, core->hz == sk->tcp->hz,
		"%s: its core was built for an HZ of %u and the node has %u: set hz of the node, or build a "
		"core with --hz",
		cls->name, core->hz, sk->tcp->hz);
	l->conn = core->cong->create(cls->name + strlen("linux."), &l->client, &l->s);
	SIM_CHECK(sk->sim, obj, l->conn, "%s: %s of Linux %s does not register that name",
		  cls->name, cls->tree_file, core->version);
	cc_set_ops(l);
}

void tcp_linux_detach(struct tcp_sock *sk)
{
	struct tcp_linux *l = sk->ca_linux;

	if (!l)
		return;
	if (l->conn && linux_alive(&l->client))
		linux_enter(&l->client)->cong->destroy(l->conn);
	linux_client_fini(&l->client);
	free(l);
	sk->ca_linux = NULL;
	sk->ca_ops = tcp_reno_class.kind_ops;
}

/* ---- classes ------------------------------------------------------------------------------------- */

/* Of a class whose library is not there: no socket ever gets these. */
static const struct tcp_congestion_ops none = {0};

#define LINUX_CONG(path)                                                                           \
	.kind = &kind_congestion, .kind_ops = &none,                                               \
	.source = path " of the Linux tree that `core` names", .tree_file = path,                  \
	.not_modelled =                                                                            \
		"Module parameters, which have their defaults; sysctls; what ss(8) would print.\n" \
		"In eras before 3.13 it is told of one segment an ACK, as TCP was then."

const struct model_class linux_reno_class = {
	.name = "linux.reno",
	.doc = "Reno: Linux's own tcp_cong.c",
	LINUX_CONG("net/ipv4/tcp_cong.c"),
};

const struct model_class linux_cubic_class = {
	.name = "linux.cubic",
	.doc = "CUBIC: Linux's own tcp_cubic.c",
	LINUX_CONG("net/ipv4/tcp_cubic.c"),
};

const struct model_class linux_bbr_class = {
	.name = "linux.bbr",
	.doc = "BBR: Linux's own tcp_bbr.c",
	LINUX_CONG("net/ipv4/tcp_bbr.c"),
};

const struct model_class linux_bic_class = {
	.name = "linux.bic",
	.doc = "BIC: Linux's own tcp_bic.c",
	LINUX_CONG("net/ipv4/tcp_bic.c"),
};

const struct model_class linux_westwood_class = {
	.name = "linux.westwood",
	.doc = "Westwood+: Linux's own tcp_westwood.c",
	LINUX_CONG("net/ipv4/tcp_westwood.c"),
};

const struct model_class linux_htcp_class = {
	.name = "linux.htcp",
	.doc = "H-TCP: Linux's own tcp_htcp.c",
	LINUX_CONG("net/ipv4/tcp_htcp.c"),
};

const struct model_class linux_highspeed_class = {
	.name = "linux.highspeed",
	.doc = "HighSpeed TCP: Linux's own tcp_highspeed.c",
	LINUX_CONG("net/ipv4/tcp_highspeed.c"),
};

const struct model_class linux_hybla_class = {
	.name = "linux.hybla",
	.doc = "Hybla: Linux's own tcp_hybla.c",
	LINUX_CONG("net/ipv4/tcp_hybla.c"),
};

const struct model_class linux_vegas_class = {
	.name = "linux.vegas",
	.doc = "Vegas: Linux's own tcp_vegas.c",
	LINUX_CONG("net/ipv4/tcp_vegas.c"),
};

const struct model_class linux_nv_class = {
	.name = "linux.nv",
	.doc = "New Vegas: Linux's own tcp_nv.c",
	LINUX_CONG("net/ipv4/tcp_nv.c"),
};

const struct model_class linux_scalable_class = {
	.name = "linux.scalable",
	.doc = "Scalable TCP: Linux's own tcp_scalable.c",
	LINUX_CONG("net/ipv4/tcp_scalable.c"),
};

const struct model_class linux_lp_class = {
	.name = "linux.lp",
	.doc = "TCP Low Priority: Linux's own tcp_lp.c",
	LINUX_CONG("net/ipv4/tcp_lp.c"),
};

const struct model_class linux_veno_class = {
	.name = "linux.veno",
	.doc = "Veno: Linux's own tcp_veno.c",
	LINUX_CONG("net/ipv4/tcp_veno.c"),
};

const struct model_class linux_yeah_class = {
	.name = "linux.yeah",
	.doc = "YeAH: Linux's own tcp_yeah.c",
	LINUX_CONG("net/ipv4/tcp_yeah.c"),
};

const struct model_class linux_illinois_class = {
	.name = "linux.illinois",
	.doc = "Illinois: Linux's own tcp_illinois.c",
	LINUX_CONG("net/ipv4/tcp_illinois.c"),
};

const struct model_class linux_dctcp_class = {
	.name = "linux.dctcp",
	.doc = "DCTCP: Linux's own tcp_dctcp.c",
	LINUX_CONG("net/ipv4/tcp_dctcp.c"),
};

const struct model_class linux_cdg_class = {
	.name = "linux.cdg",
	.doc = "CAIA delay gradient: Linux's own tcp_cdg.c",
	LINUX_CONG("net/ipv4/tcp_cdg.c"),
};
