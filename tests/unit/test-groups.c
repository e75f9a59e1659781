// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Claim: traffic from or to "sta*" is one traffic for each station, whatever sets their number, and the group's name
 * measures all of them together.
 *
 * Set-up: a toy registry for what is read; for what is measured, hosts a1 .. aN on cables of their own to b, as
 * counted nodes on one cable of 100 Mbit/s would be on one switch.
 *
 * Expected: members, their ends, their settings and wrong files as stated with each. Of the group: counters and rates
 * are the sums of the members' and delays are those of all packets, exactly; Jain's index is that of the members'
 * rates, within 10^-6 for its rounding; the anatomy has every packet once. Nodes of one count have the values that each
 * would have if it were bound by itself, and share no memory.
 */
#include "reader-lab.h"
#include "scenario-lab.h"
#include "scenario/bind.h"

/* ---- what is read -------------------------------------------------------------------------- */

#define COUNTED(count, traffic)                                                        \
	LAB_HEAD "nodes:\n"                                                            \
		 "  sta: {count: " count ", interfaces: {wlan0: {driver: iwl3945}}}\n" \
		 "  ap: {interfaces: {wlan0: {driver: iwl3945}}}\n"                    \
		 "links:\n  air: {model: wifi, members: [sta*.wlan0, ap.wlan0]}\n"     \
		 "traffic:\n" traffic

#define UP "  up: {model: ping, from: sta*, to: ap}\n"

START_TEST(test_members)
{
	struct lab lab;

	lab_open(&lab, COUNTED("3", UP "  one: {model: ping, from: ap, to: sta2}\n"), NULL);
	ck_assert_uint_eq(lab.c->n_traffic, 4);
	ck_assert_str_eq(lab.c->traffic[0]->path, "up1");
	ck_assert_str_eq(lab.c->traffic[0]->group, "up");
	ck_assert_str_eq(lab.c->traffic[2]->path, "up3");
	ck_assert_str_eq(lab.c->traffic[3]->path, "one");
	ck_assert_ptr_null(lab.c->traffic[3]->group);
	lab_is(&lab, "up3.from", "\"sta3\"");
	lab_is(&lab, "up3.to", "\"ap\"");
	lab_close(&lab);

	/* in pairs */
	lab_open(&lab,
		 LAB_HEAD "nodes:\n"
			  "  sta: {count: 2, interfaces: {wlan0: {driver: iwl3945}}}\n"
			  "  peer: {count: 2, interfaces: {wlan0: {driver: iwl3945}}}\n"
			  "links:\n  air: {model: wifi, members: [sta*.wlan0, peer*.wlan0]}\n"
			  "traffic:\n  x: {model: ping, from: peer*, to: sta*}\n",
		 NULL);
	lab_is(&lab, "x2.from", "\"peer2\"");
	lab_is(&lab, "x2.to", "\"sta2\"");
	lab_close(&lab);
}
END_TEST

START_TEST(test_settings)
{
	struct lab lab;

	lab_open(&lab, COUNTED("3", UP), "sta.count=5");
	ck_assert_uint_eq(lab.c->n_traffic, 5);
	lab_close(&lab);
	lab_open(&lab, COUNTED("3", UP), "sta.count=0");
	ck_assert_uint_eq(lab.c->n_traffic, 0);
	lab_close(&lab);
	lab_open(&lab, COUNTED("3", UP), "up.interval=7ms");
	lab_is(&lab, "up1.interval", "\"7ms\"");
	lab_is(&lab, "up3.interval", "\"7ms\"");
	lab_is(&lab, "up.interval", "\"7ms\"");
	lab_close(&lab);
	lab_open(&lab, COUNTED("3", UP), "up*.interval=8ms");
	lab_is(&lab, "up3.interval", "\"8ms\"");
	lab_is(&lab, "up*.interval", "\"8ms\"");
	lab_close(&lab);
	lab_open(&lab, COUNTED("3", UP), "up2.interval=9ms");
	lab_is(&lab, "up2.interval", "\"9ms\"");
	lab_is(&lab, "up3.interval", "\"1s\"");
	lab_close(&lab);
	/* an end may be set to one node, and to a star */
	lab_open(&lab, COUNTED("3", UP), "up.from=sta2");
	ck_assert_uint_eq(lab.c->n_traffic, 1);
	lab_is(&lab, "up.from", "\"sta2\"");
	lab_close(&lab);
	lab_open(&lab, COUNTED("3", "  up: {model: ping, from: sta1, to: ap}\n"), "up.from=sta*");
	ck_assert_uint_eq(lab.c->n_traffic, 3);
	lab_close(&lab);
}
END_TEST

