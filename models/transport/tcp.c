// SPDX-License-Identifier: GPL-3.0-or-later
/* TCP of one host: its clock, its sockets by address, and where an arriving packet goes. */
#include "transport/tcp.h"
#include "transport/tcp_linux.h"

#include <stdlib.h>
#include <string.h>

#define HASH_BITS_MIN	  6u
#define SOCKS_PER_CHUNK	  16u
#define LISTEN_BUCKETS	  64u
#define LISTENS_PER_CHUNK 64u
const struct model_kind kind_congestion = {
	.name = "congestion",
	.doc = "TCP congestion control",
};

extern const struct param tcp_param_table[];
extern const struct probe tcp_probe_table[];

/* ---- the clock ----------------------------------------------------------------------------- */

void tcp_clock_advance(struct tcp *t, sim_time now)
{
	sim_time ns = now + TCP_CLOCK_OFFSET;

	t->clock_ns = now;
	t->us = (u64)ns / 1000;
	if (now >= t->jiffy_end) {
		t->jiffies = (u32)(ns / t->tick_ns);
		t->jiffy_end = ((sim_time)t->jiffies + 1) * t->tick_ns - TCP_CLOCK_OFFSET;
	}
}

/* ---- sockets by address -------------------------------------------------------------------- */

static void hash_grow(struct tcp *t)
{
	u32 n = 1u << t->hash_bits;
	struct tcp_sock **old = t->hash;

	t->hash_bits += 2;
	t->hash = calloc(1u << t->hash_bits, sizeof(*t->hash));
	if (!t->hash)
		abort();
	for (u32 i = 0; i < n; i++) {
		while (old[i]) {
			struct tcp_sock *sk = old[i];
			u32 h = tcp_hash_of(t, sk->peer_host, sk->sport, sk->dport);

			old[i] = sk->hash_next;
			sk->hash_next = t->hash[h];
			t->hash[h] = sk;
		}
	}
	free(old);
}

void tcp_hash_add(struct tcp *t, struct tcp_sock *sk)
{
	u32 h;

	/* Half full at most: a socket that is walked past is a cache line for nothing. */
	if (t->n_socks >= 1u << (t->hash_bits - 1))
		hash_grow(t);
	h = tcp_hash_of(t, sk->peer_host, sk->sport, sk->dport);
	sk->hash_next = t->hash[h];
	t->hash[h] = sk;
	t->last = NULL;
	t->n_socks++;
}

void tcp_hash_remove(struct tcp *t, struct tcp_sock *sk)
{
	struct tcp_sock **at = &t->hash[tcp_hash_of(t, sk->peer_host, sk->sport, sk->dport)];

	if (t->last == sk)
		t->last = NULL;
	while (*at && *at != sk)
		at = &(*at)->hash_next;
	if (*at) {
		*at = sk->hash_next;
		t->n_socks--;
	}
}

static u32 listen_bucket(u16 peer, u16 lport, u16 rport)
{
	return (peer * 31u + lport * 7u + rport) % LISTEN_BUCKETS;
}

struct tcp_listen *tcp_listen_add(struct tcp *t, u16 peer, u16 lport, u16 rport)
{
	struct tcp_listen *l = pool_get(t->listen_pool);
	u32 b = listen_bucket(peer, lport, rport);

	memset(l, 0, sizeof(*l));
	l->peer = peer;
	l->sport = rport;
	l->dport = lport;
	l->next = t->listens[b];
	t->listens[b] = l;
	return l;
}

void tcp_listen_remove(struct tcp *t, struct tcp_listen *l)
{
	struct tcp_listen **at = &t->listens[listen_bucket(l->peer, l->dport, l->sport)];

	while (*at && *at != l)
		at = &(*at)->next;
	if (*at)
		*at = l->next;
	pool_put(t->listen_pool, l);
}

struct tcp_listen *tcp_listen_find(struct tcp *t, const struct packet *syn)
{
	struct tcp_listen *l = t->listens[listen_bucket(syn->src, syn->dport, syn->sport)];

	while (l && (l->peer != syn->src || l->sport != syn->sport || l->dport != syn->dport))
		l = l->next;
	return l;
}

/* ---- the object ---------------------------------------------------------------------------- */

static void tcp_rx(void *arg, struct packet *p)
{
	tcp_rcv_segment(arg, p);
}

static void tcp_rx_gro(void *arg, struct packet *p)
{
	tcp_gro_receive(arg, p);
}

static u32 jiffies_of(const struct tcp *t, int64_t ns)
{
	return (u32)((ns + t->tick_ns - 1) / t->tick_ns);
}

