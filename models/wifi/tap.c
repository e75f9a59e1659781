// SPDX-License-Identifier: GPL-3.0-or-later
#include "wifi/tap.h"

#include <glib.h>
#include <string.h>

#include "wifi/airtime.h"
#include "wifi/frame.h"
#include "wifi/radiotap.h"
#include "wifi/scoreboard.h"
#include "wifi/seq.h"

#define IBSS_ID 0xffff /* in place of an interface, in the BSSID of an ad-hoc network */

struct air_tap {
	struct air *air;
	struct capture *out;
	struct wire *wire;
	struct scoreboards *scoreboards;
	u64 *numbers; /* by station: of its last encrypted frame */
	u32 reference; /* of the last A-MPDU */
	u8 bytes[RADIOTAP_MAX + FRAME_MAX];
};

struct air_tap *air_tap_new(struct air *air, struct capture *out)
{
	struct air_tap *tap = g_new0(struct air_tap, 1);

	tap->air = air;
	tap->out = out;
	tap->wire = wire_new();
	tap->scoreboards = scoreboards_new();
	tap->numbers = g_new0(u64, air->n);
	return tap;
}

void air_tap_free(struct air_tap *tap)
{
	if (!tap)
		return;
	wire_free(tap->wire);
	scoreboards_free(tap->scoreboards);
	g_free(tap->numbers);
	g_free(tap);
}

void air_tap_settle(struct air_tap *tap, sim_time until)
{
	capture_settle(tap->out, until);
}

/* ---- what all frames have --------------------------------------------------------------------------- */

static u8 *frame_of(struct air_tap *tap)
{
	return tap->bytes + RADIOTAP_MAX;
}

/* The frame of @len bytes lies behind the place of its radiotap header. */
static void put(struct air_tap *tap, const struct radiotap *r, u32 headers, u32 len)
{
	u8 *frame = frame_of(tap), radiotap[RADIOTAP_MAX];
	u32 before = radiotap_write(r, radiotap);
	u32 kept = capture_length(tap->out, before + headers, before + len);

	memcpy(frame - before, radiotap, before);
	if (kept > before + len - WIFI_FCS)
		frame_fcs(frame, len, !r->bad_fcs);
	capture_put(tap->out, r->at, frame - before, kept, before + len);
}

static void set_head(struct frame_head *h, const struct wifi_dev *to, const struct wifi_dev *from,
		     sim_time until_end)
{
	const struct wifi_dev *bss = from->bss->ap;

	h->duration = until_end > 0 ? (u32)((until_end + SIM_US - 1) / SIM_US) : 0;
	h->seq = 0;
	h->retry = false;
	if (to)
		wire_mac(to->id, h->receiver);
	else
		memset(h->receiver, 0xff, sizeof(h->receiver));
	wire_mac(from->id, h->transmitter);
	wire_mac(bss ? bss->id : IBSS_ID, h->bssid);
}

static struct radiotap radiotap_of(const struct air *air, const struct wifi_dev *to,
				   const struct wifi_dev *from, wifi_rate rate, sim_time at)
{
	struct radiotap r = {.at = at, .rate = rate, .band = air->phy.band};

	if (to && air->channel && air->channel_ops->power) {
		s32 mdbm = air->channel_ops->power(air->channel, from->station, to->station);
		s32 dbm = (mdbm + (mdbm < 0 ? -500 : 500)) / 1000;

		r.has_signal = true;
		r.signal = (s8)(dbm < INT8_MIN ? INT8_MIN : dbm > INT8_MAX ? INT8_MAX : dbm);
	}
	return r;
}

/* A control frame at @rate. */
typedef u32 (*control_writer)(const struct frame_head *h, u8 *to);

static void put_control(struct air_tap *tap, const struct frame_head *h, struct radiotap *r,
			control_writer writer, bool good)
{
	u32 len;

	memset(frame_of(tap), 0, WIFI_BA);
	len = writer(h, frame_of(tap));
	r->bad_fcs = !good;
	put(tap, r, len, len);
}

