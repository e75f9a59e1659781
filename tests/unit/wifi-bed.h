/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A bench for the air: stations that are nothing but a wifi_dev with a saturated or hand-fed source of raw frames, and
 * a sink.
 */
#ifndef WLANQ_TESTS_WIFI_BED_H
#define WLANQ_TESTS_WIFI_BED_H

#include <stdio.h>
#include <string.h>

#include "measure/metrics.h"
#include "packet/link.h"
#include "wifi/air.h"
#include "wifi/airtime.h"

#define BED_MAX 64

struct bed_station {
	struct bed *bed;
	struct object obj;
	char path[32];
	struct wifi_dev *dev;
	u32 to; /* station that it sends to */
	wifi_rate rate;
	u32 bytes; /* MPDU; 0: sends nothing */
	u32 mpdus; /* in a PPDU; above 1 an A-MPDU */
	u32 tries; /* of the one step; 255: without end */
	u32 ac;
	bool saturated;
	u64 queued; /* PPDUs left, when not saturated */
	u64 sent, failed, received, received_bytes;
	sim_time sent_at, received_at;
};

struct bed {
	struct sim *sim;
	struct air_params params;
	struct air *air;
	struct bed_station s[BED_MAX];
	u32 n;
};

static struct wifi_ppdu *bed_pull(void *arg, u32 ac)
{
	struct bed_station *s = arg;
	u32 n = s->mpdus ? s->mpdus : 1, pad = (4 - s->bytes % 4) % 4;
	struct wifi_ppdu *ppdu;

	if (!s->bytes || ac != s->ac || (!s->saturated && !s->queued))
		return NULL;
	ppdu = wifi_ppdu_new(s->dev);
	ppdu->to = s->bed->s[s->to].dev;
	ppdu->n_steps = 1;
	ppdu->steps[0].rate = s->rate;
	ppdu->steps[0].tries = (u8)s->tries;
	ppdu->flags = n > 1 ? PPDU_BLOCK_ACK : 0;
	for (u32 i = 0; i < n; i++) {
		struct packet *p = packet_new(s->bed->sim);

		p->skb.len = s->bytes;
		wifi_ppdu_add(ppdu, p, s->bytes, 0, 0, 0);
		ppdu->bytes += s->bytes;
		if (n > 1)
			ppdu->bytes += WIFI_DELIMITER + (i + 1 < n ? pad : 0);
	}
	if (!s->saturated)
		s->queued--;
	return ppdu;
}

static bool bed_status(void *arg, struct wifi_ppdu *ppdu)
{
	struct bed_station *s = arg;

	for (u32 i = 0; i < ppdu->n; i++) {
		if (ppdu->mpdus[i].flags & MPDU_ACKED)
			s->sent++;
		else
			s->failed++;
		wifi_mpdu_end(s->dev, &ppdu->mpdus[i]);
	}
	s->sent_at = s->bed->sim->now;
	return s->saturated || s->queued;
}

static void bed_rx(void *arg, struct packet *p)
{
	struct bed_station *s = arg;

	s->received++;
	s->received_bytes += p->skb.len;
	s->received_at = s->bed->sim->now;
	packet_free(s->bed->sim, p);
}

static const struct wifi_dev_ops bed_ops = {
	.pull = bed_pull, .tx_status = bed_status, .rx = bed_rx};

/* An air of @n silent stations, the last of them the access point; change bed->params before bed_start(). */
static inline void bed_init(struct bed *bed, u64 seed, u32 n, enum wifi_standard standard)
{
	memset(bed, 0, sizeof(*bed));
	bed->sim = sim_new(seed);
	bed->n = n;
	bed->params.standard = standard;
	bed->params.band = PARAM_UNSET;
	bed->params.width = 20000000;
	bed->params.wmm = PARAM_UNSET;
	bed->params.rts_threshold = PARAM_UNSET;
	bed->params.slot_time = bed->params.sifs = bed->params.plcp = bed->params.propagation =
		bed->params.cca_time = bed->params.signal_extension = PARAM_UNSET;
	for (u32 i = 0; i < AC_COUNT; i++) {
		int64_t *all[] = {bed->params.aifsn,	bed->params.cwmin,
				  bed->params.cwmax,	bed->params.txop,
				  bed->params.ap_aifsn, bed->params.ap_cwmin,
				  bed->params.ap_cwmax, bed->params.ap_txop,
				  bed->params.lifetime, bed->params.ap_lifetime};

		for (size_t k = 0; k < sizeof(all) / sizeof(all[0]); k++)
			all[k][i] = PARAM_UNSET;
	}
	for (u32 i = 0; i < n; i++)
		bed->s[i] = (struct bed_station){
			.bed = bed, .to = n - 1, .mpdus = 1, .tries = 255, .ac = AC_BE};
}

static inline void bed_start(struct bed *bed)
{
	const struct link_ops *link = wifi_class.kind_ops;
	char err[128];

	bed->air = (struct air *)object_new(bed->sim, &wifi_class, "air", &bed->params, NULL);
	for (u32 i = 0; i < bed->n; i++) {
		struct bed_station *s = &bed->s[i];
		struct link_member m = {.obj = &s->obj, .id = (u16)i, .host_devs = 1};

		snprintf(s->path, sizeof(s->path), "sta%u.wlan0", i + 1);
		s->obj.path = s->path;
		s->dev = link->join(&bed->air->obj, &m, err, sizeof(err));
		wifi_dev_attach(s->dev, &bed_ops, s);
	}
	link->ready(&bed->air->obj);
	objects_start(bed->sim);
	for (u32 i = 0; i < bed->n; i++)
		if (bed->s[i].bytes && (bed->s[i].saturated || bed->s[i].queued))
			wifi_kick(bed->s[i].dev, bed->s[i].ac);
}

static inline void bed_run(struct bed *bed, sim_time until)
{
	if (sim_run(bed->sim, until) < 0)
		ck_abort_msg("%s", bed->sim->error);
}

static inline void bed_end(struct bed *bed)
{
	metrics_clear(bed->sim);
	sim_free(bed->sim);
}

#endif
