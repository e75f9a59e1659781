/* SPDX-License-Identifier: GPL-3.0-or-later */
/* ICMP echo: every host answers requests; a user sends them and gets the replies. */
#ifndef WLANQ_TRANSPORT_ICMP_H
#define WLANQ_TRANSPORT_ICMP_H

#include "engine/model.h"
#include "net/host.h"

/* IP and ICMP header of an echo; ping's "size" is what follows. */
#define ICMP_HEADERS 28

/* A reply: dgram.seq is the request's, born and spent[] count from its making. Owns @p. */
typedef void (*icmp_reply)(void *arg, struct packet *p);

/* A new identifier on @h, whose replies go to @fn. */
u16 icmp_open(struct host *h, icmp_reply fn, void *arg);

/*
 * Sends an echo request of @bytes behind the ICMP header, at most the MTU less ICMP_HEADERS. @priority 0: from the
 * TOS. @left, with skb->sk = @owner, is called when it leaves the host or is dropped in it; NULL: nobody. Returns as
 * ip_output().
 */
int icmp_echo(struct host *h, u16 id, u16 dst, u32 bytes, u8 tos, u32 priority, u32 seq,
	      void (*left)(struct sk_buff *skb), void *owner);

#endif
