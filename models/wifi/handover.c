// SPDX-License-Identifier: GPL-3.0-or-later
/* Between drivers and the medium: PPDUs that are taken from them and given back, packets that go to receivers. */
#include "wifi/air.h"

#include "engine/lazy.h"
#include "wifi/bss.h"

/* The packet was taken by the air. It stood at the head of its queue since the PPDU before it was through. */
static void tell(const struct wifi_ppdu *ppdu, struct packet *p)
{
	sim_time head = p->since > ppdu->served ? p->since : ppdu->served;

	p->spent[p->layer] += head - p->since;
	p->spent[LAYER_CONTEND] += ppdu->taken - head;
	p->layer = LAYER_AIR;
	p->since = ppdu->taken;
}

/* Most packets are told of that together with their arrival: receive_all(). The others here. */
static void tell_all(struct wifi_ppdu *ppdu)
{
	if (!ppdu->untold)
		return;
	ppdu->untold = false;
	for (u32 i = 0; i < ppdu->n; i++) {
		struct packet *p = ppdu->mpdus[i].p;

		for (; p; p = p->skb.next ? packet_of(p->skb.next) : NULL)
			tell(ppdu, p);
	}
}

static void enter_all(struct wifi_ppdu *ppdu, enum layer layer, sim_time now)
{
	for (u32 i = 0; i < ppdu->n; i++)
		for (struct sk_buff *skb = &ppdu->mpdus[i].p->skb; skb; skb = skb->next)
			packet_enter(packet_of(skb), layer, now);
}

