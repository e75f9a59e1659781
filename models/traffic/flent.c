// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * flent's tests, each one word: TCP flows up and down with their marks, and pings before, during and after.
 * Each part is a traffic of its own under the test's name.
 */
#include <glib.h>
#include <stdio.h>

#include "traffic/models.h"
#include "transport/tcp_cong.h"

#define HOSTS 4
#define CS1   8
#define CS5   40
#define EF    46
#define OWN   -1 /* as the test itself is marked */

/* Payload of irtt's packets: its header alone. */
#define IRTT_BYTES 60

enum part_kind { UPLOAD, DOWNLOAD, UDP_PING, PING };

struct flent_part {
	const char *name;
	enum part_kind kind;
	s8 dscp;
	u8 host; /* which server */
};

struct flent_test {
	u32 n;
	const struct flent_part *parts;
};

struct flent_params {
	struct traffic_params common;
	int64_t delay, length; /* ns; length PARAM_UNSET: until stop */
	int64_t step; /* ns between pings */
	int64_t streams; /* of each TCP part */
	struct param_list hosts; /* of struct object *: further servers */
	struct slot congestion;
};

union part_params {
	struct traffic_params common;
	struct tcp_bulk_params bulk;
	struct udp_rr_params rr;
	struct ping_params ping;
};

struct flent {
	struct traffic t;
	union part_params *params;
	struct object **parts;
};

static const struct flent_test *test_of(const struct object *obj)
{
	return obj->cls->kind_ops;
}

static const struct flent_params *params_of(const struct object *obj)
{
	return obj->params;
}

static const struct model_class *class_of(enum part_kind kind)
{
	switch (kind) {
	case UDP_PING:
		return &udp_rr_class;
	case PING:
		return &ping_class;
	default:
		return &tcp_bulk_class;
	}
}

/* The TCP flows run from delay on for length, the pings all the time. */
static void fill_times(const struct flent_params *par, enum part_kind kind,
		       struct traffic_params *common)
{
	*common = par->common;
	if (par->length == PARAM_UNSET && kind > DOWNLOAD)
		return;
	if (kind > DOWNLOAD) {
		common->stop = common->start + par->length + 2 * par->delay;
	} else {
		common->start += par->delay;
		if (par->length != PARAM_UNSET)
			common->stop = common->start + par->length;
	}
	if (par->common.stop != PARAM_UNSET &&
	    (common->stop == PARAM_UNSET || par->common.stop < common->stop))
		common->stop = par->common.stop;
}

static void fill(const struct object *obj, const struct flent_part *part, union part_params *p)
{
	const struct flent_params *par = params_of(obj);

	switch (part->kind) {
	case UPLOAD:
	case DOWNLOAD:
		p->bulk = (struct tcp_bulk_params){
			.bytes = PARAM_UNSET, .flows = par->streams, .congestion = par->congestion};
		break;
	case UDP_PING:
		p->rr = (struct udp_rr_params){
			.rr = {.request = IRTT_BYTES, .response = IRTT_BYTES, .flows = 1},
			.interval = par->step,
			.timeout = SIM_SEC};
		break;
	case PING:
		p->ping = (struct ping_params){.interval = par->step,
					       .timeout = 10 * SIM_SEC,
					       .count = PARAM_UNSET,
					       .size = 56,
					       .sndbuf = PARAM_UNSET};
		break;
	}
	fill_times(par, part->kind, &p->common);
	if (part->dscp != OWN) {
		p->common.dscp = part->dscp;
		p->common.tos = PARAM_UNSET;
	}
}

static void flent_init(struct object *obj)
{
	struct flent *f = (struct flent *)obj;
	const struct flent_test *test = test_of(obj);

	traffic_init(obj);
	f->params = g_new0(union part_params, test->n);
	f->parts = g_new0(struct object *, test->n);
	for (u32 i = 0; i < test->n; i++) {
		const struct flent_part *part = &test->parts[i];
		char *path = g_strdup_printf("%s.%s", obj->path, part->name);

		fill(obj, part, &f->params[i]);
		f->parts[i] = object_new(obj->sim, class_of(part->kind), path, &f->params[i], obj);
		g_free(path);
	}
}

static void flent_wired(const struct object *obj, struct model_check *c)
{
	const struct flent_params *par = params_of(obj);
	struct object *const *more = par->hosts.items;
	char where[24];

	traffic_wired(obj, c);
	for (u32 i = 0; i < par->hosts.n; i++) {
		snprintf(where, sizeof(where), "hosts.%u", i);
		traffic_check_way(par->common.from, more[i], where, c);
	}
}

