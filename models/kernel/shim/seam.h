/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The seam between two worlds: the simulator, and files of a Linux tree compiled as they stand with that tree's own
 * headers. Integers, pointers that the other side does not look into, and functions cross it; no struct of Linux and
 * none of the simulator does. Each world finds its own <linux/types.h>.
 *
 * A library holds one family of files (qdisc, cong, rate) of one tree. Loaded, it is a machine that boots: its static
 * state is a kernel's. Every run loads its own copy.
 */
#ifndef WLANQ_SHIM_SEAM_H
#define WLANQ_SHIM_SEAM_H

#include <linux/types.h>

/* Raised with every change below. */
#define SEAM_ABI 1

/* The one symbol of a library, struct seam_core. */
#define SEAM_SYMBOL "wlanq_linux"

/* ---- packets -------------------------------------------------------------------------------- */

struct seam_tcp {
	u32 seq, ack;
	u32 tsval, tsecr;
	u16 window;
	u8 flags; /* FIN 1, SYN 2, RST 4, PSH 8, ACK 16, URG 32, ECE 64, CWR 128 */
	u8 n_sack;
	struct {
		u32 start, end;
	} sack[4];
};

/* What a packet is to Linux. Addresses in host order; IPv4 uses the first word. */
struct seam_packet {
	void *cookie; /* whose it is; comes back in every word about it */
	u32 len; /* of the Ethernet frame without FCS, headers once when there are several segments */
	u32 link_len; /* bytes of all segments with their headers (qdisc_pkt_len) */
	u32 truesize;
	u32 hash;
	u32 priority;
	u32 mark;
	u32 src[4], dst[4];
	u16 sport, dport; /* ICMP: the identifier in sport */
	u16 segments; /* 1: no GSO */
	u16 segment_size; /* payload bytes of one */
	u8 ip_version; /* 4 or 6 */
	u8 protocol; /* of layer 4 */
	u8 dsfield;
	u8 local; /* from a socket of this host */
	u64 tstamp; /* ns: not to be sent earlier; 0: none */
	struct seam_tcp tcp; /* of protocol 6 */
};

/* Why a packet is given back for good. */
enum seam_gone {
	SEAM_GONE_ENQUEUE,
	SEAM_GONE_DEQUEUE,
	SEAM_GONE_CHANGE,
	SEAM_GONE_RESET,
	SEAM_GONE_TIMER
};

/* ---- what the simulator does for a library ---------------------------------------------------- */

/*
 * @up names the object for which the library was entered, as it was given when that object was made; NULL while the
 * library boots. trap and bug end the run and do not return.
 */
struct seam_boot {
	s64 now; /* ns; set by the simulator before every call */
	void *host; /* the simulator's own */

	u32 (*draw)(struct seam_boot *b, void *up);
	/* Timer number @timer of @up is due at @at (ns), or not any more (negative). */
	void (*timer)(struct seam_boot *b, void *up, u32 timer, s64 at);
	/* A symbol that is not supplied was called. */
	void (*trap)(struct seam_boot *b, const char *symbol);
	/* BUG(), panic(), WARN(): @what is the message or "", @file may be NULL. */
	void (*bug)(struct seam_boot *b, const char *file, int line, const char *what);

	/* ---- family qdisc */
	void (*gone)(struct seam_boot *b, void *up, void *cookie, enum seam_gone why);
	/* Segmentation in software: fills in all segments; their number, 0 when @max is too small. */
	u32 (*split)(struct seam_boot *b, void *up, void *cookie, struct seam_packet *out, u32 max);
	/* A second packet like it; its cookie. */
	void *(*clone)(struct seam_boot *b, void *up, void *cookie);
	/* The packet leaves its socket's account. */
	void (*orphan)(struct seam_boot *b, void *up, void *cookie);
	/* There may be packets to dequeue. */
	void (*wake)(struct seam_boot *b, void *up);
	/* qdisc_tree_reduce_backlog(): what is above is to count @n packets of @bytes less. */
	void (*reduce)(struct seam_boot *b, void *up, int n, int bytes);
};

/* ---- options and statistics ------------------------------------------------------------------- */

/* An option under tc's name, in base units: ns, bytes, bit/s, packets, 2^-32; or some bytes. */
struct seam_option {
	const char *name;
	s64 value;
	const void *data; /* NULL: .value */
	u32 len;
};

/* A statistic under the name that `tc -s` prints, value times 10^6 in its unit. */
struct seam_stat {
	char name[32];
	s64 micro;
	u32 counter; /* counts from the start; otherwise it is what is now */
};

/* ---- family qdisc ----------------------------------------------------------------------------- */

/* Both sides write; valid between calls. */
struct seam_queue {
	/* the library's */
	u32 qlen, backlog;
	u32 can_bypass;
	u64 drops, overlimits, requeues;
	/* the simulator's: what the device has taken back (gso_skb) and Linux counts into the root */
	u32 outside_packets, outside_bytes;
};

struct seam_device {
	u32 mtu, hard_header_len, tx_queue_len;
	u64 rate; /* bit/s, 0: not known */
};

/* What a packet has become inside. */
struct seam_given {
	void *cookie;
	u8 dsfield;
};

struct seam_qdisc {
	/* Name @i of a qdisc that registered itself, NULL behind the last. */
	const char *(*kind)(u32 i);
	/*
	 * A root qdisc. NULL when Linux refuses it, with its reason in @err. @state is the simulator's memory and
	 * stays with the qdisc.
	 */
	void *(*create)(const char *kind, void *up, const struct seam_device *dev,
			struct seam_queue *state, const struct seam_option *options, u32 n,
			char *err, u32 err_len);
	/* Puts a qdisc of @kind into class @minor of @q; 0 or a negative errno with @err. */
	int (*graft)(void *q, u32 minor, const char *kind, const struct seam_option *options, u32 n,
		     char *err, u32 err_len);
	/* Makes class @minor below class @parent, 0: below the root. */
	int (*add_class)(void *q, u32 minor, u32 parent, const struct seam_option *options, u32 n,
			 char *err, u32 err_len);
	int (*change)(void *q, const struct seam_option *options, u32 n, char *err, u32 err_len);
	void (*set_tx_queue_len)(void *q, u32 packets);
	/* Linux's NET_XMIT_* with its internal flags. The packet is in, or gone() has been called. */
	int (*enqueue)(void *q, const struct seam_packet *p);
	/* false: none now. */
	bool (*dequeue)(void *q, struct seam_given *out);
	/* Linux's peek, which for most qdiscs takes the packet out and keeps it; NULL: none now. */
	void *(*peek)(void *q);
	void (*reset)(void *q);
	void (*destroy)(void *q);
	u32 (*stats)(void *q, struct seam_stat *out, u32 max);
};

struct seam_core {
	u32 abi;
	u32 hz;
	const char *family;
	const char *version; /* of the tree, "6.1.192" */
	const char *compiler;
	/* Lines "SHA-256, two blanks, path" of all files of the tree that were compiled, then of the configuration. */
	const char *files;
	const char *traps; /* symbols that are not supplied, blanks between */
	/* Starts the machine; once. */
	void (*boot)(struct seam_boot *b);
	/* Gives its memory back; nothing may be called after it. */
	void (*halt)(void);
	/* A timer that was set is due. */
	void (*fired)(u32 timer);
	const struct seam_qdisc *qdisc; /* NULL: another family */
};

#endif
