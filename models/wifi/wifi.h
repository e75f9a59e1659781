/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Between drivers and the air. A driver tells that an access category has something to send; when its turn has come the
 * air pulls a PPDU from it, carries it through as many attempts as its retry chain has, and gives it back with the
 * outcome of each MPDU.
 */
#ifndef WLANQ_WIFI_H
#define WLANQ_WIFI_H

#include "engine/model.h"
#include "packet/fifo.h"
#include "wifi/phy.h"

#define WIFI_STEPS 4
#define WIFI_MPDUS 64 /* a block-ack window of HT and VHT */

extern const struct model_class wifi_class; /* the link */

enum wifi_bss_mode { WIFI_INFRASTRUCTURE, WIFI_ADHOC }; /* of a link's parameter "mode" */

struct air;
struct bss;

/* Whether a station is there: all the time; for beacons only (it dozes); not at all (it is on another channel). */
enum wifi_presence { WIFI_PRESENT, WIFI_DOZES, WIFI_AWAY };

enum wifi_protection { PROTECT_NONE, PROTECT_CTS, PROTECT_RTS }; /* CTS: to self */

/* One step of a retry chain: so many tries at this rate. */
struct wifi_step {
	wifi_rate rate;
	u8 tries;
	u8 protect; /* enum wifi_protection; the air may ask for more */
};

#define MPDU_RECEIVED 0x1 /* at the last attempt or an earlier one */
#define MPDU_ACKED    0x2
#define MPDU_RETRY    0x4 /* the retry bit is set */

struct wifi_mpdu {
	/* The packet; of an A-MSDU the first of all, linked by skb.next. NULL once they were handed over. */
	struct packet *p;
	/* What stays with the sender of packets that went on: their accounts, closed by wifi_mpdu_end(). */
	struct sk_buff *account;
	sim_time since; /* the driver's: when it got the packet */
	u16 bytes; /* FCS included */
	u16 len; /* skb.len of the packets, summed */
	u16 seq;
	u8 flags;
	u8 n; /* packets */
};

#define PPDU_BLOCK_ACK 0x1 /* answered by a block ack: an A-MPDU, or a block ack request */
#define PPDU_NO_ACK    0x2 /* to a group: sent once, no response */
#define PPDU_CONTROL   0x4 /* no data: a management frame or a block ack request */
#define PPDU_GOES_ON \
	0x20 /* its frames are tried again: the window doubles after the last attempt too */
#define PPDU_SESSION 0x8 /* the driver's: under a block-ack agreement */
#define PPDU_PROBE   0x10 /* the driver's: a sample of rate control */
#define PPDU_NULL    0x80 /* a nullfunc frame */
#define PPDU_BEACON  0x40 /* the air's own: has no MPDU and no receiver */

struct wifi_ppdu {
	struct wifi_ppdu *next; /* the driver's */
	/* what the driver fills in */
	struct wifi_dev *to;
	u8 ac, tid, flags;
	u8 n_steps;
	struct wifi_step steps[WIFI_STEPS];
	u32 bytes; /* PSDU */
	u32 n;
	void *cookie; /* the driver's */

	/*
	 * The air's: when it took the PPDU, and when the one before it was through. @untold: its packets do not know yet, and are in
	 * the layer that the driver left them in.
	 */
	sim_time taken, served;
	bool untold;

	/* what the air tells */
	u8 step; /* the one of the last attempt */
	u8 used[WIFI_STEPS]; /* attempts by step */
	u32 attempts; /* 0: when its turn came, all its frames were too old */
	u32 sent; /* attempts that got past their RTS: its frames were on the air */
	bool acked; /* a response has come */
	u32 n_acked; /* MPDUs with MPDU_ACKED */
	sim_time airtime; /* that all attempts took, responses and their spaces included */

	struct wifi_mpdu mpdus[WIFI_MPDUS];
};

/*
 * packet.mac.flags at the sender: the recipient has the frame on its scoreboard, though no block ack has told so. Its scoreboard
 * is of full state (10.25.6.3): it lasts as long as the session.
 */
#define MAC_ON_SCOREBOARD 0x8

/* packet.mac.flags of what was received */
#define RX_AMSDU_MORE 0x10 /* further subframes of this A-MSDU follow */
#define RX_AMSDU_NEXT 0x20 /* not the first subframe */

