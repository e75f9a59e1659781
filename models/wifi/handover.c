// SPDX-License-Identifier: GPL-3.0-or-later
/* Between drivers and the medium: PPDUs that are taken from them and given back, packets that go to receivers. */
#include "wifi/air.h"

#include "wifi/bss.h"

static void enter_all(struct wifi_ppdu *ppdu, enum layer layer, sim_time now)
{
	for (u32 i = 0; i < ppdu->n; i++)
		for (struct sk_buff *skb = &ppdu->mpdus[i].p->skb; skb; skb = skb->next)
			packet_enter(packet_of(skb), layer, now);
}

void air_wait(struct air *air, struct wifi_ppdu *ppdu)
{
	enter_all(ppdu, LAYER_CONTEND, air->obj.sim->now);
}

bool wifi_mpdu_expired(const struct wifi_dev *dev, u32 ac, const struct packet *p)
{
	sim_time now = dev->air->obj.sim->now;

	for (const struct sk_buff *skb = &p->skb; skb; skb = skb->next)
		if (!wifi_expired(dev, ac, packet_of((struct sk_buff *)skb), now))
			return false;
	return true;
}

bool air_expired(const struct wifi_dev *dev, const struct wifi_ppdu *ppdu)
{
	if (!dev->lifetime[ppdu->ac] || ppdu->flags & PPDU_CONTROL)
		return false;
	for (u32 i = 0; i < ppdu->n; i++)
		if (ppdu->mpdus[i].p && !wifi_mpdu_expired(dev, ppdu->ac, ppdu->mpdus[i].p))
			return false;
	return true;
}

/* A PPDU that is not sent, or not again, is through. True: there is more to send. */
static bool give_back(struct air *air, struct wifi_dev *dev, u32 c, struct wifi_ppdu *ppdu)
{
	bool more;

	air->returned += air_count(ppdu);
	air->served[c] = air->obj.sim->now;
	more = dev->ops->tx_status(dev->arg, ppdu);
	pool_put(air->ppdus, ppdu);
	return more;
}

/* The driver's next PPDU. */
static struct wifi_ppdu *pull(struct air *air, struct wifi_dev *dev, u32 c)
{
	struct sim *sim = air->obj.sim;
	struct wifi_ppdu *ppdu = dev->ops->pull(dev->arg, QUEUE_AC(c % EDCA_QUEUES));

	if (!ppdu)
		return NULL;
	ppdu->ac = (u8)QUEUE_AC(c % EDCA_QUEUES);
	SIM_CHECK(sim, &air->obj, ppdu->n && ppdu->n <= WIFI_MPDUS && ppdu->n_steps && ppdu->to,
		  "%s gave an incomplete PPDU", dev->path);
	for (u32 i = 0; i < ppdu->n; i++) {
		air->taken += ppdu->mpdus[i].n;
		for (struct sk_buff *skb = &ppdu->mpdus[i].p->skb; skb; skb = skb->next) {
			struct packet *p = packet_of(skb);

			/* It stood at the head of its queue since the one before it was through. */
			packet_enter(p, LAYER_CONTEND,
				     p->since > air->served[c] ? p->since : air->served[c]);
			packet_enter(p, LAYER_AIR, sim->now);
		}
	}
	return ppdu;
}

struct wifi_ppdu *air_take(struct air *air, struct wifi_dev *dev, u32 c)
{
	struct wifi_ppdu *ppdu = air->waiting[c];

	if (c % EDCA_QUEUES == EDCA_BEACONS)
		return beacon_take(dev);
	if (ppdu) {
		enter_all(ppdu, LAYER_AIR, air->obj.sim->now);
		air->waiting[c] = NULL;
	} else {
		ppdu = pull(air, dev, c);
	}
	while (ppdu && __builtin_expect(air_expired(dev, ppdu), 0))
		ppdu = give_back(air, dev, c, ppdu) ? pull(air, dev, c) : NULL;
	return ppdu;
}

/* The packet goes on to the receiver; its sender's account stays open. */
static void keep_account(struct air *air, struct wifi_mpdu *m, struct packet *p)
{
	struct sk_buff *account;

	if (!p->skb.destructor)
		return;
	account = pool_get(air->accounts);
	*account = p->skb;
	account->next = m->account;
	m->account = account;
	p->skb.destructor = NULL;
	p->skb.sk = NULL;
}

/* The receiver has a copy: of the sender's packets only their accounts stay. */
static void let_go(struct air *air, struct wifi_mpdu *m)
{
	struct packet *p, *next;

	for (p = m->p; p; p = next) {
		next = p->skb.next ? packet_of(p->skb.next) : NULL;
		keep_account(air, m, p);
		air->handed++;
		packet_free(air->obj.sim, p);
	}
	m->p = NULL;
}

void wifi_accounts_end(struct wifi_dev *dev, struct sk_buff *accounts)
{
	while (accounts) {
		struct sk_buff *account = accounts;

		accounts = account->next;
		account->destructor(account);
		pool_put(dev->air->accounts, account);
	}
}

void wifi_mpdu_end(struct wifi_dev *dev, struct wifi_mpdu *m)
{
	struct air *air = dev->air;
	struct packet *p, *next;

	for (p = m->p; p; p = next) {
		next = p->skb.next ? packet_of(p->skb.next) : NULL;
		packet_free(air->obj.sim, p);
	}
	wifi_accounts_end(dev, m->account);
	m->account = NULL;
	m->p = NULL;
}

void air_deliver(struct air *air, struct transmission *tx, struct wifi_mpdu *m, bool copy)
{
	struct wifi_ppdu *ppdu = tx->ppdu;
	struct wifi_dev *to = ppdu->to;
	struct packet *p = m->p, *next;
	u8 flags = 0;

	if (!copy)
		m->p = NULL;
	for (; p; p = next) {
		next = p->skb.next ? packet_of(p->skb.next) : NULL;
		if (copy) {
			p = packet_clone(air->obj.sim, p);
			air->copies++;
		} else {
			air->handed++;
			keep_account(air, m, p);
		}
		p->skb.next = NULL;
		packet_enter(p, LAYER_HOST, air->obj.sim->now);
		p->tid = ppdu->tid;
		p->ac = ppdu->ac;
		p->mac.seq = m->seq;
		p->mac.retries = m->flags & MPDU_RETRY ? 1 : 0;
		p->mac.airtime = ppdu->steps[ppdu->step].rate;
		p->mac.word = tx->dev->station;
		p->mac.flags = flags | (next ? RX_AMSDU_MORE : 0);
		flags = RX_AMSDU_NEXT;
		to->ops->rx(to->arg, p);
	}
}

void transmission_conclude(struct air *air, struct transmission *tx)
{
	struct wifi_ppdu *ppdu = tx->ppdu;
	bool more = false;

	for (u32 i = 0; i < ppdu->n; i++) {
		struct wifi_mpdu *m = &ppdu->mpdus[i];

		if (tx->answered && m->flags & MPDU_RECEIVED) {
			m->flags |= MPDU_ACKED;
			ppdu->n_acked++;
			if (m->p)
				let_go(air, m);
		} else if (m->p) {
			air->returned += m->n;
		}
	}
	ppdu->acked = tx->answered;
	air->served[tx->contender] = air->obj.sim->now;
	if (ppdu->flags & PPDU_BEACON)
		more = tx->dev->bss->due; /* the next one fell due while this was on the air */
	else
		more = tx->dev->ops->tx_status(tx->dev->arg, ppdu);
	pool_put(air->ppdus, ppdu);
	if (!more)
		edca_withdraw(&air->edca, tx->contender);
}