/* The servers are known now; the parts start after this. Fewer than four are taken again from the first. */
static void flent_start(struct object *obj)
{
	struct flent *f = (struct flent *)obj;
	const struct flent_test *test = test_of(obj);
	const struct flent_params *par = params_of(obj);
	struct object *const *more = par->hosts.items;

	for (u32 i = 0; i < test->n; i++) {
		u32 host = test->parts[i].host % (par->hosts.n + 1);
		struct object *server = host ? more[host - 1] : par->common.to;
		bool down = test->parts[i].kind == DOWNLOAD;

		f->params[i].common.from = down ? server : par->common.from;
		f->params[i].common.to = down ? par->common.from : server;
	}
}

static int64_t sum_of(const struct flent *f, enum part_kind kind, int64_t window)
{
	const struct flent_test *test = test_of(&f->t.obj);
	int64_t sum = METRIC_ABSENT;

	for (u32 i = 0; i < test->n; i++) {
		int64_t mbit;

		if (test->parts[i].kind != kind)
			continue;
		mbit = tcp_bulk_goodput(f->parts[i], window);
		if (mbit != METRIC_ABSENT)
			sum = (sum == METRIC_ABSENT ? 0 : sum) + mbit;
	}
	return sum;
}

/* Both ways together; absent where there is no TCP at all. */
static int64_t goodput(const struct object *obj, int64_t window)
{
	const struct flent *f = (const struct flent *)obj;
	int64_t up = sum_of(f, UPLOAD, window), down = sum_of(f, DOWNLOAD, window);

	if (up == METRIC_ABSENT || down == METRIC_ABSENT)
		return up == METRIC_ABSENT ? down : up;
	return up + down;
}

/* flent's sums, of the ways that the test has. */
static void flent_emit(const struct object *obj, int64_t window, struct model_emit *e)
{
	const struct flent *f = (const struct flent *)obj;
	int64_t up = sum_of(f, UPLOAD, window), down = sum_of(f, DOWNLOAD, window);

	if (up != METRIC_ABSENT)
		e->value(e->arg, "upload_mbit", up);
	if (down != METRIC_ABSENT)
		e->value(e->arg, "download_mbit", down);
}

static void flent_fini(struct object *obj)
{
	struct flent *f = (struct flent *)obj;

	g_free(f->params);
	g_free(f->parts);
}

static const struct param host_field[] = {
	{.name = "host", .type = PARAM_REF, .kind = &kind_node, .doc = "a server"},
	PARAM_END,
};

static const struct param flent_params[] = {
	TRAFFIC_PARAMS,
	{.name = "delay",
	 .type = PARAM_TIME,
	 .flags = PARAM_STRUCTURAL,
	 .offset = offsetof(struct flent_params, delay),
	 .def = "5s",
	 .min = 0,
	 .max = 100000 * SIM_SEC,
	 .doc = "pings alone before the TCP flows, and after them",
	 .linux_name = "flent -D"},
	{.name = "length",
	 .type = PARAM_TIME,
	 .flags = PARAM_STRUCTURAL,
	 .offset = offsetof(struct flent_params, length),
	 .min = 1,
	 .max = 100000 * SIM_SEC,
	 .doc = "time of the TCP flows; without it until stop",
	 .linux_name = "flent -l"},
	{.name = "step",
	 .type = PARAM_TIME,
	 .flags = PARAM_STRUCTURAL,
	 .offset = offsetof(struct flent_params, step),
	 .def = "200ms",
	 .min = SIM_US,
	 .max = 1000 * SIM_SEC,
	 .doc = "from one ping to the next",
	 .linux_name = "flent -s"},
	{.name = "streams",
	 .type = PARAM_INT,
	 .flags = PARAM_STRUCTURAL,
	 .offset = offsetof(struct flent_params, streams),
	 .def = "1",
	 .min = 1,
	 .max = 10000,
	 .doc = "TCP flows in each part",
	 .linux_name = "download_streams"},
	{.name = "hosts",
	 .type = PARAM_LIST,
	 .flags = PARAM_STRUCTURAL,
	 .offset = offsetof(struct flent_params, hosts),
	 .doc = "servers beside `to`, for tests with several; fewer than four are taken again",
	 .fields = host_field,
	 .size = sizeof(struct object *)},
	{.name = "congestion",
	 .type = PARAM_SLOT,
	 .flags = PARAM_STRUCTURAL,
	 .offset = offsetof(struct flent_params, congestion),
	 .doc = "congestion control of the flows; without it the sending node's",
	 .linux_name = "TCP_CONGESTION",
	 .kind = &kind_congestion},
	PARAM_END,
};

static const struct probe flent_probes[] = {
	{.name = "goodput_mbit",
	 .unit = "Mbit/s",
	 .shape = PROBE_VALUE,
	 .value = goodput,
	 .over = PROBE_OVER_SUM,
	 .doc = "of all TCP flows, both ways; upload_mbit and download_mbit are the parts"},
	PROBE_END,
};

