/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Memory that goes all at once: a scenario's tree, a run's configuration. */
#ifndef WLANQ_SCENARIO_ARENA_H
#define WLANQ_SCENARIO_ARENA_H

#include <stddef.h>
#include <stdint.h>

struct arena;

struct arena *arena_new(void);
void arena_free(struct arena *a);

/* Zeroed bytes, aligned for any type; never NULL. @size 0 gives a valid pointer too. */
void *arena_alloc(struct arena *a, size_t size);

#define ARENA_ARRAY(a, type, n) ((type *)arena_alloc(a, sizeof(type) * (size_t)(n)))

char *arena_strndup(struct arena *a, const char *s, size_t len);
char *arena_strdup(struct arena *a, const char *s);
char *arena_printf(struct arena *a, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/* "@a.@b" */
char *arena_path(struct arena *a, const char *head, const char *tail);

#endif