static void tcp_object_init(struct object *obj)
{
	struct tcp *t = (struct tcp *)obj;

	t->host = (struct host *)obj->owner;
	t->par = obj->params;
	t->era = t->host->era;
	t->hz = t->host->hz ? t->host->hz : 250;
	t->tick_ns = SIM_SEC / t->hz;
	t->jiffy_us = 1000000 % t->hz ? 0 : 1000000 / t->hz;
	t->min_rtt_wlen_j = tcp_us_to_jiffies(t, (u64)t->par->min_rtt_wlen / 1000);
	t->rto_min_j = jiffies_of(t, t->par->rto_min);
	t->rto_max_j = jiffies_of(t, t->par->rto_max);
	t->rto_init_j = jiffies_of(t, t->par->rto_initial);
	t->delack_min_j = jiffies_of(t, t->par->delack_min);
	t->delack_max_j = jiffies_of(t, t->par->delack_max);
	t->clock_ns = -1;
	t->jiffy_end = INT64_MIN;
	t->hash_bits = HASH_BITS_MIN;
	t->hash = calloc(1u << t->hash_bits, sizeof(*t->hash));
	t->listens = calloc(LISTEN_BUCKETS, sizeof(*t->listens));
	if (!t->hash || !t->listens)
		abort();
	t->sock_pool = pool_new(sizeof(struct tcp_sock), SOCKS_PER_CHUNK);
	t->listen_pool = pool_new(sizeof(struct tcp_listen), LISTENS_PER_CHUNK);
	tcp_gro_init(t);
	tcp_clock(t, obj->sim);
	host_register(t->host, PROTO_TCP, obj, t->par->gro ? tcp_rx_gro : tcp_rx);
}

static void tcp_object_check(const void *params, struct model_check *c)
{
	const struct tcp_params *p = params;

	if (p->wmem_default > p->wmem_max)
		model_check_error(c, "wmem_default", "is larger than wmem_max");
	if (p->rmem_default > p->rmem_max)
		model_check_error(c, "rmem_default", "is larger than rmem_max");
	if (p->rto_min > p->rto_max)
		model_check_error(c, "rto_min", "is larger than rto_max");
	if (p->delack_min > p->delack_max)
		model_check_error(c, "delack_min", "is larger than delack_max");
	if (p->reordering > p->max_reordering)
		model_check_error(c, "reordering", "is larger than max_reordering");
}

static void free_list(struct tcp_sock *sk)
{
	struct packet *p;

	for (; sk; sk = sk->hash_next) {
		tcp_linux_detach(sk);
		while ((p = packet_fifo_pop(&sk->backlog)))
			packet_free(sk->sim, p);
		free(sk->segs);
		free(sk->unsent);
		free(sk->ooo);
	}
}

static void tcp_object_fini(struct object *obj)
{
	struct tcp *t = (struct tcp *)obj;

	for (u32 i = 0; i < 1u << t->hash_bits; i++)
		free_list(t->hash[i]);
	free_list(t->spare);
	free_list(t->dead);
	tcp_gro_fini(t);
	free(t->hash);
	free(t->listens);
}

/* Packets that drivers and links give back are taken off their sockets' accounts. */
static void tcp_object_release(struct object *obj)
{
	struct tcp *t = (struct tcp *)obj;

	pool_free(t->sock_pool);
	pool_free(t->listen_pool);
}

static void tcp_object_audit(const struct object *obj, struct model_audit *a)
{
	const struct tcp *t = (const struct tcp *)obj;

	a->queue(a->arg, "backlog", t->backlog_in, t->backlog_in - t->backlog_held, 0,
		 t->backlog_held);
}

static const struct model_ops tcp_object_ops = {
	.check = tcp_object_check,
	.init = tcp_object_init,
	.audit = tcp_object_audit,
	.fini = tcp_object_fini,
	.release = tcp_object_release,
};

const struct model_class tcp_class = {
	.kind = &kind_protocol,
	.name = "tcp",
	.doc = "TCP as Linux has it, by kernel version",
	.source =
		"Linux 2.6.32 to 6.18 net/ipv4/tcp*.c (behaviour, formulas and constants); RFC 9293, "
		"5681, 6298, 2018, 2883, 6675, 6937, 5682, 7323, 8985, 3168",
	.not_modelled =
		"Urgent data, fast open, MD5, MPTCP, path MTU discovery, keepalive, thin streams.\n"
		"Memory pressure of the whole host.\n"
		"Both ends of a connection get the DS field and congestion control of the opener.",
	.size = sizeof(struct tcp),
	.params_size = sizeof(struct tcp_params),
	.params = tcp_param_table,
	.probes = tcp_probe_table,
	.ops = &tcp_object_ops,
};
