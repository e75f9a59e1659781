// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * compare-rate RATE.so CALLS
 * Claim: our minstrel_ht chooses as Linux's own file does.
 * Set-up: 100 loss tables, each for a radio of 802.11b, a, g, n or ac with its own width, streams, guard interval and retry
 * chain, and three stations. Once ours and once the file of the tree that RATE.so was built from stand behind a rate
 * control object of one name, so that both draw the same table of random samples. Both are asked about the same frames and told the same outcomes:
 * A-MPDUs of one to 32 MPDUs, drawn by rate from the table, which also changes now and then; pauses up to a minute.
 * Expected: after each call the same chains, tries, RTS, A-MSDU limits and expected throughput, and the same samples.
 * Tolerance: none.
 */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <glib.h>

#include "engine/draw.h"
#include "kernel/shim/loader.h"
#include "mac80211/minstrel-ht.h"
#include "net/host.h"
#include "wifi/air.h"

#define TABLES 100
#define STAS   3

extern const struct model_class minstrel_ht_class, linux_minstrel_ht_class;

struct side {
	struct sim *sim;
	struct object *rc;
	const struct rate_control_ops *ops;
	struct softmac_sta stas[STAS];
	u32 kbit[STAS];
	struct packet *p;
	const char *name;
};

/* The radio and what is lost on it, the same for both. */
struct bed {
	struct air air;
	struct air_params params;
	struct wifi_dev dev;
	struct mh_params mh;
	struct rate_control_env env;
	u64 key; /* of this table's probabilities */
	u32 epoch, slope;
	char text[96];
};

/* ---- radios and losses ---------------------------------------------------------------------------- */

static void bed_init(struct bed *b, struct draw *d, u32 number)
{
	static const enum wifi_standard standards[] = {WIFI_11N, WIFI_11AC, WIFI_11N, WIFI_11AC,
						       WIFI_11G, WIFI_11B,  WIFI_11A, WIFI_11N};
	enum wifi_standard standard = standards[number % 8];
	bool ghz5 = standard == WIFI_11A || standard == WIFI_11AC ||
		    (standard == WIFI_11N && draw_next_below(d, 2));
	u32 widths = standard == WIFI_11AC ? 3 : standard == WIFI_11N ? 2 : 1;

	memset(b, 0, sizeof(*b));
	b->air.obj.params = &b->params;
	b->dev.air = &b->air;
	b->params.width = 20000000ll << draw_next_below(d, widths);
	wifi_phy_init(&b->air.phy, standard, ghz5 ? WIFI_5GHZ : WIFI_2GHZ, false,
		      !ghz5 && draw_next_below(d, 2), 0);
	b->mh.streams = 1 + draw_next_below(d, 4);
	b->mh.sgi = draw_next_below(d, 3) > 0;
	b->env = (struct rate_control_env){
		.dev = &b->dev,
		.hz = 250,
		.era = era_number("6.1"),
		.max_rates = draw_next_below(d, 5) ? 4 : 1 + draw_next_below(d, 3),
		.max_tries = draw_next_below(d, 2)   ? 10
			     : draw_next_below(d, 2) ? 4
						     : 0,
		.ht_cck = draw_next_below(d, 2),
	};
	b->key = draw_bits(d->key, d->index++);
	b->slope = 1 + draw_next_below(d, 40);
	snprintf(b->text, sizeof(b->text),
		 "standard %u, %u MHz, %u streams%s, %u rates of %u tries%s%s", standard,
		 (u32)(b->params.width / 1000000), (u32)b->mh.streams, b->mh.sgi ? ", SGI" : "",
		 b->env.max_rates, b->env.max_tries, b->env.ht_cck ? ", CCK too" : "",
		 b->air.phy.short_preamble ? ", short preamble" : "");
}

/* Of 4096: worse for faster rates, some without any use. */
static u32 success(const struct bed *b, wifi_rate r)
{
	u32 mbps = (u32)(wifi_bps(r) / 1000000), noise, down;

	noise = draw_below(b->key ^ b->epoch, r, 1200);
	down = mbps * b->slope * 4 + noise;
	if (!draw_below(b->key ^ b->epoch, 0x10000u + r, 12))
		return 0;
	return down < 4096 ? 4096 - down : 0;
}

/* ---- sides ---------------------------------------------------------------------------------------- */

