// SPDX-License-Identifier: GPL-3.0-or-later
#include "measure/capture.h"

#include <dlfcn.h>
#include <errno.h>
#include <glib.h>
#include <pcap/pcap.h>
#include <string.h>

/*
 * libpcap draws in a dozen libraries (D-Bus, systemd, ...), whose loading takes as long as a short run's set-up: it is
 * loaded when a capture is asked for. What is called of it has the types that its header says.
 */
struct libpcap {
	void *so;
	typeof(pcap_open_dead_with_tstamp_precision) *open_dead;
	typeof(pcap_close) *close;
	typeof(pcap_dump_fopen) *dump_fopen;
	typeof(pcap_dump) *dump;
	typeof(pcap_dump_file) *dump_file;
	typeof(pcap_dump_flush) *dump_flush;
	typeof(pcap_dump_close) *dump_close;
};

struct record {
	struct record *next, *prev;
	sim_time at;
	uint32_t kept, len;
	uint8_t bytes[];
};

struct capture {
	struct sim *sim;
	char *path;
	struct libpcap lib;
	pcap_t *pcap;
	pcap_dumper_t *file;
	uint32_t snaplen;
	struct record *first, *last; /* not written yet, in order of time */
};

/* False when it is not there, or too old; errno says so. */
static bool libpcap_load(struct libpcap *lib)
{
	/* Debian's name for each 1.x; that of others. */
	static const char *const names[] = {"libpcap.so.0.8", "libpcap.so.1"};
	const struct {
		const char *name;
		void *to;
	} symbols[] = {
		{"pcap_open_dead_with_tstamp_precision", &lib->open_dead},
		{"pcap_close", &lib->close},
		{"pcap_dump_fopen", &lib->dump_fopen},
		{"pcap_dump", &lib->dump},
		{"pcap_dump_file", &lib->dump_file},
		{"pcap_dump_flush", &lib->dump_flush},
		{"pcap_dump_close", &lib->dump_close},
	};
	bool all;

	lib->so = NULL;
	for (guint i = 0; i < G_N_ELEMENTS(names) && !lib->so; i++)
		lib->so = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
	all = lib->so;
	for (guint i = 0; i < G_N_ELEMENTS(symbols) && all; i++) {
		void *at = dlsym(lib->so, symbols[i].name);

		memcpy(symbols[i].to, &at, sizeof(at));
		all = at;
	}
	if (lib->so && !all)
		dlclose(lib->so);
	errno = all ? 0 : ELIBACC;
	return all;
}

struct capture *capture_open(struct sim *sim, const char *path, enum capture_type type,
			     uint32_t snaplen)
{
	struct libpcap lib;
	FILE *file;
	struct capture *c;

	if (!libpcap_load(&lib))
		return NULL;
	file = fopen(path, "wb");
	if (!file) {
		int error = errno;

		dlclose(lib.so);
		errno = error;
		return NULL;
	}
	c = g_new0(struct capture, 1);
	c->sim = sim;
	c->lib = lib;
	c->path = g_strdup(path);
	c->snaplen = snaplen;
	c->pcap = lib.open_dead((int)type, snaplen == CAPTURE_HEADERS ? CAPTURE_MAX : (int)snaplen,
				PCAP_TSTAMP_PRECISION_NANO);
	c->file = lib.dump_fopen(c->pcap, file);
	if (!c->file) {
		fclose(file);
		lib.close(c->pcap);
		dlclose(lib.so);
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

		c->lib.dump((u_char *)c->file, &h, r->bytes);
		c->first = r->next;
		g_free(r);
	}
	*(c->first ? &c->first->prev : &c->last) = NULL;
}

void capture_settle(struct capture *c, sim_time until)
{
	errno = 0;
	write_until(c, until);
	if (ferror(c->lib.dump_file(c->file)))
		sim_fail(c->sim, NULL, "%s cannot be written: %s", c->path,
			 g_strerror(errno ? errno : EIO));
}

int capture_close(struct capture *c)
{
	bool bad = ferror(c->lib.dump_file(c->file));
	int error = EIO;

	errno = 0;
	if (!bad)
		write_until(c, SIM_TIME_MAX);
	if (!bad && (c->lib.dump_flush(c->file) || ferror(c->lib.dump_file(c->file)))) {
		error = errno ? errno : EIO;
		bad = true;
	}
	for (struct record *r = c->first, *next; r; r = next) {
		next = r->next;
		g_free(r);
	}
	c->lib.dump_close(c->file);
	c->lib.close(c->pcap);
	dlclose(c->lib.so);
	g_free(c->path);
	g_free(c);
	errno = bad ? error : 0;
	return bad ? -1 : 0;
}
