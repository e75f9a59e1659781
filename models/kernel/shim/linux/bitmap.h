/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Bit sets in arrays of unsigned long, and the search through a sparse one. */
#ifndef WLANQ_SHIM_LINUX_BITMAP_H
#define WLANQ_SHIM_LINUX_BITMAP_H

#include <linux/kernel.h>
#include <linux/slab.h>

#define BITS_PER_LONG	    (8 * sizeof(long))
#define BITS_TO_LONGS(bits) (((bits) + BITS_PER_LONG - 1) / BITS_PER_LONG)

#define bitmap_zalloc(bits, flags) kvcalloc(BITS_TO_LONGS(bits), sizeof(unsigned long), flags)
#define bitmap_free(map)	   kvfree(map)

static inline void __set_bit(unsigned long bit, unsigned long *map)
{
	map[bit / BITS_PER_LONG] |= 1UL << (bit % BITS_PER_LONG);
}

static inline void __clear_bit(unsigned long bit, unsigned long *map)
{
	map[bit / BITS_PER_LONG] &= ~(1UL << (bit % BITS_PER_LONG));
}

/* The first set bit from @bit on; @size when there is none. */
static inline unsigned long find_next_bit(const unsigned long *map, unsigned long size,
					  unsigned long bit)
{
	unsigned long word, at;

	if (bit >= size)
		return size;

	at = bit / BITS_PER_LONG;
	word = map[at] & (~0UL << (bit % BITS_PER_LONG));
	while (!word) {
		if (++at >= BITS_TO_LONGS(size))
			return size;
		word = map[at];
	}

	bit = at * BITS_PER_LONG + __builtin_ctzl(word);
	return min_t(unsigned long, bit, size);
}

#define for_each_set_bit(bit, map, size)                          \
	for ((bit) = find_next_bit(map, size, 0); (bit) < (size); \
	     (bit) = find_next_bit(map, size, (bit) + 1))

#endif
