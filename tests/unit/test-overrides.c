// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Claim: declared < era < include < file < calibration < case < axis < --set; an override reaches into slots,
 * structs, maps and categories, and one that chooses another model drops the old one's keys. A sweep's rows
 * come in their order, with canonical parameters that do not change with the spelling. Set-up: the toy network.
 * Expected: exact values, no tolerance.
 */
#include "reader-lab.h"

#include "scenario/bind.h"

static struct lab lab;

START_TEST(test_precedence)
{
	static const char *const text = LAB "cases:\n  c: {laptop.wlan0.ring: 50}\n"
					    "sweep:\n  laptop.wlan0.ring: [20, 30]\n";
	uint32_t value = 1;

	lab_open(&lab, text, NULL);
	lab_is(&lab, "laptop.wlan0.ring", "100");
	lab_is(&lab, "ap.wlan0.ring", "224");
	lab_bind(&lab, 0, NULL);
	lab_is(&lab, "laptop.wlan0.ring", "50");
	lab_bind(&lab, 0, &value);
	lab_is(&lab, "laptop.wlan0.ring", "30");
	ck_assert_int_eq(config_value(lab.c, "laptop.wlan0.ring", NULL)->origin, ORIGIN_AXIS);
	lab_close(&lab);

	lab_open(&lab, text, "laptop.wlan0.ring=8");
	lab_bind(&lab, 0, &value);
	lab_is(&lab, "laptop.wlan0.ring", "8");
	ck_assert_int_eq(config_value(lab.c, "laptop.wlan0.ring", NULL)->origin, ORIGIN_SET);
	lab_close(&lab);

	lab_open(&lab, text, "case=c");
	lab_is(&lab, "laptop.wlan0.ring", "50");
	lab_close(&lab);
}
END_TEST

START_TEST(test_calibration)
{
	static const char *const text = LAB
		"calibration:\n  - {set: air.loss, value: 0.25, on: goodput, because: b}\n"
		"cases:\n  c: {air.loss: 0.5}\n";

	lab_open(&lab, text, NULL);
	lab_is(&lab, "air.loss", "\"0.25\"");
	ck_assert_int_eq(config_value(lab.c, "air.loss", NULL)->origin, ORIGIN_CALIBRATION);
	lab_bind(&lab, 0, NULL);
	lab_is(&lab, "air.loss", "\"0.5\"");
	lab_close(&lab);
}
END_TEST

static const struct {
	const char *set, *path, *want;
} sets[] = {
	{"kernel=6.1", "laptop.wlan0.qdisc.flows",
	 "4096"}, /* of the era's {model: fq_codel, flows: 4096} */
	{"duration=20s", "duration", "\"20s\""},
	{"core=builtin", "core", "\"builtin\""},
	{"laptop.hz=1000", "laptop.hz", "1000"},
	{"laptop.tcp.sack=false", "laptop.tcp.sack", "false"},
	{"laptop.wlan0.qdisc=fq_codel", "laptop.wlan0.qdisc.limit", "10240"},
	{"laptop.wlan0.qdisc={model: fq_codel, limit: 7}", "laptop.wlan0.qdisc.limit", "7"},
	{"laptop.wlan0.rate_control=fixed", "laptop.wlan0.rate_control.rate", "\"54Mbit\""},
	{"ap.wlan0.driver=ath9k", "ap.wlan0.qlen", "{\"be\":123,\"bk\":123,\"vi\":123,\"vo\":123}"},
	{"toy.spring.factor=3", "toy.spring.factor", "\"3\""}, /* soft, as the file says */
	{"toy.spring.model=stiff", "toy.spring", "\"stiff\""},
	{"toy.corner.left=0", "toy.corner.left", "0"},
	{"toy.corner.edge.sharp=true", "toy.corner.edge.sharp", "true"},
	{"toy.weights.b=5", "toy.weights", "{\"a\":1,\"b\":5}"},
	{"toy.lanes.bk=1", "toy.lanes", "{\"be\":4,\"bk\":1,\"vi\":4,\"vo\":4}"},
	{"toy.delays=[1ms, 3ms]", "toy.delays", "[\"1ms\",\"3ms\"]"},
	{"air.standard=11b", "air.standard", "\"11b\""},
	{"ping.model=tcp_bulk", "ping.from", "\"laptop\""}, /* both models have it */
};

#define WITH_TOY \
	LAB "  toy: {model: toy, rate: 1Mbit, spring: {model: soft, factor: 2}, weights: {a: 1}, lanes: 4}\n"

