// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Claim: a document is bound to parameter structs as the declarations say: each type, defaults by era, references,
 * counted nodes, timed changes; each value knows where it came from. Set-up: the toy network. Expected: exact
 * values, no tolerance.
 */
#include "reader-lab.h"

#include "scenario/bind.h"

static struct lab lab;

static enum origin origin_of(const char *path)
{
	const struct bound_value *v = config_value(lab.c, path, NULL);

	ck_assert_msg(v != NULL, "%s", path);
	return v->origin;
}

START_TEST(test_every_type)
{
	static const char *const text = LAB
		"  toy:\n    model: toy\n    on: false\n    count: 7\n    period: 20ms\n    rate: 2Mbit\n"
		"    parcel: 1KiB\n    clock: 80MHz\n    power: -20dBm\n    gain: 1.5dB\n    reach: 2km\n"
		"    loss: 25%\n    factor: 0.5\n    deadline: 3s\n    label: \"on\"\n    colour: blue\n"
		"    peer: toy\n    spring: {model: soft, factor: 2}\n"
		"    corner: {left: 1, right: 9, edge: {sharp: true}}\n"
		"    steps: [{at: 1s}, {at: 2s, height: 3m}]\n    delays: [5ms]\n"
		"    weights: {b: 2, a: 1}\n    lanes: {be: 9}\n    txop: 4ms\n    limit: 5\n"
		"    backlog: 20ms\n";
	const struct toy_params *p;
	const struct toy_step *steps;

	lab_open(&lab, text, NULL);
	p = config_find(lab.c, "toy", "traffic")->params;
	ck_assert_int_eq(p->on, 0);
	ck_assert_int_eq(p->count, 7);
	ck_assert_int_eq(p->period, 20 * SIM_MS);
	ck_assert_int_eq(p->rate, 2000000);
	ck_assert_int_eq(p->parcel, 1024);
	ck_assert_int_eq(p->clock, 80000000);
	ck_assert_int_eq(p->power, -20000);
	ck_assert_int_eq(p->gain, 1500);
	ck_assert_int_eq(p->reach, 2000000);
	ck_assert_int_eq(p->loss, PROB_ONE / 4);
	ck_assert_int_eq(p->factor, 500000);
	ck_assert_int_eq(p->deadline, 3 * SIM_SEC);
	ck_assert_str_eq(p->label, "on");
	ck_assert_int_eq(p->colour, TOY_BLUE);
	ck_assert_ptr_eq(p->spring.cls, &test_toy_soft);
	ck_assert_str_eq(p->spring.path, "toy.spring");
	ck_assert_int_eq(((const struct toy_soft_params *)p->spring.params)->factor, 2000000);
	ck_assert_int_eq(p->corner.right, 9);
	ck_assert_int_eq(p->corner.edge.sharp, 1);
	ck_assert_uint_eq(p->steps.n, 2);
	steps = p->steps.items;
	ck_assert_int_eq(steps[0].height, 1000);
	ck_assert_int_eq(steps[1].at, 2 * SIM_SEC);
	ck_assert_int_eq(steps[1].height, 3000);
	ck_assert_uint_eq(p->delays.n, 1);
	ck_assert_int_eq(((const int64_t *)p->delays.items)[0], 5 * SIM_MS);
	ck_assert_uint_eq(p->weights.n, 2);
	ck_assert_str_eq(p->weights.names[0], "b");
	ck_assert_int_eq(((const int64_t *)p->weights.items)[0], 2);
	/* a map of some categories leaves the others at their default */
	ck_assert_int_eq(p->lanes[AC_VO], 2);
	ck_assert_int_eq(p->lanes[AC_BE], 9);
	ck_assert_int_eq(p->lanes[AC_BK], 3);
	ck_assert_int_eq(p->txop[AC_BK], 4 * SIM_MS);
	ck_assert(p->limit.value == 5 && p->limit.unit == QUEUE_PACKETS);
	ck_assert(p->backlog.value == 20 * SIM_MS && p->backlog.unit == QUEUE_TIME);
	lab_close(&lab);
}
END_TEST