START_TEST(test_axis)
{
	struct lab lab;

	lab_open(&lab, COUNTED("1", UP "sweep: {sta.count: [2, 4], up.interval: [1s, 2s]}\n"),
		 NULL);
	lab_bind(&lab, -1, (const uint32_t[]){1, 1});
	ck_assert_uint_eq(lab.c->n_traffic, 4);
	lab_is(&lab, "up4.interval", "\"2s\"");
	lab_is(&lab, "sta.count", "4");
	lab_close(&lab);
}
END_TEST

/* ---- counted nodes are copied -------------------------------------------------------------- */

#define STATIONS                                                                                      \
	"name: copies\nduration: 1s\nnodes:\n"                                                        \
	"  ap: {interfaces: {wlan0: {driver: ath10k}}}\n"                                             \
	"  sta:\n    count: 3\n    tcp: {initial_cwnd: 7}\n    interfaces:\n      wlan0:\n"           \
	"        driver: ath10k\n        txqueuelen: 900\n"                                           \
	"        mac80211: {model: mac80211, absent: [{at: 1s, span: 20ms}, {at: 2s, span: 30ms}]}\n" \
	"        qdisc:\n          model: prio\n          priomap: [2, 1, 0]\n"                       \
	"          children: [pfifo, {model: fq_codel, flows: 64}, {model: pfifo, limit: 50}]\n"      \
	"links:\n  air: {model: wifi, ap: ap.wlan0, members: [ap.wlan0, sta*.wlan0]}\n"

static struct scenario *stations(const char *set, struct config **c)
{
	struct scenario *s;
	struct errors errors;
	GString *told;

	errors_init(&errors);
	s = scenario_load_text(STATIONS, strlen(STATIONS), "lab.yaml", &models_builtin, &set,
			       set != NULL, &errors);
	told = errors_text(&errors);
	ck_assert_msg(s, "%s", told->str);
	g_string_free(told, TRUE);
	*c = scenario_bind(s, -1, NULL, &errors);
	errors_clear(&errors);
	return s;
}

/* No pointer of a copy leads into what it was copied from: what is written into that leaves the copy as it was. */
static void scribble(const struct bound_value *v, uint32_t n)
{
	for (uint32_t i = 0; i < n; i++) {
		if (v[i].slot) {
			scribble(v[i].slot->values, v[i].slot->n_values);
			memset(v[i].slot->params, 0x5a, v[i].slot->cls->params_size);
		}
		scribble(v[i].sub, v[i].n_sub);
		if (v[i].param->type == PARAM_LIST)
			memset((void *)((struct param_list *)v[i].ptr)->items, 0x5a,
			       v[i].param->size * v[i].n_sub);
	}
}

