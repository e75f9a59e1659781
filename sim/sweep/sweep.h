/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A sweep: which runs there are to be, which are missing in the result folder, who makes them.
 */
#ifndef WLANQ_SWEEP_SWEEP_H
#define WLANQ_SWEEP_SWEEP_H

#include <glib.h>
#include <stdbool.h>
#include <stdint.h>

#include "scenario/expand.h"
#include "sweep/results.h"

/* Ten minutes and 2 GiB: far more than a run needs that does what it should. */
#define SWEEP_TIMEOUT_MS   600000
#define SWEEP_MEMORY_BYTES (2ULL << 30)

enum sweep_error {
	SWEEP_ERROR_MIXED, /* the folder holds runs of another results-version */
	SWEEP_ERROR_STORE, /* the folder cannot be read or written */
	SWEEP_ERROR_WORKERS, /* no process can be made */
};

#define SWEEP_ERROR sweep_error_quark()
GQuark sweep_error_quark(void);

struct sweep_options {
	const char *dir;
	uint32_t workers; /* 0: one a processor */
	uint32_t shard,
		n_shards; /* 1 of 1: all of it; a shard is a subset of runs, split by number */
	bool fresh; /* make again what is there */
	bool quiet;
	int64_t timeout_ms; /* of a run, wall time; 0: none */
	uint64_t memory_bytes; /* of a worker; 0: no limit */
	const uint8_t *combos; /* not 0 for those that are to run; NULL: all */
	sim_time from, to; /* the measuring window; to = 0: the scenario's */
	const char *version, *commit; /* of the program */
	const char *file; /* the scenario, as a shell would want it */
	const char *const *sets; /* what --set gave; ends with NULL, may be NULL */
	const char *const *cores; /* what --core gave */
	const char *const
		*series; /* probes to be followed over time, beside the plots' own; NULL: none */
	/* The hash of a core's files. */
	const char *(*core_files)(void *arg, const char *core);
	void *core_arg;
};

struct sweep_outcome {
	uint32_t planned; /* runs of this shard; rows that come to the same run count once */
	uint32_t made, kept; /* now, and there before */
	uint32_t failed; /* of those made */
	uint32_t others; /* runs in the folder that are none of this plan's */
	double seconds, simulated;
	int stopped_by; /* signal, 0: it ran to its end */
	struct results *results; /* what the folder now holds; the caller's, NULL on an error */
};

/*
 * Makes the runs of @x that are missing in @opt->dir, and writes sweep.json and summary.csv there. A run that
 * fails is told on stderr and counted; that is no error. False with @error, SWEEP_ERROR_*, otherwise.
 */
bool sweep_run(const struct expansion *x, const struct sweep_options *opt,
	       struct sweep_outcome *out, GError **error);

/* Whether the folder's rows are the very runs that @x would make. */
bool sweep_matches(const struct expansion *x, const struct sweep_options *opt,
		   const struct results *r);

/*
 * The command that makes one run again: "wlanq run FILE --set case=C --set AXIS=VALUE --seed N". The caller
 * frees it.
 */
char *sweep_command(const struct expansion *x, uint32_t point, const char *file,
		    const char *const *sets, const char *const *cores);

#endif