START_TEST(test_defaults)
{
	const struct toy_params *p;

	lab_open(&lab, LAB "  toy: {model: toy, rate: 1Mbit}\n", NULL);
	p = config_find(lab.c, "toy", NULL)->params;
	ck_assert_int_eq(p->on, 1);
	ck_assert_int_eq(p->count, 3); /* 2.6.32 */
	ck_assert_int_eq(p->deadline, PARAM_UNSET);
	ck_assert_int_eq(p->loss, 429496730); /* 0.1 x 2^32 */
	ck_assert_ptr_eq(p->spring.cls, &test_toy_stiff);
	ck_assert_ptr_null(p->peer);
	ck_assert_uint_eq(p->delays.n, 2);
	ck_assert_uint_eq(p->steps.n, 0);
	ck_assert_int_eq(p->lanes[AC_VI], 3);
	ck_assert(p->backlog.value == 65536 && p->backlog.unit == QUEUE_BYTES);
	ck_assert_int_eq(origin_of("toy.count"), ORIGIN_ERA);
	ck_assert_int_eq(origin_of("toy.on"), ORIGIN_DECLARED);
	ck_assert_int_eq(origin_of("toy.rate"), ORIGIN_FILE);
	lab_close(&lab);
}
END_TEST

static const struct {
	const char *kernel, *cwnd, *qdisc;
} eras[] = {
	{"2.6.32", "3", "\"pfifo_fast\""}, {"3.2", "10", "\"pfifo_fast\""},
	{"3.6", "10", "\"pfifo_fast\""},   {"4.6", "10", "\"fq_codel\""},
	{"6.1", "10", "\"fq_codel\""},	   {"6.18", "10", "\"fq_codel\""},
};

START_TEST(test_eras)
{
	char *set = g_strdup_printf("ap.kernel=%s", eras[_i].kernel);

	lab_open(&lab, LAB, set);
	lab_is(&lab, "ap.tcp.initial_cwnd", eras[_i].cwnd);
	lab_is(&lab, "ap.wlan0.qdisc", eras[_i].qdisc);
	lab_is(&lab, "laptop.tcp.initial_cwnd", "3");
	ck_assert_str_eq(lab.c->nodes[1].kernel, eras[_i].kernel);
	ck_assert_str_eq(((const struct toy_host_params *)lab.c->nodes[1].host->params)->kernel,
			 eras[_i].kernel);
	lab_close(&lab);
	g_free(set);
}
END_TEST

START_TEST(test_references)
{
	const struct toy_link_params *air;
	const struct toy_flow_params *ping;
	struct object wlan[2] = {{0}}, host[2] = {{0}};

	lab_open(&lab, LAB, NULL);
	ck_assert_uint_eq(lab.c->n_refs, 4);
	ck_assert_ptr_nonnull(config_patch_refs(lab.c)); /* nothing is made yet */
	for (int i = 0; i < 2; i++) {
		lab.c->nodes[i].host->obj = &host[i];
		lab.c->nodes[i].interfaces[0].netdev->obj = &wlan[i];
	}
	ck_assert_ptr_null(config_patch_refs(lab.c));
	air = config_find(lab.c, "air", "link")->params;
	ck_assert_uint_eq(air->members.n, 2);
	ck_assert_ptr_eq(((struct object *const *)air->members.items)[1], &wlan[1]);
	ping = config_find(lab.c, "ping", "traffic")->params;
	ck_assert_ptr_eq(ping->from, &host[0]);
	ck_assert_ptr_eq(ping->to, &host[1]);
	/* one path, two objects */
	ck_assert_str_eq(config_find(lab.c, "ap.wlan0", "driver")->cls->name, "iwl3945");
	ck_assert_str_eq(config_find(lab.c, "ap.wlan0", NULL)->cls->name, "netdev");
	ck_assert_ptr_null(config_find(lab.c, "ap.wlan1", NULL));
	lab_close(&lab);
}
END_TEST

