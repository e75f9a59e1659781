// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Stations that are away for a while: power save and scans on other channels. A station tells its access point with a
 * nullfunc frame, whose power management bit is set, once its own queues are stopped and empty; the access point keeps
 * frames for it and says so in its beacons.
 *
 * Source: Linux 6.1 net/mac80211/mlme.c (dynamic power save), offchannel.c, scan.c (the station), sta_info.c, tx.c,
 * status.c (the access point).
 */
#include "mac80211/internal.h"

#include "mac80211/jiffies.h"
#include "mac80211/mac80211.h"

#define ERA_WHEEL  40800
#define FLUSH_STEP SIM_MS /* the queue is looked at so often */
#define FLUSH_MAX  (200 * SIM_MS) /* and for so long: HZ / 5 of ath9k */
#define PROBE_DELAY(hz) \
	((hz) / 33) /* ticks: IEEE80211_PROBE_DELAY, _CHANNEL_TIME, _PASSIVE_CHANNEL_TIME */
#define CHANNEL(hz)  ((hz) / 33)
#define PASSIVE(hz)  ((hz) / 9)
#define AWAY_MAX(hz) ((hz) / 8) /* further channels are visited if they fit into this */
#define HOME(hz)     ((hz) / 5) /* between two excursions */
#define BUFFER_MAX   64u /* STA_MAX_TX_BUFFER, a category */
#define BUFFER_TOTAL 512u /* TOTAL_MAX_TX_BUFFER, of all stations */

/* ---- the station ----------------------------------------------------------------------------------- */

static void at_ticks(struct mac80211 *mac, struct event *ev, int64_t ticks)
{
	int64_t now = jiffies_at(mac->hz, mac->obj.sim->now);

	event_schedule(mac->obj.sim, ev,
		       jiffies_time(mac->hz,
				    jiffies_timer(now, now + ticks, mac->era < ERA_WHEEL)));
}

static struct sta *own_ap(const struct mac80211 *mac)
{
	return container_of(mac->peers[0], struct sta, soft);
}

static void send_null(struct mac80211 *mac, bool pm)
{
	mac_send_mgmt(mac, own_ap(mac), &(struct softmac_mgmt){.kind = MGMT_NULL, .pm = pm});
}

static void count_away(struct mac80211 *mac)
{
	struct away *a = &mac->away;

	a->ns += (u64)(mac->obj.sim->now - a->since);
	a->since = mac->obj.sim->now;
}

static void set_presence(struct mac80211 *mac, enum wifi_presence presence)
{
	struct away *a = &mac->away;

	if (mac->dev->presence != WIFI_PRESENT)
		count_away(mac);
	else if (presence != WIFI_PRESENT)
		a->times++;
	a->since = mac->obj.sim->now;
	wifi_set_presence(mac->dev, presence);
}

/* The queues above are opened, and what waits in station queues goes on. */
static void open_queues(struct mac80211 *mac)
{
	mac->away.off = false;
	for (u32 q = 0; q < NETDEV_QUEUES_MAX; q++)
		mac_pending(mac, q);
	if (mac->pulls)
		for (u32 i = 0; i < mac->n_peers; i++)
			pull_wake_sta(mac, container_of(mac->peers[i], struct sta, soft));
}

static void rest_later(struct mac80211 *mac)
{
	if (mac->away.saves)
		event_postpone(mac->obj.sim, &mac->away.idle,
			       mac->obj.sim->now + mac_params(mac)->ps_timeout);
}

void away_active(struct mac80211 *mac)
{
	struct away *a = &mac->away;

	if (a->state == AWAY_DOZES) {
		set_presence(mac, WIFI_PRESENT);
		a->state = AWAY_NOT;
	} else if (a->state == AWAY_TELLS) {
		a->state = AWAY_NOT;
	}
	rest_later(mac);
}

/* What goes out by itself, not because a packet came from above, wakes a station as well (ieee80211_tx_h_dynamic_ps()). */
void away_wake(struct mac80211 *mac)
{
	if (mac->away.state == AWAY_DOZES)
		away_active(mac);
}

/* Nothing has come or gone for a while: the station dozes, if its access point hears of it. */
static void idle(struct sim *sim, struct event *ev)
{
	struct mac80211 *mac = container_of(ev, struct mac80211, away.idle);

	if (mac->away.state != AWAY_NOT)
		return;
	if (mac->ops->held && mac->ops->held(mac->drv)) {
		rest_later(mac);
		return;
	}
	mac->away.state = AWAY_TELLS;
	send_null(mac, true);
}

