// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/draw.h"

#include <string.h>
#include <xxhash.h>

uint64_t draw_key(uint64_t seed, const char *name)
{
	return XXH3_64bits_withSeed(name, strlen(name), seed);
}

/* The same as draw_key(seed, "path.domain"), without the joined string. */
void draw_init(struct draw *d, uint64_t seed, const char *path, const char *domain)
{
	XXH3_state_t *state = XXH3_createState();

	XXH3_64bits_reset_withSeed(state, seed);
	XXH3_64bits_update(state, path, strlen(path));
	XXH3_64bits_update(state, ".", 1);
	XXH3_64bits_update(state, domain, strlen(domain));
	d->key = XXH3_64bits_digest(state);
	d->index = 0;
	XXH3_freeState(state);
}
