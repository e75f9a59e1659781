// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Claim: what is done once for the frames of an aggregate gives what doing it for each of them gives.
 *
 * Set-up: an access point and a station that send to each other as fast as they are taken, then in bursts. Once as they are; once
 * with all that parts frames: each has a sender's account and a lifetime (without effect), they go up one by one, and completions
 * are told of each. Air that loses nothing, a tenth, or half; all cards with firmware; station queues or none; A-MSDUs or none;
 * both media; a station that sleeps. Expected: every packet arrives at the same time with the same times in each layer, and all
 * metrics are equal. Tolerance: none.
 */
#include "check-main.h"

#include "driver/fw-card.h"
#include "wifi-lab.h"

#define PACKETS 4000
#define BURSTS	200

struct setting {
	const char *driver, *kernel, *interface, *link;
};

static const struct setting settings[] = {
	{"ath10k", "4.6", "amsdu_frames: 1", ""},
	{"ath10k", "4.6", "amsdu_frames: 1, coalescing: 300us", ""},
	{"ath10k", "4.6", "amsdu_frames: 3", ""},
	{"ath10k", "4.6", "amsdu_frames: 1, mac80211: {model: mac80211, power_save: true}", ""},
	{"ath10k", "4.6", "amsdu_frames: 1, mac80211: {model: mac80211, software_cipher: true}",
	 ""},
	{"ath10k", "4.6", "amsdu_frames: 1", "medium: stations,"},
	{"ath10k", "6.1", "amsdu_frames: 1", ""},
	{"iwlwifi", "3.6", "amsdu: false", ""},
	{"iwlwifi", "6.1", "amsdu: true", ""},
};

static const char *const losses[] = {"0", "0.1", "0.5"};

/* What arrived: a hash over when, which, and where it had been. */
static u64 seen[2];

static void rx_seen(void *up, struct packet *p)
{
	struct wifi_end *e = up;
	u64 *hash = &seen[e - e->lab->ends];
	u64 what[] = {(u64)e->lab->sim->now, p->skb.len, p->mac.seq,	   p->mac.retries,
		      p->mac.flags,	     p->layer,	 (u64)p->mac.word, (u64)p->born};

	for (u32 i = 0; i < sizeof(what) / sizeof(what[0]); i++)
		*hash = (*hash ^ what[i]) * 0x100000001b3;
	for (u32 i = 0; i < LAYER_COUNT; i++)
		*hash = (*hash ^ (u64)p->spent[i]) * 0x100000001b3;
	lab_rx(up, p);
}

static struct layer_up upper;

/* Around a driver: it is told of each frame by itself, and tells of each by itself. */
struct gate {
	const struct wifi_dev_ops *ops;
	struct wifi_dev_ops own_ops;
	const struct softmac_up *up;
	struct softmac_up own_up;
};

static struct gate gates[2];

/* Not all of it arrived, it seems. */
static bool each_status(void *arg, struct wifi_ppdu *ppdu)
{
	if (ppdu->n_acked > 1)
		ppdu->n_acked--;
	return gates[0].ops->tx_status(arg, ppdu);
}

static void each_rx(void *up, struct packet_fifo *list)
{
	struct packet *p;

	while ((p = packet_fifo_pop(list)))
		gates[0].up->rx(up, p);
}

static void set_gate(struct wifi_dev *dev, struct gate *g)
{
	struct fw_card *card = dev->arg;

	*g = (struct gate){
		.ops = dev->ops, .own_ops = *dev->ops, .up = card->up, .own_up = *card->up};
	g->own_ops.rx_all = NULL;
	g->own_ops.tx_status = each_status;
	g->own_up.rx_all = each_rx;
	dev->ops = &g->own_ops;
	card->up = &g->own_up;
}

static void window_open(struct sim *sim, void *arg)
{
	metrics_want(sim, "a.wlan0.driver.bytes.mean");
	metrics_want(sim, "b.wlan0.driver.bytes.mean");
	metrics_window_open(sim);
}

static void collect(struct sim *sim, void *arg)
{
	metrics_window_close(sim);
	*(struct metrics **)arg = metrics_collect(sim, sim->now);
}

static struct metrics *run(const struct setting *s, const char *loss, bool apart)
{
	struct metrics *metrics = NULL;
	struct wifi_lab lab;
	char yaml[1024];

	snprintf(
		yaml, sizeof(yaml),
		"name: lab\nkernel: \"%s\"\nduration: 1s\nnodes:\n"
		"  a: {interfaces: {wlan0: {driver: %s, rate_control: {model: fixed, mcs: 7}}}}\n"
		"  b: {interfaces: {wlan0: {driver: %s, rate_control: {model: fixed, mcs: 7}, %s}}}\n"
		"links:\n  air: {model: wifi, standard: 11n, loss: %s, ap: a.wlan0, %s %s "
		"members: [a.wlan0, b.wlan0]}\n",
		s->kernel, s->driver, s->driver, s->interface, loss, s->link,
		apart ? "lifetime: 3600s," : "");
	lab_open(&lab, yaml);
	upper = lab_upper;
	upper.rx = rx_seen;
	seen[0] = seen[1] = 0;
	for (u32 i = 0; i < 2; i++) {
		struct wifi_end *e = &lab.ends[i];

		e->down->set_up(e->mac, &upper, e);
		e->to = &lab.ends[1 - i];
		e->accounts = apart;
		if (apart)
			set_gate(lab.air->devs[i], &gates[i]);
	}
	ck_assert(!sim_call(lab.sim, window_open, NULL));
	/* the first one has a session set up, during which little is kept */
	lab.ends[0].left = lab.ends[1].left = 1;
	lab_run(&lab, 100 * SIM_MS);
	lab.ends[0].left = lab.ends[1].left = PACKETS;
	lab_run(&lab, 2 * SIM_SEC);
	for (u32 i = 1; i <= BURSTS; i++) {
		lab.ends[0].left += i % 70;
		lab.ends[1].left += i % 3;
		lab_run(&lab, 2 * SIM_SEC + i * 7654321);
	}
	lab_audit(&lab);
	ck_assert_uint_gt(lab.ends[0].received + lab.ends[1].received, PACKETS);
	ck_assert(!sim_call(lab.sim, collect, &metrics));
	lab_close(&lab);
	return metrics;
}

static void compare(const struct setting *s, const char *loss)
{
	struct metrics *once = run(s, loss, false), *each;
	u64 arrived[2] = {seen[0], seen[1]};

	each = run(s, loss, true);
	ck_assert_msg(arrived[0] == seen[0] && arrived[1] == seen[1],
		      "%s, Linux %s, %s%s: arrivals with loss %s differ", s->driver, s->kernel,
		      s->interface, s->link, loss);
	ck_assert_uint_eq(once->n, each->n);
	for (u32 i = 0; i < once->n; i++)
		ck_assert_msg(once->v[i].micro == each->v[i].micro,
			      "%s, Linux %s, %s, loss %s: %s is %lld, %lld", s->driver, s->kernel,
			      s->interface, loss, once->v[i].name, (long long)once->v[i].micro,
			      (long long)each->v[i].micro);
	metrics_free(once);
	metrics_free(each);
}

START_TEST(together_or_apart)
{
	for (size_t i = 0; i < sizeof(settings) / sizeof(settings[0]); i++)
		for (size_t k = 0; k < sizeof(losses) / sizeof(losses[0]); k++)
			compare(&settings[i], losses[k]);
}
END_TEST

CHECK_MAIN("wifi-runs", together_or_apart)
