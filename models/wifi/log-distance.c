// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Stations in a plane: log-distance path loss with shadowing, Rayleigh fading that is correlated in time, thermal
 * noise, errors by signal-to-noise ratio.
 */
#include <math.h>
#include <stdlib.h>
#include <stdio.h>
#include <string.h>

#include "engine/draw.h"
#include "wifi/channel.h"
#include "wifi/error.h"

#define OSCILLATORS 16u
#define STEPS	    64 /* of the fading, in a period of the Doppler frequency */
#define TURN	    1024u
#define THERMAL_20  (-101000) /* 0.001 dBm: kTB of 20 MHz at 290 K, rounded up from -100.96 */
#define DOUBLE_BAND 3010
#define REF_2GHZ    40050 /* free space at 1 m, 0.001 dB */
#define REF_5GHZ    46670

enum { FADING_NONE, FADING_RAYLEIGH };

struct position {
	int64_t x, y; /* mm */
};

struct log_distance_params {
	struct param_map positions; /* of struct position */
	int64_t radius; /* mm */
	int64_t exponent; /* 10^-6 */
	int64_t reference_loss; /* 0.001 dB, PARAM_UNSET: by band */
	int64_t tx_power; /* 0.001 dBm */
	int64_t noise_figure; /* 0.001 dB */
	int64_t sensitivity; /* 0.001 dBm */
	int64_t shadowing; /* 0.001 dB */
	int64_t attenuation; /* 0.001 dB */
	struct param_map walls; /* of int64_t 0.001 dB, by station */
	int64_t fading;
	int64_t doppler; /* Hz */
};

struct log_distance {
	struct object obj;
	struct channel_env env;
	s32 *power; /* n x n, 0.001 dBm */
	u32 version; /* of them */
	s32 *shadow; /* n x n, 0.001 dB */
};

static const struct log_distance_params *params_of(const struct log_distance *d)
{
	return d->obj.params;
}

/* Metres. A station without a position lies on a circle around its access point. */
static void place(const struct log_distance *d, u32 station, double *x, double *y)
{
	const struct log_distance_params *p = params_of(d);
	const struct position *at = p->positions.items;
	double angle = 2 * M_PI * station / d->env.n;
	u32 ap = d->env.aps[station];

	for (u32 i = 0; i < p->positions.n; i++)
		if (!strcmp(p->positions.names[i], d->env.names[station])) {
			*x = (double)at[i].x / 1000;
			*y = (double)at[i].y / 1000;
			return;
		}
	*x = 0;
	*y = 0;
	if (station == ap)
		return;
	if (ap != UINT32_MAX)
		place(d, ap, x, y);
	*x += cos(angle) * (double)p->radius / 1000;
	*y += sin(angle) * (double)p->radius / 1000;
}

static s32 wall(const struct log_distance *d, u32 station)
{
	const struct log_distance_params *p = params_of(d);
	const int64_t *loss = p->walls.items;

	for (u32 i = 0; i < p->walls.n; i++)
		if (!strcmp(p->walls.names[i], d->env.names[station]))
			return (s32)loss[i];
	return 0;
}

/* Where a station is, and its wall. */
struct spot {
	double x, y; /* m */
	s32 wall; /* 0.001 dB */
};

/* Floating point, rounded to 0.001 dB; when the run starts and when a parameter changes. */
static void compute(struct log_distance *d)
{
	const struct log_distance_params *p = params_of(d);
	u32 n = d->env.n;
	double reference = (double)(p->reference_loss != PARAM_UNSET ? p->reference_loss
				    : d->env.band_2ghz		     ? REF_2GHZ
								     : REF_5GHZ);
	struct spot *spots = calloc(n ? n : 1, sizeof(*spots));

	if (!spots)
		abort();

	for (u32 i = 0; i < n; i++) {
		place(d, i, &spots[i].x, &spots[i].y);
		spots[i].wall = wall(d, i);
	}
	for (u32 a = 0; a < n; a++)
		for (u32 b = 0; b < n; b++) {
			double x = spots[a].x - spots[b].x, y = spots[a].y - spots[b].y;
			double metres = sqrt(x * x + y * y), loss = reference;

			if (metres > 1)
				loss += 10 * (double)p->exponent / 1e6 * log10(metres) * 1000;
			d->power[a * n + b] = (s32)(p->tx_power - llround(loss) - p->attenuation) -
					      spots[a].wall - spots[b].wall - d->shadow[a * n + b];
		}
	free(spots);
	d->version++;
}

