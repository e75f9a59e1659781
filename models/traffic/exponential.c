// SPDX-License-Identifier: GPL-3.0-or-later
#include "traffic/exponential.h"

#define LN2_Q32 2977044472ull /* ln 2 x 2^32 */

/* log2 of 2^63 <= @m < 2^64 less 63, in 2^-32: a bit of the logarithm for each squaring. */
static uint64_t log2_fraction(uint64_t m)
{
	uint64_t bits = 0;

	for (int i = 0; i < 32; i++) {
		unsigned __int128 square = (unsigned __int128)m * m;

		bits <<= 1;
		if (square >> 127) {
			bits |= 1;
			m = (uint64_t)(square >> 64);
		} else {
			m = (uint64_t)(square >> 63);
		}
	}
	return bits;
}

uint64_t exponential_q32(uint64_t bits)
{
	uint64_t x = bits + 1, log2;
	int zeros;

	if (!x)
		return 0;
	zeros = __builtin_clzll(x);
	log2 = ((uint64_t)(63 - zeros) << 32) + log2_fraction(x << zeros);
	return (uint64_t)((unsigned __int128)((64ull << 32) - log2) * LN2_Q32 >> 32);
}

sim_time exponential_next(struct draw *d, sim_time mean)
{
	uint64_t e = exponential_q32(draw_bits(d->key, d->index++));

	return (sim_time)((unsigned __int128)e * (uint64_t)mean >> 32);
}