void air_tap_rts(struct air_tap *tap, const struct transmission *tx, sim_time start, bool good)
{
	struct radiotap r = radiotap_of(tap->air, tx->ppdu->to, tx->dev, tx->protect_rate, start);
	struct frame_head h;

	set_head(&h, tx->ppdu->to, tx->dev,
		 tx->end - start - wifi_airtime(&tap->air->phy, r.rate, WIFI_RTS));
	put_control(tap, &h, &r, frame_rts, good);
}

void air_tap_cts(struct air_tap *tap, const struct transmission *tx, sim_time start, bool good)
{
	const struct wifi_dev *from = tx->protect == PROTECT_CTS ? tx->dev : tx->ppdu->to;
	struct radiotap r = radiotap_of(tap->air, tx->dev, from, tx->protect_rate, start);
	struct frame_head h;

	set_head(&h, tx->dev, from,
		 tx->end - start - wifi_airtime(&tap->air->phy, r.rate, WIFI_CTS));
	put_control(tap, &h, &r, frame_cts, good);
}

/* ---- data ------------------------------------------------------------------------------------------- */

/* What the recipient of a session learns from a frame of the MAC. */
static void note_mgmt(struct air_tap *tap, const struct transmission *tx,
		      const struct softmac_mgmt *m)
{
	u16 from = tx->dev->station, to = tx->ppdu->to->station;
	struct scoreboard *s;

	switch (m->kind) {
	case MGMT_ADDBA_REQUEST:
		scoreboard_begin(scoreboards_find(tap->scoreboards, from, to, m->tid, true),
				 m->start, m->size);
		break;
	case MGMT_ADDBA_RESPONSE:
		s = scoreboards_find(tap->scoreboards, to, from, m->tid, false);
		if (s && m->declined)
			scoreboards_end(tap->scoreboards, to, from, m->tid);
		else if (s && !s->bitmap)
			scoreboard_begin(s, s->start, m->size);
		break;
	case MGMT_DELBA:
		if (m->initiator)
			scoreboards_end(tap->scoreboards, from, to, m->tid);
		else
			scoreboards_end(tap->scoreboards, to, from, m->tid);
		break;
	case MGMT_NULL:
		break;
	default:
		s = scoreboards_find(tap->scoreboards, from, to, m->tid, false);
		if (s)
			scoreboard_move(s, m->start);
	}
}

static void note_data(struct air_tap *tap, const struct transmission *tx, u16 seq)
{
	const struct wifi_ppdu *ppdu = tx->ppdu;
	bool session = ppdu->flags & PPDU_BLOCK_ACK;
	struct scoreboard *s;

	if (!tap->air->wmm)
		return;
	s = scoreboards_find(tap->scoreboards, tx->dev->station, ppdu->to->station, ppdu->tid,
			     session);
	if (s && !s->size) /* one that was there before the capture */
		scoreboard_begin(s, seq, 0);
	if (s)
		scoreboard_take(s, seq);
}

static u32 write_mpdu(struct air_tap *tap, const struct transmission *tx, const struct wifi_mpdu *m,
		      struct frame_head *h, struct radiotap *r, u32 *headers)
{
	const struct wifi_dev *ap = tx->dev->bss->ap;
	u8 *frame = frame_of(tap);
	struct frame_data d = {
		.direction = !ap	   ? FRAME_DIRECT
			     : tx->dev->ap ? FRAME_FROM_AP
					   : FRAME_TO_AP,
		.qos = tap->air->wmm,
		.no_ack = tx->ppdu->flags & PPDU_NO_ACK,
		.ccmp = wifi_encrypted(tx->dev),
		.tid = tx->ppdu->tid,
		.packets = m->p,
		.bytes = m->bytes,
		.wire = tap->wire,
	};

