// SPDX-License-Identifier: GPL-3.0-or-later
#include "toy-net.h"

#include <string.h>

static const struct model_kind kind_node = {"node", "a host"};
static const struct model_kind kind_protocol = {"protocol", "a transport of a host"};
static const struct model_kind kind_interface = {"interface", "a network interface"};
static const struct model_kind kind_driver = {"driver", "what stands below an interface"};
static const struct model_kind kind_qdisc = {"qdisc", "a queueing discipline"};
static const struct model_kind kind_rate = {"rate_control", "what chooses the rate"};
static const struct model_kind kind_link = {"link", "what connects interfaces"};
static const struct model_kind kind_traffic = {"traffic", "what nodes send"};

#define AT(type, member) .offset = offsetof(struct type, member)
#define KEY(n, t, s, m)	 .name = n, .type = t, AT(s, m)

/* ---- node ---------------------------------------------------------------------------------- */

static const struct param_enum forwards[] = {
	{"none", 0, "drops"}, {"bridge", 1, "by MAC address"}, {"route", 2, "by IP"}, {NULL}};

static const struct param host_params[] = {
	{KEY("kernel", PARAM_STRING, toy_host_params, kernel), .def = "6.1", .doc = "Its era"},
	{KEY("hz", PARAM_INT, toy_host_params, hz), .def = "250", .min = 100, .max = 1000,
	 .doc = "Timer ticks a second", .linux_name = "CONFIG_HZ"},
	{KEY("forward", PARAM_ENUM, toy_host_params, forward), .def = "bridge", .values = forwards,
	 .doc = "Between its interfaces"},
	PARAM_END};

static const struct model_class host = {.kind = &kind_node,
					.name = "host",
					.doc = "A host",
					.source = "tests",
					.params_size = sizeof(struct toy_host_params),
					.params = host_params};

static const struct param_era cwnd_eras[] = {{"2.6.32", "3"}, {"3.2", "10"}, {NULL}};

static const struct param tcp_params[] = {
	{KEY("initial_cwnd", PARAM_INT, toy_tcp_params, initial_cwnd), .min = 1, .max = 100,
	 .eras = cwnd_eras, .doc = "Initial window, segments"},
	{KEY("sack", PARAM_BOOL, toy_tcp_params, sack), .def = "true", .doc = "Selective acks"},
	{KEY("sndbuf", PARAM_BYTES, toy_tcp_params, sndbuf), .def = "4MiB", .doc = "Send buffer"},
	PARAM_END};

static const struct model_class tcp = {.kind = &kind_protocol,
				       .name = "tcp",
				       .doc = "TCP",
				       .source = "tests",
				       .params_size = sizeof(struct toy_tcp_params),
				       .params = tcp_params};

static const struct model_class udp = {
	.kind = &kind_protocol, .name = "udp", .doc = "UDP", .source = "tests"};

/* ---- interface ----------------------------------------------------------------------------- */

static const struct param_era qdisc_eras[] = {
	{"2.6.32", "pfifo_fast"}, {"4.6", "{model: fq_codel, flows: 4096}"}, {NULL}};

static const struct param netdev_params[] = {
	{KEY("qdisc", PARAM_SLOT, toy_netdev_params, qdisc), .flags = PARAM_STRUCTURAL,
	 .kind = &kind_qdisc, .eras = qdisc_eras, .doc = "Its queue"},
	{KEY("txqueuelen", PARAM_INT, toy_netdev_params, txqueuelen), .def = "1000", .max = 100000,
	 .doc = "Packets of a FIFO"},
	{KEY("mtu", PARAM_BYTES, toy_netdev_params, mtu), .def = "1500B", .min = 68, .max = 65535,
	 .doc = "Largest IP packet"},
	{KEY("rate_control", PARAM_SLOT, toy_netdev_params, rate_control), .kind = &kind_rate,
	 .doc = "Wi-Fi only"},
	PARAM_END};

static const struct model_class netdev = {.kind = &kind_interface,
					  .name = "netdev",
					  .doc = "An interface",
					  .source = "tests",
					  .params_size = sizeof(struct toy_netdev_params),
					  .params = netdev_params};

static const struct param wlan_params[] = {
	{KEY("ring", PARAM_INT, toy_wlan_params, ring), .def = "224", .min = 1, .max = 4096,
	 .doc = "Frames before the queue stops"},
	{KEY("low_mark", PARAM_INT, toy_wlan_params, low_mark),
	 .doc = "Frames below which it wakes"},
	{KEY("ring_time", PARAM_TIME, toy_wlan_params, ring_time), .doc = "Stops by drain time"},
	PARAM_END};

static const struct param ath_params[] = {
	{KEY("ring", PARAM_INT, toy_wlan_params, ring), .def = "512", .doc = "Buffers"},
	{KEY("qlen", PARAM_PER_AC, toy_wlan_params, qlen), .def = "123", .min = 1, .max = 512,
	 .element = PARAM_INT, .doc = "Frames by category"},
	PARAM_END};

