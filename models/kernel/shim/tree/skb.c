// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include "skb.h"

#include <linux/etherdevice.h>
#include <linux/if_ether.h>
#include <linux/ip.h>
#include <linux/ipv6.h>
#include <linux/netdevice.h>
#include <linux/slab.h>
#include <linux/tcp.h>
#include <linux/udp.h>
#include <linux/version.h>
#include <net/inet_ecn.h>
#include <net/ip.h>
#include <net/ipv6.h>
#include <net/sch_generic.h>

/* Ethernet, IPv6, TCP with timestamps and three SACK blocks, the IP header on a boundary of 16. */
#define HEADROOM 2
#define HEAD	 160

struct seam_skb {
	struct sk_buff skb;
	void *cookie; /* NULL: the packet lives on in another sk_buff */
	struct seam_skb *next_free;
	u8 head[HEAD] __aligned(16);
	struct skb_shared_info shared; /* follows the head, as Linux has it */
};

enum seam_gone seam_skb_why;
static struct seam_skb *pool;

static struct seam_skb *of(const struct sk_buff *skb)
{
	return container_of(skb, struct seam_skb, skb);
}

void *seam_skb_cookie(const struct sk_buff *skb)
{
	return of(skb)->cookie;
}

static struct seam_skb *alloc(void)
{
	struct seam_skb *s = pool;

	if (s) {
		pool = s->next_free;
		return s;
	}
	s = kzalloc(sizeof(*s), GFP_KERNEL);
	if (!s)
		panic("no memory for packets");
	BUILD_BUG_ON(offsetof(struct seam_skb, shared) != offsetof(struct seam_skb, head) + HEAD);
	return s;
}

static void release(struct seam_skb *s)
{
	s->next_free = pool;
	pool = s;
}

/* ---- headers ----------------------------------------------------------------------------------- */

static __be32 *put_word(__be32 *to, u32 value)
{
	put_unaligned_be32(value, to);
	return to + 1;
}

/* NOP, NOP, then an option of @len bytes. */
static __be32 *put_option(__be32 *to, u8 kind, u8 len)
{
	return put_word(to, 0x01010000u | (u32)kind << 8 | len);
}

static void put_tcp(struct sk_buff *skb, const struct seam_packet *p)
{
	const struct seam_tcp *t = &p->tcp;
	bool stamps = t->tsval || t->tsecr;
	u32 n_sack = min_t(u32, t->n_sack, stamps ? 3 : 4);
	u32 len = sizeof(struct tcphdr) + (stamps ? 12 : 0) + (n_sack ? 4 + 8 * n_sack : 0);
	struct tcphdr *th = skb_put(skb, len);
	__be32 *option = (__be32 *)(th + 1);

	th->source = htons(p->sport);
	th->dest = htons(p->dport);
	th->seq = htonl(t->seq);
	th->ack_seq = htonl(t->ack);
	tcp_flag_word(th) = htonl((u32)(len / 4) << 28 | (u32)t->flags << 16 | t->window);
	th->check = 0;
	th->urg_ptr = 0;
	if (stamps) {
		option = put_option(option, 8, 10);
		option = put_word(option, t->tsval);
		option = put_word(option, t->tsecr);
	}
	if (n_sack)
		option = put_option(option, 5, (u8)(2 + 8 * n_sack));
	for (u32 i = 0; i < n_sack; i++) {
		option = put_word(option, t->sack[i].start);
		option = put_word(option, t->sack[i].end);
	}
}

static void put_transport(struct sk_buff *skb, const struct seam_packet *p)
{
	struct udphdr *uh;

	skb_set_transport_header(skb, skb_tail_pointer(skb) - skb->data);
	if (p->protocol == IPPROTO_TCP) {
		put_tcp(skb, p);
		return;
	}
	uh = skb_put(skb, sizeof(*uh));
	if (p->protocol == IPPROTO_UDP) {
		*uh = (struct udphdr){.source = htons(p->sport), .dest = htons(p->dport)};
	} else { /* ICMP: type, code and checksum, then the identifier */
		u8 *b = (u8 *)uh;

		memset(b, 0, sizeof(*uh));
		b[0] = p->ip_version == 6 ? 128 : 8;
		put_unaligned_be16(p->sport, b + 4);
	}
}

