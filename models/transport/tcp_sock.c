// SPDX-License-Identifier: GPL-3.0-or-later
/* Opening, accepting, closing and freeing sockets, and what traffic asks of them. */
#include "transport/tcp.h"
#include "transport/tcp_linux.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "engine/draw.h"
#include "net/netdev.h"

/* The one port that servers listen on; the client's port tells connections apart. */
#define SERVER_PORT 5001u

static struct tcp *tcp_of(struct host *h)
{
	return (struct tcp *)h->protocols[host_proto_index(PROTO_TCP)];
}

/* Freed sockets whose last packets have meanwhile left the host may be used again. */
static void reap_dead(struct tcp *t)
{
	struct tcp_sock **at = &t->dead;

	while (*at) {
		struct tcp_sock *sk = *at;

		if (sk->wmem_alloc) {
			at = &sk->hash_next;
			continue;
		}
		*at = sk->hash_next;
		sk->hash_next = t->spare;
		t->spare = sk;
	}
}

static struct tcp_sock *sock_alloc(struct tcp *t)
{
	struct tcp_sock keep = {.segs = NULL};
	struct tcp_sock *sk;

	if (!t->spare && t->dead)
		reap_dead(t);
	sk = t->spare;
	if (sk) {
		t->spare = sk->hash_next;
		keep.segs = sk->segs;
		keep.seg_mask = sk->seg_mask;
		keep.unsent = sk->unsent;
		keep.unsent_mask = sk->unsent_mask;
		keep.ooo = sk->ooo;
		keep.max_ooo = sk->max_ooo;
	} else {
		sk = pool_get(t->sock_pool);
	}
	memset(sk, 0, sizeof(*sk));
	sk->segs = keep.segs;
	sk->seg_mask = keep.seg_mask;
	sk->unsent = keep.unsent;
	sk->unsent_mask = keep.unsent_mask;
	sk->ooo = keep.ooo;
	sk->max_ooo = keep.max_ooo;
	return sk;
}

void tcp_init_congestion(struct tcp_sock *sk, const struct slot *slot)
{
	if (!slot || !slot->cls)
		slot = &sk->par->congestion;
	sk->ca_cls = slot->cls;
	sk->ca_params = slot->params;
	if (!slot->cls)
		sk->ca_ops = tcp_reno_class.kind_ops;
	else if (slot->cls->library)
		tcp_linux_attach(sk, slot->cls);
	else
		sk->ca_ops = slot->cls->kind_ops;
}

/* net/ipv4/tcp_cong.c tcp_set_congestion_control(), tcp_reinit_congestion_control() */
void tcp_set_congestion(struct tcp_sock *sk, const struct slot *congestion)
{
	if (congestion->cls == sk->ca_cls)
		return;
	tcp_linux_detach(sk);
	memset(sk->ca_priv, 0, sizeof(sk->ca_priv));
	tcp_init_congestion(sk, congestion);
	/* Before that the end of the handshake will do it. */
	if (sk->state < TCP_ESTABLISHED)
		return;
	tcp_clock(sk->tcp, sk->sim);
	sk->prior_ssthresh = 0;
	if (sk->ca_ops->init)
		sk->ca_ops->init(sk);
}

static bool device_tso(const struct host *h, u16 peer)
{
	const struct netdev *dev = ip_dev(h, peer);

	return dev && dev->lower && dev->lower->tso &&
	       ((const struct netdev_params *)dev->obj.params)->tso;
}

/* What the device's layer sets at the first packet (sk_pacing_shift_update()); 0: nothing. */
static u8 device_pacing_shift(const struct host *h, u16 peer)
{
	const struct netdev *dev = ip_dev(h, peer);

	return dev && dev->lower ? dev->lower->pacing_shift : 0;
}

/* Linux's tcp_init_sock() and what the route says of the sizes. */
static struct tcp_sock *sock_new(struct tcp *t, u16 peer, u16 sport, u16 dport, u64 key)
{
	struct tcp_sock *sk = sock_alloc(t);
	const struct tcp_params *par = t->par;
	u32 mtu = ip_mtu(t->host, peer);