/* One normal draw a pair, the same both ways. */
static void draw_shadows(struct log_distance *d)
{
	u64 key = draw_key(d->obj.sim->seed, d->obj.path);
	double sigma = (double)params_of(d)->shadowing;
	u32 n = d->env.n;

	if (sigma == 0) /* all are 0, as they were made */
		return;
	for (u32 a = 0; a < n; a++)
		for (u32 b = a + 1; b < n; b++) {
			u64 bits = draw_bits(key, (u64)a * n + b);
			double u = ((double)(bits >> 32) + 1) / 4294967297.0;
			double v = (double)(u32)bits / 4294967296.0;
			double normal = sqrt(-2 * log(u)) * cos(2 * M_PI * v);

			d->shadow[a * n + b] = d->shadow[b * n + a] = (s32)lround(sigma * normal);
		}
}

static void log_distance_attach(struct object *ch, const struct channel_env *env)
{
	struct log_distance *d = (struct log_distance *)ch;
	size_t pairs = (size_t)env->n * env->n;

	d->env = *env;
	d->power = calloc(pairs ? pairs : 1, sizeof(*d->power));
	d->shadow = calloc(pairs ? pairs : 1, sizeof(*d->shadow));
	if (!d->power || !d->shadow)
		abort();
	draw_shadows(d);
	compute(d);
}

static s32 log_distance_power(struct object *ch, u32 from, u32 to)
{
	const struct log_distance *d = (const struct log_distance *)ch;

	return d->power[from * d->env.n + to];
}

static u32 log_distance_version(struct object *ch)
{
	return ((const struct log_distance *)ch)->version;
}

static s32 log_distance_threshold(struct object *ch)
{
	return (s32)params_of((const struct log_distance *)ch)->sensitivity;
}

/*
 * The gain of a Rayleigh channel at @now, 0.001 dB: a sum of oscillators at the Doppler shifts of paths from all
 * directions (Jakes), each with a random phase. Integers only; the same both ways.
 */
static s32 fade(const struct log_distance *d, u32 from, u32 to, sim_time now)
{
	const struct log_distance_params *p = params_of(d);
	u32 low = from < to ? from : to, high = from < to ? to : from;
	u64 key = draw_key(d->obj.sim->seed, "fading") ^ ((u64)low << 32 | high);
	int64_t step = now / (SIM_SEC / (STEPS * p->doppler));
	int64_t i_sum = 0, q_sum = 0;
	u64 power;

	for (u32 n = 0; n < OSCILLATORS; n++) {
		/* directions spread over a quarter turn; shifts of both signs follow from the random phases */
		u32 direction = (2 * n + 1) * TURN / (8 * OSCILLATORS);
		u64 phases = draw_bits(key, n);
		/* its Doppler shift turns it by 1/64 of the cosine a step, here in 1/1024 turns */
		u32 turned = (u32)((fading_cos[direction] * step) >> 11);

		i_sum += fading_cos[(turned + (u32)phases) % TURN];
		q_sum += fading_cos[(turned + (u32)(phases >> 32)) % TURN];
	}
	power = (u64)(i_sum * i_sum + q_sum * q_sum);
	if (!power)
		power = 1;
	return error_db(power) - error_db((u64)OSCILLATORS << 30);
}

