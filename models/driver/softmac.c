// SPDX-License-Identifier: GPL-3.0-or-later
#include "driver/softmac.h"

#include "wifi/airtime.h"

#define MGMT_TRIES 7 /* dot11ShortRetryLimit */

u32 softmac_bytes(const struct wifi_dev *dev, const struct packet *p)
{
	static const u8 bodies[] = {[MGMT_ADDBA_REQUEST] = 9,
				    [MGMT_ADDBA_RESPONSE] = 9,
				    [MGMT_DELBA] = 6,
				    [MGMT_NULL] = 0};

	if (p->proto == PROTO_WIFI_MGMT)
		return packet_mgmt(p)->kind == MGMT_BAR
			       ? WIFI_BAR
			       : WIFI_HEADER + bodies[packet_mgmt(p)->kind] + WIFI_FCS;
	return wifi_frame(dev, packet_ip_len(p));
}

/* A sample takes the first place of the table; a chain of the frame's own replaces it. */
static void fill_steps(struct wifi_ppdu *ppdu, const struct softmac_sta *sta,
		       const struct packet *p)
{
	const struct softmac_chain *chain = NULL;
	const struct wifi_step *steps = sta->steps;

	if (p->mac.flags & SOFTMAC_CHAIN) {
		chain = &sta->chains[p->mac.rate];
		steps = chain->steps;
	}
	ppdu->n_steps = (u8)(chain ? chain->n_steps : sta->n_steps);
	for (u32 i = 0; i < ppdu->n_steps; i++)
		ppdu->steps[i] = steps[i];
	if (!(p->mac.flags & SOFTMAC_PROBE))
		return;
	ppdu->flags |= PPDU_PROBE;
	if (!chain)
		ppdu->steps[0] = (struct wifi_step){.rate = p->mac.rate, .tries = 1};
}

struct wifi_ppdu *softmac_single(struct wifi_dev *dev, struct packet *p)
{
	struct softmac_sta *sta = packet_sta(p);
	struct wifi_ppdu *ppdu = wifi_ppdu_new(dev);

	ppdu->to = sta->dev;
	ppdu->cookie = sta;
	ppdu->tid = p->tid;
	if (p->proto == PROTO_WIFI_MGMT) {
		ppdu->flags = PPDU_CONTROL;
		if (packet_mgmt(p)->kind == MGMT_BAR)
			ppdu->flags |= PPDU_BLOCK_ACK;
		else if (packet_mgmt(p)->kind == MGMT_NULL)
			ppdu->flags |= PPDU_NULL;
		ppdu->n_steps = 1;
		ppdu->steps[0] = (struct wifi_step){.rate = wifi_lowest_basic(wifi_phy(dev)),
						    .tries = MGMT_TRIES};
	} else {
		fill_steps(ppdu, sta, p);
	}
	ppdu->bytes = softmac_bytes(dev, p);
	wifi_ppdu_add(ppdu, p, ppdu->bytes, p->mac.seq, p->mac.retries ? MPDU_RETRY : 0,
		      packet_driver(p)->since);
	/* Every VHT PPDU is an A-MPDU, be it of one. */
	if (RATE_MODE(ppdu->steps[0].rate) == WIFI_VHT)
		ppdu->bytes += WIFI_DELIMITER;
	return ppdu;
}

void softmac_report(const struct softmac_up *up, void *arg, const struct wifi_ppdu *ppdu)
{
	struct softmac_status st = {.sta = ppdu->cookie, .ppdu = ppdu, .acked = ppdu->n_acked};
	const struct packet *p = ppdu->mpdus[0].p;

	/* nothing was sent, and there is nothing to learn */
	if (!ppdu->attempts)
		return;
	if (ppdu->flags & PPDU_CONTROL && !st.acked && packet_mgmt(p)->kind == MGMT_BAR)
		st.bar = packet_mgmt(p);
	up->tx_status(arg, &st);
}

u32 softmac_queues(struct object *drv)
{
	return AC_COUNT;
}

u32 softmac_queue_of(struct object *drv, const struct packet *p)
{
	return p->ac;
}

u32 softmac_hw_queue(struct object *drv, u32 ac)
{
	return ac;
}
