// SPDX-License-Identifier: GPL-3.0-or-later
/* rate-vectors RATE.so: the calls of all loss tables before the library. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include <glib.h>

#include "kernel/lab/rate-vectors.h"
#include "kernel/shim/loader.h"

static struct seam_boot boot;
static u64 boot_rng = RVEC_BOOT;

static u32 draw(struct seam_boot *b, void *up)
{
	return rvec_random(&boot_rng);
}

static void trap(struct seam_boot *b, const char *symbol, const char *files)
{
	printf("%s is not supplied\n", symbol);
	exit(1);
}

static void bug(struct seam_boot *b, const char *file, int line, const char *what)
{
	printf("%s:%d: %s\n", file ? file : "", line, what);
	exit(1);
}

static void rates(struct seam_boot *b, void *up, void *station, const struct seam_rate *table,
		  u32 n, u32 amsdu)
{
	rvec_rates(up, table, n, amsdu);
}

static void enter(struct rvec *v)
{
	boot.now = v->now;
}

static void leave(struct rvec *v)
{
}

int main(int argc, char **argv)
{
	struct rvec_world world = {NULL, enter, leave};
	struct linux_library lib;
	char err[160], *image;
	struct rvec v;
	gsize size;

	if (argc != 2 || !g_file_get_contents(argv[1], &image, &size, NULL) ||
	    !linux_library_open(&lib, image, size, err, sizeof(err)) || lib.core->hz != 250) {
		fprintf(stderr, "rate-vectors RATE.so of an HZ of 250\n");
		return 2;
	}
	boot = (struct seam_boot){.draw = draw, .trap = trap, .bug = bug, .rates = rates};
	/* This process needs no second copy: the one that was looked at is booted. */
	lib.core->boot(&boot);
	world.ops = lib.core->rate;
	for (u32 i = 0; i < RVEC_TABLES && rvec_run(&v, i, &world); i++)
		printf("table %u hash %016" PRIx64 " samples %u tables %u\n", i, v.hash, v.samples,
		       v.tables);
	lib.core->halt();
	linux_library_close(&lib);
	g_free(image);
	return 0;
}
