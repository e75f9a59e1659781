// SPDX-License-Identifier: GPL-3.0-or-later
#include "wifi/air.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "packet/link.h"
#include "wifi/airtime.h"
#include "wifi/stations.h"
#include "wifi/tap.h"

#define ACS ((u32)AC_COUNT)

static void *zeroed(size_t n, size_t size)
{
	void *p = calloc(n ? n : 1, size);

	if (!p)
		abort();
	return p;
}

static void *air_join(struct object *link, const struct link_member *m, char *err, size_t err_len)
{
	struct air *air = (struct air *)link;
	struct wifi_dev *dev;

	if (air->n == UINT16_MAX) {
		snprintf(err, err_len, "an air takes at most %d stations", UINT16_MAX);
		return NULL;
	}
	if (air->n == air->max) {
		air->max = air->max ? 2 * air->max : 16;
		air->devs = realloc(air->devs, air->max * sizeof(struct wifi_dev *));
		if (!air->devs)
			abort();
	}
	dev = zeroed(1, sizeof(*dev));
	dev->air = air;
	dev->path = m->obj->path;
	dev->name = strndup(dev->path, strcspn(dev->path, "."));
	if (!dev->name)
		abort();
	dev->id = m->id;
	dev->station = (u16)air->n;
	dev->host_devs = m->host_devs;
	if (m->id >= air->n_ids) {
		u16 n = (u16)(m->id + 1);

		air->ids = realloc(air->ids, n * sizeof(struct wifi_dev *));
		if (!air->ids)
			abort();
		memset(air->ids + air->n_ids, 0, (n - air->n_ids) * sizeof(struct wifi_dev *));
		air->n_ids = n;
	}
	air->ids[m->id] = dev;
	air->devs[air->n++] = dev;
	return dev;
}

/* The access point: as told; else the first member whose node has other interfaces; else the last. */
static struct wifi_dev *choose_ap(const struct air *air, const struct air_params *p)
{
	if (p->mode == AIR_ADHOC || !air->n)
		return NULL;
	if (p->ap) {
		for (u32 i = 0; i < air->n; i++)
			if (strcmp(air->devs[i]->path, p->ap->path) == 0)
				return air->devs[i];
		sim_fail(air->obj.sim, &air->obj, "%s is to be the access point, but is no member",
			 p->ap->path);
	}
	for (u32 i = 0; i < air->n; i++)
		if (air->devs[i]->host_devs > 1)
			return air->devs[i];
	return air->devs[air->n - 1];
}

static void override(u32 *to, int64_t station, int64_t ap, bool is_ap)
{
	if (is_ap && ap != PARAM_UNSET)
		*to = (u32)ap;
	else if (station != PARAM_UNSET)
		*to = (u32)station;
}

static void set_contenders(struct air *air, const struct air_params *p, struct wifi_dev *dev)
{
	for (u32 ac = 0; ac < ACS; ac++) {
		struct edca_params ep;

		edca_defaults(&ep, &air->phy, ac, dev->ap, air->wmm);
		override(&ep.aifsn, p->aifsn[ac], p->ap_aifsn[ac], dev->ap);
		override(&ep.cwmin, p->cwmin[ac], p->ap_cwmin[ac], dev->ap);
		override(&ep.cwmax, p->cwmax[ac], p->ap_cwmax[ac], dev->ap);
		override(&ep.txop, p->txop[ac], p->ap_txop[ac], dev->ap);
		if (ep.cwmax < ep.cwmin)
			ep.cwmax = ep.cwmin;
		edca_set(&air->edca, dev->station * ACS + ac, &ep, air->phy.sifs,
			 air->obj.sim->seed, dev->path);
	}
}

static void set_channel(struct air *air, const struct air_params *p)
{
	struct channel_env env = {.n = air->n,
				  .ap = air->ap ? air->ap->station : UINT32_MAX,
				  .band_2ghz = air->phy.band == WIFI_2GHZ};
	struct object **both[] = {&air->channel, &air->interferer};
	const struct slot *slots[] = {&p->channel, &p->interferer};

	air->names = zeroed(air->n, sizeof(*air->names));
	for (u32 i = 0; i < air->n; i++)
		air->names[i] = air->devs[i]->name;
	env.names = air->names;
	for (u32 i = 0; i < 2; i++) {
		const struct channel_ops *cops;

		if (!slots[i]->cls || slots[i]->cls == &ideal_class)
			continue;
		*both[i] = object_from_slot(air->obj.sim, slots[i], &air->obj);
		cops = slots[i]->cls->kind_ops;
		cops->attach(*both[i], &env);
	}
	if (air->channel)
		air->channel_ops = air->channel->cls->kind_ops;
	if (air->interferer)
		air->interferer_ops = air->interferer->cls->kind_ops;
	stations_init(air);
}

