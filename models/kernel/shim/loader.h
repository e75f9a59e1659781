/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * The simulator's side of the seam: libraries made of files of a Linux tree, and the machines that they are. Every
 * run boots its own copy of a library, so that no static state outlives a run or is seen by another.
 */
#ifndef WLANQ_SHIM_LOADER_H
#define WLANQ_SHIM_LOADER_H

#include "engine/draw.h"
#include "engine/model.h"
#include "seam.h"

/* A library as it lies in memory, read once a process; whoever made it owns it. */
struct linux_library {
	const void *image;
	size_t size;
	/* What it says of itself. Its functions belong to a copy that is not booted. */
	const struct seam_core *core;
	struct linux_copy {
		void *so;
		int fd;
		const struct seam_core *core;
	} copy;
};

/*
 * Looks at a library of @size bytes. Returns false with a reason in @err: not a library, not one of these, of another
 * version of this program.
 */
bool linux_library_open(struct linux_library *lib, const void *image, size_t size, char *err,
			size_t err_len);
void linux_library_close(struct linux_library *lib);

/* Is the tree's file @path compiled in? */
bool linux_library_has(const struct linux_library *lib, const char *path);

/* A copy of a library that was booted for one run. */
struct linux_machine;

/* What an object of the simulator has on a machine; embedded in it. @up at the seam is the address of this. */
struct linux_client {
	struct linux_machine *machine;
	struct object *obj;
	struct draw draw; /* what Linux draws on its behalf */
	const struct linux_client_ops *ops;
};

/* What Linux asks for; those of a family that is not the client's are NULL. */
struct linux_client_ops {
	/* A timer has fired, and what Linux did then is done. */
	void (*timer_done)(struct linux_client *c);
	void (*gone)(struct linux_client *c, void *cookie, enum seam_gone why);
	u32 (*split)(struct linux_client *c, void *cookie, struct seam_packet *out, u32 max);
	void *(*clone)(struct linux_client *c, void *cookie);
	void (*orphan)(struct linux_client *c, void *cookie);
	void (*wake)(struct linux_client *c);
	void (*reduce)(struct linux_client *c, int n, int bytes);
	void (*enter_cwr)(struct linux_client *c);
	void (*send_ack)(struct linux_client *c, u32 rcv_nxt);
	void (*rates)(struct linux_client *c, void *station, const struct seam_rate *table, u32 n,
		      u32 amsdu);
};

/*
 * Puts @obj on the run's machine of @lib, which is booted by the first: with @alone on one of its own, named by the
 * object, for files that draw when they boot. HZ is the library's. A library that cannot be booted, or a bug or a trap
 * later, ends the run.
 */
void linux_client_init(struct linux_client *c, struct object *obj, const struct linux_library *lib,
		       const struct linux_client_ops *ops, bool alone);
/* The last one switches the machine off. */
void linux_client_fini(struct linux_client *c);

/* The machine's functions, with its clock set: to be asked for before every call. */
const struct seam_core *linux_enter(struct linux_client *c);

/* False after a bug or a trap: nothing may be called any more. */
bool linux_alive(const struct linux_client *c);

#endif