void air_wait(struct air *air, struct wifi_ppdu *ppdu)
{
	tell_all(ppdu);
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

/* What the driver would have been given by now; and, unless there is @more, what it would be given later. */
static void catch_up(const struct wifi_dev *dev, bool more)
{
	if (!dev->lazy)
		return;
	if (more)
		lazy_catch_up(dev->lazy);
	else
		lazy_end(dev->lazy);
}

static bool tx_status(struct wifi_dev *dev, struct wifi_ppdu *ppdu)
{
	bool more;

	catch_up(dev, true);
	more = dev->ops->tx_status(dev->arg, ppdu);
	catch_up(dev, more);
	return more;
}

/* A PPDU that is not sent, or not again, is through. True: there is more to send. */
static bool give_back(struct air *air, struct wifi_dev *dev, u32 c, struct wifi_ppdu *ppdu)
{
	bool more;

	tell_all(ppdu);
	air->returned += air_count(ppdu);
	air->served[c] = air->obj.sim->now;
	more = tx_status(dev, ppdu);
	pool_put(air->ppdus, ppdu);
	return more;
}

/* The driver's next PPDU. */
static struct wifi_ppdu *pull(struct air *air, struct wifi_dev *dev, u32 c)
{
	struct sim *sim = air->obj.sim;
	struct wifi_ppdu *ppdu;

	catch_up(dev, true);
	ppdu = dev->ops->pull(dev->arg, QUEUE_AC(c % EDCA_QUEUES));
	catch_up(dev, ppdu != NULL);
	if (!ppdu)
		return NULL;
	ppdu->ac = (u8)QUEUE_AC(c % EDCA_QUEUES);
	SIM_CHECK(sim, &air->obj, ppdu->n && ppdu->n <= WIFI_MPDUS && ppdu->n_steps && ppdu->to,
		  "%s gave an incomplete PPDU", dev->path);
	for (u32 i = 0; i < ppdu->n; i++)
		air->taken += ppdu->mpdus[i].n;
	ppdu->taken = sim->now;
	ppdu->served = air->served[c];
	ppdu->untold = true;
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

/* The packets of an MPDU, or copies of them, as the receiver gets them, behind @list. */
static __attribute__((noinline)) void receive(struct air *air, const struct transmission *tx,
					      struct wifi_mpdu *m, bool copies,
					      struct packet_fifo *list)
{
	const struct wifi_ppdu *ppdu = tx->ppdu;
	struct packet *p = m->p, *next;
	u8 flags = 0;

	for (; p; p = next) {
		next = p->skb.next ? packet_of(p->skb.next) : NULL;
		if (copies) {
			p = packet_clone(air->obj.sim, p);
			air->copies++;
		} else {
			air->handed++;
			keep_account(air, m, p);
		}
		if (ppdu->untold)
			tell(ppdu, p);
		packet_enter(p, LAYER_HOST, air->obj.sim->now);
		p->tid = ppdu->tid;
		p->ac = ppdu->ac;
		p->mac.seq = m->seq;
		p->mac.retries = m->flags & MPDU_RETRY ? 1 : 0;
		p->mac.flags = flags | (next ? RX_AMSDU_MORE : 0);
		p->mac.airtime = ppdu->steps[ppdu->step].rate;
		p->mac.word = tx->dev->station;
		flags = RX_AMSDU_NEXT;
		packet_fifo_push(list, p);
	}
	if (!copies)
		m->p = NULL;
}

/* The same of all that were received of a first attempt. Most are single packets that nobody keeps account of: what they have in common is looked up once. */
static void receive_all(struct air *air, const struct transmission *tx, struct packet_fifo *list)
{
	struct wifi_ppdu *ppdu = tx->ppdu;
	sim_time now = air->obj.sim->now, taken = ppdu->taken, served = ppdu->served;
	u16 rate = ppdu->steps[ppdu->step].rate, station = tx->dev->station;
	u8 tid = ppdu->tid, ac = ppdu->ac;

	for (struct wifi_mpdu *m = ppdu->mpdus, *end = m + ppdu->n; m < end; m++) {
		struct packet *p = m->p;
		sim_time since, head;

		if (!(m->flags & MPDU_RECEIVED))
			continue;
		if (m->n > 1 || p->skb.destructor) {
			receive(air, tx, m, false, list);
			continue;
		}
		since = p->since;
		head = since > served ? since : served;
		p->spent[p->layer] += head - since;
		p->spent[LAYER_CONTEND] += taken - head;
		p->spent[LAYER_AIR] += now - taken;
		p->layer = LAYER_HOST;
		p->since = now;
		p->tid = tid;
		p->ac = ac;
		p->mac.seq = m->seq;
		p->mac.retries = m->flags / MPDU_RETRY % 2;
		p->mac.flags = 0;
		p->mac.airtime = rate;
		p->mac.word = station;
		packet_fifo_push(list, p);
		m->p = NULL;
		air->handed++;
	}
}

void air_deliver(struct air *air, struct transmission *tx, bool copies)
{
	struct wifi_ppdu *ppdu = tx->ppdu;
	const struct wifi_dev *to = ppdu->to;
	struct packet_fifo list = {0};
	struct packet *p;

	if (copies)
		tell_all(ppdu);
	if (ppdu->untold)
		receive_all(air, tx, &list);
	else
		for (u32 i = 0; i < ppdu->n; i++)
			if (ppdu->mpdus[i].flags & MPDU_RECEIVED)
				receive(air, tx, &ppdu->mpdus[i], copies, &list);
	if (to->ops->rx_all && list.n)
		to->ops->rx_all(to->arg, &list);
	while ((p = packet_fifo_pop(&list))) {
		p->skb.next = NULL;
		to->ops->rx(to->arg, p);
	}
	if (to->ops->rx_end)
		to->ops->rx_end(to->arg);
}

void transmission_conclude(struct air *air, struct transmission *tx)
{
	struct wifi_ppdu *ppdu = tx->ppdu;
	u8 received = tx->answered ? MPDU_RECEIVED : 0;
	bool more = false;

	for (u32 i = 0; i < ppdu->n; i++) {
		struct wifi_mpdu *m = &ppdu->mpdus[i];

		if (m->flags & received) {
			m->flags |= MPDU_ACKED;
			ppdu->n_acked++;
			if (m->p)
				let_go(air, m);
		} else if (m->p) {
			tell_all(ppdu);
			air->returned += m->n;
		}
	}
	ppdu->acked = tx->answered;
	air->served[tx->contender] = air->obj.sim->now;
	if (ppdu->flags & PPDU_BEACON)
		more = tx->dev->bss->due; /* the next one fell due while this was on the air */
	else
		more = tx_status(tx->dev, ppdu);
	pool_put(air->ppdus, ppdu);
	if (!more)
		edca_withdraw(&air->edca, tx->contender);
}
