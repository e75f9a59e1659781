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

/* ---- by heads -------------------------------------------------------------------------------- */

/* Metrics in a row whose names have one head: all up to the first dot, or to the end. */
struct segment {
	uint32_t first, n, head; /* head: its bytes, the dot or the zero too */
};

static GArray *find_segments(const struct metric *v, uint32_t n)
{
	GArray *segments = g_array_new(FALSE, FALSE, sizeof(struct segment));
	struct segment s = {0};

	for (uint32_t i = 0; i < n; i++) {
		if (s.n && !strncmp(v[i].name, v[s.first].name, s.head)) {
			s.n++;
			continue;
		}
		if (s.n)
			g_array_append_val(segments, s);
		s = (struct segment){i, 1, (uint32_t)strcspn(v[i].name, ".") + 1};
	}
	if (s.n)
		g_array_append_val(segments, s);
	return segments;
}

static gint compare_heads(gconstpointer a, gconstpointer b, gpointer data)
{
	const struct segment *s = a, *t = b;
	const struct metric *v = data;
	int order = memcmp(v[s->first].name, v[t->first].name, MIN(s->head, t->head));

	if (!order)
		order = (s->head > t->head) - (s->head < t->head);
	return order ? order : (s->first > t->first) - (s->first < t->first);
}

struct sorter {
	struct item *items; /* of the head before: .place tells which metric came where */
	uint32_t n; /* how many it had */
	struct metric *taken; /* of this head as they came */
};

static void put_in_order(const struct sorter *s, struct metric *out, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++)
		out[i] = s->taken[s->items[i].place];
}

/* Whether each name is behind the one before; they have one head of @head bytes. */
static bool ascending(const struct metric *v, uint32_t n, uint32_t head)
{
	for (uint32_t i = 1; i < n; i++)
		if (!v[i].name[head - 1] || strcmp(v[i - 1].name + head, v[i].name + head) >= 0)
			return false;
	return true;
}

/*
 * Sorts the @n metrics that were taken, all of one head, to @out. Nodes of one kind measure the same things in the same
 * order: what was found out for the head before is tried first. Returns whether no two have one name.
 */
static bool sort_head(struct sorter *s, struct metric *out, uint32_t n, uint32_t head)
{
	if (n == s->n) {
		put_in_order(s, out, n);
		if (ascending(out, n, head))
			return true;
	}
	for (uint32_t i = 0; i < n; i++) {
		s->items[i].len = (uint32_t)strlen(s->taken[i].name);
		s->items[i].place = i;
	}
	/* one that is nothing but head is alone, or all are one */
	if (s->taken[0].name[head - 1])
		sort_from(s->taken, s->items, s->items + n, n, head);
	s->n = n;
	put_in_order(s, out, n);
	return ascending(out, n, head);
}

bool metric_sort(struct metric *v, uint32_t n)
{
	GArray *found = find_segments(v, n);
	const struct segment *segments = (struct segment *)found->data;
	struct metric *sorted = g_new(struct metric, 2 * n + 1);
	struct sorter s = {.items = g_new(struct item, n + n / 2 + 1), .taken = sorted + n};
	bool differ = true;
	uint32_t at = 0;

	g_array_sort_with_data(found, compare_heads, v);
	for (guint i = 0, next; i < found->len; i = next) {
		uint32_t taken = 0;

		for (next = i; next < found->len && segments[next].head == segments[i].head &&
			       !memcmp(v[segments[next].first].name, v[segments[i].first].name,
				       segments[i].head);
		     next++) {
			memcpy(s.taken + taken, v + segments[next].first,
			       segments[next].n * sizeof(*v));
			taken += segments[next].n;
		}
		differ &= sort_head(&s, sorted + at, taken, segments[i].head);
		at += taken;
	}
	if (n)
		memcpy(v, sorted, n * sizeof(*v));
	g_free(s.items);
	g_free(sorted);
	g_array_free(found, TRUE);
	return differ;
}
