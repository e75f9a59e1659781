// SPDX-License-Identifier: GPL-3.0-or-later
#include "scenario/units.h"

#include <string.h>

#include "scenario/error.h"

typedef unsigned __int128 u128;

#define MANTISSA_DIGITS 19
#define UNITS_MAX	8

struct unit {
	const char *name;
	int64_t base; /* base units in one */
};

/* What a type is called and counted in; units from small to large. */
struct unit_type {
	enum param_type type;
	const char *noun, *allowed;
	int64_t scale; /* base units in 1, of a type without unit */
	struct unit units[UNITS_MAX];
};

static const struct unit_type unit_types[] = {
	{PARAM_INT, "a whole number", "", 1},
	{PARAM_TIME,
	 "a time",
	 "ns us ms s min",
	 0,
	 {{"ns", 1}, {"us", 1000}, {"ms", 1000000}, {"s", 1000000000}, {"min", 60000000000}}},
	{PARAM_RATE,
	 "a rate",
	 "bit kbit Mbit Gbit",
	 0,
	 {{"bit", 1}, {"kbit", 1000}, {"Mbit", 1000000}, {"Gbit", 1000000000}}},
	{PARAM_BYTES,
	 "a size in bytes",
	 "B kB MB GB KiB MiB GiB",
	 0,
	 {{"B", 1},
	  {"kB", 1000},
	  {"KiB", 1024},
	  {"MB", 1000000},
	  {"MiB", 1048576},
	  {"GB", 1000000000},
	  {"GiB", 1073741824}}},
	{PARAM_HZ,
	 "a frequency",
	 "Hz kHz MHz GHz",
	 0,
	 {{"Hz", 1}, {"kHz", 1000}, {"MHz", 1000000}, {"GHz", 1000000000}}},
	{PARAM_DBM, "a power", "dBm", 0, {{"dBm", 1000}}},
	{PARAM_DB, "a gain", "dB", 0, {{"dB", 1000}}},
	{PARAM_METRES, "a distance", "m km", 0, {{"m", 1000}, {"km", 1000000}}},
	{PARAM_PROB, "a probability, 0 to 1 or a percentage", "%", 0},
	{PARAM_DECIMAL, "a number", "", 1000000},
};

static const struct unit_type *type_find(enum param_type type)
{
	for (size_t i = 0; i < G_N_ELEMENTS(unit_types); i++)
		if (unit_types[i].type == type)
			return &unit_types[i];
	return NULL;
}

const char *units_allowed(enum param_type type)
{
	const struct unit_type *t = type_find(type);

	return t ? t->allowed : "";
}

const char *units_noun(enum param_type type)
{
	const struct unit_type *t = type_find(type);

	return t ? t->noun : "a value";
}

void units_range(enum param_type type, int64_t *min, int64_t *max)
{
	*min = 0;
	*max = INT64_MAX;
	if (type == PARAM_DBM || type == PARAM_DB || type == PARAM_DECIMAL)
		*min = INT64_MIN + 1;
	if (type == PARAM_BOOL)
		*max = 1;
	if (type == PARAM_PROB)
		*max = PROB_ONE;
}

/* ---- reading ------------------------------------------------------------------------------- */

/* A decimal number: (-1)^negative x mantissa x 10^exponent. */
struct number {
	bool negative;
	uint64_t mantissa;
	int exponent;
	const char *rest; /* what follows it */
};

enum number_error { NUMBER_OK, NUMBER_NONE, NUMBER_LONG, NUMBER_OCTAL };

static enum number_error number_hex(const char *s, struct number *n)
{
	unsigned base = s[1] == 'x' ? 16 : 8;
	const char *p = s + 2;

	while (g_ascii_isxdigit(*p) && (unsigned)g_ascii_xdigit_value(*p) < base) {
		if (n->mantissa >> 58)
			return NUMBER_LONG;
		n->mantissa = n->mantissa * base + (unsigned)g_ascii_xdigit_value(*p++);
	}
	n->rest = p;
	return p == s + 2 || *p ? NUMBER_NONE : NUMBER_OK;
}

static enum number_error number_exponent(struct number *n)
{
	const char *p = n->rest;
	bool negative;
	int e = 0;

	if (*p != 'e' && *p != 'E')
		return NUMBER_OK;
	p++;
	negative = *p == '-';
	if (*p == '-' || *p == '+')
		p++;
	if (!g_ascii_isdigit(*p))
		return NUMBER_OK;
	for (; g_ascii_isdigit(*p); p++) {
		e = e * 10 + (*p - '0');
		if (e > 1000)
			return NUMBER_LONG;
	}
	n->exponent += negative ? -e : e;
	n->rest = p;
	return NUMBER_OK;
}

/* YAML 1.2 core numbers; 0x and 0o only when nothing follows them. */
static enum number_error number_read(const char *s, struct number *n)
{
	int digits = 0, zeros = 0;
	bool any = false, dot = false;
	const char *first;

