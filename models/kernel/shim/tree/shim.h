/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* What the files of the kernel world share. */
#ifndef WLANQ_TREE_SHIM_H
#define WLANQ_TREE_SHIM_H

#include "seam.h"

/* An object of the simulator that has something here: first member of what a family makes for it. */
struct seam_user {
	void *up; /* the simulator's name of it */
	/* Around what happens on its behalf when a timer fires; may be NULL. */
	void (*enter)(struct seam_user *u);
	void (*leave)(struct seam_user *u);
};

/* The machine, and for whom it was entered: what is called back is this one's. */
extern struct seam_boot *seam_boot;
extern struct seam_user *seam_user;

static inline void *seam_up(void)
{
	return seam_user ? seam_user->up : (void *)0;
}

/* Of the build. */
extern const char seam_version[], seam_files[], seam_traps[];

void seam_trap(const char *symbol, const char *files) __attribute__((noreturn));

/* Begins every entry: jiffies follow the clock. */
void seam_enter(struct seam_user *u);
/* Timer @i is due. */
void seam_fired(u32 i);
/* Forgets the timers of @u. */
void seam_timers_drop(struct seam_user *u);
/* Gives all memory back: the machine is switched off. */
void seam_halt(void);

/* Runs the initialisation functions of the files, in link order. */
void seam_run_initcalls(void);

#endif