	memset(frame, 0, m->bytes);
	h->seq = m->seq;
	h->retry = m->flags & MPDU_RETRY;
	if (m->p->proto == PROTO_WIFI_MGMT)
		return *headers = frame_mgmt(h, packet_mgmt(m->p), frame);
	if (d.ccmp) {
		r->encrypted = true;
		d.number = ++tap->numbers[tx->dev->station];
	}
	return frame_data(h, &d, frame, headers);
}

static void put_mpdu(struct air_tap *tap, const struct transmission *tx, const struct wifi_mpdu *m,
		     const struct frame_head *head, const struct radiotap *radiotap)
{
	struct air *air = tap->air;
	struct frame_head h = *head;
	struct radiotap r = *radiotap;
	u32 headers, len;

	SIM_CHECK(air->obj.sim, &air->obj, m->bytes <= FRAME_MAX, "an MPDU of %u bytes", m->bytes);
	len = write_mpdu(tap, tx, m, &h, &r, &headers);
	SIM_CHECK(air->obj.sim, &air->obj, len == m->bytes,
		  "an MPDU was reckoned to have %u bytes, and has %u", m->bytes, len);
	put(tap, &r, headers, len);
	if (r.bad_fcs)
		return;
	if (m->p->proto == PROTO_WIFI_MGMT)
		note_mgmt(tap, tx, packet_mgmt(m->p));
	else
		note_data(tap, tx, m->seq);
}

static bool received(const struct wifi_ppdu *ppdu)
{
	for (u32 i = 0; i < ppdu->n; i++)
		if (ppdu->mpdus[i].flags & MPDU_RECEIVED)
			return true;
	return false;
}

static u16 tx_flags(const struct transmission *tx, bool lost)
{
	const struct wifi_ppdu *ppdu = tx->ppdu;
	bool last = ppdu->step + 1 == ppdu->n_steps &&
		    ppdu->used[ppdu->step] >= ppdu->steps[ppdu->step].tries;
	u16 flags = 0;

	if (ppdu->flags & PPDU_NO_ACK)
		flags |= RADIOTAP_TX_NO_ACK;
	else if (last && !(ppdu->flags & PPDU_GOES_ON) && (lost || !received(ppdu)))
		flags |= RADIOTAP_TX_FAIL;
	if (tx->protect == PROTECT_RTS)
		flags |= RADIOTAP_TX_RTS;
	if (tx->protect == PROTECT_CTS)
		flags |= RADIOTAP_TX_CTS;
	return flags;
}

static void put_beacon(struct air_tap *tap, const struct transmission *tx, struct frame_head *h,
		       struct radiotap *r)
{
	const struct air_params *p = tap->air->obj.params;
	const struct bss *bss = tx->dev->bss;
	const struct air *air = tap->air;
	u8 bitmap[251] = {0};
	u32 last = 0;
	struct frame_beacon b = {
		.timestamp = (u64)(tx->data / SIM_US),
		.interval = (u32)(p->beacon_interval / (1024 * SIM_US)),
		.bytes = tx->ppdu->bytes,
		.ssid = bss->link->path,
		.rate = (u8)(wifi_bps(r->rate) / 500000),
	};
	u32 len;

	/* association identifiers are counted from 1 */
	for (u32 i = 0; i < air->n && (i + 1) / 8 < sizeof(bitmap); i++)
		if (air->devs[i]->bss == bss && air->devs[i]->tim) {
			last = (i + 1) / 8;
			bitmap[last] |= (u8)(1u << ((i + 1) & 7));
		}
	b.bitmap_bytes = last + 1;
	b.bitmap = bitmap;
	h->seq = (u16)(bss->sent & SEQ_MASK);
	memset(frame_of(tap), 0, b.bytes);
	len = frame_beacon(h, &b, frame_of(tap));
	put(tap, r, len, len);
}

