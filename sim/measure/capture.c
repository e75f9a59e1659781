// SPDX-License-Identifier: GPL-3.0-or-later
#include "measure/capture.h"

#include <errno.h>
#include <glib.h>
#include <pcap/pcap.h>
#include <string.h>

struct record {
	struct record *next, *prev;
	sim_time at;
	uint32_t kept, len;
	uint8_t bytes[];
};

struct capture {
	struct sim *sim;
	char *path;
	pcap_t *pcap;
	pcap_dumper_t *file;
	uint32_t snaplen;
	struct record *first, *last; /* not written yet, in order of time */
};

struct capture *capture_open(struct sim *sim, const char *path, enum capture_type type,
			     uint32_t snaplen)
{
	FILE *file = fopen(path, "wb");
	struct capture *c;

	if (!file)
		return NULL;
	c = g_new0(struct capture, 1);
	c->sim = sim;
	c->path = g_strdup(path);
	c->snaplen = snaplen;
	c->pcap = pcap_open_dead_with_tstamp_precision(
		(int)type, snaplen == CAPTURE_HEADERS ? CAPTURE_MAX : (int)snaplen,
		PCAP_TSTAMP_PRECISION_NANO);
	c->file = pcap_dump_fopen(c->pcap, file);
	if (!c->file) {
		fclose(file);
		pcap_close(c->pcap);
		g_free(c->path);
		g_free(c);
		return NULL;
	}
	return c;
}

uint32_t capture_length(const struct capture *c, uint32_t headers, uint32_t len)
{
	uint32_t most = c->snaplen == CAPTURE_HEADERS ? headers : c->snaplen;

	return len < most ? len : most;
}

void capture_put(struct capture *c, sim_time at, const uint8_t *bytes, uint32_t kept, uint32_t len)
{
	struct record *r = g_malloc(sizeof(*r) + kept), *before = c->last;

	r->at = at;
	r->kept = kept;
	r->len = len;
	memcpy(r->bytes, bytes, kept);
	while (before && before->at > at)
		before = before->prev;
	r->prev = before;
	r->next = before ? before->next : c->first;
	*(r->prev ? &r->prev->next : &c->first) = r;
	*(r->next ? &r->next->prev : &c->last) = r;
}

static void write_until(struct capture *c, sim_time until)
{
	struct record *r;

	while ((r = c->first) && r->at <= until) {
		/* libpcap counts what it calls microseconds in the unit of the file */
		struct pcap_pkthdr h = {.ts = {.tv_sec = (time_t)(r->at / SIM_SEC),
					       .tv_usec = (suseconds_t)(r->at % SIM_SEC)},
					.caplen = r->kept,
					.len = r->len};

		pcap_dump((u_char *)c->file, &h, r->bytes);
		c->first = r->next;
		g_free(r);
	}
	*(c->first ? &c->first->prev : &c->last) = NULL;
}

void capture_settle(struct capture *c, sim_time until)
{
	errno = 0;
	write_until(c, until);
	if (ferror(pcap_dump_file(c->file)))
		sim_fail(c->sim, NULL, "%s cannot be written: %s", c->path,
			 g_strerror(errno ? errno : EIO));
}

int capture_close(struct capture *c)
{
	bool bad = ferror(pcap_dump_file(c->file));
	int error = EIO;

	errno = 0;
	if (!bad)
		write_until(c, SIM_TIME_MAX);
	if (!bad && (pcap_dump_flush(c->file) || ferror(pcap_dump_file(c->file)))) {
		error = errno ? errno : EIO;
		bad = true;
	}
	for (struct record *r = c->first, *next; r; r = next) {
		next = r->next;
		g_free(r);
	}
	pcap_dump_close(c->file);
	pcap_close(c->pcap);
	g_free(c->path);
	g_free(c);
	errno = bad ? error : 0;
	return bad ? -1 : 0;
}