void away_null_done(struct mac80211 *mac, bool acked)
{
	struct away *a = &mac->away;

	if (a->state != AWAY_TELLS)
		return;
	a->state = acked ? AWAY_DOZES : AWAY_NOT;
	if (acked)
		set_presence(mac, WIFI_DOZES);
	else
		rest_later(mac);
}

static void away_beacon(void *arg, bool traffic)
{
	struct mac80211 *mac = arg;

	if (mac->away.state != AWAY_DOZES || !traffic)
		return;
	away_active(mac);
	send_null(mac, false);
}

/* ---- off the channel -------------------------------------------------------------------------------- */

/* What the interface's queue above holds back waits for the end of this. */
static bool traffic_waits(const struct mac80211 *mac)
{
	for (u32 q = 0; q < NETDEV_QUEUES_MAX; q++)
		if (mac->told[q] || mac->pending[q].n)
			return true;
	return false;
}

/* Ticks that the next channels take; they are done then. */
static int64_t visit(struct mac80211 *mac)
{
	struct away *a = &mac->away;
	const struct mac80211_params *p = mac_params(mac);
	int64_t all = 0, ticks;

	while (a->left) {
		u32 next = (u32)(p->scan_channels + p->scan_passive) - a->left;

		ticks = next < p->scan_passive ? PASSIVE(mac->hz)
					       : PROBE_DELAY(mac->hz) + CHANNEL(mac->hz);
		if (all && (traffic_waits(mac) || all + ticks > AWAY_MAX(mac->hz)))
			break;
		all += ticks;
		a->left--;
	}
	return all;
}

static void leave_channel(struct mac80211 *mac)
{
	struct away *a = &mac->away;

	a->state = AWAY_GONE;
	set_presence(mac, WIFI_AWAY);
	if (a->span)
		event_schedule_in(mac->obj.sim, &a->step, a->span);
	else
		at_ticks(mac, &a->step, visit(mac));
}

static void stop_queues(struct mac80211 *mac)
{
	struct away *a = &mac->away;

	/* one that dozes has told its access point already */
	a->told = a->state == AWAY_DOZES;
	a->state = AWAY_FLUSHES;
	a->off = true;
	a->flush_end = mac->obj.sim->now + FLUSH_MAX;
	event_schedule(mac->obj.sim, &a->step, mac->obj.sim->now);
}

static void return_to_channel(struct mac80211 *mac)
{
	struct away *a = &mac->away;

	a->state = AWAY_NOT;
	set_presence(mac, WIFI_PRESENT);
	send_null(mac, false);
	open_queues(mac);
	rest_later(mac);
	if (!a->span && a->left)
		at_ticks(mac, &a->again, HOME(mac->hz));
	a->span = 0;
}

/* Once the queues are stopped: the driver's empty, the access point is told, that frame goes out, the channel is left. */
static void step(struct sim *sim, struct event *ev)
{
	struct mac80211 *mac = container_of(ev, struct mac80211, away.step);
	struct away *a = &mac->away;
	bool empty = !mac->ops->held || !mac->ops->held(mac->drv) || sim->now >= a->flush_end;

	if (a->state == AWAY_GONE) {
		return_to_channel(mac);
		return;
	}
	if (!empty) {
		event_schedule_in(sim, &a->step, FLUSH_STEP);
		return;
	}
	if (a->told) {
		leave_channel(mac);
		return;
	}
	a->told = true;
	a->flush_end = sim->now + FLUSH_MAX;
	send_null(mac, true);
	event_schedule_in(sim, &a->step, FLUSH_STEP);
}

/* Whether the station can go now; one that is about to, or is away, is left alone. */
static bool may_go(const struct away *a)
{
	return a->state != AWAY_FLUSHES && a->state != AWAY_GONE;
}

static void scan(struct sim *sim, struct event *ev)
{
	struct mac80211 *mac = container_of(ev, struct mac80211, away.scan);
	const struct mac80211_params *p = mac_params(mac);

	if (p->scan_interval)
		event_schedule_in(sim, &mac->away.scan, p->scan_interval);
	if (mac->away.left || !may_go(&mac->away))
		return; /* -EBUSY */
	mac->away.left = (u32)(p->scan_channels + p->scan_passive);
	if (mac->away.left)
		stop_queues(mac);
}

