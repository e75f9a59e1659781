// SPDX-License-Identifier: GPL-3.0-or-later
/* The parameters of the air: their table, and how they go together. */
#include "wifi/air.h"

#include "packet/link.h"
#include "wifi/bss.h"

#define ACS ((u32)AC_COUNT)

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

void air_check(const void *params, struct model_check *c)
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

static u32 given(int64_t ns)
{
	return ns == PARAM_UNSET ? 0 : (u32)ns;
}

void wifi_link_phy(const void *link_params, struct wifi_phy *phy, int64_t *width)
{
	const struct air_params *p = link_params;
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
	wifi_phy_init(phy, standard, band, p->slot_long, p->preamble_short, basic);
	if (p->signal_extension != PARAM_UNSET)
		phy->extension = (u32)p->signal_extension;
	wifi_phy_override(phy, &(struct wifi_timing){.slot = given(p->slot_time),
						     .sifs = given(p->sifs),
						     .plcp = given(p->plcp),
						     .propagation = given(p->propagation),
						     .cca = given(p->cca_time)});
	if (width)
		*width = p->width;
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
	{"auto", MEDIUM_AUTO,
	 "shared as long as all hear all, none goes and capture is off, else by station"},
	{"shared", MEDIUM_SHARED, "one medium that all hear: fast"},
	{"stations", MEDIUM_STATIONS, "each station with the medium that it hears"},
	{NULL, 0, NULL},
};

static const struct param_enum ciphers[] = {
	{"none", 0, NULL},
	{"ccmp", 1,
	 "16 bytes a frame; by the hardware or, see mac80211.software_cipher, the processor"},
	{NULL, 0, NULL},
};

static const struct param_enum protections[] = {
	{"none", PROTECT_NONE, NULL},
	{"cts_to_self", PROTECT_CTS,
	 "a CTS at a CCK rate before each frame that 802.11b cannot hear"},
	{"rts_cts", PROTECT_RTS, "RTS and CTS at a CCK rate before such frames"},
	{NULL, 0, NULL},
};

const struct param air_member_element[] = {
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

#define LIFETIME_KEY(field, text)                                                                 \
	{                                                                                         \
		.name = #field, .type = PARAM_PER_AC, .element = PARAM_TIME, .flags = PARAM_LIVE, \
		.offset = P(field), .min = SIM_US, .max = 3600 * SIM_SEC, .doc = text             \
	}

const struct param air_param_table[] = {
	{.name = "members",
	 .type = PARAM_LIST,
	 .flags = PARAM_STRUCTURAL | PARAM_REQUIRED,
	 .offset = P(members),
	 .fields = air_member_element,
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
	BSS_PARAMS(struct air_params),
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
	 .doc = "how the medium is reckoned; results do not depend on it where all hear all, but for what is not modelled"},
	{.name = "beacons",
	 .type = PARAM_BOOL,
	 .flags = PARAM_STRUCTURAL,
	 .offset = P(beacons),
	 .def = "false",
	 .doc = "access points send beacons, and others wait for that"},
	{.name = "beacon_interval",
	 .type = PARAM_TIME,
	 .flags = PARAM_LIVE,
	 .offset = P(beacon_interval),
	 .def = "102.4ms",
	 .min = SIM_MS,
	 .max = 60 * SIM_SEC,
	 .doc = "from one beacon's time to the next; each access point's first is at a drawn time",
	 .linux_name = "hostapd beacon_int"},
	{.name = "beacon_bytes",
	 .type = PARAM_BYTES,
	 .flags = PARAM_LIVE,
	 .offset = P(beacon_bytes),
	 .def = "200B",
	 .min = 60,
	 .max = 2304,
	 .doc = "length of a beacon, FCS included"},
	AC_KEY(aifsn, PARAM_INT, 1, 15, "AIFSN of every station, in place of the standard's."),
	AC_KEY(cwmin, PARAM_INT, 0, 32767, "Least contention window, 2^n - 1."),
	AC_KEY(cwmax, PARAM_INT, 0, 32767, "Largest contention window, 2^n - 1."),
	AC_KEY(txop, PARAM_TIME, 0, 8160 * SIM_US, "TXOP limit; 0: one PPDU an access."),
	AC_KEY(ap_aifsn, PARAM_INT, 1, 15, "AIFSN of the access point, where it differs."),
	AC_KEY(ap_cwmin, PARAM_INT, 0, 32767, "Least contention window of the access point."),
	AC_KEY(ap_cwmax, PARAM_INT, 0, 32767, "Largest contention window of the access point."),
	AC_KEY(ap_txop, PARAM_TIME, 0, 8160 * SIM_US, "TXOP limit of the access point."),
	LIFETIME_KEY(
		lifetime,
		"An MSDU that was longer in the MAC is not sent, or not again: dot11EDCATableMSDULifetime, which the "
		"standard counts in TU of 1024us and sets to 500. Without it there is no end, as in Linux."),
	LIFETIME_KEY(ap_lifetime, "Lifetime of the access point's, where it differs."),
	PARAM_END,
};
