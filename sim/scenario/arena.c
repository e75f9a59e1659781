// SPDX-License-Identifier: GPL-3.0-or-later
#include "scenario/arena.h"

#include <glib.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#define CHUNK_MIN ((size_t)16 << 10)
#define CHUNK_MAX ((size_t)1 << 20)
#define ALIGN	  16

struct chunk {
	struct chunk *next;
	size_t size;
};

struct arena {
	struct chunk *chunks;
	char *at, *end;
	size_t next_size;
};

struct arena *arena_new(void)
{
	struct arena *a = g_new0(struct arena, 1);

	a->next_size = CHUNK_MIN;
	return a;
}

void arena_free(struct arena *a)
{
	struct chunk *c, *next;

	if (!a)
		return;
	for (c = a->chunks; c; c = next) {
		next = c->next;
		g_free(c);
	}
	g_free(a);
}

static void arena_grow(struct arena *a, size_t size)
{
	size_t head = (sizeof(struct chunk) + ALIGN - 1) & ~(size_t)(ALIGN - 1);
	size_t room = MAX(a->next_size, size + head);
	struct chunk *c = g_malloc0(room);

	c->size = room;
	c->next = a->chunks;
	a->chunks = c;
	a->at = (char *)c + head;
	a->end = (char *)c + room;
	if (a->next_size < CHUNK_MAX)
		a->next_size *= 2;
}

void *arena_alloc(struct arena *a, size_t size)
{
	void *p;

	size = (MAX(size, 1) + ALIGN - 1) & ~(size_t)(ALIGN - 1);
	if ((size_t)(a->end - a->at) < size)
		arena_grow(a, size);
	p = a->at;
	a->at += size;
	return p;
}

char *arena_strndup(struct arena *a, const char *s, size_t len)
{
	char *p = arena_alloc(a, len + 1);

	memcpy(p, s, len);
	return p;
}

char *arena_strdup(struct arena *a, const char *s)
{
	return arena_strndup(a, s, strlen(s));
}

char *arena_printf(struct arena *a, const char *fmt, ...)
{
	va_list ap, again;
	char *p;
	int len;

	va_start(ap, fmt);
	va_copy(again, ap);
	len = vsnprintf(NULL, 0, fmt, ap);
	va_end(ap);
	p = arena_alloc(a, (size_t)len + 1);
	vsnprintf(p, (size_t)len + 1, fmt, again);
	va_end(again);
	return p;
}

char *arena_path(struct arena *a, const char *head, const char *tail)
{
	size_t nh = strlen(head), nt = strlen(tail);
	char *p = arena_alloc(a, nh + nt + 2);

	memcpy(p, head, nh);
	p[nh] = '.';
	memcpy(p + nh + 1, tail, nt);
	return p;
}
