// SPDX-License-Identifier: GPL-3.0-or-later
#include "wifi/scoreboard.h"

#include <glib.h>

#include "wifi/seq.h"

#define SIZE_MAX_R 64
#define HALF	   ((SEQ_MASK + 1) / 2)

struct scoreboards {
	GHashTable *by_key; /* u64 * -> struct scoreboard * */
};

void scoreboard_begin(struct scoreboard *s, u16 start, u16 size)
{
	s->start = start;
	s->size = size && size < SIZE_MAX_R ? size : SIZE_MAX_R;
	s->bitmap = 0;
}

static void shift_to(struct scoreboard *s, u16 start)
{
	u32 by = seq_sub(start, s->start);

	s->bitmap = by < 64 ? s->bitmap >> by : 0;
	s->start = start;
}

void scoreboard_take(struct scoreboard *s, u16 seq)
{
	u32 ahead = seq_sub(seq, s->start);

	if (ahead >= HALF)
		return;
	if (ahead >= s->size)
		shift_to(s, seq_sub(seq, s->size - 1));
	s->bitmap |= 1ull << seq_sub(seq, s->start);
}

void scoreboard_move(struct scoreboard *s, u16 start)
{
	if (seq_sub(start, s->start) < HALF)
		shift_to(s, start);
}

struct scoreboards *scoreboards_new(void)
{
	struct scoreboards *all = g_new(struct scoreboards, 1);

	all->by_key = g_hash_table_new_full(g_int64_hash, g_int64_equal, g_free, g_free);
	return all;
}

void scoreboards_free(struct scoreboards *all)
{
	g_hash_table_destroy(all->by_key);
	g_free(all);
}

static u64 key_of(u16 from, u16 to, u8 tid)
{
	return (u64)from << 32 | (u64)to << 8 | tid;
}

struct scoreboard *scoreboards_find(struct scoreboards *all, u16 from, u16 to, u8 tid, bool make)
{
	u64 key = key_of(from, to, tid);
	struct scoreboard *s = g_hash_table_lookup(all->by_key, &key);

	if (s || !make)
		return s;
	s = g_new0(struct scoreboard, 1);
	g_hash_table_insert(all->by_key, g_memdup2(&key, sizeof(key)), s);
	return s;
}

void scoreboards_end(struct scoreboards *all, u16 from, u16 to, u8 tid)
{
	u64 key = key_of(from, to, tid);

	g_hash_table_remove(all->by_key, &key);
}