static void put_ip(struct sk_buff *skb, const struct seam_packet *p)
{
	skb_set_network_header(skb, ETH_HLEN);
	if (p->ip_version == 6) {
		struct ipv6hdr *h = skb_put(skb, sizeof(*h));

		ip6_flow_hdr(h, p->dsfield, 0);
		h->payload_len = htons((u16)(p->len - ETH_HLEN - sizeof(*h)));
		h->nexthdr = p->protocol;
		h->hop_limit = 64;
		for (int i = 0; i < 4; i++) {
			h->saddr.s6_addr32[i] = htonl(p->src[i]);
			h->daddr.s6_addr32[i] = htonl(p->dst[i]);
		}
		skb->protocol = htons(ETH_P_IPV6);
	} else {
		struct iphdr *h = skb_put(skb, sizeof(*h));

		*h = (struct iphdr){
			.version = 4,
			.ihl = 5,
			.tos = p->dsfield,
			.tot_len = htons((u16)(p->len - ETH_HLEN)),
			.frag_off = htons(IP_DF),
			.ttl = 64,
			.protocol = p->protocol,
			.saddr = htonl(p->src[0]),
			.daddr = htonl(p->dst[0]),
		};
		skb->protocol = htons(ETH_P_IP);
	}
}

static void fill(struct seam_skb *s, const struct seam_packet *p, struct net_device *dev)
{
	struct sk_buff *skb = &s->skb;
	struct skb_shared_info *shared = &s->shared;
	struct ethhdr *eth;

	memset(skb, 0, sizeof(*skb));
	memset(shared, 0, offsetof(struct skb_shared_info, frags));
	s->cookie = p->cookie;
	skb->head = s->head;
	skb->data = s->head + HEADROOM;
	skb_reset_tail_pointer(skb);
	skb->end = HEAD;
	refcount_set(&skb->users, 1);
	atomic_set(&shared->dataref, 1);
	skb->dev = dev;
	skb->truesize = p->truesize;
	skb->priority = p->priority;
	skb->mark = p->mark;
	skb->hash = p->hash;
	skb->l4_hash = p->hash != 0;
	skb->tstamp = p->tstamp;
	skb->ip_summed = CHECKSUM_PARTIAL;

	skb_reset_mac_header(skb);
	skb->mac_len = ETH_HLEN;
	eth = skb_put(skb, ETH_HLEN);
	memset(eth, 0, ETH_HLEN);
	put_ip(skb, p);
	eth->h_proto = skb->protocol;
	put_transport(skb, p);

	/* What lies behind the headers is there in length only. */
	if (p->len > skb->len) {
		skb->data_len = p->len - skb->len;
		skb->len = p->len;
	}
	if (p->segments > 1) {
		shared->gso_segs = p->segments;
		shared->gso_size = p->segment_size;
		shared->gso_type = p->ip_version == 6 ? SKB_GSO_TCPV6 : SKB_GSO_TCPV4;
	}
	qdisc_skb_cb(skb)->pkt_len = p->link_len;
}

struct sk_buff *seam_skb_new(const struct seam_packet *p, struct net_device *dev)
{
	struct seam_skb *s = alloc();

	fill(s, p, dev);
	return &s->skb;
}

void seam_skb_give(struct sk_buff *skb, struct seam_given *out)
{
	out->cookie = of(skb)->cookie;
	out->dsfield = skb->protocol == htons(ETH_P_IPV6) ? ipv6_get_dsfield(ipv6_hdr(skb))
							  : ip_hdr(skb)->tos;
	release(of(skb));
}

/* ---- freeing ------------------------------------------------------------------------------------ */

static void skb_gone(struct sk_buff *skb)
{
	struct seam_skb *s;

	if (!skb)
		return;
	s = of(skb);
	if (s->cookie)
		seam_boot->gone(seam_boot, seam_up(), s->cookie, seam_skb_why);
	release(s);
}