	memset(n, 0, sizeof(*n));
	if (*s == '-' || *s == '+')
		n->negative = *s++ == '-';
	if (s[0] == '0' && (s[1] == 'x' || s[1] == 'o'))
		return number_hex(s, n);
	first = s;
	for (;; s++) {
		if (*s == '.' && !dot) {
			dot = true;
			continue;
		}
		if (!g_ascii_isdigit(*s))
			break;
		any = true;
		n->exponent -= dot;
		/* zeros are held back: those at the end must not cost digits */
		if (*s == '0') {
			zeros += n->mantissa != 0;
			continue;
		}
		for (; zeros > 0 && digits < MANTISSA_DIGITS; zeros--, digits++)
			n->mantissa *= 10;
		if (zeros || ++digits > MANTISSA_DIGITS)
			return NUMBER_LONG;
		n->mantissa = n->mantissa * 10 + (uint64_t)(*s - '0');
	}
	if (!any)
		return NUMBER_NONE;
	n->exponent += zeros;
	n->rest = s;
	if (first[0] == '0' && g_ascii_isdigit(first[1]))
		return NUMBER_OCTAL;
	return number_exponent(n);
}

enum scale_error { SCALE_OK, SCALE_LARGE, SCALE_FINE };

/* n x base, exactly. */
static enum scale_error number_scale(const struct number *n, int64_t base, int64_t *value)
{
	u128 v = (u128)n->mantissa * (u128)base;
	int e = n->exponent;

	for (; e > 0 && v; e--) {
		if (v > INT64_MAX)
			return SCALE_LARGE;
		v *= 10;
	}
	for (; e < 0 && v; e++) {
		if (v % 10)
			return SCALE_FINE;
		v /= 10;
	}
	if (v > INT64_MAX)
		return SCALE_LARGE;
	*value = n->negative ? -(int64_t)v : (int64_t)v;
	return SCALE_OK;
}

/* n x 2^32 to the nearest; n is at most 1. */
static enum scale_error number_threshold(const struct number *n, int64_t *value)
{
	u128 v = (u128)n->mantissa << 32, den = 1;
	int e = n->exponent;

	if (n->negative && n->mantissa)
		return SCALE_LARGE;
	for (; e > 0 && v; e--) {
		if (v > (u128)PROB_ONE)
			return SCALE_LARGE;
		v *= 10;
	}
	for (; e < 0; e++) {
		if (den > (u128)1 << 120)
			return n->mantissa ? SCALE_FINE : SCALE_OK;
		den *= 10;
	}
	v = (v + den / 2) / den;
	if (v > (u128)PROB_ONE)
		return SCALE_LARGE;
	if (!v && n->mantissa)
		return SCALE_FINE;
	*value = (int64_t)v;
	return SCALE_OK;
}

static void say(GString *err, const char *fmt, ...) G_GNUC_PRINTF(2, 3);

static void say(GString *err, const char *fmt, ...)
{
	va_list ap;

	if (!err)
		return;
	va_start(ap, fmt);
	g_string_append_vprintf(err, fmt, ap);
	va_end(ap);
}

static bool say_number(GString *err, enum number_error e, const struct unit_type *t,
		       const char *text)
{
	if (e == NUMBER_OCTAL)
		say(err,
		    "read '%s': a leading zero is octal to some and decimal to others; "
		    "write it without (octal is 0o10)",
		    text);
	else if (e == NUMBER_LONG)
		say(err, "read '%s': more digits than can be kept exactly", text);
	else
		say(err, "read '%s', expected %s%s%s", text, t->noun, *t->allowed ? " in " : "",
		    t->allowed);
	return false;
}

static bool say_scale(GString *err, enum scale_error e, const struct unit_type *t, const char *text)
{
	if (e == SCALE_OK)
		return true;
	if (e == SCALE_LARGE)
		say(err, "read '%s': out of range for %s", text, t->noun);
	else if (t->type == PARAM_INT)
		say(err, "read '%s', expected a whole number", text);
	else
		say(err, "read '%s': finer than the smallest step that %s has", text, t->noun);
	return false;
}

static bool say_unit(GString *err, const struct unit_type *t, const char *text, const char *rest)
{
	const char *names[UNITS_MAX] = {NULL};
	const char *near;

	for (size_t i = 0; i < UNITS_MAX; i++)
		names[i] = t->units[i].name;
	if (!*t->allowed) {
		say(err, "read '%s', expected %s without a unit", text, t->noun);
	} else if (!*rest) {
		say(err, "read '%s' without a unit, expected %s in %s", text, t->noun, t->allowed);
	} else if (*rest == ' ') {
		say(err, "read '%s': no space between number and unit", text);
	} else {
		near = nearest_name(rest, names, UNITS_MAX);
		say(err, "read '%s' with the unit '%s', expected %s in %s", text, rest, t->noun,
		    t->allowed);
		if (near)
			say(err, "; did you mean '%s'?", near);
	}
	return false;
}