START_TEST(test_reach)
{
	lab_open(&lab, WITH_TOY, sets[_i].set);
	lab_is(&lab, sets[_i].path, sets[_i].want);
	lab_close(&lab);
}
END_TEST

static const struct {
	const char *set, *words;
} wrong[] = {
	{"laptop.wlan0.rnig=8", "'laptop.wlan0.rnig': wlan0 has no key 'rnig'"},
	{"laptop.wlan0.ring.x=8", "ring is one value and has no keys"},
	{"lap.wlan0.ring=8", "no node, link or traffic 'lap'"},
	{"laptop.wlan0.ring=x", "--set laptop.wlan0.ring=x: laptop.wlan0.ring: read 'x'"},
	{"laptop.wlan0.ring=[1", "not YAML"},
	{"laptop.wlan0=8", "a whole interface cannot be set"},
	{"air.members.0=ap.wlan0", "members is a list and can only be set as a whole"},
	{"toy.lanes.xx=1", "no access category 'xx'"},
	{"toy.spring.model.x=1", "spring stiff has no key 'model'"},
	{"laptop.wlan0.rate_control.rate=1Mbit", "no model is chosen for rate_control"},
	{"laptop", "expected PATH=VALUE"},
	{"=8", "expected PATH=VALUE"},
	{"case=x", "there is no case 'x'"},
	{"nonsense=1", "neither PATH.KEY nor one of the scenario's own keys"},
	{"laptop.wlan0.qdisc.limit=5", "qdisc pfifo_fast has no key 'limit'"},
};

START_TEST(test_wrong)
{
	lab_load(&lab, LAB "  toy: {model: toy, rate: 1Mbit}\n", wrong[_i].set);
	ck_assert_ptr_null(lab.s);
	lab_told(&lab, wrong[_i].words);
	lab_close(&lab);
}
END_TEST

/* The old model's keys go with it, whatever the order in which a case names them. */
START_TEST(test_other_model)
{
	static const char *const text = LAB_HEAD
		"nodes:\n  laptop: {interfaces: {wlan0: {driver: iwl3945, ring: 7, ring_time: 5ms, "
		"qdisc: {model: fq_codel, limit: 9}}}}\n  ap: {interfaces: {wlan0: {driver: iwl3945}}}\n" LAB_REST
		"cases:\n"
		"  driver: {laptop.wlan0.qlen: 3, laptop.wlan0.driver: ath9k}\n"
		"  qdisc: {laptop.wlan0.qdisc: pfifo_fast}\n"
		"  same: {laptop.wlan0.qdisc.model: fq_codel}\n"
		"  again: {laptop.wlan0.qdisc.target: 1ms, laptop.wlan0.qdisc: fq_codel}\n";

	lab_open(&lab, text, NULL);
	lab_bind(&lab, 0, NULL);
	lab_is(&lab, "laptop.wlan0.driver", "\"ath9k\"");
	lab_is(&lab, "laptop.wlan0.ring", "7"); /* ath9k has it too */
	lab_is(&lab, "laptop.wlan0.qlen", "{\"be\":3,\"bk\":3,\"vi\":3,\"vo\":3}");
	lab_bind(&lab, 1, NULL);
	lab_is(&lab, "laptop.wlan0.qdisc", "\"pfifo_fast\"");
	lab_bind(&lab, 2, NULL);
	lab_is(&lab, "laptop.wlan0.qdisc.limit", "9");
	lab_bind(&lab, 3, NULL);
	lab_is(&lab, "laptop.wlan0.qdisc.limit", "10240");
	lab_is(&lab, "laptop.wlan0.qdisc.target", "\"1ms\"");
	lab_close(&lab);
}
END_TEST

/* An axis that chooses a model goes before those that set the model's keys; rows keep the document's order. */
START_TEST(test_axis_order)
{
	static const char *const text = LAB "sweep:\n  laptop.wlan0.qlen: [3, 4]\n"
					    "  laptop.wlan0.driver: [ath9k]\n";
	struct expansion *x;

	lab_load(&lab, text, NULL);
	lab_fine(&lab);
	x = scenario_expand(lab.s, &lab.errors);
	lab_fine(&lab);
	ck_assert_str_eq(lab.s->axes[0].path, "laptop.wlan0.qlen");
	ck_assert_uint_eq(x->combos[1].values[0], 1);
	ck_assert_ptr_nonnull(strstr(x->combos[1].params, "\"laptop.wlan0.qlen\":{\"be\":4"));
	expansion_free(x);
	lab_close(&lab);
}
END_TEST