static const struct model_ops flent_ops = {
	.init = flent_init,
	.wired = flent_wired,
	.start = flent_start,
	.window_open = traffic_window_open,
	.window_close = traffic_window_close,
	.emit = flent_emit,
	.fini = flent_fini,
};

/* ---- the tests ------------------------------------------------------------------------------- */

static const struct flent_part rrul_parts[] = {
	{"upload_be", UPLOAD, 0},	 {"upload_bk", UPLOAD, CS1},
	{"upload_cs5", UPLOAD, CS5},	 {"upload_ef", UPLOAD, EF},
	{"download_be", DOWNLOAD, 0},	 {"download_bk", DOWNLOAD, CS1},
	{"download_cs5", DOWNLOAD, CS5}, {"download_ef", DOWNLOAD, EF},
	{"ping_udp_ef", UDP_PING, EF},	 {"ping_udp_bk", UDP_PING, CS1},
	{"ping_udp_be", UDP_PING, 0},	 {"ping", PING, 0},
};

static const struct flent_part rrul_be_parts[] = {
	{"upload_be1", UPLOAD, 0},     {"upload_be2", UPLOAD, 0},     {"upload_be3", UPLOAD, 0},
	{"upload_be4", UPLOAD, 0},     {"download_be1", DOWNLOAD, 0}, {"download_be2", DOWNLOAD, 0},
	{"download_be3", DOWNLOAD, 0}, {"download_be4", DOWNLOAD, 0}, {"ping_udp_be1", UDP_PING, 0},
	{"ping_udp_be2", UDP_PING, 0}, {"ping_udp_be3", UDP_PING, 0}, {"ping", PING, 0},
};

static const struct flent_part upload_parts[] = {{"upload", UPLOAD, OWN}, {"ping", PING, OWN}};

static const struct flent_part download_parts[] = {{"download", DOWNLOAD, OWN},
						   {"ping", PING, OWN}};

static const struct flent_part rtt_fair_parts[] = {
	{"upload_be1", UPLOAD, 0, 0},	{"download_be1", DOWNLOAD, 0, 0},   {"ping_1", PING, 0, 0},
	{"upload_be2", UPLOAD, 0, 1},	{"download_be2", DOWNLOAD, 0, 1},   {"ping_2", PING, 0, 1},
	{"upload_bk1", UPLOAD, CS1, 2}, {"download_bk1", DOWNLOAD, CS1, 2}, {"ping_3", PING, 0, 2},
	{"upload_bk2", UPLOAD, CS1, 3}, {"download_bk2", DOWNLOAD, CS1, 3}, {"ping_4", PING, 0, 3},
};

/* What the classes of all tests have, and this one's parts. */
#define TEST(list)                                                                               \
	.kind = &kind_traffic,                                                                   \
	.not_modelled = "Connections are opened by the sender; netperf's TCP_MAERTS opens them " \
			"from the client.",                                                      \
	.size = sizeof(struct flent), .params_size = sizeof(struct flent_params),                \
	.params = flent_params, .probes = flent_probes, .ops = &flent_ops,                       \
	.kind_ops = &(const struct flent_test)                                                   \
	{                                                                                        \
		sizeof(list) / sizeof((list)[0]), (list)                                         \
	}

const struct model_class rrul_class = {
	.name = "rrul",
	.doc = "flent's rrul: TCP flows up and down in four classes of service, pings in three and ICMP",
	.source = "flent 2.1 tests/rrul.conf",
	TEST(rrul_parts),
};

const struct model_class rrul_be_class = {
	.name = "rrul_be",
	.doc = "flent's rrul_be: four TCP flows up and four down, three UDP pings and ICMP",
	.source = "flent 2.1 tests/rrul_be.conf",
	TEST(rrul_be_parts),
};

const struct model_class tcp_upload_class = {
	.name = "tcp_upload",
	.doc = "flent's tcp_upload: a TCP flow from the client, and ping",
	.source = "flent 2.1 tests/tcp_upload.conf",
	TEST(upload_parts),
};

const struct model_class tcp_download_class = {
	.name = "tcp_download",
	.doc = "flent's tcp_download: a TCP flow to the client, and ping",
	.source = "flent 2.1 tests/tcp_download.conf",
	TEST(download_parts),
};

const struct model_class tcp_ndown_class = {
	.name = "tcp_ndown",
	.doc = "flent's tcp_ndown: so many (streams) TCP flows to the client, and ping",
	.source = "flent 2.1 tests/tcp_ndown.conf",
	TEST(download_parts),
};

const struct model_class rtt_fair_class = {
	.name = "rtt_fair",
	.doc = "flent's rtt_fair: TCP flows up and down with four servers, and pings to each",
	.source = "flent 2.1 tests/rtt_fair.conf",
	TEST(rtt_fair_parts),
};