static void scan_again(struct sim *sim, struct event *ev)
{
	struct mac80211 *mac = container_of(ev, struct mac80211, away.again);

	if (may_go(&mac->away))
		stop_queues(mac);
	else
		at_ticks(mac, ev, HOME(mac->hz));
}

static void absent(struct sim *sim, struct event *ev)
{
	struct mac80211 *mac = container_of(ev, struct mac80211, away.absent);
	struct away *a = &mac->away;
	const struct absence *list = mac_params(mac)->absent.items;

	if (may_go(a)) {
		a->span = list[a->next].span;
		stop_queues(mac);
	}
	if (++a->next < mac_params(mac)->absent.n)
		event_schedule(sim, ev, list[a->next].at);
}

void away_init(struct mac80211 *mac)
{
	const struct mac80211_params *p = mac_params(mac);
	struct away *a = &mac->away;

	event_init(&a->idle, idle, RANK_TIMER);
	event_init(&a->step, step, RANK_TIMER);
	event_init(&a->scan, scan, RANK_TIMER);
	event_init(&a->again, scan_again, RANK_TIMER);
	event_init(&a->absent, absent, RANK_TIMER);
	if (p->power_save || p->scan_start != PARAM_UNSET || p->absent.n)
		wifi_may_be_absent(mac->dev);
}

void mac80211_check_away(const struct slot *mac, const char *why, struct model_check *c)
{
	static const char text[] = "is a station's that has an access point, but %s";
	const struct mac80211_params *p = mac->params;

	if (p->power_save)
		model_check_error(c, "power_save", text, why);
	if (p->scan_start != PARAM_UNSET)
		model_check_error(c, "scan_start", text, why);
	if (p->absent.n)
		model_check_error(c, "absent", text, why);
}

void away_start(struct mac80211 *mac)
{
	const struct mac80211_params *p = mac_params(mac);
	const struct absence *list = p->absent.items;
	struct sim *sim = mac->obj.sim;
	struct away *a = &mac->away;

	if (!wifi_has_ap(mac->dev))
		return;
	a->saves = p->power_save;
	if (a->saves)
		wifi_listen(mac->dev, away_beacon, mac);
	rest_later(mac);
	/* what was due while it had left is not made up for */
	if (p->scan_start != PARAM_UNSET && p->scan_start >= sim->now)
		event_schedule(sim, &a->scan, p->scan_start);
	else if (p->scan_start != PARAM_UNSET && p->scan_interval)
		event_schedule(sim, &a->scan,
			       sim->now + p->scan_interval -
				       (sim->now - p->scan_start) % p->scan_interval);
	while (a->next < p->absent.n && list[a->next].at < sim->now)
		a->next++;
	if (a->next < p->absent.n)
		event_schedule(sim, &a->absent, list[a->next].at);
}

void away_stop(struct mac80211 *mac)
{
	struct sim *sim = mac->obj.sim;
	struct away *a = &mac->away;
	struct event *events[] = {&a->idle, &a->step, &a->scan, &a->again, &a->absent};

	for (u32 i = 0; i < sizeof(events) / sizeof(events[0]); i++)
		event_cancel(sim, events[i]);
	if (mac->dev->presence != WIFI_PRESENT)
		count_away(mac);
	a->state = AWAY_NOT;
	a->left = 0;
	a->span = 0;
	if (a->off)
		open_queues(mac);
}

void away_window_open(struct mac80211 *mac)
{
	mac->away.ns = 0;
	mac->away.times = 0;
	mac->away.since = mac->obj.sim->now;
}

int64_t away_share(const struct object *obj, int64_t window)
{
	const struct mac80211 *mac = (const struct mac80211 *)obj;
	u64 ns = mac->away.ns;

	if (mac->dev->presence != WIFI_PRESENT)
		ns += (u64)(obj->sim->now - mac->away.since);
	return window ? (int64_t)((__int128)ns * 1000000 / window) : METRIC_ABSENT;
}

/* ---- the access point ------------------------------------------------------------------------------- */

static void drop_buffered(struct mac80211 *mac, struct packet *p)
{
	mac->ps_dropped++;
	mac->ps_lost++;
	mac->ps_buffered--;
	packet_free(mac->obj.sim, p);
}