/* Reaching into a default that has keys of its own keeps them; they stay defaults. */
START_TEST(test_into_default)
{
	json_t *params;

	lab_open(&lab, LAB "cases:\n  new: {kernel: \"6.1\", laptop.wlan0.qdisc.limit: 7}\n",
		 "case=new");
	lab_is(&lab, "laptop.wlan0.qdisc.limit", "7");
	lab_is(&lab, "laptop.wlan0.qdisc.flows", "4096");
	ck_assert_int_eq(config_value(lab.c, "laptop.wlan0.qdisc.flows", NULL)->origin,
			 ORIGIN_DECLARED);
	params = config_params(lab.c);
	ck_assert_str_eq(json_string_value(json_object_get(params, "laptop.wlan0.qdisc")),
			 "fq_codel");
	ck_assert_ptr_nonnull(json_object_get(params, "laptop.wlan0.qdisc.limit"));
	ck_assert_ptr_null(json_object_get(params, "laptop.wlan0.qdisc.flows"));
	json_decref(params);
	lab_close(&lab);
}
END_TEST

/* ---- expansion ----------------------------------------------------------------------------- */

START_TEST(test_rows)
{
	static const char *const text = LAB
		"seed: 5\nrepeat: 2\ncases:\n  a: {}\n  b: {laptop.hz: 1000}\n"
		"sweep:\n  laptop.wlan0.ring: [10, 20]\n  air.loss: [0, 10%, 0.2]\n";
	struct expansion *x;
	struct config *c;

	lab_load(&lab, text, NULL);
	lab_fine(&lab);
	x = scenario_expand(lab.s, &lab.errors);
	lab_fine(&lab);
	ck_assert_uint_eq(x->n_combos, 12);
	ck_assert_uint_eq(x->n_points, 24);
	ck_assert_int_eq(x->combos[5].kase, 0);
	ck_assert_int_eq(x->combos[6].kase, 1);
	ck_assert_uint_eq(x->combos[8].values[0], 0);
	ck_assert_uint_eq(x->combos[8].values[1], 2);
	ck_assert_uint_eq(x->points[1].combo, 0);
	ck_assert_uint_eq(x->points[1].seed, 6);
	ck_assert_str_eq(lab.s->axes[1].text[1], "10%");
	c = point_bind(x, 23, &lab.errors);
	ck_assert_uint_eq(c->seed, 6);
	config_free(c);
	expansion_free(x);
	lab_close(&lab);
}
END_TEST

static char *params_of(const char *text)
{
	struct expansion *x;
	char *params;

	lab_load(&lab, text, NULL);
	lab_fine(&lab);
	x = scenario_expand(lab.s, &lab.errors);
	params = g_strdup(x->combos[0].params);
	expansion_free(x);
	lab_close(&lab);
	return params;
}

/* Spelling, defaults written out, repeat and plots are not part of what a run is; values and order are. */
START_TEST(test_canonical)
{
	char *a = params_of(LAB);
	char *same = params_of(
		"name: other\nabout: x\nrepeat: 3\nduration: 10000ms\nkernel: 2.6.32\nwarmup: 0s\nnodes:\n"
		"  laptop: {hz: 250, interfaces: {wlan0: {ring: 1e2, driver: iwl3945, mtu: 1.5kB, "
		"qdisc: pfifo_fast}}}\n  ap: {interfaces: {wlan0: {driver: iwl3945}}}\n" LAB_REST);
	char *other = params_of(LAB_HEAD "nodes:\n" LAB_NODES "  third: {}\n" LAB_REST);
	char *order = params_of(
		LAB_HEAD
		"nodes:\n  ap: {interfaces: {wlan0: {driver: iwl3945}}}\n"
		"  laptop: {interfaces: {wlan0: {driver: iwl3945, ring: 100}}}\n" LAB_REST);

	ck_assert_str_eq(
		a,
		"{\"air.members\":[\"laptop.wlan0\",\"ap.wlan0\"],\"air.model\":\"wifi\","
		"\"ap.interfaces\":[\"wlan0\"],\"ap.wlan0.driver\":\"iwl3945\",\"duration\":\"10s\","
		"\"kernel\":\"2.6.32\",\"laptop.interfaces\":[\"wlan0\"],"
		"\"laptop.wlan0.driver\":\"iwl3945\",\"laptop.wlan0.ring\":100,\"links\":[\"air\"],"
		"\"nodes\":[\"laptop\",\"ap\"],\"ping.from\":\"laptop\",\"ping.model\":\"ping\","
		"\"ping.to\":\"ap\",\"traffic\":[\"ping\"]}");
	ck_assert_str_eq(a, same);
	ck_assert_str_ne(a, other);
	ck_assert_str_ne(a, order);
	g_free(a);
	g_free(same);
	g_free(other);
	g_free(order);
}
END_TEST

