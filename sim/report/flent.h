/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * Files of flent (gzip of one JSON object, version 4): what real runs are kept in, and what flent itself
 * plots.
 */
#ifndef WLANQ_REPORT_FLENT_H
#define WLANQ_REPORT_FLENT_H

#include <glib.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

struct flent_series {
	char *name; /* "Ping (ms) ICMP", "TCP upload BE1 host" */
	uint32_t n;
	double *t; /* s since T0 */
	double *value; /* ms or Mbit/s */
	uint32_t lost; /* gaps: nulls among binned values; 0 when raw values are there */
};

struct flent {
	char *path;
	char *test, *title, *host, *local_host;
	double length; /* s of traffic */
	uint32_t n_series;
	struct flent_series
		*series; /* sorted by name, those that flent computes (avg, sum) left out */
};

/* Is it a file of flent's, by its name? */
bool flent_is(const char *path);

/* NULL with @error when the file cannot be read or is none of flent's. */
struct flent *flent_read(const char *path, GError **error);
void flent_free(struct flent *f);

/* "Ping ..." and "TCP ...": which kind a series is of. */
bool flent_is_ping(const struct flent_series *s);
bool flent_is_tcp(const struct flent_series *s);

/* Writes @doc as flent does; the same document gives the same bytes. */
bool flent_write(const char *path, const json_t *doc, GError **error);

#endif