static void air_ready(struct object *link)
{
	struct air *air = (struct air *)link;
	const struct air_params *p = link->params;
	struct sim *sim = link->sim;
	char name[512];

	air->ap = choose_ap(air, p);
	if (air->ap)
		air->ap->ap = true;
	edca_init(&air->edca, air->n, air->phy.slot, !air->wmm);
	air->waiting = zeroed(air->n * ACS, sizeof(*air->waiting));
	air->served = zeroed(air->n * ACS, sizeof(*air->served));
	air->txop_end = zeroed(air->n * ACS, sizeof(*air->txop_end));
	air->who = zeroed(air->n * ACS, sizeof(*air->who));
	air->start = zeroed(air->n * ACS, sizeof(*air->start));
	air->now = zeroed(air->n, sizeof(*air->now));
	set_channel(air, p);
	for (u32 i = 0; i < air->n; i++) {
		struct wifi_dev *dev = air->devs[i];

		snprintf(name, sizeof(name), "%s.loss", dev->path);
		dev->loss_key = draw_key(sim->seed, name);
		set_contenders(air, p, dev);
	}
	stations_start(air);
}

static void air_capture(struct object *link, struct capture *out)
{
	struct air *air = (struct air *)link;

	air->tap = air_tap_new(air, out);
}

static u32 given(int64_t ns)
{
	return ns == PARAM_UNSET ? 0 : (u32)ns;
}

static void air_init(struct object *obj)
{
	struct air *air = (struct air *)obj;
	const struct air_params *p = obj->params;
	enum wifi_standard standard = (enum wifi_standard)p->standard;
	const int64_t *rates = p->basic_rates.items;
	enum wifi_band band = WIFI_5GHZ;
	wifi_rate_set basic = 0;

	if (p->band != PARAM_UNSET)
		band = (enum wifi_band)p->band;
	else if (standard == WIFI_11B || standard == WIFI_11G)
		band = WIFI_2GHZ;
	for (u32 i = 0; i < p->basic_rates.n; i++)
		basic |= (wifi_rate_set)wifi_set_bit(wifi_legacy_rate(rates[i]));
	wifi_phy_init(&air->phy, standard, band, p->slot_long, p->preamble_short, basic);
	if (p->signal_extension != PARAM_UNSET)
		air->phy.extension = (u32)p->signal_extension;
	wifi_phy_override(&air->phy, &(struct wifi_timing){.slot = given(p->slot_time),
							   .sifs = given(p->sifs),
							   .plcp = given(p->plcp),
							   .propagation = given(p->propagation),
							   .cca = given(p->cca_time)});
	air->wmm = p->wmm == PARAM_UNSET ? standard == WIFI_11N || standard == WIFI_11AC : p->wmm;
	event_init(&air->contend, air_contend, RANK_XMIT);
	event_init(&air->medium, air_medium, RANK_MEDIUM);
	air->ppdus = pool_new(sizeof(struct wifi_ppdu), 16);
	air->accounts = pool_new(sizeof(struct sk_buff), 128);
}

void air_drop(struct air *air, struct wifi_ppdu *ppdu)
{
	struct packet *p, *next;

	for (u32 i = 0; ppdu && i < ppdu->n; i++)
		for (p = ppdu->mpdus[i].p; p; p = next) {
			next = p->skb.next ? packet_of(p->skb.next) : NULL;
			packet_free(air->obj.sim, p);
		}
}

static void air_fini(struct object *obj)
{
	struct air *air = (struct air *)obj;

	for (u32 i = 0; i < air->n_now; i++)
		air_drop(air, air->now[i].ppdu);
	for (u32 i = 0; air->waiting && i < air->n * ACS; i++)
		if (air->waiting[i])
			air_drop(air, air->waiting[i]);
}

/* Drivers hold PPDUs of the pool, and senders' accounts lead to them by their device. */
static void air_release(struct object *obj)
{
	struct air *air = (struct air *)obj;

	for (u32 i = 0; i < air->n; i++) {
		free((char *)air->devs[i]->name);
		free(air->devs[i]);
	}
	free(air->devs);
	free(air->ids);
	edca_clear(&air->edca);
	free(air->waiting);
	free(air->served);
	free(air->txop_end);
	free(air->who);
	free(air->start);
	free(air->now);
	stations_clear(air);
	free(air->names);
	air_tap_free(air->tap);
	pool_free(air->ppdus);
	pool_free(air->accounts);
}