/* A station that is set apart, to what it has, is bound by itself. */
START_TEST(test_copies)
{
	struct config *copied, *bound;
	struct scenario *s = stations(NULL, &copied);
	struct scenario *t = stations("sta2.wlan0.txqueuelen=900", &bound);
	const char *const paths[] = {
		"sta2.wlan0.qdisc.children.1.flows",
		"sta2.wlan0.qdisc.children.2.limit",
		"sta2.wlan0.qdisc.priomap",
		"sta2.wlan0.mac80211.absent.1.span",
		"sta2.tcp.initial_cwnd",
		"sta2.wlan0.txqueuelen",
	};
	json_t *a = config_params(copied), *b = config_params(bound);
	const struct bound *first, *second;

	ck_assert(json_equal(a, b));
	json_decref(a);
	json_decref(b);
	first = config_find(copied, "sta1.wlan0", "interface");
	second = config_find(copied, "sta2.wlan0.qdisc", NULL);
	ck_assert_str_eq(second->path, "sta2.wlan0.qdisc");
	scribble(first->values, first->n_values);
	memset(first->params, 0x5a, first->cls->params_size);
	for (size_t i = 0; i < G_N_ELEMENTS(paths); i++) {
		a = config_param(copied, paths[i]);
		b = config_param(bound, paths[i]);
		ck_assert_msg(a && json_equal(a, b), "%s", paths[i]);
		json_decref(a);
		json_decref(b);
	}
	config_free(copied);
	config_free(bound);
	scenario_free(s);
	scenario_free(t);
}
END_TEST

static const struct {
	const char *text, *set, *told;
} wrong[] = {
	{COUNTED("2", "  up: {model: ping, from: stb*, to: ap}\n"), NULL,
	 "up.from: no node matches 'stb*'; allowed: sta*, ap; did you mean 'sta*'?"},
	{COUNTED("2", "  x: {model: ping, from: ap, to: sta1}\n"),
	 "air.members=[stb*.wlan0, ap.wlan0]",
	 "air.members: no node matches 'stb*'; allowed: sta*, ap; did you mean 'sta*'?"},
	{COUNTED("2", UP "  up2: {model: ping, from: ap, to: sta1}\n"), NULL,
	 "the name 'up2' is taken"},
	{COUNTED("2", UP), "up3.interval=1s", "no node, link or traffic 'up3'"},
	{COUNTED("2", UP), "up.intervall=1s", "'intervall'"},
	{COUNTED("2", "  x: {model: ping, from: sta*, to: a*}\n"), NULL, "they go in pairs"},
};

START_TEST(test_wrong)
{
	struct lab lab;

	lab_load(&lab, wrong[_i].text, wrong[_i].set);
	ck_assert_ptr_null(lab.s);
	lab_told(&lab, wrong[_i].told);
	errors_clear(&lab.errors);
}
END_TEST

/* ---- what is measured ---------------------------------------------------------------------- */

#define NET(traffic)                                                                       \
	"name: t\nkernel: \"6.1\"\nduration: 4s\nwarmup: 1s\n"                             \
	"nodes:\n"                                                                         \
	"  a: {count: 3, interfaces: {eth0: {qdisc: pfifo_fast}}}\n"                       \
	"  b: {interfaces: {eth0: {}, eth1: {}, eth2: {}}}\n"                              \
	"links:\n"                                                                         \
	"  l0: {model: ethernet, members: [a1.eth0, b.eth0], rate: 10Mbit, delay: 1ms}\n"  \
	"  l1: {model: ethernet, members: [a2.eth0, b.eth1], rate: 20Mbit, delay: 10ms}\n" \
	"  l2: {model: ethernet, members: [a3.eth0, b.eth2], rate: 40Mbit, delay: 2ms}\n"  \
	"traffic:\n" traffic

static double sum_of(const struct outcome *o, const char *tail)
{
	double sum = 0;

	for (int i = 1; i <= 3; i++) {
		char *name = g_strdup_printf("up%d.%s", i, tail);

		sum += metric_of(o, name);
		g_free(name);
	}
	return sum;
}

