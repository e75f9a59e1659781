// SPDX-License-Identifier: GPL-3.0-or-later
#include "measure/metric-sort.h"

#include <glib.h>
#include <string.h>

#define WORD 8u
#define FEW  12u /* are sorted by insertion */

struct item {
	uint64_t
		key; /* the next bytes of the name, the first one the most significant, zeros behind the end */
	uint32_t len; /* of the name */
	uint32_t place; /* of the metric */
};

static uint64_t load(const char *bytes)
{
	uint64_t word;

	memcpy(&word, bytes, WORD);
	return GUINT64_FROM_BE(word);
}

/* Of the bytes from @at on. */
static uint64_t key_of(const char *name, size_t len, size_t at)
{
	size_t left = len - at;
	uint64_t key = 0;

	if (left >= WORD)
		return load(name + at);
	if (!left)
		return 0;
	if (len >= WORD)
		return load(name + len - WORD) << 8 * (WORD - left);
	for (size_t i = 0; i < left; i++)
		key = key << 8 | (unsigned char)name[at + i];
	return key << 8 * (WORD - left);
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
static void sort_from(const struct metric *all, struct item *v, struct item *scratch, uint32_t n,
		      size_t depth)
{
	for (uint32_t i = 0; i < n; i++)
		v[i].key = key_of(all[v[i].place].name, v[i].len, depth);
	sort_keys(v, scratch, n);
	for (uint32_t i = 0, next; i < n; i = next) {
		for (next = i + 1; next < n && v[next].key == v[i].key;)
			next++;
		/* a zero in the word: the names have ended */
		if (next - i > 1 && v[i].key & 0xff)
			sort_from(all, v + i, scratch, next - i, depth + WORD);
	}
}

/* Moves each metric to where its item stands, along the circles that these moves form. */
static void move_all(struct metric *v, struct item *items, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		struct metric first = v[i];
		uint32_t at = i, from;

		for (; (from = items[at].place) != i; at = from) {
			v[at] = v[from];
			items[at].place = at;
		}
		v[at] = first;
		items[at].place = at;
	}
}

void metric_sort(struct metric *v, uint32_t n)
{
	struct item *items = g_new(struct item, n + n / 2 + 1);

	for (uint32_t i = 0; i < n; i++) {
		items[i].len = (uint32_t)strlen(v[i].name);
		items[i].place = i;
	}
	sort_from(v, items, items + n, n, 0);
	move_all(v, items, n);
	g_free(items);
}