u64 air_count(const struct wifi_ppdu *ppdu)
{
	u64 n = 0;

	for (u32 i = 0; ppdu && i < ppdu->n; i++)
		n += ppdu->mpdus[i].p ? ppdu->mpdus[i].n : 0;
	return n;
}

static void air_audit(const struct object *obj, struct model_audit *a)
{
	const struct air *air = (const struct air *)obj;
	u64 held = 0;

	for (u32 i = 0; i < air->n_now; i++)
		held += air_count(air->now[i].ppdu);
	for (u32 i = 0; i < air->n * ACS; i++)
		held += air_count(air->waiting[i]);
	held += stations_held(air);
	a->queue(a->arg, "air", air->taken, air->handed + air->returned, 0, held);
}

static bool power(int64_t cw)
{
	return cw >= 0 && ((cw + 1) & cw) == 0;
}

static void check_windows(struct model_check *c, const char *name, const int64_t *cw)
{
	for (u32 ac = 0; ac < ACS; ac++)
		if (cw[ac] != PARAM_UNSET && !power(cw[ac]))
			model_check_error(c, name, "a contention window is 2^n - 1, not %lld",
					  (long long)cw[ac]);
}

static void air_check(const void *params, struct model_check *c)
{
	const struct air_params *p = params;
	const int64_t *rates = p->basic_rates.items;
	bool dsss = p->standard == WIFI_11B, n = p->standard == WIFI_11N;

	if (p->band == WIFI_5GHZ && (dsss || p->standard == WIFI_11G))
		model_check_error(c, "band", "802.11b and g are at 2.4 GHz");
	if (p->band == WIFI_2GHZ && (p->standard == WIFI_11A || p->standard == WIFI_11AC))
		model_check_error(c, "band", "802.11a and ac are at 5 GHz");
	if (p->width > 20000000 && p->standard < WIFI_11N)
		model_check_error(c, "width", "802.11a, b and g have 20 MHz");
	if (p->width > 40000000 && n)
		model_check_error(c, "width", "802.11n has 20 and 40 MHz");
	if (p->width != 20000000 && p->width != 40000000 && p->width != 80000000 &&
	    p->width != 160000000)
		model_check_error(c, "width", "one of 20MHz, 40MHz, 80MHz, 160MHz");
	if (p->mode == AIR_ADHOC && p->ap)
		model_check_error(c, "ap", "an ad-hoc network has no access point");
	for (u32 i = 0; i < p->basic_rates.n; i++) {
		wifi_rate r = wifi_legacy_rate(rates[i]);

		if (r == WIFI_RATE_NONE)
			model_check_error(c, "basic_rates",
					  "%lld bit/s is no rate of 802.11b, g or a",
					  (long long)rates[i]);
		else if (dsss && RATE_MODE(r) != WIFI_CCK)
			model_check_error(c, "basic_rates", "802.11b has 1, 2, 5.5 and 11 Mbit/s");
	}
	check_windows(c, "cwmin", p->cwmin);
	check_windows(c, "cwmax", p->cwmax);
	check_windows(c, "ap_cwmin", p->ap_cwmin);
	check_windows(c, "ap_cwmax", p->ap_cwmax);
}

static void air_window_open(struct object *obj)
{
	struct air *air = (struct air *)obj;

	air->busy_since = obj->sim->now;
	air->busy_ns = 0;
	air->attempts = 0;
	air->collided = 0;
	for (u32 i = 0; i < air->n; i++)
		air->devs[i]->airtime = 0;
}

static void air_window_close(struct object *obj)
{
	struct air *air = (struct air *)obj;

	if (air->busy && obj->sim->now > air->busy_since)
		air->busy_ns += (u64)(obj->sim->now - air->busy_since);
}

static int64_t busy_share(const struct object *obj, int64_t window)
{
	const struct air *air = (const struct air *)obj;

	return window ? (int64_t)((__int128)air->busy_ns * 1000000 / window) : METRIC_ABSENT;
}

static int64_t collision_share(const struct object *obj, int64_t window)
{
	const struct air *air = (const struct air *)obj;

	return air->attempts ? (int64_t)(air->collided * 1000000 / air->attempts) : METRIC_ABSENT;
}