	sk->tcp = t;
	sk->sim = t->obj.sim;
	sk->par = par;
	sk->peer_host = peer;
	sk->sport = sport;
	sk->dport = dport;
	sk->draw_key = key;
	sk->late = (struct draw){.key = key ^ 0x1a7e1a7e};
	sk->advmss = (u16)(mtu > 40 + TCP_MIN_MSS ? mtu - 40 : TCP_MIN_MSS);
	sk->mss_clamp = sk->advmss;
	sk->mss_cache = sk->advmss;
	sk->header_len = 20;
	sk->sndbuf = (u32)par->wmem_default;
	sk->rcvbuf = (u32)par->rmem_default;
	sk->snd_cwnd = (u32)par->initial_cwnd;
	sk->snd_ssthresh = TCP_INFINITE_SSTHRESH;
	sk->snd_cwnd_clamp = UINT32_MAX;
	sk->reordering = (u32)par->reordering;
	sk->rto = t->rto_init_j;
	if (par->rtt_clock == RTT_USEC) {
		sk->mdev = (u32)(par->rto_initial / 1000);
		sk->rto_min = (u32)(par->rto_min / 1000);
	} else {
		sk->mdev = t->rto_init_j;
		sk->rto_min = t->rto_min_j;
	}
	minmax_reset(&sk->rtt_min, t->jiffies, UINT32_MAX);
	sk->fack_ok = par->fack;
	sk->rack.reo_wnd_steps = 1;
	sk->pacing_rate = UINT64_MAX;
	sk->pacing_shift = device_pacing_shift(t->host, peer);
	if (!sk->pacing_shift)
		sk->pacing_shift = (u8)par->pacing_shift;
	sk->pacing = par->pacing;
	sk->gso = par->gso == GSO_ALWAYS || (par->gso == GSO_DEVICE && device_tso(t->host, peer));
	sk->gso_max_size = (u32)par->gso_max_size - (TCP_MAX_TCP_HEADER + 1);
	sk->app_limited = UINT32_MAX;
	sk->ts_first = SEG_NONE;
	sk->ts_last = SEG_NONE;
	sk->retransmit_hint = SEG_NONE;
	sk->lost_hint = SEG_NONE;
	sk->txhash = (u32)(draw_bits(key, sk->draw_index++) >> 32) | 1;
	sk->write_seq = (u32)(draw_bits(key, sk->draw_index++) >> 32);
	sk->snd_una = sk->write_seq;
	sk->snd_nxt = sk->write_seq;
	sk->snd_sml = sk->write_seq;
	sk->pushed_seq = sk->write_seq;
	tcp_init_timers(sk);
	tcp_hash_add(t, sk);
	return sk;
}

struct tcp_sock *tcp_connect(const struct tcp_open *open)
{
	struct tcp *t = tcp_of(open->from), *peer = tcp_of(open->to);
	struct sim *sim = t->obj.sim;
	struct tcp_listen *l;
	struct tcp_sock *sk;
	char path[256];
	u16 port = host_port(open->from);

	tcp_clock(t, sim);
	snprintf(path, sizeof(path), "%s.tcp", open->name ? open->name : t->obj.path);
	sk = sock_new(t, open->to->id, port, SERVER_PORT, draw_key(sim->seed ^ port, path));
	sk->user = open->client;
	sk->user_arg = open->client_arg;
	sk->tos = open->tos & ~3u;
	sk->priority = open->priority;
	tcp_init_congestion(sk, &open->congestion);

	l = tcp_listen_add(peer, open->from->id, SERVER_PORT, port);
	l->client = sk;
	l->user = open->server;
	l->user_arg = open->server_arg;
	sk->listen = l;

	sk->tstamp_ok = sk->par->timestamps;
	sk->sack_ok = sk->par->sack;
	sk->wscale_ok = sk->par->window_scaling;
	tcp_select_initial_window(sk);
	if (sk->par->ecn == 1 || (sk->ca_ops->flags & TCP_CONG_NEEDS_ECN))
		sk->ecn_flags = TCP_ECN_OK;
	tcp_set_state(sk, TCP_SYN_SENT);
	sk->syn_us = t->us;
	tcp_seg_push(sk, sk->write_seq, sk->write_seq + 1)->flags = SEG_SYN | SEG_SKB_END;
	sk->rtx_skbs = 1;
	sk->write_seq++;
	sk->snd_nxt = sk->write_seq;
	tcp_seg_sent(sk, tcp_seg(sk, sk->seg_head), sk->seg_head);
	tcp_send_syn(sk);
	tcp_reset_xmit_timer(sk, XMIT_RETRANS, sk->rto, t->rto_max_j);
	return sk;
}

struct tcp_sock *tcp_accept(struct tcp *t, const struct packet *syn)
{
	struct tcp_listen *l = tcp_listen_find(t, syn);
	const struct tcp_sock *client;
	struct slot slot = {NULL, NULL, NULL};
	struct tcp_sock *sk;