static const struct probe ring_probes[] = {
	{.name = "ring", .unit = "", .shape = PROBE_QUEUE, .doc = "The ring"},
	{.name = "stops", .unit = "", .shape = PROBE_COUNTER, .doc = "Stops of the queue"},
	PROBE_END};

static void wlan_check(const void *params, struct model_check *c)
{
	const struct toy_wlan_params *p = params;

	if (p->low_mark != PARAM_UNSET && p->low_mark >= p->ring)
		model_check_error(c, "low_mark", "a low mark of %lld is not below the ring's %lld",
				  (long long)p->low_mark, (long long)p->ring);
}

static const struct model_ops wlan_ops = {.check = wlan_check};

static const struct model_class iwl3945 = {.kind = &kind_driver,
					   .name = "iwl3945",
					   .doc = "A ring",
					   .source = "tests",
					   .not_modelled = "Firmware scans.",
					   .params_size = sizeof(struct toy_wlan_params),
					   .params = wlan_params,
					   .probes = ring_probes,
					   .ops = &wlan_ops};

static const struct model_class ath9k = {.kind = &kind_driver,
					 .name = "ath9k",
					 .doc = "A queue for each category",
					 .source = "tests",
					 .params_size = sizeof(struct toy_wlan_params),
					 .params = ath_params,
					 .probes = ring_probes};

static const struct model_class ethernet_driver = {
	.kind = &kind_driver, .name = "ethernet", .doc = "No ring", .source = "tests"};

/* ---- what slots hold ----------------------------------------------------------------------- */

static const struct param fq_codel_params[] = {
	{KEY("limit", PARAM_QUEUE_SIZE, toy_fq_codel_params, limit), .def = "10240",
	 .doc = "Packets"},
	{KEY("target", PARAM_TIME, toy_fq_codel_params, target), .def = "5ms", .max = SIM_SEC,
	 .doc = "CoDel's target"},
	{KEY("flows", PARAM_INT, toy_fq_codel_params, flows), .def = "1024", .min = 1, .max = 65536,
	 .doc = "Queues"},
	PARAM_END};

static void fq_codel_emit(const struct object *obj, int64_t window, struct model_emit *e)
{
	e->value(e->arg, "drop_overlimit", 0);
}

static const struct model_ops fq_codel_ops = {.emit = fq_codel_emit};

static const struct probe qdisc_probes[] = {
	{.name = "", .unit = "", .shape = PROBE_QUEUE, .doc = "The queue"}, PROBE_END};

static const struct model_class pfifo_fast = {.kind = &kind_qdisc,
					      .name = "pfifo_fast",
					      .doc = "Three bands",
					      .source = "tests",
					      .probes = qdisc_probes};
static const struct model_class noqueue = {
	.kind = &kind_qdisc, .name = "noqueue", .doc = "None", .source = "tests"};
static const struct model_class fq_codel = {.kind = &kind_qdisc,
					    .name = "fq_codel",
					    .doc = "Fair queues",
					    .source = "tests",
					    .params_size = sizeof(struct toy_fq_codel_params),
					    .params = fq_codel_params,
					    .probes = qdisc_probes,
					    .ops = &fq_codel_ops};

static const struct param fixed_params[] = {
	{KEY("rate", PARAM_RATE, toy_fixed_params, rate), .def = "54Mbit", .doc = "The rate"},
	{KEY("mcs", PARAM_INT, toy_fixed_params, mcs), .max = 31, .doc = "Or an MCS"},
	PARAM_END};

static const struct model_class fixed = {.kind = &kind_rate,
					 .name = "fixed",
					 .doc = "One rate",
					 .source = "tests",
					 .params_size = sizeof(struct toy_fixed_params),
					 .params = fixed_params};
static const struct model_class minstrel = {
	.kind = &kind_rate, .name = "minstrel", .doc = "Tries", .source = "tests"};

/* ---- links, traffic ------------------------------------------------------------------------ */

static const struct param member[] = {
	{.name = "member", .type = PARAM_REF, .kind = &kind_interface, .doc = "One interface"},
	PARAM_END};

static const struct param_enum standards[] = {
	{"11b", 1, ""}, {"11g", 2, ""}, {"11n", 3, ""}, {NULL}};

#define MEMBERS                                                                       \
	{                                                                             \
		KEY("members", PARAM_LIST, toy_link_params, members),                 \
			.flags = PARAM_REQUIRED | PARAM_STRUCTURAL, .fields = member, \
			.size = sizeof(struct object *), .doc = "Interfaces on it"    \
	}

static const struct param wifi_params[] = {MEMBERS,
					   {KEY("standard", PARAM_ENUM, toy_link_params, standard),
					    .def = "11g", .values = standards, .doc = "PHY"},
					   {KEY("loss", PARAM_PROB, toy_link_params, loss),
					    .flags = PARAM_LIVE, .def = "0", .doc = "Frames lost"},
					   PARAM_END};