static const struct param_enum standards[] = {
	{"11b", WIFI_11B, "DSSS and CCK, 2.4 GHz"}, {"11g", WIFI_11G, "OFDM, 2.4 GHz"},
	{"11a", WIFI_11A, "OFDM, 5 GHz"},	    {"11n", WIFI_11N, "HT"},
	{"11ac", WIFI_11AC, "VHT, 5 GHz"},	    {NULL, 0, NULL},
};

static const struct param_enum bands[] = {
	{"2.4GHz", WIFI_2GHZ, NULL},
	{"5GHz", WIFI_5GHZ, NULL},
	{NULL, 0, NULL},
};

static const struct param_enum modes[] = {
	{"infrastructure", AIR_INFRASTRUCTURE, "stations send to the access point"},
	{"adhoc", AIR_ADHOC, "all send to each other"},
	{NULL, 0, NULL},
};

static const struct param_enum preambles[] = {
	{"long", 0, "192 us"},
	{"short", 1, "96 us, not at 1 Mbit/s"},
	{NULL, 0, NULL},
};

static const struct param_enum slots[] = {
	{"short", 0, "9 us"},
	{"long", 1, "20 us: an 802.11b station is about"},
	{NULL, 0, NULL},
};

static const struct param_enum afters[] = {
	{"eifs", AFTER_EIFS,
	 "those that heard it EIFS, those that sent in it the time of a missing response"},
	{"difs", AFTER_DIFS, "all DIFS or AIFS, as in much theory"},
	{NULL, 0, NULL},
};

static const struct param_enum media[] = {
	{"auto", MEDIUM_AUTO, "shared where all hear all and capture is off, else by station"},
	{"shared", MEDIUM_SHARED, "one medium that all hear: fast"},
	{"stations", MEDIUM_STATIONS, "each station with the medium that it hears"},
	{NULL, 0, NULL},
};

static const struct param_enum ciphers[] = {
	{"none", 0, NULL},
	{"ccmp", 1, "16 bytes a frame; by the hardware"},
	{NULL, 0, NULL},
};

static const struct param_enum protections[] = {
	{"none", PROTECT_NONE, NULL},
	{"cts_to_self", PROTECT_CTS,
	 "a CTS at a CCK rate before each frame that 802.11b cannot hear"},
	{"rts_cts", PROTECT_RTS, "RTS and CTS at a CCK rate before such frames"},
	{NULL, 0, NULL},
};

static const struct param member_element[] = {
	{.name = "member", .type = PARAM_REF, .kind = &kind_interface, .doc = "an interface"},
	PARAM_END,
};

static const struct param rate_element[] = {
	{.name = "rate",
	 .type = PARAM_RATE,
	 .min = 1000000,
	 .max = 54000000,
	 .doc = "a basic rate"},
	PARAM_END,
};

#define P(field) offsetof(struct air_params, field)
#define AC_KEY(field, elem, lo, hi, text)                                                  \
	{                                                                                  \
		.name = #field, .type = PARAM_PER_AC, .element = elem, .offset = P(field), \
		.min = lo, .max = hi, .doc = text                                          \
	}