struct wifi_dev_ops {
	/*
	 * The turn of @ac has come: the next PPDU, made with wifi_ppdu_new(); NULL when there is nothing to send after
	 * all. Its packets are the PPDU's until tx_status.
	 */
	struct wifi_ppdu *(*pull)(void *arg, u32 ac);
	/*
	 * @ppdu is through, and freed when this returns. MPDUs without MPDU_ACKED are the driver's to send again, unless they are too old (wifi_mpdu_expired()), or to drop; the others it ends with
	 * wifi_mpdu_end(), now or at its interrupt. True: @ac has more to send.
	 */
	bool (*tx_status)(void *arg, struct wifi_ppdu *ppdu);
	/*
	 * A packet has arrived; the driver owns @p. p->tid, p->ac and p->mac.seq, .retries (1: retry bit),
	 * .airtime (the rate it came at), .word (wifi_dev.station of the transmitter) and .flags (RX_*) are set. Subframes
	 * of an A-MSDU come one by one.
	 */
	void (*rx)(void *arg, struct packet *p);
	/* Those of one PPDU together, in their order; takes all of @list. NULL: rx is called for each. */
	void (*rx_all)(void *arg, struct packet_fifo *list);
	/* All MPDUs of one PPDU have been given to rx. NULL: not of interest. */
	void (*rx_end)(void *arg);
};

/* An interface's end of the air. Fields but ops and arg are the air's. */
struct wifi_dev {
	struct air *air;
	struct bss *bss; /* the cell that it is in */
	const char *path; /* of the interface */
	const char *name; /* of its node */
	u16 id; /* interface id */
	u16 station; /* index in the air */
	bool ap;
	u8 presence; /* enum wifi_presence */
	u8 held; /* by access category: what it has to send once it is present */
	const bool *contends[AC_COUNT]; /* it is known to have something to send */
	bool may_be_absent;
	sim_time lifetime[AC_COUNT]; /* of MSDUs, ns; 0: without end */
	bool gone; /* it has left */
	bool traffic; /* its access point keeps frames for it */
	bool tim; /* and has said so in the last beacon */
	u32 host_devs;
	const struct wifi_dev_ops *ops;
	void *arg;
	struct lazy
		*lazy; /* what was put off since the driver only keeps it; NULL: nothing ever was */
	const void *caps; /* what the station can receive, in its upper layer's terms */

	void (*beacon)(void *arg, bool traffic); /* NULL: it does not listen */
	void *beacon_arg;
	u64 beacon_key; /* draws of what is lost of beacons */

	u64 loss_key, mpdus; /* draws of what is lost, by MPDU sent */
	u64 attempts, failures,
		collisions; /* PPDUs, those without a response, those that met another */
	u64 internal; /* collisions between its own access categories */
	u64 airtime; /* ns in the window */
};

/*
 * A PPDU without MPDUs from the air's pool, all fields but .mpdus zero. It is given back by the air behind tx_status; one
 * that was never pulled by wifi_ppdu_free(), after its packets were seen to.
 */
struct wifi_ppdu *wifi_ppdu_new(struct wifi_dev *dev);
void wifi_ppdu_free(struct wifi_dev *dev, struct wifi_ppdu *ppdu);

/* Appends the MPDU of one packet, or (@n) of so many that are linked by skb.next, of @len bytes together. */
static inline void wifi_ppdu_add_amsdu(struct wifi_ppdu *ppdu, struct packet *p, u32 n, u32 len,
				       u32 bytes, u16 seq, u8 flags, sim_time since)
{
	ppdu->mpdus[ppdu->n++] = (struct wifi_mpdu){.p = p,
						    .since = since,
						    .bytes = (u16)bytes,
						    .len = (u16)len,
						    .seq = seq,
						    .flags = flags,
						    .n = (u8)n};
}

static inline void wifi_ppdu_add(struct wifi_ppdu *ppdu, struct packet *p, u32 bytes, u16 seq,
				 u8 flags, sim_time since)
{
	p->skb.next = NULL;
	wifi_ppdu_add_amsdu(ppdu, p, 1, p->skb.len, bytes, seq, flags, since);
}

/* Sets what @dev calls up to; before the run. @arg begins with its struct object. */
void wifi_dev_attach(struct wifi_dev *dev, const struct wifi_dev_ops *ops, void *arg);

/* @ac of @dev has something to send. May be called at any time, and more than once. */
void wifi_kick_first(struct wifi_dev *dev, u32 ac);

static inline void wifi_kick(struct wifi_dev *dev, u32 ac)
{
	if (dev->presence != WIFI_PRESENT || !*dev->contends[ac])
		wifi_kick_first(dev, ac);
}

/*
 * Whether wifi_kick() is of no effect. @l: what is put off for that, which is made up for before the driver is called, and ended
 * before a kick is.
 */