static const struct param ethernet_params[] = {
	MEMBERS,
	{KEY("rate", PARAM_RATE, toy_link_params, rate), .flags = PARAM_REQUIRED, .min = 1,
	 .max = INT64_MAX, .doc = "Its speed"},
	{KEY("delay", PARAM_TIME, toy_link_params, delay), .def = "0s", .doc = "Propagation"},
	PARAM_END};

static const struct probe link_probes[] = {
	{.name = "collisions", .unit = "", .shape = PROBE_COUNTER, .doc = "Collisions"}, PROBE_END};

static const struct model_class wifi = {.kind = &kind_link,
					.name = "wifi",
					.doc = "The air",
					.source = "tests",
					.params_size = sizeof(struct toy_link_params),
					.params = wifi_params,
					.probes = link_probes};
static const struct model_class ethernet = {.kind = &kind_link,
					    .name = "ethernet",
					    .doc = "A cable",
					    .source = "tests",
					    .params_size = sizeof(struct toy_link_params),
					    .params = ethernet_params};

#define ENDS                                                                               \
	{KEY("from", PARAM_REF, toy_flow_params, from),                                    \
	 .flags = PARAM_REQUIRED | PARAM_STRUCTURAL, .kind = &kind_node, .doc = "Sender"}, \
	{                                                                                  \
		KEY("to", PARAM_REF, toy_flow_params, to),                                 \
			.flags = PARAM_REQUIRED | PARAM_STRUCTURAL, .kind = &kind_node,    \
			.doc = "Receiver"                                                  \
	}

static const struct param bulk_params[] = {
	ENDS,
	{KEY("bytes", PARAM_BYTES, toy_flow_params, bytes), .doc = "How much; not given: endless"},
	{KEY("dscp", PARAM_INT, toy_flow_params, dscp), .def = "0", .max = 63, .doc = "DSCP"},
	{KEY("start", PARAM_TIME, toy_flow_params, start), .def = "0s", .doc = "When"},
	PARAM_END};

static const struct param ping_params[] = {
	ENDS,
	{KEY("interval", PARAM_TIME, toy_flow_params, interval), .flags = PARAM_LIVE, .def = "1s",
	 .min = SIM_MS, .max = 3600 * SIM_SEC, .doc = "Between pings"},
	{KEY("start", PARAM_TIME, toy_flow_params, start), .def = "0s", .doc = "When"},
	{KEY("count", PARAM_INT, toy_flow_params, count), .doc = "How many; not given: endless"},
	PARAM_END};

static const struct probe bulk_probes[] = {
	{.name = "goodput_mbit", .unit = "Mbit/s", .shape = PROBE_VALUE, .doc = "Goodput"},
	{.name = "retransmits", .unit = "", .shape = PROBE_COUNTER, .doc = "Retransmits"},
	PROBE_END};

static const struct probe ping_probes[] = {
	{.name = "rtt_ms", .unit = "ms", .shape = PROBE_SAMPLES, .doc = "Round trips"},
	{.name = "lost", .unit = "", .shape = PROBE_COUNTER, .doc = "Lost"},
	PROBE_END};

static const struct model_class tcp_bulk = {.kind = &kind_traffic,
					    .name = "tcp_bulk",
					    .doc = "Bulk",
					    .source = "tests",
					    .params_size = sizeof(struct toy_flow_params),
					    .params = bulk_params,
					    .probes = bulk_probes};
static const struct model_class ping = {.kind = &kind_traffic,
					.name = "ping",
					.doc = "Ping",
					.source = "tests",
					.params_size = sizeof(struct toy_flow_params),
					.params = ping_params,
					.probes = ping_probes};

/* The toy as traffic; its peer is then another traffic. */
static struct model_class toy_traffic;
static struct param toy_traffic_params[32];

static const struct model_class *const classes[] = {&host,
						    &tcp,
						    &udp,
						    &netdev,
						    &iwl3945,
						    &ath9k,
						    &ethernet_driver,
						    &pfifo_fast,
						    &noqueue,
						    &fq_codel,
						    &fixed,
						    &minstrel,
						    &wifi,
						    &ethernet,
						    &tcp_bulk,
						    &ping,
						    &toy_traffic,
						    &test_toy_stiff,
						    &test_toy_soft,
						    NULL};

static const struct registry registry = {.classes = classes};

const struct registry *toy_net_registry(void)
{
	uint32_t n = 0;

	if (toy_traffic.name)
		return &registry;
	for (; test_toy.params[n].name; n++) {
		toy_traffic_params[n] = test_toy.params[n];
		if (toy_traffic_params[n].kind == &toy_kind)
			toy_traffic_params[n].kind = &kind_traffic;
	}
	toy_traffic = test_toy;
	toy_traffic.kind = &kind_traffic;
	toy_traffic.params = toy_traffic_params;
	return &registry;
}