static const struct param params[] = {
	{.name = "members",
	 .type = PARAM_LIST,
	 .flags = PARAM_STRUCTURAL | PARAM_REQUIRED,
	 .offset = P(members),
	 .fields = member_element,
	 .size = sizeof(struct object *),
	 .doc = "the interfaces on it"},
	{.name = "standard",
	 .type = PARAM_ENUM,
	 .flags = PARAM_STRUCTURAL,
	 .offset = P(standard),
	 .def = "11n",
	 .values = standards,
	 .doc = "what the BSS speaks"},
	{.name = "band",
	 .type = PARAM_ENUM,
	 .flags = PARAM_STRUCTURAL,
	 .offset = P(band),
	 .values = bands,
	 .doc = "2.4GHz or 5GHz; without it 2.4GHz for 11b and 11g, else 5GHz"},
	{.name = "width",
	 .type = PARAM_HZ,
	 .flags = PARAM_STRUCTURAL,
	 .offset = P(width),
	 .def = "20MHz",
	 .min = 20000000,
	 .max = 160000000,
	 .doc = "channel width"},
	{.name = "mode",
	 .type = PARAM_ENUM,
	 .flags = PARAM_STRUCTURAL,
	 .offset = P(mode),
	 .def = "infrastructure",
	 .values = modes,
	 .doc = "with an access point or without"},
	{.name = "ap",
	 .type = PARAM_REF,
	 .kind = &kind_interface,
	 .flags = PARAM_STRUCTURAL,
	 .offset = P(ap),
	 .doc = "the access point's interface; without it the first member whose node has further interfaces, "
		"else the last"},
	{.name = "wmm",
	 .type = PARAM_BOOL,
	 .flags = PARAM_STRUCTURAL,
	 .offset = P(wmm),
	 .doc = "QoS data frames and four access categories; without it as 11n and 11ac have it"},
	{.name = "preamble",
	 .type = PARAM_ENUM,
	 .offset = P(preamble_short),
	 .def = "long",
	 .values = preambles,
	 .doc = "PLCP preamble of DSSS and CCK frames"},
	{.name = "slot",
	 .type = PARAM_ENUM,
	 .offset = P(slot_long),
	 .def = "short",
	 .values = slots,
	 .doc = "slot time of 11g and 11n at 2.4 GHz; 11b has 20 us and 5 GHz 9 us"},
	{.name = "basic_rates",
	 .type = PARAM_LIST,
	 .offset = P(basic_rates),
	 .fields = rate_element,
	 .size = sizeof(int64_t),
	 .doc = "the BSS basic rate set, of which responses are sent; without it 1 and 2 Mbit/s for 11b, all "
		"mandatory rates else"},
	{.name = "encryption",
	 .type = PARAM_ENUM,
	 .flags = PARAM_STRUCTURAL,
	 .offset = P(ccmp),
	 .def = "none",
	 .values = ciphers,
	 .doc = "cipher of data frames"},
	{.name = "protection",
	 .type = PARAM_ENUM,
	 .flags = PARAM_LIVE,
	 .offset = P(protection),
	 .def = "none",
	 .values = protections,
	 .doc = "what OFDM and HT frames at 2.4 GHz are protected with from 802.11b stations"},
	{.name = "rts_threshold",
	 .type = PARAM_BYTES,
	 .flags = PARAM_LIVE,
	 .offset = P(rts_threshold),
	 .doc = "PSDUs of more bytes are sent behind RTS and CTS; without it none",
	 .linux_name = "dot11RTSThreshold"},
	{.name = "slot_time",
	 .type = PARAM_TIME,
	 .flags = PARAM_STRUCTURAL,
	 .offset = P(slot_time),
	 .min = SIM_US,
	 .max = SIM_MS,
	 .doc = "slot in place of the standard's",
	 .linux_name = "iw phy set coverage"},
	{.name = "sifs",
	 .type = PARAM_TIME,
	 .flags = PARAM_STRUCTURAL,
	 .offset = P(sifs),
	 .min = SIM_US,
	 .max = SIM_MS,
	 .doc = "SIFS in place of the standard's"},
	{.name = "plcp",
	 .type = PARAM_TIME,
	 .flags = PARAM_STRUCTURAL,
	 .offset = P(plcp),
	 .min = SIM_US,
	 .max = SIM_MS,
	 .doc = "preamble and header of 802.11b frames in place of the standard's"},
	{.name = "propagation",
	 .type = PARAM_TIME,
	 .flags = PARAM_STRUCTURAL,
	 .offset = P(propagation),
	 .def = "0us",
	 .min = 0,
	 .max = SIM_MS,
	 .doc = "delay between any two stations"},
	{.name = "cca_time",
	 .type = PARAM_TIME,
	 .flags = PARAM_STRUCTURAL,
	 .offset = P(cca_time),
	 .min = 1,
	 .max = SIM_MS,
	 .doc = "frames that begin less than this apart meet, in place of the standard's aCCATime: 15 us with long "
		"slots, 4 us with short ones"},
	{.name = "signal_extension",
	 .type = PARAM_TIME,
	 .flags = PARAM_STRUCTURAL,
	 .offset = P(signal_extension),
	 .min = 0,
	 .max = 100 * SIM_US,
	 .doc = "silence behind OFDM and HT frames in place of the standard's: 6 us at 2.4 GHz"},
	{.name = "after_collision",
	 .type = PARAM_ENUM,
	 .flags = PARAM_STRUCTURAL,
	 .offset = P(after_collision),
	 .def = "eifs",
	 .values = afters,
	 .doc = "what stations wait behind a collision"},
	{.name = "loss",
	 .type = PARAM_PROB,
	 .flags = PARAM_LIVE,
	 .offset = P(loss),
	 .def = "0",
	 .doc = "probability that a data MPDU is not received, at each attempt, both ways; control frames "
		"arrive"},
	{.name = "channel",
	 .type = PARAM_SLOT,
	 .flags = PARAM_STRUCTURAL,
	 .offset = P(channel),
	 .def = "ideal",
	 .kind = &kind_channel,
	 .doc = "who hears whom, and what is lost on the way, beside .loss"},
	{.name = "interferer",
	 .type = PARAM_SLOT,
	 .flags = PARAM_STRUCTURAL,
	 .offset = P(interferer),
	 .kind = &kind_channel,
	 .doc = "a further cause of losses"},
	{.name = "capture",
	 .type = PARAM_BOOL,
	 .flags = PARAM_STRUCTURAL,
	 .offset = P(capture),
	 .def = "false",
	 .doc = "the stronger of frames that overlap may survive; needs a channel with powers"},
	{.name = "capture_margin",
	 .type = PARAM_DB,
	 .flags = PARAM_LIVE,
	 .offset = P(capture_margin),
	 .def = "10dB",
	 .min = 0,
	 .max = 60000,
	 .doc = "by how much a frame must be stronger for a receiver to lock to it"},
	{.name = "medium",
	 .type = PARAM_ENUM,
	 .flags = PARAM_STRUCTURAL,
	 .offset = P(medium),
	 .def = "auto",
	 .values = media,
	 .doc = "how the medium is reckoned; results do not depend on it where all hear all"},
	AC_KEY(aifsn, PARAM_INT, 1, 15, "AIFSN of every station, in place of the standard's."),
	AC_KEY(cwmin, PARAM_INT, 0, 32767, "Least contention window, 2^n - 1."),
	AC_KEY(cwmax, PARAM_INT, 0, 32767, "Largest contention window, 2^n - 1."),
	AC_KEY(txop, PARAM_TIME, 0, 8160 * SIM_US, "TXOP limit; 0: one PPDU an access."),
	AC_KEY(ap_aifsn, PARAM_INT, 1, 15, "AIFSN of the access point, where it differs."),
	AC_KEY(ap_cwmin, PARAM_INT, 0, 32767, "Least contention window of the access point."),
	AC_KEY(ap_cwmax, PARAM_INT, 0, 32767, "Largest contention window of the access point."),
	AC_KEY(ap_txop, PARAM_TIME, 0, 8160 * SIM_US, "TXOP limit of the access point."),
	PARAM_END,
};

