/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * A model for tests that uses every parameter type and flag, every probe shape and scope and every
 * op of engine/model.h.
 *
 * It is a shelf with two sides and four lanes: each period a parcel comes in, of random category, and
 * is refused when the shelf is full, dropped by chance, or goes out when it has lain its time.
 */
#ifndef WLANQ_TESTS_TOY_MODEL_H
#define WLANQ_TESTS_TOY_MODEL_H

#include "engine/draw.h"
#include "engine/model.h"
#include "measure/anatomy.h"
#include "measure/gauge.h"
#include "measure/histogram.h"
#include "measure/queue-stat.h"
#include "measure/samples.h"

#define TOY_SLOTS    64
#define TOY_STATIONS 4

extern const struct model_kind toy_kind; /* "toy" */
extern const struct model_kind toy_spring_kind; /* "toy_spring": what toy's slot holds */

extern const struct model_class test_toy; /* toy "toy" */
extern const struct model_class test_toy_stiff; /* toy_spring "stiff", without parameters */
extern const struct model_class test_toy_soft; /* toy_spring "soft", with its own */

extern const struct registry toy_registry; /* the three */

struct toy_spring_ops {
	int64_t (*stretch)(struct object *spring, int64_t ns);
};

struct toy_soft_params {
	int64_t factor; /* PARAM_DECIMAL */
};

enum toy_colour { TOY_RED, TOY_GREEN = 5, TOY_BLUE = 7 };

/* The element of .steps. */
struct toy_step {
	int64_t at; /* PARAM_TIME */
	int64_t height; /* PARAM_METRES */
};

struct toy_params {
	int64_t on; /* BOOL */
	int64_t count; /* INT, eras, range 1 .. 64, structural */
	int64_t period; /* TIME, live */
	int64_t rate; /* RATE, required */
	int64_t parcel; /* BYTES */
	int64_t clock; /* HZ */
	int64_t power; /* DBM, range -100 .. 30 dBm */
	int64_t gain; /* DB */
	int64_t reach; /* METRES */
	int64_t loss; /* PROB, live */
	int64_t factor; /* DECIMAL */
	int64_t deadline; /* TIME without a default: PARAM_UNSET */
	const char *label; /* STRING */
	int64_t colour; /* ENUM */
	struct object *peer; /* REF to a toy */
	struct slot spring; /* SLOT */
	struct toy_corner {
		int64_t left, right; /* INT; left <= right by check */
		struct toy_edge {
			int64_t sharp; /* BOOL */
		} edge; /* STRUCT in a STRUCT */
	} corner; /* STRUCT */
	struct param_list steps; /* LIST of struct toy_step */
	struct param_list delays; /* LIST of TIME */
	struct param_map weights; /* MAP of INT */
	int64_t lanes[AC_COUNT]; /* PER_AC of INT */
	int64_t txop[AC_COUNT]; /* PER_AC of TIME */
	struct queue_size limit; /* QUEUE_SIZE in packets */
	struct queue_size backlog; /* QUEUE_SIZE in any unit */
};

struct toy_parcel {
	sim_time since;
	uint32_t bytes;
	uint32_t ac;
};

struct toy_station {
	const char *name;
	uint64_t greetings;
	struct queue_stat lane[AC_COUNT];
};

struct toy {
	struct object obj;
	struct event arrive, leave;
	struct draw luck;
	struct object *spring; /* NULL when the slot is empty */
	struct toy_parcel shelf[TOY_SLOTS];
	uint32_t first, held;
	uint32_t held_in[AC_COUNT];
	sim_time last_out;

	uint64_t arrivals;
	struct gauge side;
	struct samples lap;
	struct histogram gap;
	struct queue_stat queue;
	struct queue_stat lane[AC_COUNT];
	struct anatomy parts;
	struct toy_station stations[TOY_STATIONS];
	uint32_t n_stations;

	uint32_t n_started, n_changed, n_opened, n_closed, n_left;
	const struct param *last_changed;
	uint64_t *n_finished; /* counted by fini when the test sets it */
	uint64_t *n_released; /* grows by *n_finished at each release */
};

#endif
