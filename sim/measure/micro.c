// SPDX-License-Identifier: GPL-3.0-or-later
#include "measure/micro.h"

#include "engine/model.h"

/* Most are of 64 bits, which the processor divides by itself. */
static uint64_t rounded(uint64_t n, uint64_t d)
{
	return n / d + (n % d >= d - n % d);
}

int64_t micro_ratio(__int128 num, __int128 den)
{
	unsigned __int128 n, d, q;
	int negative = (num < 0) != (den < 0);

	if (!den)
		return METRIC_ABSENT;
	n = (unsigned __int128)(num < 0 ? -num : num) * MICRO;
	d = (unsigned __int128)(den < 0 ? -den : den);
	if (n <= UINT64_MAX && d <= UINT64_MAX)
		q = rounded((uint64_t)n, (uint64_t)d);
	else
		q = n / d + (n % d >= d - n % d);
	if (q > INT64_MAX)
		q = INT64_MAX;
	return negative ? -(int64_t)q : (int64_t)q;
}

char *micro_format(char buf[MICRO_TEXT], int64_t micro)
{
	uint64_t abs = micro < 0 ? -(uint64_t)micro : (uint64_t)micro;
	uint64_t whole = abs / MICRO, part = abs % MICRO;
	char digits[MICRO_TEXT], *end = digits + sizeof(digits), *at = end, *to = buf;

	if (micro == METRIC_ABSENT) {
		buf[0] = '\0';
		return buf;
	}
	if (part) {
		/* the 1 before them keeps the zeros in front, and gives way to the point */
		for (part += MICRO; part > 1; part /= 10)
			if (at != end || part % 10)
				*--at = (char)('0' + part % 10);
		*--at = '.';
	}
	do {
		*--at = (char)('0' + whole % 10);
	} while (whole /= 10);
	if (micro < 0)
		*to++ = '-';
	while (at < end)
		*to++ = *at++;
	*to = '\0';
	return buf;
}
