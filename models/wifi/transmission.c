// SPDX-License-Identifier: GPL-3.0-or-later
/* One attempt at a PPDU, whichever way the medium is reckoned: its times, what of it is lost, and whether another one follows. */
#include "wifi/air.h"

#include <string.h>

#include "wifi/airtime.h"

static const struct air_params *params_of(const struct air *air)
{
	return air->obj.params;
}

/* The rate of an RTS or CTS that 802.11b stations must understand: the highest basic CCK rate. */
static wifi_rate protection_rate(const struct air *air)
{
	wifi_rate r = wifi_cck(0);

	for (u32 i = 1; i < WIFI_CCK_RATES; i++)
		if (air->phy.basic & wifi_set_bit(wifi_cck(i)))
			r = wifi_cck(i);
	if (RATE_INDEX(r) && air->phy.short_preamble)
		r |= WIFI_SHORT_PREAMBLE;
	return r;
}

static enum wifi_protection protection(const struct air *air, const struct wifi_step *step,
				       u32 bytes, bool response, bool *legacy)
{
	const struct air_params *p = params_of(air);
	enum wifi_protection want = (enum wifi_protection)step->protect;

	*legacy = air->phy.band == WIFI_2GHZ && RATE_MODE(step->rate) != WIFI_CCK &&
		  p->protection != PROTECT_NONE;
	if (*legacy && (enum wifi_protection)p->protection > want)
		want = (enum wifi_protection)p->protection;
	if (p->rts_threshold != PARAM_UNSET && bytes > p->rts_threshold)
		want = PROTECT_RTS;
	/* who expects no response cannot ask for a CTS either */
	if (!response && want == PROTECT_RTS)
		want = *legacy ? PROTECT_CTS : PROTECT_NONE;
	return want;
}

/* Frames one behind the other are most often sent at one rate. */
static void set_response(struct air *air, wifi_rate of)
{
	const struct wifi_phy *phy = &air->phy;
	wifi_rate rate = wifi_response_rate(of, phy->basic);

	air->response.of = of;
	air->response.rate = rate;
	air->response.ack = wifi_airtime(phy, rate, WIFI_ACK);
	air->response.ba = wifi_airtime(phy, rate, WIFI_BA);
}

void transmission_plan(struct air *air, struct transmission *tx, sim_time start)
{
	const struct wifi_phy *phy = &air->phy;
	const struct wifi_ppdu *ppdu = tx->ppdu;
	const struct wifi_step *step = &ppdu->steps[ppdu->step];
	bool response = !(ppdu->flags & PPDU_NO_ACK), legacy;
	wifi_rate rate;

	tx->start = start;
	tx->data = start;
	tx->deaf = ppdu->to && ppdu->to->presence != WIFI_PRESENT;
	if (step->rate != air->response.of)
		set_response(air, step->rate);
	tx->response = air->response.rate;
	tx->protect = (u8)protection(air, step, ppdu->bytes, response, &legacy);
	switch (tx->protect) {
	case PROTECT_RTS:
		rate = legacy ? protection_rate(air) : tx->response;
		tx->protect_rate = rate;
		tx->protect_end = start + wifi_airtime(phy, rate, WIFI_RTS);
		tx->data =
			tx->protect_end + phy->sifs + wifi_airtime(phy, rate, WIFI_CTS) + phy->sifs;
		tx->response = rate;
		break;
	case PROTECT_CTS:
		rate = legacy ? protection_rate(air) : tx->response;
		tx->protect_rate = rate;
		tx->protect_end = start + wifi_airtime(phy, rate, WIFI_CTS) + phy->propagation;
		tx->data = tx->protect_end + phy->sifs;
		break;
	default:
		break;
	}
	tx->data_end = tx->data + wifi_airtime(phy, step->rate, ppdu->bytes) + phy->propagation;
	tx->end = tx->data_end;
	if (response)
		tx->end += phy->sifs + phy->propagation +
			   (ppdu->flags & PPDU_BLOCK_ACK ? air->response.ba : air->response.ack);
	if (tx->data == start)
		tx->protect_end = tx->data_end;
}

