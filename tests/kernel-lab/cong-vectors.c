// SPDX-License-Identifier: GPL-3.0-or-later
/* cong-vectors list: the numbers of the algorithms; cong-vectors run CONG.so: their calls before the library. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <glib.h>

#include "kernel/lab/cong-vectors.h"
#include "kernel/shim/loader.h"

static struct seam_boot boot;

static u32 draw(struct seam_boot *b, void *up)
{
	return cvec_draw(up);
}

static void timer(struct seam_boot *b, void *up, u32 number, s64 at)
{
	printf("a timer\n");
	exit(1);
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

static void enter_cwr(struct seam_boot *b, void *up)
{
	cvec_enter_cwr(up);
}

static void send_ack(struct seam_boot *b, void *up, u32 rcv_nxt)
{
	cvec_word(up, rcv_nxt);
}

static void enter(struct cvec *v)
{
	boot.now = v->now;
}

static void leave(struct cvec *v)
{
}

static void tell(const struct cvec *v, const char *name)
{
	printf("%s calls %u hash %016" PRIx64 " cwnd %u draws %u\n", name ? name : " ", v->calls,
	       v->hash, v->s.snd_cwnd, v->draws);
}

static int run(const char *file)
{
	struct cvec_world world = {NULL, enter, leave, tell};
	struct linux_library lib;
	char err[160], *image;
	struct cvec v;
	gsize size;

	if (!g_file_get_contents(file, &image, &size, NULL) ||
	    !linux_library_open(&lib, image, size, err, sizeof(err)) || lib.core->hz != 250) {
		fprintf(stderr, "%s cannot be used\n", file);
		return 1;
	}
	boot = (struct seam_boot){.draw = draw,
				  .timer = timer,
				  .trap = trap,
				  .bug = bug,
				  .enter_cwr = enter_cwr,
				  .send_ack = send_ack};
	/* This process needs no second copy: the one that was looked at is booted. */
	lib.core->boot(&boot);
	world.ops = lib.core->cong;
	for (u32 i = 0; i < CVEC_NAMES; i++)
		if (!cvec_run(&v, i, &world))
			printf("%s is not there\n", cvec_names[i]);
	lib.core->halt();
	linux_library_close(&lib);
	g_free(image);
	return 0;
}

int main(int argc, char **argv)
{
	if (argc == 2 && !strcmp(argv[1], "list")) {
		for (u32 i = 0; i < CVEC_NAMES; i++)
			printf("%u %s\n", i, cvec_names[i]);
		return 0;
	}
	if (argc == 3 && !strcmp(argv[1], "run"))
		return run(argv[2]);
	fprintf(stderr, "cong-vectors list | run CONG.so\n");
	return 2;
}
