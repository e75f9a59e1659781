// SPDX-License-Identifier: GPL-3.0-or-later
/* What stands around mac80211 while a run's time is measured: calls count for the model that they are to. */
#include "mac80211/internal.h"

#include "engine/profile.h"
#include "mac80211/rate-control.h"

/* ---- what the driver calls ------------------------------------------------------------------------ */

#define UP(call) PROFILED((struct object *)up, mac_up.call)

static void up_rx(void *up, struct packet *p)
{
	UP(rx(up, p));
}

static void up_rx_all(void *up, struct packet_fifo *list)
{
	UP(rx_all(up, list));
}

static void up_wake(void *up, u32 queue)
{
	UP(wake(up, queue));
}

static void up_tx_status(void *up, const struct softmac_status *st)
{
	UP(tx_status(up, st));
}

static void up_bar(void *up, struct softmac_tid *tid, u16 start)
{
	UP(bar(up, tid, start));
}

static void up_pull_start(void *up, u32 ac)
{
	UP(pull_start(up, ac));
}

static struct softmac_tid *up_pull_next(void *up, u32 ac)
{
	struct softmac_tid *tid;

	PROFILED((struct object *)up, tid = mac_up.pull_next(up, ac));
	return tid;
}

static struct packet *up_pull(void *up, struct softmac_tid *tid)
{
	struct packet *p;

	PROFILED((struct object *)up, p = mac_up.pull(up, tid));
	return p;
}

static void up_pull_return(void *up, struct softmac_tid *tid, bool force)
{
	UP(pull_return(up, tid, force));
}

static void up_pull_again(void *up, struct softmac_tid *tid)
{
	UP(pull_again(up, tid));
}

static void up_airtime(void *up, struct softmac_tid *tid, u32 tx, u32 rx)
{
	UP(airtime(up, tid, tx, rx));
}

static void up_done(void *up, struct softmac_tid *tid, u32 charged)
{
	UP(done(up, tid, charged));
}

static void up_filtered(void *up, struct packet *p)
{
	UP(filtered(up, p));
}

_Static_assert(sizeof(struct softmac_up) == 13 * sizeof(void (*)(void)), "each call is measured");

const struct softmac_up *mac_profiled_up(struct profile *profile)
{
	struct softmac_up *up = profile_alloc(profile, sizeof(*up));

	*up = mac_up;
	up->rx = up_rx;
	up->rx_all = up_rx_all;
	up->wake = up_wake;
	up->tx_status = up_tx_status;
	up->bar = up_bar;
	up->pull_start = up_pull_start;
	up->pull_next = up_pull_next;
	up->pull = up_pull;
	up->pull_return = up_pull_return;
	up->pull_again = up_pull_again;
	up->airtime = up_airtime;
	up->filtered = up_filtered;
	up->done = up_done;
	return up;
}

/* ---- the driver, the station queues, rate control -------------------------------------------------- */

static enum xmit_result drv_xmit(void *down, u32 queue, struct packet *p)
{
	struct object *drv = down;
	enum xmit_result r;

	PROFILED(drv, r = softmac_ops(drv)->driver.down.xmit(drv, queue, p));
	return r;
}

static void drv_wake_txq(struct object *drv, struct softmac_tid *tid)
{
	PROFILED(drv, softmac_ops(drv)->wake_txq(drv, tid));
}

static void txq_enqueue(struct object *txq, struct txq_tin *tin, struct packet *p)
{
	const struct txq_ops *ops = txq->cls->kind_ops;

	PROFILED(txq, ops->enqueue(txq, tin, p));
}

static struct packet *txq_dequeue(struct object *txq, struct txq_tin *tin, bool slow)
{
	const struct txq_ops *ops = txq->cls->kind_ops;
	struct packet *p;

	PROFILED(txq, p = ops->dequeue(txq, tin, slow));
	return p;
}

static void rc_get_rate(struct object *rc, struct softmac_sta *sta, struct packet *p)
{
	const struct rate_control_ops *ops = rc->cls->kind_ops;

	PROFILED(rc, ops->get_rate(rc, sta, p));
}

static void rc_tx_status(struct object *rc, const struct softmac_status *st)
{
	const struct rate_control_ops *ops = rc->cls->kind_ops;

	PROFILED(rc, ops->tx_status(rc, st));
}

void mac_profile(struct mac80211 *mac)
{
	struct profile *profile = mac->obj.sim->profile;
	struct softmac_ops *ops = profile_alloc(profile, sizeof(*ops));
	struct rate_control_ops *rc = profile_alloc(profile, sizeof(*rc));

	*ops = *mac->ops;
	if (ops->driver.down.xmit)
		ops->driver.down.xmit = drv_xmit;
	if (ops->wake_txq)
		ops->wake_txq = drv_wake_txq;
	mac->ops = ops;

	profile_object(mac->rc, "mac80211");
	*rc = *mac->rc_ops;
	if (rc->get_rate)
		rc->get_rate = rc_get_rate;
	if (rc->tx_status)
		rc->tx_status = rc_tx_status;
	mac->rc_ops = rc;

	if (mac->pulls) {
		struct txq_ops *txq = profile_alloc(profile, sizeof(*txq));

		profile_object(mac->txq, "mac80211");
		*txq = *mac->txq_ops;
		txq->enqueue = txq_enqueue;
		txq->dequeue = txq_dequeue;
		mac->txq_ops = txq;
	}
}