static void updated(void *arg, struct softmac_sta *sta, u32 kbit)
{
	struct side *s = arg;

	s->kbit[sta - s->stas] = kbit;
}

struct opening {
	struct side *s;
	const struct model_class *cls;
	struct bed *b;
};

static void make(struct sim *sim, void *arg)
{
	struct opening *o = arg;
	struct side *s = o->s;
	struct softmac_sta *stas[STAS];
	struct rate_control_env env = o->b->env;

	for (u32 i = 0; i < STAS; i++)
		stas[i] = &s->stas[i];
	env.updated = updated;
	env.arg = s;
	s->rc = object_new(sim, o->cls, "ap.wlan0.rate_control", &o->b->mh, NULL);
	s->ops = o->cls->kind_ops;
	s->ops->start(s->rc, &env, stas, STAS);
	s->p = packet_new(sim);
}

static void side_open(struct side *s, const char *name, const struct model_class *cls,
		      struct bed *b, u64 seed)
{
	struct opening o = {s, cls, b};

	memset(s, 0, sizeof(*s));
	s->name = name;
	s->sim = sim_new(seed);
	if (sim_call(s->sim, make, &o)) {
		fprintf(stderr, "%s: %s\n", name, s->sim->error);
		exit(1);
	}
}

static void side_close(struct side *s)
{
	packet_free(s->sim, s->p);
	objects_free(s->sim);
	sim_free(s->sim);
}

/* ---- one frame ------------------------------------------------------------------------------------ */

struct step {
	struct side *s;
	u32 sta;
	s64 pass;
	bool ask; /* get_rate(), or tx_status() of .ppdu */
	const struct wifi_ppdu *ppdu;
	u32 acked;
};

static void play(struct sim *sim, void *arg)
{
	struct step *t = arg;
	struct side *s = t->s;
	struct softmac_sta *soft = &s->stas[t->sta];

	sim->now += t->pass;
	if (t->ask) {
		s->p->mac.flags = 0;
		s->p->mac.rate = 0;
		s->ops->get_rate(s->rc, soft, s->p);
	} else {
		const struct softmac_status st = {.sta = soft, .ppdu = t->ppdu, .acked = t->acked};

		s->ops->tx_status(s->rc, &st);
	}
}

static bool same(const struct side *a, const struct side *b, u32 sta)
{
	const struct softmac_sta *p = &a->stas[sta], *q = &b->stas[sta];

	if (p->n_steps != q->n_steps || p->amsdu != q->amsdu || a->kbit[sta] != b->kbit[sta] ||
	    a->p->mac.flags != b->p->mac.flags || a->p->mac.rate != b->p->mac.rate)
		return false;
	for (u32 i = 0; i < p->n_steps; i++)
		if (p->steps[i].rate != q->steps[i].rate ||
		    p->steps[i].tries != q->steps[i].tries ||
		    p->steps[i].protect != q->steps[i].protect)
			return false;
	return true;
}

static void tell(const struct side *s, u32 sta)
{
	const struct softmac_sta *soft = &s->stas[sta];
	char name[24];

	printf("  %-6s", s->name);
	for (u32 i = 0; i < soft->n_steps; i++)
		printf(" %s x%u%s", wifi_rate_name(soft->steps[i].rate, name, sizeof(name)),
		       soft->steps[i].tries, soft->steps[i].protect ? " RTS" : "");
	printf(", amsdu %u, %u kbit/s", soft->amsdu, s->kbit[sta]);
	if (s->p->mac.flags & SOFTMAC_PROBE)
		printf(", sample %s", wifi_rate_name(s->p->mac.rate, name, sizeof(name)));
	printf("\n");
}

/* What the air makes of it: each step is tried until one MPDU at least arrives. */
static u32 transmit(const struct bed *b, struct draw *d, const struct side *s, u32 sta,
		    struct wifi_ppdu *out)
{
	const struct softmac_sta *soft = &s->stas[sta];
	u32 acked = 0;