START_TEST(test_bulk)
{
	struct outcome o = outcome_of(NET("  up: {model: tcp_bulk, from: a*, to: b}\n"));
	double sum = 0, squares = 0, least = 1e9, packets = 0, slowest = 0;

	ck_between(metric_of(&o, "up.goodput_mbit"), 0.98 * 65.9, 1.005 * 65.9);
	ck_between(metric_of(&o, "up.goodput_mbit") - sum_of(&o, "goodput_mbit"), -1e-6, 1e-6);
	ck_assert_int_eq(metric_of(&o, "up.received_bytes"), sum_of(&o, "received_bytes"));
	for (int i = 1; i <= 3; i++) {
		char *delay = g_strdup_printf("up%d.delay", i);
		char *most = g_strdup_printf("up%d.delay_ms.max", i);
		char *goodput = g_strdup_printf("up%d.goodput_mbit", i);
		double x = metric_of(&o, goodput);

		sum += x;
		squares += x * x;
		least = MIN(least, x);
		slowest = MAX(slowest, metric_of(&o, most));
		g_free(most);
		packets += anatomy_of(&o, delay)->count;
		g_free(goodput);
		g_free(delay);
	}
	ck_between(metric_of(&o, "up.jain") - sum * sum / (3 * squares), -1e-5, 1e-5);
	ck_between(metric_of(&o, "up.flow_goodput_mbit.min") - least, -1e-5, 1e-5);
	ck_between(metric_of(&o, "up.delay_ms.max") - slowest, -1e-6, 1e-6);
	ck_assert_int_eq(anatomy_of(&o, "up.delay")->count, packets);
	outcome_clear(&o);
}
END_TEST

static const struct run_distribution *distribution_of(const struct outcome *o, const char *name)
{
	for (uint32_t i = 0; i < o->res.n_distributions; i++)
		if (!strcmp(o->res.distributions[i].name, name))
			return &o->res.distributions[i];
	ck_abort_msg("there is no distribution %s", name);
	return NULL;
}

START_TEST(test_ping)
{
	struct outcome o = outcome_of(
		NET("  up: {model: ping, from: b, to: a*, interval: 100ms, spread: 1s}\n"));
	const struct run_distribution *all = distribution_of(&o, "up.rtt_ms");
	uint32_t n = 0;

	for (int i = 1; i <= 3; i++) {
		char *name = g_strdup_printf("up%d.rtt_ms", i);

		n += distribution_of(&o, name)->n;
		g_free(name);
	}
	ck_assert(all->exact);
	ck_assert_uint_eq(all->n, n);
	ck_between(n, 85, 92);
	/* to the nearest and to the farthest */
	ck_between(metric_of(&o, "up.rtt_ms.min"), 2, 2.3);
	ck_between(metric_of(&o, "up.rtt_ms.max"), 20, 20.3);
	ck_between(metric_of(&o, "up.rtt_ms.p50"), 4, 4.3);
	/* They begin at different times. */
	ck_between(metric_of(&o, "up.lost"), 0, 0);
	outcome_clear(&o);
}
END_TEST

START_TEST(test_datagrams)
{
	struct outcome o = outcome_of(NET("  up: {model: udp_cbr, from: a*, to: b, rate: 5Mbit}\n"
					  "changes: [{at: 2500ms, set: {up.rate: 1Mbit}}]\n"));

	/* half of the window at the one rate, half at the other */
	ck_between(metric_of(&o, "up.goodput_mbit"), 8.95, 9.05);
	ck_between(metric_of(&o, "up2.goodput_mbit"), 2.98, 3.02);
	ck_between(metric_of(&o, "up.jain"), 0.9999, 1);
	ck_assert_int_eq(metric_of(&o, "up.received"), sum_of(&o, "received"));
	outcome_clear(&o);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("groups");
	TCase *tc = tcase_create("groups");
	SRunner *sr;
	int failed;

	tcase_add_test(tc, test_members);
	tcase_add_test(tc, test_settings);
	tcase_add_test(tc, test_axis);
	tcase_add_loop_test(tc, test_wrong, 0, G_N_ELEMENTS(wrong));
	tcase_add_test(tc, test_copies);
	tcase_add_test(tc, test_bulk);
	tcase_add_test(tc, test_ping);
	tcase_add_test(tc, test_datagrams);
	suite_add_tcase(s, tc);
	sr = srunner_create(s);
	srunner_run_all(sr, CK_NORMAL);
	failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