/* The sum of two powers, 0.001 dBm: the larger, and what the other adds to it. */
static s32 add_powers(s32 a, s32 b)
{
	s32 high = a > b ? a : b, low = a > b ? b : a;
	u32 gap, exponent;
	u64 ratio;

	if (low == POWER_NONE || high - low > 30000)
		return high;
	/* 10 log10(1 + 10^(-gap / 10)) by the table of 2^x: 10^(1/10) is 2^0.3322, in 1/256 85.041 a dB */
	gap = (u32)(high - low);
	exponent = (u32)((u64)gap * 85041 / 1000000);
	ratio = ((1ULL << 60) / error_exp2[exponent & 255]) >> (exponent >> 8); /* 2^-30 */
	return high + error_db((1ULL << 30) + ratio) - error_db(1ULL << 30);
}

static u64 log_distance_loss(struct object *ch, u32 from, u32 to, wifi_rate r, u32 bytes,
			     sim_time now, s32 noise)
{
	struct log_distance *d = (struct log_distance *)ch;
	const struct log_distance_params *p = params_of(d);
	s32 signal = d->power[from * d->env.n + to];
	s32 floor = (s32)(THERMAL_20 + p->noise_figure + DOUBLE_BAND * RATE_WIDTH(r));

	if (p->fading == FADING_RAYLEIGH)
		signal += fade(d, from, to, now);
	return error_threshold(r, signal - add_powers(floor, noise), bytes);
}

static void log_distance_changed(struct object *obj, const struct param *p)
{
	struct log_distance *d = (struct log_distance *)obj;

	if (d->power)
		compute(d);
}

static void log_distance_fini(struct object *obj)
{
	struct log_distance *d = (struct log_distance *)obj;

	free(d->power);
	free(d->shadow);
}

static const struct param position_fields[] = {
	{.name = "x",
	 .type = PARAM_METRES,
	 .flags = PARAM_LIVE,
	 .offset = offsetof(struct position, x),
	 .def = "0m",
	 .min = -10000000,
	 .max = 10000000,
	 .doc = "east of the origin"},
	{.name = "y",
	 .type = PARAM_METRES,
	 .flags = PARAM_LIVE,
	 .offset = offsetof(struct position, y),
	 .def = "0m",
	 .min = -10000000,
	 .max = 10000000,
	 .doc = "north of the origin"},
	PARAM_END,
};

static const struct param position_element[] = {
	{.name = "position",
	 .type = PARAM_STRUCT,
	 .fields = position_fields,
	 .size = sizeof(struct position),
	 .doc = "where it is"},
	PARAM_END,
};

static const struct param wall_element[] = {
	{.name = "loss",
	 .type = PARAM_DB,
	 .flags = PARAM_LIVE,
	 .min = 0,
	 .max = 200000,
	 .doc = "what it takes"},
	PARAM_END,
};

static const struct param_enum fadings[] = {
	{"none", FADING_NONE, NULL},
	{"rayleigh", FADING_RAYLEIGH, "Rayleigh, correlated in time as Jakes has it"},
	{NULL, 0, NULL},
};

#define P(field) offsetof(struct log_distance_params, field)