	memset(out, 0, sizeof(*out));
	if (s->p->mac.flags & SOFTMAC_PROBE) {
		out->steps[out->n_steps++] = (struct wifi_step){.rate = s->p->mac.rate, .tries = 1};
		out->flags |= PPDU_PROBE;
	}
	for (u32 i = 0; i < soft->n_steps && out->n_steps < WIFI_STEPS; i++)
		out->steps[out->n_steps++] = soft->steps[i];
	out->n = out->flags & PPDU_PROBE || RATE_LEGACY(out->steps[0].rate)
			 ? 1
			 : 1 + draw_next_below(d, 32);
	for (u32 i = 0; i < out->n_steps && !acked; i++) {
		u32 p = success(b, out->steps[i].rate);

		out->step = (u8)i;
		while (!acked && out->used[i] < out->steps[i].tries) {
			out->used[i]++;
			for (u32 k = 0; k < out->n; k++)
				acked += draw_next_below(d, 4096) < p;
		}
	}
	return acked;
}

/* ---- a table -------------------------------------------------------------------------------------- */

struct total {
	u64 calls, samples, changes;
};

static bool both(struct side *ours, struct side *theirs, struct step *t, struct total *total,
		 const struct bed *b)
{
	t->s = ours;
	if (sim_call(ours->sim, play, t)) {
		printf("%s: %s\n", b->text, ours->sim->error);
		return false;
	}
	t->s = theirs;
	if (sim_call(theirs->sim, play, t)) {
		printf("%s: %s\n", b->text, theirs->sim->error);
		return false;
	}
	total->calls++;
	if (same(ours, theirs, t->sta))
		return true;
	printf("%s: %s at %.6f s, call %" PRIu64 "\n", b->text, t->ask ? "get_rate" : "tx_status",
	       (double)ours->sim->now / 1e9, total->calls);
	tell(ours, t->sta);
	tell(theirs, t->sta);
	return false;
}

static bool compare(const struct model_class *theirs_class, u32 number, u64 calls,
		    struct total *total)
{
	struct side ours, theirs;
	struct bed b;
	struct draw d;
	bool ok = true;

	draw_init(&d, number, "table", "compare");
	bed_init(&b, &d, number);
	side_open(&ours, "ours", &minstrel_ht_class, &b, number);
	side_open(&theirs, "Linux", theirs_class, &b, number);
	for (u32 i = 0; i < STAS && ok; i++)
		ok = same(&ours, &theirs, i);
	if (!ok)
		printf("%s: not the same at the start\n", b.text);
	for (u64 n = 0; n < calls && ok; n += 2) {
		struct step t = {.ask = true, .sta = draw_next_below(&d, STAS)};
		wifi_rate best = ours.stas[t.sta].steps[0].rate;
		struct wifi_ppdu ppdu;

		if (!draw_next_below(&d, 2000))
			b.epoch++;
		t.pass = draw_next_below(&d, draw_next_below(&d, 8) ? 600000 : 8000000);
		if (!draw_next_below(&d, 5000))
			t.pass += draw_next_below(&d, 60) * SIM_SEC;
		ok = both(&ours, &theirs, &t, total, &b);
		if (!ok)
			break;
		total->samples += !!(ours.p->mac.flags & SOFTMAC_PROBE);
		t.ask = false;
		t.ppdu = &ppdu;
		t.acked = transmit(&b, &d, &ours, t.sta, &ppdu);
		t.pass = draw_next_below(&d, 2000000);
		ok = both(&ours, &theirs, &t, total, &b);
		total->changes += best != ours.stas[t.sta].steps[0].rate;
	}
	side_close(&ours);
	side_close(&theirs);
	return ok;
}

int main(int argc, char **argv)
{
	u64 calls = argc == 3 ? strtoull(argv[2], NULL, 10) : 0;
	struct model_class theirs = linux_minstrel_ht_class;
	struct linux_library lib;
	struct total total = {0};
	char err[160], *image;
	u32 equal = 0;
	gsize size;

	if (!calls) {
		fprintf(stderr, "compare-rate RATE.so CALLS\n");
		return 2;
	}
	if (!g_file_get_contents(argv[1], &image, &size, NULL) ||
	    !linux_library_open(&lib, image, size, err, sizeof(err))) {
		fprintf(stderr, "%s cannot be used\n", argv[1]);
		return 1;
	}
	theirs.library = &lib;
	for (u32 i = 0; i < TABLES; i++)
		equal += compare(&theirs, i, calls / TABLES, &total);
	printf("minstrel_ht: %u of %u loss tables equal in all %" PRIu64 " calls, %" PRIu64
	       " samples, %" PRIu64 " changes of the best rate\n",
	       equal, TABLES, total.calls, total.samples, total.changes);
	linux_library_close(&lib);
	g_free(image);
	return equal == TABLES ? 0 : 1;
}