START_TEST(test_count)
{
	static const char *const text = LAB_HEAD
		"nodes:\n" LAB_NODES
		"  sta: {count: 3, interfaces: {wlan0: {driver: ath9k, qlen: 5}}}\n"
		"links:\n  air: {model: wifi, members: [laptop.wlan0, sta*.wlan0, ap.wlan0]}\n";

	lab_open(&lab, text, NULL);
	ck_assert_uint_eq(lab.c->n_nodes, 5);
	ck_assert_str_eq(lab.c->nodes[2].name, "sta1");
	ck_assert_str_eq(lab.c->nodes[4].name, "sta3");
	ck_assert_str_eq(lab.c->nodes[4].counted, "sta");
	lab_is(&lab, "air.members",
	       "[\"laptop.wlan0\",\"sta1.wlan0\",\"sta2.wlan0\",\"sta3.wlan0\",\"ap.wlan0\"]");
	lab_is(&lab, "sta.count", "3");
	lab_close(&lab);

	lab_open(&lab, text, "sta.count=1");
	ck_assert_uint_eq(lab.c->n_nodes, 3);
	lab_is(&lab, "air.members", "[\"laptop.wlan0\",\"sta1.wlan0\",\"ap.wlan0\"]");
	lab_close(&lab);

	lab_open(&lab, text, "sta.count=0");
	ck_assert_uint_eq(lab.c->n_nodes, 2);
	lab_close(&lab);

	lab_open(&lab, text, "sta*.wlan0.qlen.vo=1");
	lab_is(&lab, "sta1.wlan0.qlen", "{\"be\":5,\"bk\":5,\"vi\":5,\"vo\":1}");
	lab_is(&lab, "sta3.wlan0.qlen", "{\"be\":5,\"bk\":5,\"vi\":5,\"vo\":1}");
	lab_close(&lab);

	lab_open(&lab, text, "sta2.wlan0.qlen=9");
	lab_is(&lab, "sta1.wlan0.qlen", "{\"be\":5,\"bk\":5,\"vi\":5,\"vo\":5}");
	lab_is(&lab, "sta2.wlan0.qlen", "{\"be\":9,\"bk\":9,\"vi\":9,\"vo\":9}");
	lab_close(&lab);

	lab_load(&lab, text, "sta.count=2000");
	lab_told(&lab, "--set sta.count=2000: sta.count: read '2000', expected 0 .. 1024");
	lab_close(&lab);
}
END_TEST

START_TEST(test_changes)
{
	static const char *const text = LAB
		"changes:\n  - {at: 5s, set: {air.loss: 0.5}}\n"
		"  - {at: 2s, set: {air.loss: 0.25, ping.interval: 2s}}\n  - {at: 5s, leave: laptop}\n"
		"  - {at: 6s, join: laptop}\n";
	struct toy_link_params *air;
	struct change *c;

	lab_open(&lab, text, NULL);
	ck_assert_uint_eq(lab.c->n_changes, 4);
	c = lab.c->changes;
	ck_assert_int_eq(c[0].at, 2 * SIM_SEC);
	ck_assert_uint_eq(c[0].n_sets, 2);
	ck_assert_str_eq(c[0].sets[1].param->name, "interval");
	ck_assert_int_eq(c[1].kind, CHANGE_SET);
	ck_assert_int_eq(c[2].kind, CHANGE_LEAVE);
	ck_assert_ptr_eq(c[2].node, &lab.c->nodes[0]);
	ck_assert_int_eq(c[3].kind, CHANGE_JOIN);
	air = config_find(lab.c, "air", NULL)->params;
	ck_assert_int_eq(air->loss, 0);
	memcpy(c[1].sets[0].where, c[1].sets[0].value, c[1].sets[0].size);
	ck_assert_int_eq(air->loss, PROB_ONE / 2);
	lab_close(&lab);
}
END_TEST

START_TEST(test_foreach_order)
{
	GString *seen = g_string_new(NULL);
	int see(struct bound * b, void *arg)
	{
		g_string_append_printf(arg, "%s/%s ", b->path, b->cls->name);
		return 0;
	}

	lab_open(&lab, LAB, "laptop.wlan0.rate_control=fixed");
	config_foreach(lab.c, see, seen);
	ck_assert_str_eq(
		seen->str,
		"laptop/host laptop.tcp/tcp laptop.udp/udp laptop.wlan0/netdev "
		"laptop.wlan0.qdisc/pfifo_fast laptop.wlan0.rate_control/fixed laptop.wlan0/iwl3945 "
		"ap/host ap.tcp/tcp ap.udp/udp ap.wlan0/netdev ap.wlan0.qdisc/pfifo_fast "
		"ap.wlan0/iwl3945 air/wifi ping/ping ");
	g_string_free(seen, TRUE);
	lab_close(&lab);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("binding");
	TCase *tc = tcase_create("binding");
	SRunner *sr;
	int failed;

	tcase_add_test(tc, test_every_type);
	tcase_add_test(tc, test_defaults);
	tcase_add_loop_test(tc, test_eras, 0, sizeof(eras) / sizeof(eras[0]));
	tcase_add_test(tc, test_references);
	tcase_add_test(tc, test_count);
	tcase_add_test(tc, test_changes);
	tcase_add_test(tc, test_foreach_order);
	suite_add_tcase(s, tc);
	sr = srunner_create(s);
	srunner_run_all(sr, CK_NORMAL);
	failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
