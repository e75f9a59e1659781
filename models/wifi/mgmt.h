/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Frames of the MAC's own that end in the receiver's MAC: those of block-ack sessions, and nullfunc frames. */
#ifndef WLANQ_WIFI_MGMT_H
#define WLANQ_WIFI_MGMT_H

#include "packet/packet.h"

/* p->proto of such a frame; p->dgram is then a struct softmac_mgmt. */
#define PROTO_WIFI_MGMT 254

enum softmac_mgmt_kind { MGMT_ADDBA_REQUEST, MGMT_ADDBA_RESPONSE, MGMT_DELBA, MGMT_BAR, MGMT_NULL };

/* Reason codes of a DELBA (802.11-2020 table 9-49) as Linux gives them. */
enum {
	REASON_NOT_USED = 37, /* the originator ends it */
	REASON_NO_SETUP = 38, /* a frame for a session that the recipient has not */
	REASON_TIMEOUT = 39
};

struct softmac_mgmt {
	u8 kind, dialog, tid;
	bool declined, amsdu;
	bool pm; /* MGMT_NULL: the station is going to be away */
	bool initiator; /* DELBA: from the originator */
	u8 reason; /* DELBA */
	u16 start; /* sequence number */
	u16 size; /* frames */
	u16 timeout; /* TU */
};

_Static_assert(sizeof(struct softmac_mgmt) <= sizeof(((struct packet *)0)->dgram), "it lies there");

static inline struct softmac_mgmt *packet_mgmt(const struct packet *p)
{
	return (struct softmac_mgmt *)&p->dgram;
}

#endif