bool wifi_waits(struct wifi_dev *dev, u32 ac, struct lazy *l);

/*
 * A station goes or comes back. While it is not present it sends nothing (what it is kicked for waits), and no frame whose
 * exchange begins meanwhile is received by it; one under way is ended. Its backoff stops, and goes on behind AIFS from when it is
 * back. Its carrier sense and NAV go on as if it were there.
 */
void wifi_set_presence(struct wifi_dev *dev, enum wifi_presence presence);

/*
 * The station leaves: it is away for good, and an attempt under way is its last. What the air has of its PPDUs is given back.
 * Or it joins again.
 */
void wifi_leave(struct wifi_dev *dev);
void wifi_join(struct wifi_dev *dev);

/* Before links are ready: @dev will not always be present. */
void wifi_may_be_absent(struct wifi_dev *dev);

/*
 * @dev is told of each beacon of its access point that it receives, dozing or present; @traffic: frames are kept for it
 * (TIM). Once links are ready. Where beacons take no airtime they are told of all the same.
 */
void wifi_listen(struct wifi_dev *dev, void (*beacon)(void *arg, bool traffic), void *arg);

/* Frames are kept for the station: beacons say so from now on. */
void wifi_tim(struct wifi_dev *station, bool traffic);

/* It is a station of a cell with an access point. */
bool wifi_has_ap(const struct wifi_dev *dev);

/* From the parameters of a link of model wifi, before it is made: its PHY and (unless NULL) the channel's width, Hz. */
void wifi_link_phy(const void *link_params, struct wifi_phy *phy, int64_t *width);

/* What @dev is part of. All are known once links are ready. */
const struct wifi_phy *wifi_phy(const struct wifi_dev *dev);
int64_t wifi_channel_width(const struct wifi_dev *dev); /* Hz */
bool wifi_qos(const struct wifi_dev *dev); /* WMM: QoS data frames, four access categories */
u32 wifi_stations(const struct wifi_dev *dev); /* members of the air, of all cells */
struct wifi_dev *wifi_station(const struct wifi_dev *dev, u32 station);
/* They send to each other: of one cell, and one is its access point if it has one. */
bool wifi_peers(const struct wifi_dev *a, const struct wifi_dev *b);
/* Whom a frame to interface @id is sent to by @dev; NULL: it is not on this air. */
struct wifi_dev *wifi_receiver(const struct wifi_dev *dev, u16 id);

/* Closes accounts that wifi_mpdu.account held, linked by next. */
void wifi_accounts_end(struct wifi_dev *dev, struct sk_buff *accounts);

/* The sender lets go of an MPDU that was acknowledged: its account is closed (TSQ learns of it here). */
void wifi_mpdu_end(struct wifi_dev *dev, struct wifi_mpdu *m);

/*
 * How long one attempt takes with a response: protection, PPDU, SIFS, response; without AIFS and backoff. The air's
 * protection rules are applied.
 */
sim_time wifi_exchange(const struct wifi_dev *dev, const struct wifi_step *step, u32 bytes,
		       bool aggregate);

/* Bytes of the MPDU that carries an IP packet of @ip_len bytes, with the BSS's headers and encryption. */
u32 wifi_frame(const struct wifi_dev *dev, u32 ip_len);

/* Data frames are encrypted. */
bool wifi_encrypted(const struct wifi_dev *dev);

/* When the MAC that is to send @p got it; SIM_TIME_MAX: it has no lifetime. Set by that MAC. */
static inline sim_time *wifi_entered(const struct packet *p)
{
	return (sim_time *)(p->skb.cb + PACKET_CB_MAC);
}

/* The MSDU is older than its lifetime: it is not to be sent. */
static inline bool wifi_expired(const struct wifi_dev *dev, u32 ac, const struct packet *p,
				sim_time now)
{
	return dev->lifetime[ac] && now - *wifi_entered(p) > dev->lifetime[ac];
}

/* The same of all MSDUs of an MPDU, of which @p is the first: an A-MSDU lives as long as its youngest (10.11). */
bool wifi_mpdu_expired(const struct wifi_dev *dev, u32 ac, const struct packet *p);

/* The TXOP limit of @ac, ns; 0: one PPDU an access. */
sim_time wifi_txop(const struct wifi_dev *dev, u32 ac);

/* Mean wait of @ac for a first attempt on an idle medium: AIFS and half of the least window. */
sim_time wifi_access(const struct wifi_dev *dev, u32 ac);

#endif