static const struct param params[] = {
	{.name = "positions",
	 .type = PARAM_MAP,
	 .flags = PARAM_LIVE,
	 .offset = P(positions),
	 .fields = position_element,
	 .size = sizeof(struct position),
	 .doc = "where stations are, by the name of their node; an access point is else at the origin, others on a "
		"circle around theirs"},
	{.name = "radius",
	 .type = PARAM_METRES,
	 .flags = PARAM_LIVE,
	 .offset = P(radius),
	 .def = "1m",
	 .min = 0,
	 .max = 10000000,
	 .doc = "radius of that circle"},
	{.name = "exponent",
	 .type = PARAM_DECIMAL,
	 .flags = PARAM_LIVE,
	 .offset = P(exponent),
	 .def = "3",
	 .min = 1000000,
	 .max = 8000000,
	 .doc = "path loss exponent"},
	{.name = "reference_loss",
	 .type = PARAM_DB,
	 .flags = PARAM_LIVE,
	 .offset = P(reference_loss),
	 .min = 0,
	 .max = 200000,
	 .doc = "path loss at 1 m; without it free space: 40.05 dB at 2.4 GHz, 46.67 dB at 5 GHz"},
	{.name = "tx_power",
	 .type = PARAM_DBM,
	 .flags = PARAM_LIVE,
	 .offset = P(tx_power),
	 .def = "16dBm",
	 .min = -50000,
	 .max = 50000,
	 .doc = "of every station, antenna gains included"},
	{.name = "noise_figure",
	 .type = PARAM_DB,
	 .flags = PARAM_LIVE,
	 .offset = P(noise_figure),
	 .def = "7dB",
	 .min = 0,
	 .max = 50000,
	 .doc = "of every receiver"},
	{.name = "sensitivity",
	 .type = PARAM_DBM,
	 .flags = PARAM_LIVE,
	 .offset = P(sensitivity),
	 .def = "-91dBm",
	 .min = -150000,
	 .max = 0,
	 .doc = "a station does not hear frames that come in below this"},
	{.name = "shadowing",
	 .type = PARAM_DB,
	 .flags = PARAM_STRUCTURAL,
	 .offset = P(shadowing),
	 .def = "0dB",
	 .min = 0,
	 .max = 30000,
	 .doc = "standard deviation of a normal loss, drawn once a pair"},
	{.name = "attenuation",
	 .type = PARAM_DB,
	 .flags = PARAM_LIVE,
	 .offset = P(attenuation),
	 .def = "0dB",
	 .min = -100000,
	 .max = 200000,
	 .doc = "between all stations"},
	{.name = "walls",
	 .type = PARAM_MAP,
	 .flags = PARAM_LIVE,
	 .offset = P(walls),
	 .fields = wall_element,
	 .size = sizeof(int64_t),
	 .doc = "loss around a station, by the name of its node"},
	{.name = "fading",
	 .type = PARAM_ENUM,
	 .flags = PARAM_STRUCTURAL,
	 .offset = P(fading),
	 .def = "none",
	 .values = fadings,
	 .doc = "of each pair, constant during a PPDU"},
	{.name = "doppler",
	 .type = PARAM_HZ,
	 .flags = PARAM_STRUCTURAL,
	 .offset = P(doppler),
	 .def = "10Hz",
	 .min = 1,
	 .max = 10000,
	 .doc = "Doppler frequency of the fading: speed over wavelength"},
	PARAM_END,
};

static const struct model_ops ops = {
	.changed = log_distance_changed,
	.fini = log_distance_fini,
};

static void check_map(const struct param_map *map, const char *key, const char *const *names, u32 n,
		      struct model_check *c)
{
	char where[128];

	for (u32 i = 0; i < map->n; i++) {
		bool known = false;

		for (u32 k = 0; k < n && !known; k++)
			known = !strcmp(map->names[i], names[k]);
		snprintf(where, sizeof(where), "%s.%s", key, map->names[i]);
		if (!known)
			model_check_error(c, where, "%s has no interface on this air",
					  map->names[i]);
	}
}

static void check_names(const void *params, const char *const *names, u32 n, struct model_check *c)
{
	const struct log_distance_params *p = params;

	check_map(&p->positions, "positions", names, n, c);
	check_map(&p->walls, "walls", names, n, c);
}

static const struct channel_ops channel_ops = {
	.check_names = check_names,
	.attach = log_distance_attach,
	.power = log_distance_power,
	.version = log_distance_version,
	.threshold = log_distance_threshold,
	.loss = log_distance_loss,
};

const struct model_class log_distance_class = {
	.kind = &kind_channel,
	.name = "log_distance",
	.doc = "stations in a plane: path loss by distance, shadowing, fading, noise",
	.source =
		"IEEE 802.11-2020 annex K; W. C. Jakes, Microwave Mobile Communications, 1974; errors: see "
		"models/wifi/error-curves.py",
	.not_modelled = "Frequency selectivity, antenna patterns, adjacent channels.",
	.size = sizeof(struct log_distance),
	.params_size = sizeof(struct log_distance_params),
	.params = params,
	.ops = &ops,
	.kind_ops = &channel_ops,
};
