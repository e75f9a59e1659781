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
#define SEAM_ABI 4

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
struct seam_rate;

struct seam_boot {
	s64 now; /* ns; set by the simulator before every call */
	void *host; /* the simulator's own */

	u32 (*draw)(struct seam_boot *b, void *up);
	/* Timer number @timer of @up is due at @at (ns), or not any more (negative). */
	void (*timer)(struct seam_boot *b, void *up, u32 timer, s64 at);
	/* A symbol that is not supplied was called; @files of the tree call it. */
	void (*trap)(struct seam_boot *b, const char *symbol, const char *files);
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

	/* ---- family cong: both may enter the library again for the same socket */
	/* tcp_enter_cwr(): as on an ECN echo. */
	void (*enter_cwr)(struct seam_boot *b, void *up);
	/* An ACK at once, of all before @rcv_nxt. */
	void (*send_ack)(struct seam_boot *b, void *up, u32 rcv_nxt);

	/* ---- family rate */
	/* The rate table of @station is new; @amsdu: bytes of its longest A-MSDU, 0: no limit. */
	void (*rates)(struct seam_boot *b, void *up, void *station, const struct seam_rate *table,
		      u32 n, u32 amsdu);
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

/* ---- family cong ------------------------------------------------------------------------------ */

/*
 * What an algorithm sees of a sender, under Linux's names; times in us of one clock, jiffies as distances from now. The
 * simulator fills it in before each call.
 */
struct seam_sock {
	/* what an algorithm may write; taken over after each call */
	u32 snd_cwnd, snd_ssthresh, snd_cwnd_cnt, snd_cwnd_clamp;
	u32 app_limited;
	u64 pacing_rate; /* bytes/s */
	bool pacing; /* the socket paces by itself */
	bool demand_cwr; /* ACKs carry ECE (TCP_ECN_DEMAND_CWR) */
	bool ack_now; /* an ACK is to go out at the end of this event */

	bool ecn_ok, ack_timer, is_cwnd_limited;
	u8 ca_state; /* Open 0, Disorder, CWR, Recovery, Loss 4 */
	u8 pacing_shift;
	u32 prior_cwnd, prior_ssthresh, undo_marker;
	u32 snd_una, snd_nxt, rcv_nxt, high_seq;
	u32 mss_cache, advmss, gso_max_size;
	u32 packets_out, sacked_out, lost_out, retrans_out, max_packets_out;
	u32 delivered, delivered_ce, lost;
	u32 srtt_us; /* << 3 */
	u32 min_rtt_us;
	u32 rcv_tsval, rcv_tsecr;
	s32 lsndtime, snd_cwnd_stamp; /* jiffies since then */
	u64 mstamp, delivered_mstamp;
	s64 clock_ns, wstamp_ns; /* now, and the earliest departure of the next packet */
};

struct seam_rate_sample {
	u64 prior_mstamp;
	u32 prior_delivered, prior_delivered_ce;
	s32 delivered, delivered_ce;
	s64 interval_us, rtt_us;
	u32 losses, acked_sacked, prior_in_flight, last_end_seq;
	bool is_app_limited, is_retrans, is_ack_delayed;
};

enum seam_cong_event {
	SEAM_CONG_TX_START,
	SEAM_CONG_CWND_RESTART,
	SEAM_CONG_COMPLETE_CWR,
	SEAM_CONG_LOSS,
	SEAM_CONG_ECN_NO_CE,
	SEAM_CONG_ECN_IS_CE,
	SEAM_CONG_EVENTS
};

#define SEAM_CONG_ACK_SLOWPATH	 0x1u
#define SEAM_CONG_ACK_WIN_UPDATE 0x2u
#define SEAM_CONG_ACK_ECE	 0x4u

/* What an algorithm has. */
#define SEAM_CONG_NEEDS_ECN	0x1u
#define SEAM_CONG_CONTROL	0x2u /* cong_control(), instead of cong_avoid() and of every reduction */
#define SEAM_CONG_MIN_TSO_SEGS	0x4u
#define SEAM_CONG_SNDBUF_EXPAND 0x8u
#define SEAM_CONG_PKTS_ACKED	0x10u
#define SEAM_CONG_IN_ACK_EVENT	0x20u
#define SEAM_CONG_CWND_EVENT	0x40u

/* Functions that an algorithm does not have do nothing. */
struct seam_cong {
	/* A sender with algorithm @name, e.g. "cubic"; NULL: there is none. @s is the simulator's memory. */
	void *(*create)(const char *name, void *up, struct seam_sock *s);
	/* SEAM_CONG_*; init may change it. */
	u32 (*has)(void *c);
	/* The connection is established. */
	void (*init)(void *c);
	/* Its end, with release() where init() was called. */
	void (*destroy)(void *c);
	u32 (*ssthresh)(void *c);
	void (*cong_avoid)(void *c, u32 ack, u32 acked);
	void (*set_state)(void *c, u8 state);
	void (*cwnd_event)(void *c, enum seam_cong_event ev);
	void (*in_ack_event)(void *c, u32 flags);
	u32 (*undo_cwnd)(void *c);
	void (*pkts_acked)(void *c, u32 pkts, s32 rtt_us, u32 in_flight);
	u32 (*min_tso_segs)(void *c);
	void (*cong_control)(void *c, u32 ack, u32 flag, const struct seam_rate_sample *rs);
	u32 (*sndbuf_expand)(void *c);
};

/* ---- family rate ------------------------------------------------------------------------------ */

enum seam_rate_mode { SEAM_RATE_CCK, SEAM_RATE_OFDM, SEAM_RATE_HT, SEAM_RATE_VHT };

#define SEAM_RATES 4u /* in a table */

struct seam_rate {
	u8 mode; /* enum seam_rate_mode */
	u8 index; /* CCK 0..3, OFDM 0..7, HT 0..7 of its streams, VHT 0..9 */
	u8 streams; /* 1.. */
	u8 width; /* 0: 20, 1: 40, 2: 80 MHz */
	bool sgi, short_preamble, rts;
	u8 tries;
};

/* The transmitter. */
struct seam_radio {
	u8 max_rates, max_tries; /* of a table, and of one of its rates; 0 tries: not told */
	bool band_5ghz;
	bool cck_only; /* 802.11b */
	bool ht_cck; /* CCK rates towards HT stations too */
	u8 width;
	bool short_preamble;
};

/* What a station can receive. */
struct seam_station {
	bool ht, vht;
	u8 streams;
	u8 width;
	bool sgi;
};

/* What became of a PPDU. */
struct seam_tx_status {
	u32 n; /* rates that were used, .tries: how often */
	struct seam_rate rates[SEAM_RATES];
	u32 len, acked; /* MPDUs */
	bool probe;
};

struct seam_rc {
	/* NULL: there is no algorithm of that name. */
	void *(*create)(const char *name, void *up, const struct seam_radio *radio);
	/* All its stations are gone. */
	void (*destroy)(void *rc);
	/* rates() is called for it at once, with @station. */
	void *(*station_add)(void *rc, void *station, const struct seam_station *caps);
	void (*station_remove)(void *sta);
	/* A data frame is to be sent; true: as a sample, at *@rate first. */
	bool (*get_rate)(void *sta, struct seam_rate *rate);
	void (*tx_status)(void *sta, const struct seam_tx_status *st);
	u32 (*expected_kbit)(void *sta);
};

/* ---- a library -------------------------------------------------------------------------------- */

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
	/* That of the family; the others are NULL. */
	const struct seam_qdisc *qdisc;
	const struct seam_cong *cong;
	const struct seam_rc *rate;
};

#endif
