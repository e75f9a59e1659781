// SPDX-License-Identifier: GPL-3.0-or-later
#include "driver/softmac.h"

#include "wifi/airtime.h"

#define MGMT_TRIES 7 /* dot11ShortRetryLimit */

u32 softmac_bytes(const struct wifi_dev *dev, const struct packet *p)
{
	if (p->proto == PROTO_WIFI_MGMT)
		return WIFI_HEADER + p->payload + WIFI_FCS;
	return wifi_frame(dev, packet_ip_len(p));
}

struct wifi_ppdu *softmac_single(struct wifi_dev *dev, struct packet *p)
{
	struct softmac_sta *sta = packet_sta(p);
	struct wifi_ppdu *ppdu = wifi_ppdu_new(dev);

	ppdu->to = sta->dev;
	ppdu->cookie = sta;
	ppdu->tid = p->tid;
	if (p->proto == PROTO_WIFI_MGMT) {
		ppdu->n_steps = 1;
		ppdu->steps[0] = (struct wifi_step){.rate = wifi_lowest_basic(wifi_phy(dev)),
						    .tries = MGMT_TRIES};
	} else {
		ppdu->n_steps = (u8)sta->n_steps;
		for (u32 i = 0; i < sta->n_steps; i++)
			ppdu->steps[i] = sta->steps[i];
	}
	ppdu->bytes = softmac_bytes(dev, p);
	wifi_ppdu_add(ppdu, p, ppdu->bytes, p->mac.seq, 0);
	/* Every VHT PPDU is an A-MPDU, be it of one. */
	if (RATE_MODE(ppdu->steps[0].rate) == WIFI_VHT)
		ppdu->bytes += WIFI_DELIMITER;
	return ppdu;
}