static void list_gone(struct sk_buff *skb)
{
	while (skb) {
		struct sk_buff *next = skb->next;

		skb_gone(skb);
		skb = next;
	}
}

void kfree_skb_list_reason(struct sk_buff *list, enum skb_drop_reason reason)
{
	list_gone(list);
}

void rtnl_kfree_skbs(struct sk_buff *head, struct sk_buff *tail)
{
	if (head && tail) {
		tail->next = NULL;
		list_gone(head);
	}
}

void __kfree_skb(struct sk_buff *skb)
{
	skb_gone(skb);
}

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 11, 0)
void kfree_skb_reason(struct sk_buff *skb, enum skb_drop_reason reason)
{
	skb_gone(skb);
}
#else
void sk_skb_reason_drop(struct sock *sk, struct sk_buff *skb, enum skb_drop_reason reason)
{
	skb_gone(skb);
}
#endif

/* ---- what qdiscs do with packets ------------------------------------------------------------------ */

int skb_copy_bits(const struct sk_buff *skb, int offset, void *to, int len)
{
	if (offset + len > (int)skb_headlen(skb))
		return -EFAULT;
	memcpy(to, skb->data + offset, len);
	return 0;
}

/* All header bytes are there already. */
void *__pskb_pull_tail(struct sk_buff *skb, int delta)
{
	return NULL;
}

int pskb_expand_head(struct sk_buff *skb, int head, int tail, gfp_t flags)
{
	return -ENOMEM;
}

void *skb_put(struct sk_buff *skb, unsigned int len)
{
	void *p = skb_tail_pointer(skb);

	if (skb->tail + len > skb->end)
		panic("no room behind the headers of a packet");
	skb->tail += len;
	skb->len += len;
	return p;
}

void skb_trim(struct sk_buff *skb, unsigned int len)
{
	if (skb->len > len && !skb->data_len)
		__skb_set_length(skb, len);
}

struct sk_buff *skb_clone(struct sk_buff *skb, gfp_t flags)
{
	struct seam_skb *from = of(skb), *s;
	void *cookie = seam_boot->clone(seam_boot, seam_up(), from->cookie);

	if (!cookie)
		return NULL;
	s = alloc();
	*s = *from;
	s->cookie = cookie;
	s->skb.head = s->head;
	s->skb.data = s->head + (from->skb.data - from->head);
	return &s->skb;
}

struct sk_buff *skb_copy(const struct sk_buff *skb, gfp_t flags)
{
	return skb_clone((struct sk_buff *)skb, flags);
}

void skb_orphan_partial(struct sk_buff *skb)
{
	seam_boot->orphan(seam_boot, seam_up(), of(skb)->cookie);
}

/* Checksums are nobody's concern: no payload has bytes. */
int skb_checksum_help(struct sk_buff *skb)
{
	skb->ip_summed = CHECKSUM_NONE;
	return 0;
}

netdev_features_t netif_skb_features(struct sk_buff *skb)
{
	return skb->dev->features;
}

bool skb_gso_validate_mac_len(const struct sk_buff *skb, unsigned int len)
{
	return skb_headlen(skb) + skb_shinfo(skb)->gso_size <= len;
}

/* The packet becomes its last segment, so @skb itself stands for nothing any more. */
struct sk_buff *__skb_gso_segment(struct sk_buff *skb, netdev_features_t features, bool tx_path)
{
	u32 max = skb_shinfo(skb)->gso_segs, n;
	struct sk_buff *head = NULL, **tail = &head;
	struct seam_packet *parts = kcalloc(max, sizeof(*parts), GFP_KERNEL);

	n = parts ? seam_boot->split(seam_boot, seam_up(), of(skb)->cookie, parts, max) : 0;
	if (n)
		of(skb)->cookie = NULL;
	for (u32 i = 0; i < n; i++) {
		struct sk_buff *part = seam_skb_new(&parts[i], skb->dev);

		*tail = part;
		tail = &part->next;
	}
	kfree(parts);
	return n ? head : ERR_PTR(-ENOMEM);
}