	if (!l || l->client->peer)
		return NULL;
	client = l->client;
	sk = sock_new(t, syn->src, syn->dport, syn->sport, client->draw_key ^ 0x5ca1ab1e);
	sk->is_server = true;
	sk->user = l->user;
	sk->user_arg = l->user_arg;
	sk->tos = client->tos;
	sk->priority = client->priority;
	sk->peer = l->client;
	l->client->peer = sk;
	/* What was chosen for the flow, and not by the client's host, is the server's too. */
	if (client->ca_cls != client->par->congestion.cls ||
	    client->ca_params != client->par->congestion.params) {
		slot.cls = client->ca_cls;
		slot.params = client->ca_params;
	}
	tcp_init_congestion(sk, &slot);
	return sk;
}

void tcp_set_state(struct tcp_sock *sk, enum tcp_state state)
{
	sk->state = (u8)state;
}

/* The handshake is over: Linux's tcp_init_transfer(). */
void tcp_init_transfer(struct tcp_sock *sk)
{
	u32 mss = sk->mss_cache;
	u32 cwnd = (u32)sk->par->initial_cwnd;

	/* RFC 3390 where the window is of that time. */
	if (cwnd == 3)
		cwnd = mss > 1460 ? 2 : mss > 1095 ? 3 : 4;
	sk->init_cwnd = cwnd;
	sk->snd_cwnd = sk->total_retrans > 1 && sk->undo_marker ? 1 : cwnd;
	sk->snd_cwnd_stamp = sk->tcp->jiffies;
	sk->undo_marker = 0;
	if (sk->ca_ops->init)
		sk->ca_ops->init(sk);
	sk->tlp = sk->par->tlp && sk->sack_ok;
	sk->xmit_plain = tcp_may_xmit_plain(sk);
	tcp_sndbuf_expand(sk);
	tcp_init_rcv_space(sk);
	tcp_update_pacing_rate(sk);
	tcp_set_state(sk, TCP_ESTABLISHED);
}

void tcp_done(struct tcp_sock *sk, int error)
{
	tcp_stop_timers(sk);
	sk->throttled = false;
	tcp_set_state(sk, TCP_CLOSE);
	if (sk->closed_told)
		return;
	sk->closed_told = true;
	if (sk->user && sk->user->closed)
		sk->user->closed(sk->user_arg, sk, error);
}

void tcp_close(struct tcp_sock *sk)
{
	tcp_clock(sk->tcp, sk->sim);
	if (sk->fin_queued)
		return;
	switch (sk->state) {
	case TCP_ESTABLISHED:
	case TCP_SYN_RECV:
		sk->fin_queued = true;
		sk->write_seq++;
		if (sk->state == TCP_SYN_RECV)
			return;
		tcp_set_state(sk, TCP_FIN_WAIT1);
		break;
	case TCP_CLOSE_WAIT:
		sk->fin_queued = true;
		sk->write_seq++;
		tcp_set_state(sk, TCP_LAST_ACK);
		break;
	case TCP_SYN_SENT:
		tcp_done(sk, 0);
		return;
	default:
		return;
	}
	tcp_push_pending(sk, NAGLE_OFF);
}

static void sock_free(struct tcp_sock *sk)
{
	struct tcp *t = sk->tcp;

	tcp_stop_timers(sk);
	tcp_linux_detach(sk);
	sk->throttled = false;
	sk->state = TCP_CLOSE;
	tcp_hash_remove(t, sk);
	if (sk->listen) {
		struct network *net = t->host->net;

		tcp_listen_remove(tcp_of(net->hosts[sk->peer_host]), sk->listen);
		sk->listen = NULL;
	}
	if (sk->wmem_alloc) {
		sk->hash_next = t->dead;
		t->dead = sk;
	} else {
		sk->hash_next = t->spare;
		t->spare = sk;
	}
}

void tcp_free(struct tcp_sock *sk)
{
	if (sk->peer)
		sock_free(sk->peer);
	sock_free(sk);
}

void tcp_get_info(const struct tcp_sock *sk, struct tcp_info *info)
{
	u32 fin = sk->fin_queued && !sk->fin_sent;

	*info = sk->info;
	info->bytes_sent = sk->bytes_sent;
	info->unsent = sk->write_seq - sk->snd_nxt - fin;
	info->unacked = sk->snd_nxt - sk->snd_una;
	info->cwnd = sk->snd_cwnd;
	info->ssthresh = sk->snd_ssthresh;
	info->reordered = sk->reord_seen;
	info->srtt = (sim_time)tcp_srtt_us(sk) * SIM_US;
	info->min_rtt = tcp_min_rtt(sk) == UINT32_MAX ? 0 : (sim_time)tcp_min_rtt(sk) * SIM_US;
}
