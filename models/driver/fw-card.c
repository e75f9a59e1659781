// SPDX-License-Identifier: GPL-3.0-or-later
#include "driver/fw-card.h"

static struct fw_card *card_of(struct object *obj)
{
	return (struct fw_card *)obj;
}

/* ---- the air ---------------------------------------------------------------------------------------- */

static struct wifi_ppdu *card_pull(void *arg, u32 ac)
{
	return fw_pull(&((struct fw_card *)arg)->fw, ac);
}

static bool card_status(void *arg, struct wifi_ppdu *ppdu)
{
	struct fw_card *d = arg;
	struct softmac_sta *sta = ppdu->cookie;

	d->retries += softmac_retries(ppdu);
	if (!(ppdu->flags & PPDU_CONTROL)) {
		d->ppdus++;
		histogram_add(&d->ampdu, ppdu->n, 1);
		if (d->airtime)
			d->up->airtime(d->up_arg, &sta->tids[ppdu->tid],
				       (u32)(ppdu->airtime / SIM_US), 0);
	}
	softmac_report(d->up, d->up_arg, ppdu);
	return fw_status(&d->fw, ppdu);
}

static void card_rx_all(void *arg, struct packet_fifo *list)
{
	fw_host_received(&((struct fw_card *)arg)->host, list);
}

static void card_rx(void *arg, struct packet *p)
{
	struct packet_fifo one = {0};

	packet_fifo_push(&one, p);
	card_rx_all(arg, &one);
}

static const struct wifi_dev_ops dev_ops = {
	.pull = card_pull,
	.tx_status = card_status,
	.rx = card_rx,
	.rx_all = card_rx_all,
};

static struct fw_done *card_done(struct fw *fw)
{
	return fw_host_done(&container_of(fw, struct fw_card, fw)->host);
}

/* ---- the interrupt ---------------------------------------------------------------------------------- */

static void count_lost(struct fw_card *d, const struct fw_done *done, sim_time now)
{
	u32 cause = d->lost_cause + done->cause;
	struct packet *p, *next;

	for (p = done->lost; p; p = next) {
		next = p->skb.next ? packet_of(p->skb.next) : NULL;
		queue_stat_drop(&d->stat, now, p->skb.len, cause);
		queue_stat_drop(&d->stat_ac[done->ac], now, p->skb.len, cause);
		packet_free(d->obj.sim, p);
	}
}

/* Packets of one category that arrived, and are to be counted as out. */
struct sent {
	u32 ac, packets;
	u64 bytes;
	sim_time since; /* of the last .alike of them; more often than not they came together */
	u32 alike;
};

static void count_sojourn(struct fw_card *d, struct sent *sent, sim_time now)
{
	if (!sent->alike)
		return;
	histogram_add(&d->stat.sojourn, now - sent->since, sent->alike);
	histogram_add(&d->stat_ac[sent->ac].sojourn, now - sent->since, sent->alike);
	sent->alike = 0;
}

static void count_sent(struct fw_card *d, struct sent *sent, sim_time now)
{
	if (!sent->packets)
		return;
	count_sojourn(d, sent, now);
	d->packets += sent->packets;
	queue_stat_out_many(&d->stat, now, sent->packets, sent->bytes);
	queue_stat_out_many(&d->stat_ac[sent->ac], now, sent->packets, sent->bytes);
	*sent = (struct sent){.ac = sent->ac};
}

static void add_sent(struct fw_card *d, const struct fw_done *done, struct sent *sent, sim_time now)
{
	if (done->ac != sent->ac)
		count_sent(d, sent, now);
	else if (done->since != sent->since)
		count_sojourn(d, sent, now);
	sent->ac = done->ac;
	sent->since = done->since;
	sent->alike += done->n;
	sent->packets += done->n;
	sent->bytes += done->len;
}

/*
 * What a queue holds is weighed with the time that it stands for, so what goes out at one instant may be counted together: up
 * to where others are told and may look.
 */
static void host_complete(struct fw_host *h)
{
	struct fw_card *d = container_of(h, struct fw_card, host);
	struct sent sent = {0};

	for (u32 i = 0; i < h->n_done; i++) {
		const struct fw_done done = h->done[i];

		if (done.lost)
			count_lost(d, &done, h->sim->now);
		else
			add_sent(d, &done, &sent, h->sim->now);
		if (d->completed)
			d->completed(d, &done);
		if (!done.accounts)
			continue;
		count_sent(d, &sent, h->sim->now);
		wifi_accounts_end(d->dev, done.accounts);
	}
	count_sent(d, &sent, h->sim->now);
}

static void host_rx(struct fw_host *h, struct packet_fifo *list)
{
	struct fw_card *d = container_of(h, struct fw_card, host);

	d->up->rx_all(d->up_arg, list);
}

/* ---- the object ------------------------------------------------------------------------------------- */

void fw_card_init(struct fw_card *d, const char *const *causes)
{
	queue_stat_init(&d->stat, causes);
	for (u32 ac = 0; ac < AC_COUNT; ac++)
		queue_stat_init(&d->stat_ac[ac], NULL);
}

void fw_card_attach(struct fw_card *d, const struct driver_env *env, bool pulls)
{
	d->dev = env->medium;
	d->era = env->era;
	d->pulls = pulls;
	fw_init(&d->fw, &d->obj, d->dev);
	d->fw.done = card_done;
	d->host.rx = host_rx;
	d->host.complete = host_complete;
	fw_host_init(&d->host, d->obj.sim);
	wifi_dev_attach(d->dev, &dev_ops, d);
}

void fw_card_fini(struct fw_card *d)
{
	if (d->host.sim)
		fw_host_clear(&d->host);
	fw_clear(&d->fw);
}

void fw_card_window_open(struct object *obj)
{
	card_of(obj)->host.interrupts = 0;
	card_of(obj)->packets = 0;
}

void fw_card_audit(const struct fw_card *d, struct model_audit *a, const char *name)
{
	a->queue(a->arg, name, queue_stat_taken(&d->stat), d->fw.taken - d->fw.given,
		 d->stat.dropped, fw_held(&d->fw) + fw_host_lost(&d->host));
	a->queue(a->arg, "rx", d->host.rx_in, d->host.rx_out, 0, d->host.received.n);
}

bool fw_card_absorbs(struct fw_card *d, const struct softmac_tid *tid, struct lazy *l)
{
	d->host.lazy = l;
	return wifi_waits(d->dev, tid->ac, l);
}

void fw_card_set_up(struct object *drv, const struct softmac_up *ops, void *up)
{
	card_of(drv)->up = ops;
	card_of(drv)->up_arg = up;
}

void fw_card_ampdu(struct object *drv, struct softmac_tid *tid, enum softmac_ampdu action,
		   u16 *start)
{
	fw_queue_ampdu(tid->drv, action, start);
}

bool fw_card_pulls(struct object *drv)
{
	return card_of(drv)->pulls;
}

u32 fw_card_held(const struct object *drv)
{
	return (u32)queue_stat_packets(&((const struct fw_card *)drv)->stat);
}

bool fw_card_sleep(struct object *drv, struct softmac_sta *sta, bool asleep)
{
	return fw_sleep(&card_of(drv)->fw, sta, asleep);
}

void fw_card_forget(struct object *drv, struct softmac_sta *sta)
{
	fw_forget(&card_of(drv)->fw, sta);
}

int64_t fw_card_interrupts(const struct object *obj, int64_t window)
{
	const struct fw_card *d = (const struct fw_card *)obj;

	return d->packets ? (int64_t)(d->host.interrupts * 1000000 / d->packets) : METRIC_ABSENT;
}
