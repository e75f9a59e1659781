/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * The packet: what every layer passes on. It begins with the shim's struct sk_buff, so that kernel code
 * takes it as it is. One packet is one skb; a GSO packet stands for gso segments of one size.
 *
 * Ownership: whoever holds the pointer. It is passed down by the xmit calls and up by rx; the holder
 * either passes it on or ends it with packet_free() (delivered) or packet_drop() (lost, with a cause).
 */
#ifndef WLANQ_PACKET_H
#define WLANQ_PACKET_H

#include <linux/skbuff.h>

#include "engine/sim.h"

/* Where a packet spends its time. The sums over all layers are its whole delay. */
enum layer {
	LAYER_SOCKET, /* written, not yet sent by the transport */
	LAYER_QDISC,
	LAYER_TXQ, /* mac80211 station queues */
	LAYER_DRIVER, /* driver and firmware queues */
	LAYER_RING, /* DMA ring, until the hardware takes it up */
	LAYER_CONTEND, /* head of line: AIFS, backoff, others' turns */
	LAYER_AIR, /* frame exchanges, all attempts */
	LAYER_WIRE, /* Ethernet: serialisation, propagation, link queues */
	LAYER_REORDER,
	LAYER_HOST, /* interrupt moderation, NAPI, CPU */
	LAYER_COUNT
};

/* Lower-case names of the layers, for results. */
extern const char *const layer_names[LAYER_COUNT];

enum { PROTO_ICMP = 1, PROTO_TCP = 6, PROTO_UDP = 17 };

#define TCP_FLAG_FIN 0x01
#define TCP_FLAG_SYN 0x02
#define TCP_FLAG_RST 0x04
#define TCP_FLAG_PSH 0x08
#define TCP_FLAG_ACK 0x10
#define TCP_FLAG_ECE 0x40
#define TCP_FLAG_CWR 0x80

struct tcp_header {
	u32 seq, ack;
	u32 wnd; /* bytes, already scaled */
	u32 tsval, tsecr;
	u8 flags;
	u8 n_sack;
	u16 mss; /* SYN only */
	struct {
		u32 start, end;
	} sack[4]; /* sack[0] may be a D-SACK */
};

struct packet {
	struct sk_buff skb;

	/* addressing: ids of hosts and interfaces, see net/host.h */
	u16 src, dst; /* hosts */
	u16 sport, dport; /* ports; ICMP: identifier in both */
	u16 l2_src, l2_dst; /* interfaces, of this hop's link */
	u8 proto;
	u8 layer; /* enum layer it is in */
	u8 ac; /* access category, set by mac80211 */
	u8 tid;
	u8 queue; /* hardware queue of the netdev */
	u8 header; /* L3 and L4 header bytes of one segment */
	u16 gso_size; /* payload bytes of a segment, 0 when not GSO */
	u16 seg_overhead; /* truesize beside its payload of a segment that software makes; 0: equal shares */
	u16 flags; /* PACKET_* */
	u32 payload; /* transport payload bytes, all segments */
	u32 id; /* of the run, in order of making; modulo 2^32 */

	sim_time born; /* when the application or transport made it */
	sim_time since; /* when it entered .layer */

	union {
		struct tcp_header tcp;
		struct {
			u32 seq;
			u32 kind; /* the traffic's own */
			u64 stamp;
		} dgram; /* ICMP and UDP */
	};

	/*
	 * The sender's account changes by @delta bytes while it holds this packet: software segmentation takes memory of
	 * its own (Linux: tcp_gso_segment()). NULL: not to be told.
	 */
	void (*recharge)(struct sk_buff *skb, int delta);

	/* owned by the MAC that has it */
	struct {
		u16 seq;
		u8 retries; /* attempts that failed */
		u8 flags;
		u16 airtime; /* as charged by AQL, us, at most 4092 */
		u16 rate; /* to a driver: by SOFTMAC_PROBE or SOFTMAC_CHAIN in flags */
		u64 word;
	} mac;

	sim_time spent[LAYER_COUNT]; /* ns, of layers it has left */
};

/* In skb.cb: from here on it is the MAC's that sends the packet, whatever queue has it. */
#define PACKET_CB_MAC 40

#define PACKET_ECHO_REPLY 0x1 /* ICMP */
#define PACKET_LOCAL	  0x2 /* sent by a socket of the host that has it */
#define PACKET_MEASURED	  0x4
#define PACKET_HOP	  0x100 /* one for each router that it went through: the upper byte counts them */

static inline struct packet *packet_of(struct sk_buff *skb)
{
	return (struct packet *)skb; /* skb is the first member */
}

/* A zeroed packet of the run's pool with born and since set to now, in LAYER_SOCKET. */
struct packet *packet_new(struct sim *sim);

/*
 * The same, but what stands before .born is as in @like, which was never passed on: what packets of a flow have in common.
 */
struct packet *packet_new_like(struct sim *sim, const struct packet *like);

/* A second packet of the same content, without destructor. */
struct packet *packet_clone(struct sim *sim, const struct packet *p);

/* @n packets would have been made and ended here: their numbers are not given again. */
void packets_passed(struct sim *sim, u32 n);

/* Ends a packet that arrived: destructor, back to the pool. To end it twice fails the run. */
void packet_free(struct sim *sim, struct packet *p);

/* Ends a packet that is lost; the queue that drops it has counted it with the cause. */
static inline void packet_drop(struct sim *sim, struct packet *p)
{
	packet_free(sim, p);
}

/* The packet leaves its sender's account (Linux: skb_orphan): destructor now, not later. */
static inline void packet_orphan(struct packet *p)
{
	if (p->skb.destructor) {
		p->skb.destructor(&p->skb);
		p->skb.destructor = NULL;
	}
}

/* The packet moves into another layer; its time in the one it leaves is added up. */
static inline void packet_enter(struct packet *p, enum layer layer, sim_time now)
{
	p->spent[p->layer] += now - p->since;
	p->layer = (u8)layer;
	p->since = now;
}

/* Ethernet header; skb.len counts it, the wire and Wi-Fi overheads are the link's. */
#define ETH_HLEN 14

/*
 * Memory that Linux charges for a packet of @len bytes that lies alone in its buffer: data with room for
 * the Ethernet header, skb_shared_info, rounded up as kmalloc does, and the sk_buff (SKB_TRUESIZE()).
 */
u32 packet_truesize(u32 len);

/* Bytes of the IP packet (all segments of GSO as one). */
static inline u32 packet_ip_len(const struct packet *p)
{
	return p->skb.len - ETH_HLEN;
}

#endif
