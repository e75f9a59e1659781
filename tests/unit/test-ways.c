// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Claim: traffic that cannot get where it is to go is the user's error, told with its place before anything runs, for
 * every registered model of kind traffic; so is a datagram that does not fit the MTU.
 * Set-up: two hosts on a cable and a third that is on none; each model from a to itself, to the third, to b.
 * Expected: one message at `to`; nothing to say of the way to b. Sizes of 1473 bytes are told at their parameter; one
 * that grows beyond the MTU during the run ends it.
 * Tolerance: none.
 */
#include "scenario-lab.h"

#define NET(what)                                                                     \
	"name: t\nkernel: \"6.1\"\nduration: 2s\n"                                    \
	"nodes:\n  a: {interfaces: {eth0: {}}}\n  b: {interfaces: {eth0: {}}}\n"      \
	"  c: {interfaces: {}}\n"                                                     \
	"links:\n  lan: {model: ethernet, members: [a.eth0, b.eth0], rate: 10Mbit}\n" \
	"traffic:\n  t: {" what "}\n"

/* What is told when it is built, and the run's own failure. To be freed. */
static char *told_of(const char *text)
{
	struct run_options opt = {0};
	struct run_result res = {0};
	struct scenario *s;
	struct config *c;
	struct errors errors;
	GString *told;

	errors_init(&errors);
	s = scenario_load_text(text, strlen(text), "w.yaml", &models_builtin, NULL, 0, &errors);
	c = s ? scenario_bind(s, -1, NULL, &errors) : NULL;
	ck_assert_msg(c != NULL, "%s%s", text, errors_text(&errors)->str);
	run_config(c, &opt, &res, &errors);
	told = errors_text(&errors);
	if (res.failed)
		g_string_append(told, res.error);
	run_result_clear(&res);
	config_free(c);
	scenario_free(s);
	errors_clear(&errors);
	return g_string_free(told, FALSE);
}

/* "model: NAME, from: a, to: @to" and what else the model must be given. */
static char *traffic_text(const struct model_class *cls, const char *to)
{
	GString *text = g_string_new(NULL);
	char *all;

	g_string_printf(text, "model: %s, from: a, to: %s", cls->name, to);
	for (const struct param *p = cls->params; p->name; p++) {
		if ((p->flags & PARAM_REQUIRED) && p->type == PARAM_RATE)
			g_string_append_printf(text, ", %s: 1Mbit", p->name);
		else if (p->type == PARAM_LIST && !strcmp(p->name, "packets"))
			g_string_append(text, ", packets: [{at: 0s, size: 1B}]");
	}
	all = g_strdup_printf(NET("%s"), text->str);
	g_string_free(text, TRUE);
	return all;
}

static void expect_told(const struct model_class *cls, const char *to, const char *want)
{
	char *text = traffic_text(cls, to), *told = told_of(text);

	if (want)
		ck_assert_msg(g_str_has_prefix(told, "w.yaml:11:") && strstr(told, want),
			      "%s to %s: %s", cls->name, to, told);
	else
		ck_assert_msg(!*told, "%s to %s: %s", cls->name, to, told);
	g_free(told);
	g_free(text);
}

START_TEST(test_ways)
{
	uint32_t n = 0;

	for (const struct model_class *const *c = models_builtin.classes; *c; c++) {
		if (strcmp((*c)->kind->name, "traffic"))
			continue;
		expect_told(*c, "a", "t.to: is the sender itself, a");
		expect_told(*c, "c", "t.to: there is no way from a to c and back");
		expect_told(*c, "b", NULL);
		n++;
	}
	ck_assert_uint_ge(n, 16);
}
END_TEST

START_TEST(test_sizes)
{
	static const char *const rows[][2] = {
		{NET("model: udp_cbr, from: a, to: b, rate: 1Mbit, size: 1473B"),
		 "t.size: 1501 bytes"},
		{NET("model: onoff, from: a, to: b, rate: 1Mbit, size: 1473B"),
		 "t.size: 1501 bytes"},
		{NET("model: ping, from: a, to: b, size: 1473B"), "t.size: 1501 bytes"},
		{NET("model: udp_rr, from: a, to: b, response: 1473B"), "t.response: 1501 bytes"},
		{NET("model: udp_rr, from: a, to: b, request: 1473B"), "t.request: 1501 bytes"},
		{NET("model: replay, from: a, to: b, packets: [{at: 0s, size: 1B}, {at: 1s, size: 1473B}]"),
		 "t: 1501 bytes"},
		{NET("model: ping, from: a, to: b") "changes: [{at: 1s, set: {t.size: 1473B}}]\n",
		 "1501 bytes with IP's headers do not fit the MTU of 1500, and none is fragmented (at 1.0"},
		{NET("model: udp_cbr, from: a, to: b, rate: 1Mbit") "changes: [{at: 1s, set: {t.size: 1473B}}]\n",
		 "(at 1.0"},
	};

	for (uint32_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		char *told = told_of(rows[i][0]);

		ck_assert_msg(strstr(told, rows[i][1]) != NULL, "%s is not in: %s", rows[i][1],
			      told);
		g_free(told);
	}
}
END_TEST

/* A datagram that takes less than a nanosecond: time goes on all the same. */
START_TEST(test_clock_goes_on)
{
	struct outcome o = outcome_of(NET(
		"model: onoff, from: a, to: b, rate: 400Gbit, size: 1B, on: 10us, off: 1s, exponential: false"));

	ck_between(metric_of(&o, "t.sent_mbit") * 2e6 / 8, 19990, 20000);
	outcome_clear(&o);
}
END_TEST

CHECK_MAIN("ways", test_ways, test_sizes, test_clock_goes_on)