sim_time transmission_rts_nav(const struct air *air, const struct transmission *tx)
{
	const struct wifi_phy *phy = &air->phy;
	sim_time reset = tx->protect_end + phy->sifs + wifi_airtime(phy, tx->response, WIFI_CTS) +
			 wifi_phy_timeout(phy, tx->response) + phy->slot;

	return reset < tx->end ? reset : tx->end;
}

sim_time wifi_exchange(const struct wifi_dev *dev, const struct wifi_step *step, u32 bytes,
		       bool aggregate)
{
	struct wifi_ppdu ppdu;
	struct transmission tx = {.ppdu = &ppdu};

	memset(&ppdu, 0, offsetof(struct wifi_ppdu, mpdus));
	ppdu.flags = aggregate ? PPDU_BLOCK_ACK : 0;
	ppdu.steps[0] = *step;
	ppdu.bytes = bytes;
	transmission_plan(dev->air, &tx, 0);
	return tx.end;
}

/* Either of two independent losses, 2^-32. */
static u64 either(u64 a, u64 b)
{
	return a + b - (u64)(((unsigned __int128)a * b) >> 32);
}

u64 air_loss(struct air *air, const struct transmission *tx, u32 to, u32 bytes, sim_time at,
	     s32 noise)
{
	wifi_rate r = tx->ppdu->steps[tx->ppdu->step].rate;
	u64 loss = (u64)params_of(air)->loss;

	if (air->channel)
		loss = either(loss, air->channel_ops->loss(air->channel, tx->dev->station, to, r,
							   bytes, tx->data, noise));
	if (air->interferer)
		loss = either(loss, air->interferer_ops->loss(air->interferer, tx->dev->station, to,
							      r, bytes, at, POWER_NONE));
	return loss;
}

/* MPDUs from @m to @end, each lost with @threshold; @index: the first one's draw. True: one was not lost. */
static bool receive(struct wifi_mpdu *m, const struct wifi_mpdu *end, u64 threshold, u64 key,
		    u64 index)
{
	bool any = !threshold && m < end;

	for (; !threshold && m < end; m++)
		m->flags |= MPDU_RECEIVED;
	for (; m < end; m++) {
		bool lost = draw_chance(key, index++, threshold);

		m->flags = (u8)((m->flags & ~MPDU_RECEIVED) | (lost ? 0 : MPDU_RECEIVED));
		any |= !lost;
	}
	return any;
}

void transmission_receive(struct air *air, struct transmission *tx)
{
	struct wifi_ppdu *ppdu = tx->ppdu;
	struct wifi_mpdu *m = ppdu->mpdus, *end = m + ppdu->n;
	sim_time at = tx->data;
	bool any = false;

	if (tx->deaf || tx->unheard) {
		tx->answered = false;
		for (; m < end; m++)
			m->flags &= (u8)~MPDU_RECEIVED;
		return;
	}
	/* Frames of one size fare alike, but for what an interferer does in the meantime. */
	while (m < end) {
		struct wifi_mpdu *other = m + 1;
		u32 bytes = m->bytes;

		while (other < end && other->bytes == bytes && !air->interferer)
			other++;
		any |= receive(m, other,
			       air_loss(air, tx, ppdu->to->station, bytes, at, POWER_NONE),
			       tx->dev->loss_key, tx->dev->mpdus + (u64)(m - ppdu->mpdus));
		if (air->interferer)
			at += (sim_time)bytes * 8 * SIM_SEC /
			      wifi_bps(ppdu->steps[ppdu->step].rate);
		m = other;
	}
	tx->dev->mpdus += ppdu->n;
	tx->answered = any && !(ppdu->flags & PPDU_NO_ACK);
}

bool transmission_again(struct air *air, struct transmission *tx)
{
	struct wifi_ppdu *ppdu = tx->ppdu;

	tx->dev->failures++;
	if (ppdu->flags & PPDU_NO_ACK || tx->dev->gone || ppdu->to->gone)
		return false;
	if (ppdu->used[ppdu->step] >= ppdu->steps[ppdu->step].tries) {
		if (ppdu->step + 1 == ppdu->n_steps)
			return false;
		ppdu->step++;
	}
	if (air_expired(tx->dev, ppdu))
		return false;
	for (u32 i = 0; i < ppdu->n && ppdu->sent; i++)
		ppdu->mpdus[i].flags |= MPDU_RETRY;
	air_wait(air, ppdu);
	return true;
}
