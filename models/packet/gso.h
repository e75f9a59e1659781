/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Segmentation of GSO packets, in software (net/core: skb_gso_segment()) as by a card's TSO. A GSO
 * packet has skb.gso > 1 segments of gso_size bytes of payload, the last one what is left; its skb.len
 * counts the headers once.
 */
#ifndef WLANQ_PACKET_GSO_H
#define WLANQ_PACKET_GSO_H

#include "packet/fifo.h"
#include "packet/packet.h"

static inline bool packet_is_gso(const struct packet *p)
{
	return p->skb.gso > 1;
}

/* Packets that @p stands for. */
static inline u32 packet_segments(const struct packet *p)
{
	return packet_is_gso(p) ? p->skb.gso : 1;
}

/* Bytes of all segments with their headers (Linux: qdisc_pkt_len_init()). */
static inline u32 packet_len_on_link(const struct packet *p)
{
	if (__builtin_expect(!packet_is_gso(p), 1))
		return p->skb.len;
	return p->skb.len + (p->skb.gso - 1) * (ETH_HLEN + p->header);
}

/*
 * Makes the segments of GSO packet @p and appends them to @out; @p itself becomes the last. Each
 * stays on the sender's account, so the destructor runs once a segment. A segment's truesize is its payload and
 * p->seg_overhead, and p->recharge is told the difference to what @p had (Linux: tcp_gso_segment()); without
 * seg_overhead, or when the account is closed, it is a share of what @p had.
 */
void packet_segment(struct sim *sim, struct packet *p, struct packet_fifo *out);

#endif