START_TEST(test_selectors)
{
	static const char *const text = LAB
		"cases:\n  a: {}\n  b: {ping.interval: 500ms}\n"
		"sweep:\n  laptop.wlan0.qdisc: [pfifo_fast, {model: fq_codel, limit: 5}]\n  air.loss: [0, 10%]\n"
		"expect:\n"
		"  - {metric: ping.rtt_ms.mean, case: b, between: [1, 2]}\n"
		"  - {metric: ping.rtt_ms.mean, where: {air.loss: 0.1}, between: [1, .inf]}\n"
		"  - {metric: ping.rtt_ms.mean, where: {laptop.wlan0.qdisc: fq_codel}, within: 5% of 3}\n"
		"  - {metric: ping.rtt_ms.mean, where: {ping.interval: 0.5s}, versus: {case: a}, factor: 2}\n"
		"  - {spread: ping.rtt_ms.p95, where: {air.loss: [0, 0.1]}, at_most: 20%}\n";
	static const char *const rows[] = {"00001111", "01010101", "00110011", "00001111",
					   "11111111"};
	struct expansion *x;

	lab_load(&lab, text, NULL);
	lab_fine(&lab);
	x = scenario_expand(lab.s, &lab.errors);
	lab_fine(&lab);
	ck_assert_uint_eq(x->n_combos, 8);
	for (uint32_t i = 0; i < lab.s->n_expects; i++)
		for (uint32_t k = 0; k < x->n_combos; k++)
			ck_assert_msg(combo_matches(x, k, &lab.s->expects[i].at) ==
					      (rows[i][k] == '1'),
				      "expectation %u, row %u", i, k);
	ck_assert_int_eq(lab.s->expects[0].low, 1000000);
	ck_assert_int_eq(lab.s->expects[1].high, EXPECT_OPEN_HIGH);
	ck_assert_int_eq(lab.s->expects[2].tolerance, 50000);
	ck_assert_int_eq(lab.s->expects[2].reference, 3000000);
	ck_assert_int_eq(lab.s->expects[3].form, EXPECT_FACTOR);
	ck_assert_int_eq(lab.s->expects[3].factor, 2000000);
	ck_assert_int_eq(lab.s->expects[4].form, EXPECT_SPREAD);
	expansion_free(x);
	lab_close(&lab);
}
END_TEST

START_TEST(test_too_many)
{
	GString *text = g_string_new(LAB "repeat: 100000\nsweep:\n  laptop.wlan0.ring: [");

	for (int i = 1; i <= 20; i++)
		g_string_append_printf(text, "%s%d", i > 1 ? ", " : "", i);
	g_string_append(text, "]\n");
	lab_load(&lab, text->str, NULL);
	lab_fine(&lab);
	ck_assert_ptr_null(scenario_expand(lab.s, &lab.errors));
	lab_told(&lab, "more than 1000000 runs");
	g_string_free(text, TRUE);
	lab_close(&lab);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("overrides");
	TCase *tc = tcase_create("overrides");
	SRunner *sr;
	int failed;

	tcase_add_test(tc, test_precedence);
	tcase_add_test(tc, test_calibration);
	tcase_add_loop_test(tc, test_reach, 0, sizeof(sets) / sizeof(sets[0]));
	tcase_add_loop_test(tc, test_wrong, 0, sizeof(wrong) / sizeof(wrong[0]));
	tcase_add_test(tc, test_other_model);
	tcase_add_test(tc, test_axis_order);
	tcase_add_test(tc, test_into_default);
	tcase_add_test(tc, test_rows);
	tcase_add_test(tc, test_canonical);
	tcase_add_test(tc, test_selectors);
	tcase_add_test(tc, test_too_many);
	suite_add_tcase(s, tc);
	sr = srunner_create(s);
	srunner_run_all(sr, CK_NORMAL);
	failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
