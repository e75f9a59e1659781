// SPDX-License-Identifier: GPL-3.0-or-later
#include "measure/metric-sort.h"

#include <glib.h>
#include <string.h>

#define WORD 8u
#define FEW  12u /* are sorted by insertion */

struct item {
	uint64_t
		key; /* the next bytes of the name, the first one the most significant, zeros behind the end */
	struct metric m;
};

static uint64_t key_of(const char *name)
{
	uint64_t key = 0;
	uint32_t i = 0;

	for (; i < WORD && name[i]; i++)
		key = key << 8 | (unsigned char)name[i];
	return i ? key << 8 * (WORD - i) : 0;
}

static void insert(struct item *v, uint32_t n)
{
	for (uint32_t i = 1; i < n; i++) {
		struct item moved = v[i];
		uint32_t k = i;

		for (; k && v[k - 1].key > moved.key; k--)
			v[k] = v[k - 1];
		v[k] = moved;
	}
}

static void sort_keys(struct item *v, struct item *scratch, uint32_t n)
{
	uint32_t half = n / 2, a = 0, b = half, to = 0;

	if (n <= FEW) {
		insert(v, n);
		return;
	}
	sort_keys(v, scratch, half);
	sort_keys(v + half, scratch, n - half);
	if (v[half - 1].key <= v[half].key)
		return;
	memcpy(scratch, v, half * sizeof(*v));
	while (a < half)
		v[to++] = b < n && v[b].key < scratch[a].key ? v[b++] : scratch[a++];
}

/* They are alike in the first @depth bytes. */
static void sort_from(struct item *v, struct item *scratch, uint32_t n, size_t depth)
{
	for (uint32_t i = 0; i < n; i++)
		v[i].key = key_of(v[i].m.name + depth);
	sort_keys(v, scratch, n);
	for (uint32_t i = 0, next; i < n; i = next) {
		for (next = i + 1; next < n && v[next].key == v[i].key;)
			next++;
		/* a zero in the word: the names have ended */
		if (next - i > 1 && v[i].key & 0xff)
			sort_from(v + i, scratch, next - i, depth + WORD);
	}
}

void metric_sort(struct metric *v, uint32_t n)
{
	struct item *items = g_new(struct item, n + n / 2 + 1);

	for (uint32_t i = 0; i < n; i++)
		items[i].m = v[i];
	sort_from(items, items + n, n, 0);
	for (uint32_t i = 0; i < n; i++)
		v[i] = items[i].m;
	g_free(items);
}
