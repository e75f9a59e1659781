// SPDX-License-Identifier: GPL-3.0-or-later
#include "packet/gso.h"

/* Shapes @seg into segment @i of @n; @p has the whole. */
static void segment_shape(struct packet *seg, const struct packet *p, u32 i, u32 n)
{
	u32 before = i * p->gso_size;
	u32 share = p->skb.truesize / n;
	bool last = i == n - 1;

	seg->payload = last ? p->payload - before : p->gso_size;
	seg->skb.len = ETH_HLEN + p->header + seg->payload;
	seg->skb.truesize = last ? p->skb.truesize - share * (n - 1) : share;
	seg->skb.gso = 0;
	seg->gso_size = 0;
	if (p->proto != PROTO_TCP)
		return;
	seg->tcp.seq = p->tcp.seq + before;
	if (i > 0)
		seg->tcp.flags &= (u8)~TCP_FLAG_CWR;
	if (!last)
		seg->tcp.flags &= (u8) ~(TCP_FLAG_FIN | TCP_FLAG_PSH);
}

void packet_segment(struct sim *sim, struct packet *p, struct packet_fifo *out)
{
	u32 n = packet_segments(p);

	if (p->skb.destructor && p->recharge && p->seg_overhead) {
		u32 sum = n * p->seg_overhead + p->payload;

		p->recharge(&p->skb, (int)(sum - p->skb.truesize));
		p->skb.truesize = sum;
	}
	for (u32 i = 0; i + 1 < n; i++) {
		struct packet *seg = packet_clone(sim, p);

		seg->skb.sk = p->skb.sk;
		seg->skb.destructor = p->skb.destructor;
		segment_shape(seg, p, i, n);
		packet_fifo_push(out, seg);
	}
	segment_shape(p, p, n - 1, n);
	packet_fifo_push(out, p);
}
