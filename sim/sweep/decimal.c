// SPDX-License-Identifier: GPL-3.0-or-later
#include "sweep/decimal.h"

#include <glib.h>
#include <math.h>

#include "engine/model.h"

/* 10^n */
static uint64_t power(int n)
{
	uint64_t p = 1;

	while (n-- > 0)
		p *= 10;
	return p;
}

const char *decimal_round(char buf[MICRO_TEXT], int64_t micro, int places)
{
	int64_t unit = (int64_t)power(6 - places);
	int64_t rest = micro % unit;

	if (micro == METRIC_ABSENT)
		return micro_format(buf, micro);
	micro -= rest;
	if (rest >= (unit + 1) / 2 && rest > 0)
		micro += unit;
	else if (-rest >= (unit + 1) / 2 && rest < 0)
		micro -= unit;
	return micro_format(buf, micro);
}

const char *decimal_short(char buf[MICRO_TEXT], int64_t micro, int digits)
{
	uint64_t abs = micro < 0 ? 0 - (uint64_t)micro : (uint64_t)micro;
	int places = 6 + digits;

	/* One place less for every digit of the number in micro units. */
	for (uint64_t n = abs; n > 0; n /= 10)
		places--;
	return decimal_round(buf, micro, CLAMP(places, 0, 6));
}

bool decimal_parse(const char *text, int64_t *micro)
{
	bool negative = *text == '-';
	uint64_t whole = 0, part = 0;
	int places = 0, digits = 0;

	text += negative;
	for (; *text >= '0' && *text <= '9'; text++, digits++) {
		if (whole > (uint64_t)INT64_MAX / MICRO / 10 - 1)
			return false;
		whole = whole * 10 + (uint64_t)(*text - '0');
	}
	if (*text == '.') {
		for (text++; *text >= '0' && *text <= '9'; text++, digits++) {
			if (places < 6) {
				part = part * 10 + (uint64_t)(*text - '0');
				places++;
			}
		}
	}
	if (*text || digits == 0)
		return false;
	for (; places < 6; places++)
		part *= 10;
	*micro = (int64_t)(whole * MICRO + part) * (negative ? -1 : 1);
	return true;
}

int64_t decimal_from_double(double v)
{
	return fabs(v) < 9e12 ? llround(v * 1e6) : METRIC_ABSENT;
}

json_t *decimal_json(int64_t micro)
{
	if (micro % MICRO == 0)
		return json_integer(micro / MICRO);
	return json_real((double)micro / 1e6);
}

bool decimal_from_json(const json_t *value, int64_t *micro)
{
	double v;

	if (json_is_integer(value)) {
		json_int_t n = json_integer_value(value);

		if (n > INT64_MAX / MICRO || n < INT64_MIN / MICRO)
			return false;
		*micro = (int64_t)n * MICRO;
		return true;
	}
	if (!json_is_real(value))
		return false;
	v = json_real_value(value) * 1e6;
	if (!(fabs(v) < 9e18))
		return false;
	*micro = llround(v);
	return true;
}