void air_tap_data(struct air_tap *tap, const struct transmission *tx, bool lost)
{
	const struct wifi_ppdu *ppdu = tx->ppdu;
	wifi_rate rate = ppdu->steps[ppdu->step].rate;
	struct radiotap r = radiotap_of(tap->air, ppdu->to, tx->dev, rate, tx->data);
	struct frame_head h;

	set_head(&h, ppdu->to, tx->dev, tx->end - tx->data_end);
	if (ppdu->flags & PPDU_NO_ACK)
		memset(h.receiver, 0xff, sizeof(h.receiver));
	r.has_tx = true;
	r.tx_flags = tx_flags(tx, lost);
	r.retries = (u8)(ppdu->sent > 1 ? ppdu->sent - 1 : 0);
	r.ampdu = RATE_MODE(rate) == WIFI_VHT ||
		  (ppdu->flags & (PPDU_BLOCK_ACK | PPDU_CONTROL)) == PPDU_BLOCK_ACK;
	if (ppdu->flags & PPDU_BEACON) {
		r.bad_fcs = lost;
		put_beacon(tap, tx, &h, &r);
		return;
	}
	r.single = ppdu->n == 1;
	r.psdu = ppdu->bytes;
	if (r.ampdu)
		r.reference = ++tap->reference;
	for (u32 i = 0; i < ppdu->n; i++) {
		r.last = i + 1 == ppdu->n;
		r.bad_fcs = lost || !(ppdu->mpdus[i].flags & MPDU_RECEIVED);
		put_mpdu(tap, tx, &ppdu->mpdus[i], &h, &r);
	}
}

void air_tap_response(struct air_tap *tap, const struct transmission *tx, sim_time start, bool good)
{
	const struct wifi_ppdu *ppdu = tx->ppdu;
	wifi_rate rate = wifi_response_rate(ppdu->steps[ppdu->step].rate, tap->air->phy.basic);
	struct radiotap r = radiotap_of(tap->air, tx->dev, ppdu->to, rate, start);
	const struct scoreboard *s;
	struct frame_head h;
	u32 len;

	set_head(&h, tx->dev, ppdu->to, 0);
	if (!(ppdu->flags & PPDU_BLOCK_ACK)) {
		put_control(tap, &h, &r, frame_ack, good);
		return;
	}
	s = scoreboards_find(tap->scoreboards, tx->dev->station, ppdu->to->station, ppdu->tid,
			     false);
	memset(frame_of(tap), 0, WIFI_BA);
	len = frame_block_ack(&h, ppdu->tid, s ? s->start : 0, s ? s->bitmap : 0, frame_of(tap));
	r.bad_fcs = !good;
	put(tap, &r, len, len);
}

/* ---- exchanges -------------------------------------------------------------------------------------- */

void air_tap_exchange(struct air_tap *tap, const struct transmission *tx)
{
	const struct wifi_phy *phy = &tap->air->phy;

	air_tap_settle(tap, tx->start);
	if (tx->protect == PROTECT_RTS) {
		air_tap_rts(tap, tx, tx->start, true);
		if (tx->unheard)
			return;
		air_tap_cts(tap, tx, tx->protect_end + phy->sifs, true);
	} else if (tx->protect == PROTECT_CTS) {
		air_tap_cts(tap, tx, tx->start, true);
	}
	air_tap_data(tap, tx, false);
	if (tx->answered)
		air_tap_response(tap, tx, tx->data_end + phy->sifs, true);
}

void air_tap_collision(struct air_tap *tap)
{
	const struct air *air = tap->air;

	air_tap_settle(tap, air->obj.sim->now);
	for (u32 i = 0; i < air->n_now; i++) {
		const struct transmission *tx = &air->now[i];

		if (tx->protect == PROTECT_RTS) {
			air_tap_rts(tap, tx, tx->start, false);
			continue;
		}
		if (tx->protect == PROTECT_CTS)
			air_tap_cts(tap, tx, tx->start, false);
		air_tap_data(tap, tx, true);
	}
}
