/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * What traffic sees of TCP and UDP: sockets with callbacks. Bytes have no content; a stream is counted.
 */
#ifndef WLANQ_TRANSPORT_SOCK_H
#define WLANQ_TRANSPORT_SOCK_H

#include "engine/model.h"
#include "net/host.h"

struct tcp_sock;
struct udp_sock;

/* Callbacks of a stream; each may be NULL. @arg is the traffic's. */
struct tcp_user {
	void (*established)(void *arg, struct tcp_sock *sk);
	/* The send buffer has room again after tcp_write() took less than it was offered. */
	void (*writable)(void *arg, struct tcp_sock *sk);
	/* @bytes more have arrived in order; they count as read at once. @p is the packet that
	 * completed them, for its stamps; may be NULL. */
	void (*readable)(void *arg, struct tcp_sock *sk, u32 bytes, const struct packet *p);
	/* The peer has closed and all its data were read. */
	void (*peer_closed)(void *arg, struct tcp_sock *sk);
	/* All is sent, acknowledged and closed, or given up (@error: 0, ETIMEDOUT, ECONNRESET). */
	void (*closed)(void *arg, struct tcp_sock *sk, int error);
};

struct tcp_open {
	struct host *from, *to;
	const struct tcp_user *client, *server; /* server: callbacks of the accepted socket */
	void *client_arg, *server_arg;
	u8 tos;
	u32 priority; /* SO_PRIORITY, 0: from the TOS */
	struct slot congestion; /* empty: the host's */
	const char *name; /* path for draws, "bulk.1" */
};

/* Opens a connection (SYN now). Returns the client's socket; it lives to the end of the run or until tcp_free(). */
struct tcp_sock *tcp_connect(const struct tcp_open *open);

/* Offers @bytes; returns what the send buffer took (it counts memory as Linux does, see docs). */
u64 tcp_write(struct tcp_sock *sk, u64 bytes);
/*
 * Another congestion control from now on, as setsockopt(TCP_CONGESTION). The window stays, and so does pacing, once it
 * was switched on. Nothing changes where @congestion is what the socket has.
 */
void tcp_set_congestion(struct tcp_sock *sk, const struct slot *congestion);
/* No more data: FIN after what is queued. */
void tcp_close(struct tcp_sock *sk);
/* Drops the socket and its peer state at once; pending packets drain harmlessly. */
void tcp_free(struct tcp_sock *sk);

/* What results are made of; all counted from the opening of the socket. */
struct tcp_info {
	u64 bytes_sent; /* payload, first transmissions */
	u64 retransmits; /* segments */
	u64 sacks; /* ACKs with at least one SACK block received */
	u64 reordered; /* reordering events seen */
	u64 timeouts, fast_recoveries, local_drops, spurious;
	u64 unsent; /* bytes in the send buffer not yet sent */
	u64 unacked; /* bytes sent and not yet acknowledged */
	u32 cwnd, ssthresh; /* segments */
	sim_time srtt, min_rtt;
};
void tcp_get_info(const struct tcp_sock *sk, struct tcp_info *info);

/* UDP: datagrams up to the MTU. */
typedef void (*udp_rx)(void *arg, struct packet *p); /* owns @p */
struct udp_sock *udp_open(struct host *h, u16 port, udp_rx rx, void *arg); /* port 0: any */
u16 udp_port(const struct udp_sock *sk);
/* Sends @bytes of payload; seq goes into dgram.seq. Returns as ip_output(). */
int udp_send(struct udp_sock *sk, u16 dst_host, u16 dport, u32 bytes, u8 tos, u32 priority, u32 seq,
	     u64 stamp);
/* The same of another to where the last one went, marked like that. Not before udp_send(). */
int udp_send_again(struct udp_sock *sk, u32 bytes, u32 seq);
/* @n more were sent to @dst, each like the last, which its queue refused: it refuses them all (netdev_refuses()). */
void udp_refused(struct udp_sock *sk, u16 dst_host, u32 n);

/*
 * Answers datagram @p, which @sk was given, with @bytes of payload: it is sent back with its seq, stamp, born and
 * spent[]. Takes @p. Returns as ip_output().
 */
int udp_reply(struct udp_sock *sk, struct packet *p, u32 bytes, u8 tos, u32 priority);
void udp_close(struct udp_sock *sk);

#endif