/* All stations have too much: each loses the oldest frame of its lowest category that has one (purge_old_ps_buffers()). */
static void purge_old(struct mac80211 *mac)
{
	for (u32 i = 0; i < mac->n_peers; i++) {
		struct sta *sta = container_of(mac->peers[i], struct sta, soft);

		for (u32 ac = AC_COUNT; ac-- > 0;) {
			struct packet *p = packet_fifo_pop(&sta->ps_buffer[ac]);

			if (!p)
				continue;
			drop_buffered(mac, p);
			break;
		}
	}
}

void ps_buffer(struct mac80211 *mac, struct sta *sta, struct packet *p)
{
	struct packet_fifo *f = &sta->ps_buffer[p->ac];

	packet_enter(p, LAYER_TXQ, mac->obj.sim->now);
	packet_set_sta(p, &sta->soft);
	if (mac->ps_buffered >= BUFFER_TOTAL)
		purge_old(mac);
	if (f->n >= BUFFER_MAX)
		drop_buffered(mac, packet_fifo_pop(f));
	packet_fifo_push(f, p);
	mac->ps_buffered++;
	wifi_tim(sta->soft.dev, true);
}

/* A frame that the hardware did not send, as its station sleeps (ieee80211_handle_filtered_frame()). */
void ps_filtered(void *up, struct packet *p)
{
	struct mac80211 *mac = up;
	struct sta *sta = container_of(packet_sta(p), struct sta, soft);
	struct packet_fifo *f = &sta->filtered[p->ac];

	/* it was counted when it was given, or when its station queue took it */
	if (mac->pulls && p->proto != PROTO_WIFI_MGMT)
		mac->queued--;
	else
		mac->given--;
	mac->ps_filtered++;
	packet_enter(p, LAYER_TXQ, mac->obj.sim->now);
	mac->ps_buffered++;
	if (sta->soft.asleep && f->n < BUFFER_MAX) {
		packet_fifo_push(f, p);
		wifi_tim(sta->soft.dev, true);
	} else {
		drop_buffered(mac, p);
	}
}

static void sleeps(struct mac80211 *mac, struct sta *sta)
{
	sta->soft.asleep = true;
	if (mac->pulls && pull_sleep_sta(mac, sta))
		wifi_tim(sta->soft.dev, true);
	if (mac->ops->sleep && mac->ops->sleep(mac->drv, &sta->soft, true))
		wifi_tim(sta->soft.dev, true);
}

/* What came back goes first, then what was kept, each by category; both behind what its station queues have. */
static void wakes(struct mac80211 *mac, struct sta *sta)
{
	struct packet_fifo all = {0};
	struct packet *p;

	sta->soft.asleep = false;
	wifi_tim(sta->soft.dev, false);
	for (u32 ac = 0; ac < AC_COUNT; ac++) {
		packet_fifo_splice(&all, &sta->filtered[ac]);
		packet_fifo_splice(&all, &sta->ps_buffer[ac]);
	}
	mac->ps_buffered -= all.n;
	if (mac->ops->sleep)
		mac->ops->sleep(mac->drv, &sta->soft, false);
	while ((p = packet_fifo_pop(&all))) {
		if (mac->pulls && p->proto != PROTO_WIFI_MGMT)
			pull_queue(mac, sta, p);
		else
			mac_give(mac, sta, p);
	}
	if (mac->pulls)
		pull_wake_sta(mac, sta);
}

void ps_heard(struct mac80211 *mac, struct sta *sta, bool pm)
{
	if (pm && !sta->soft.asleep)
		sleeps(mac, sta);
	else if (!pm && sta->soft.asleep)
		wakes(mac, sta);
}

u64 ps_held(const struct sta *sta)
{
	u64 n = 0;

	for (u32 ac = 0; ac < AC_COUNT; ac++)
		n += sta->ps_buffer[ac].n + sta->filtered[ac].n;
	return n;
}

void ps_clear_sta(struct mac80211 *mac, struct sta *sta)
{
	struct packet *p;

	for (u32 ac = 0; ac < AC_COUNT; ac++) {
		while ((p = packet_fifo_pop(&sta->ps_buffer[ac])))
			packet_free(mac->obj.sim, p);
		while ((p = packet_fifo_pop(&sta->filtered[ac])))
			packet_free(mac->obj.sim, p);
	}
}