static const struct probe probes[] = {
	{.name = "collisions",
	 .unit = "",
	 .shape = PROBE_COUNTER,
	 .offset = offsetof(struct air, collisions),
	 .doc = "accesses at which more than one station transmitted"},
	{.name = "exchanges",
	 .unit = "",
	 .shape = PROBE_COUNTER,
	 .offset = offsetof(struct air, exchanges),
	 .doc = "accesses to the medium, collisions included"},
	{.name = "collision_share",
	 .unit = "",
	 .shape = PROBE_VALUE,
	 .value = collision_share,
	 .doc = "share of PPDUs that met another one"},
	{.name = "busy_share",
	 .unit = "",
	 .shape = PROBE_VALUE,
	 .value = busy_share,
	 .doc = "share of time with an exchange under way, SIFS and responses included"},
	PROBE_END,
};

static const struct model_ops ops = {
	.check = air_check,
	.init = air_init,
	.audit = air_audit,
	.window_open = air_window_open,
	.window_close = air_window_close,
	.fini = air_fini,
	.release = air_release,
};

static const struct link_ops link_ops = {
	.medium = "wifi",
	.join = air_join,
	.ready = air_ready,
	.capture_type = CAPTURE_RADIOTAP,
	.capture = air_capture,
};

const struct model_class wifi_class = {
	.kind = &kind_link,
	.name = "wifi",
	.doc = "an 802.11 channel with all its stations: EDCA, retries, responses",
	.source = "IEEE 802.11-2020 clauses 10 and 15 to 21",
	.not_modelled =
		"Association, beacons and other management frames but those of block-ack sessions: stations are there\n"
		"from the start and do not leave. Power save, scans, multicast, several access points on one channel.\n"
		"Greenfield, RIFS, LDPC, STBC. Control frames are lost only to other frames.",
	.size = sizeof(struct air),
	.params_size = sizeof(struct air_params),
	.params = params,
	.probes = probes,
	.ops = &ops,
	.kind_ops = &link_ops,
};
