// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/draw.h"

#include <string.h>
#include <xxhash.h>

#define NAME_USUAL 128 /* a longer name is hashed piece by piece */

uint64_t draw_key(uint64_t seed, const char *name)
{
	return XXH3_64bits_withSeed(name, strlen(name), seed);
}

/* The same as draw_key(seed, "path.domain"). */
void draw_init(struct draw *d, uint64_t seed, const char *path, const char *domain)
{
	size_t head = strlen(path), tail = strlen(domain);
	char name[NAME_USUAL];
	XXH3_state_t *state;

	d->index = 0;
	if (head + tail + 1 <= sizeof(name)) {
		memcpy(name, path, head);
		name[head] = '.';
		memcpy(name + head + 1, domain, tail);
		d->key = XXH3_64bits_withSeed(name, head + tail + 1, seed);
		return;
	}
	state = XXH3_createState();
	XXH3_64bits_reset_withSeed(state, seed);
	XXH3_64bits_update(state, path, head);
	XXH3_64bits_update(state, ".", 1);
	XXH3_64bits_update(state, domain, tail);
	d->key = XXH3_64bits_digest(state);
	XXH3_freeState(state);
}
