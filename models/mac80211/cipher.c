// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * CCMP in software: each data frame takes the node's processor a time by its bytes. Sending is held up as the transmit path
 * is that ciphers inline: what is pulled or given at one instant is ciphered one after the other, and the next may come
 * when that is done. A frame that is received goes up when its turn has come.
 *
 * Source: Linux 6.1 net/mac80211/wpa.c, tx.c (invoke_tx_handlers_late), rx.c (ieee80211_rx_h_decrypt).
 */
#include "mac80211/internal.h"

#define UNIT	1024 /* bytes that a cost is for */
#define SNAP	8
#define RX_RING 256 /* RX_QUEUE_SIZE of Intel's cards: frames that wait for the processor */

/* The processor is done with it. */
static sim_time charge(struct mac80211 *mac, const struct packet *p)
{
	sim_time cost = mac_params(mac)->cipher_cost * (packet_ip_len(p) + SNAP) / UNIT;

	cpu_charge(mac->cpu, mac->obj.sim->now, cost);
	return mac->cpu->free;
}

bool cipher_busy(const struct mac80211 *mac)
{
	sim_time now = mac->obj.sim->now;

	return mac->ciphers && mac->cipher_at != now && cpu_when_free(mac->cpu, now) > now;
}

bool cipher_tx(struct mac80211 *mac, const struct packet *p)
{
	struct sim *sim = mac->obj.sim;
	sim_time done;

	if (!mac->ciphers)
		return false;
	mac->cipher_at = sim->now;
	done = charge(mac, p);
	if (done > sim->now)
		event_postpone(sim, &mac->cipher_done, done);
	return done > sim->now;
}

/* The queues go on. */
static void tx_done(struct sim *sim, struct event *ev)
{
	struct mac80211 *mac = container_of(ev, struct mac80211, cipher_done);

	/* others may have got the processor meanwhile */
	if (cpu_when_free(mac->cpu, sim->now) > sim->now) {
		event_schedule(sim, ev, mac->cpu->free);
		return;
	}
	for (u32 q = 0; q < NETDEV_QUEUES_MAX; q++)
		mac_pending(mac, q);
	for (u32 i = 0; mac->pulls && i < mac->n_peers; i++)
		pull_wake_sta(mac, container_of(mac->peers[i], struct sta, soft));
}

bool cipher_rx(struct mac80211 *mac, struct packet *p)
{
	sim_time done;

	if (!mac->ciphers)
		return false;
	if (mac->deciphering.n >= RX_RING) {
		mac->rx_dropped++;
		mac->rx_lost++;
		packet_free(mac->obj.sim, p);
		return true;
	}
	done = charge(mac, p);
	if (done <= mac->obj.sim->now && !mac->deciphering.n)
		return false;
	p->mac.word = (u64)done;
	packet_fifo_push(&mac->deciphering, p);
	if (mac->deciphering.n == 1)
		event_schedule(mac->obj.sim, &mac->decipher_done, done);
	return true;
}

static void rx_done(struct sim *sim, struct event *ev)
{
	struct mac80211 *mac = container_of(ev, struct mac80211, decipher_done);
	struct packet *p;

	while ((p = mac->deciphering.head) && (sim_time)p->mac.word <= sim->now) {
		packet_fifo_pop(&mac->deciphering);
		mac_up_packet(mac, p);
	}
	if (p)
		event_schedule(sim, ev, (sim_time)p->mac.word);
}

void cipher_init(struct mac80211 *mac, struct cpu *cpu)
{
	const struct mac80211_params *p = mac_params(mac);
	bool software = p->software_cipher == PARAM_UNSET ? mac->ops->software_cipher
							  : p->software_cipher;

	mac->cpu = cpu;
	mac->cipher_at = -1;
	mac->ciphers = cpu && software && p->cipher_cost && wifi_encrypted(mac->dev);
	event_init(&mac->cipher_done, tx_done, RANK_TIMER);
	event_init(&mac->decipher_done, rx_done, RANK_TIMER);
}

void cipher_fini(struct mac80211 *mac)
{
	struct packet *p;

	while ((p = packet_fifo_pop(&mac->deciphering)))
		packet_free(mac->obj.sim, p);
}