bool units_parse(enum param_type type, const char *text, int64_t *value, GString *err)
{
	const struct unit_type *t = type_find(type);
	enum number_error e;
	struct number n;
	int64_t base = 0;

	g_assert(t);
	e = number_read(text, &n);
	if (e)
		return say_number(err, e, t, text);
	if (type == PARAM_PROB) {
		bool percent = !strcmp(n.rest, "%");

		if (*n.rest && !percent)
			return say_unit(err, t, text, n.rest);
		n.exponent -= percent ? 2 : 0;
		return say_scale(err, number_threshold(&n, value), t, text);
	}
	if (t->scale)
		base = *n.rest ? 0 : t->scale;
	else
		for (size_t i = 0; i < UNITS_MAX && t->units[i].name; i++)
			if (!strcmp(t->units[i].name, n.rest))
				base = t->units[i].base;
	if (!base)
		return say_unit(err, t, text, n.rest);
	return say_scale(err, number_scale(&n, base, value), t, text);
}

bool units_parse_queue(const char *text, bool any, struct queue_size *size, GString *err)
{
	static const struct {
		enum param_type type;
		enum queue_unit unit;
	} kinds[] = {
		{PARAM_INT, QUEUE_PACKETS}, {PARAM_BYTES, QUEUE_BYTES}, {PARAM_TIME, QUEUE_TIME}};

	for (size_t i = 0; i < (any ? G_N_ELEMENTS(kinds) : 1); i++) {
		if (!units_parse(kinds[i].type, text, &size->value, NULL))
			continue;
		if (size->value < 0)
			break;
		size->unit = kinds[i].unit;
		return true;
	}
	say(err, "read '%s', expected a count of packets%s", text,
	    any ? ", a size in B kB MB GB KiB MiB GiB or a time in ns us ms s min" : "");
	return false;
}

/* ---- writing ------------------------------------------------------------------------------- */

/* @text has room for UNITS_TEXT_MAX, which no value needs with the longest unit. */
static void format_decimal(char *text, bool negative, uint64_t value, uint64_t base,
			   const char *unit)
{
	uint64_t whole = value / base, part = value % base, step = base;
	char digits[24], *first = digits + sizeof(digits);

	do {
		*--first = (char)('0' + whole % 10);
	} while (whole /= 10);
	if (negative)
		*text++ = '-';
	while (first < digits + sizeof(digits))
		*text++ = *first++;
	if (part)
		*text++ = '.';
	/* base is a power of ten wherever a fraction is left */
	while (part) {
		step /= 10;
		*text++ = (char)('0' + part / step);
		part %= step;
	}
	strcpy(text, unit);
}

static void format_prob(int64_t value, char *text)
{
	uint64_t scale = 1;
	char s[UNITS_TEXT_MAX];

	/* the fewest digits that are read back as this threshold; ten always do */
	for (int digits = 0; digits <= 10; digits++, scale *= 10) {
		uint64_t v = (uint64_t)((((u128)value * scale) + ((u128)PROB_ONE / 2)) >> 32);
		int64_t back;

		format_decimal(s, false, v, scale, "");
		if (units_parse(PARAM_PROB, s, &back, NULL) && back == value)
			break;
	}
	g_strlcpy(text, s, UNITS_TEXT_MAX);
}

/* The largest unit that gives at least 1; of bytes the shortest text, since 1500B and 64KiB are usual. */
static void format_unit(const struct unit_type *t, int64_t value, char *text)
{
	uint64_t v = value < 0 ? (uint64_t)-value : (uint64_t)value;
	char s[UNITS_TEXT_MAX];
	bool first = true;

	if (!v && t->type == PARAM_TIME) {
		g_strlcpy(text, "0s", UNITS_TEXT_MAX);
		return;
	}
	for (size_t i = 0; i < UNITS_MAX && t->units[i].name; i++) {
		uint64_t base = (uint64_t)t->units[i].base;
		bool binary = t->type == PARAM_BYTES && base > 1 && base % 1000;

		if (!first && (v < base || !strcmp(t->units[i].name, "min")))
			continue;
		if (binary && v % base)
			continue;
		format_decimal(s, value < 0, v, base, t->units[i].name);
		if (!first && t->type == PARAM_BYTES &&
		    (strlen(s) > strlen(text) || (strlen(s) == strlen(text) && v < 10000)))
			continue;
		first = false;
		g_strlcpy(text, s, UNITS_TEXT_MAX);
	}
}

void units_format(enum param_type type, int64_t value, char text[UNITS_TEXT_MAX])
{
	const struct unit_type *t = type_find(type);

	if (value == PARAM_UNSET)
		g_strlcpy(text, "unset", UNITS_TEXT_MAX);
	else if (type == PARAM_BOOL)
		g_strlcpy(text, value ? "true" : "false", UNITS_TEXT_MAX);
	else if (type == PARAM_PROB)
		format_prob(value, text);
	else if (t->scale)
		format_decimal(text, value < 0, value < 0 ? (uint64_t)-value : (uint64_t)value,
			       (uint64_t)t->scale, "");
	else
		format_unit(t, value, text);
}

void units_format_queue(const struct queue_size *size, char text[UNITS_TEXT_MAX])
{
	static const enum param_type types[] = {PARAM_INT, PARAM_BYTES, PARAM_TIME};

	units_format(types[size->unit], size->value, text);
}
