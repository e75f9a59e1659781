/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A crew of worker processes: forked by one thread, each does many jobs, one at a time, over a pipe. The
 * parent knows the job in flight, so a worker that dies, hangs or eats too much memory costs that job alone:
 * it is told to the owner, another worker takes the place, the rest goes on.
 *
 * The crew knows nothing of runs or files: a job is a number, what it does is the owner's.
 */
#ifndef WLANQ_SWEEP_CREW_H
#define WLANQ_SWEEP_CREW_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

/* How a job ended. */
enum crew_end {
	CREW_DONE, /* work() came back */
	CREW_CRASHED, /* the worker died */
	CREW_HUNG, /* killed at the time limit */
	CREW_OOM, /* killed at the memory limit, or died for want of memory */
};

/* What work() gives to done(): a few numbers of the owner's. */
struct crew_reply {
	uint64_t value[4];
};

struct crew_report {
	uint32_t job;
	enum crew_end end;
	struct crew_reply reply; /* CREW_DONE only */
	int signal; /* that ended the worker, 0: it exited */
	int exit_status; /* when it exited */
	double seconds; /* of wall time */
	uint64_t peak_bytes; /* resident set of the worker, at its largest; 0 unless it died */
	const char *output; /* what the job wrote to stderr, its last 16 KiB at most; never NULL */
};

struct crew_ops {
	/* In a worker. Whatever it is to leave behind must be written when it comes back. */
	void (*work)(void *arg, uint32_t job, struct crew_reply *reply);
	/* In the parent, once a job. */
	void (*done)(void *arg, const struct crew_report *report);
	/* In the parent, some five times a second; may be NULL. */
	void (*tick)(void *arg);
};

struct crew_limits {
	uint32_t workers; /* at least 1 */
	int64_t job_ms; /* wall time of one job; 0: none */
	uint64_t memory_bytes; /* resident, of one worker; 0: none */
};

/*
 * Does the @n jobs of @jobs in this order. SIGINT and SIGTERM end it early: workers are killed, what was in
 * flight is not told, and *@stopped_by is the signal (else 0; may be NULL). Returns false with @error when
 * no worker can be made.
 */
bool crew_run(const struct crew_limits *limits, const struct crew_ops *ops, void *arg,
	      const uint32_t *jobs, uint32_t n, int *stopped_by, GError **error);

/* Processors that this process may use, at least 1. */
uint32_t crew_cpus(void);

#endif
