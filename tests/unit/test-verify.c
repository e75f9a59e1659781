// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Claim: an expectation passes when its value lies in its band and fails otherwise, in every form; a failed run
 * or an absent metric fails it with the reason; a comparison says same, better, worse or undecided by interval,
 * margin and Holm's correction; warnings name what starves and nothing else.
 * Set-up: results written by hand for a scenario of two cases, one axis of three values and three seeds, so
 * that every value is known: metric = 100 * case + 10 * axis + seed, cases and axis values counted from 1.
 * Expected: exact.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "check-main.h"
#include "registry.h"
#include "report/compare.h"
#include "report/run-text.h"
#include "report/verify.h"

static const char head[] = "name: t\n"
			   "duration: 1s\n"
			   "repeat: 3\n"
			   "nodes:\n"
			   "  a: {interfaces: {eth0: {driver: ethernet}}}\n"
			   "  b: {interfaces: {eth0: {driver: ethernet}}}\n"
			   "links:\n"
			   "  lan: {model: ethernet, members: [a.eth0, b.eth0], rate: 10Mbit}\n"
			   "traffic:\n"
			   "  ping: {model: ping, from: a, to: b}\n"
			   "cases:\n"
			   "  x: {ping.size: 100B}\n"
			   "  y: {ping.size: 200B}\n"
			   "sweep:\n"
			   "  lan.rate: [1Mbit, 2Mbit, 3Mbit]\n";

struct bed {
	struct scenario *s;
	struct expansion *x;
	struct results r;
	GPtrArray *lines;
	struct errors errors;
};

static const struct results *results_of(void *arg, const struct expect *e)
{
	return &((struct bed *)arg)->r;
}

static void fill_row(struct bed *b, uint32_t i)
{
	struct result_row *row = &b->r.rows[i];
	uint32_t combo = b->x->points[i].combo;
	int64_t value = 100 * (b->x->combos[combo].kase + 1) +
			10 * (b->x->combos[combo].values[0] + 1) + (int64_t)b->x->points[i].seed;

	row->status = "ok";
	row->seed = b->x->points[i].seed;
	row->metrics = g_new0(struct result_metric, 2);
	row->metrics[row->n_metrics++] = (struct result_metric){"ping.lost", 0};
	row->metrics[row->n_metrics++] =
		(struct result_metric){"ping.rtt_ms.mean", value * 1000000};
}

/* @expect: one expectation in flow style. */
static void bed_init(struct bed *b, const char *expect)
{
	char *text = g_strdup_printf("%sexpect:\n  - %s\n", head, expect);

	memset(b, 0, sizeof(*b));
	errors_init(&b->errors);
	b->s = scenario_load_text(text, strlen(text), "t.yaml", &models_builtin, NULL, 0,
				  &b->errors);
	ck_assert_msg(b->s != NULL, "%s", errors_text(&b->errors)->str);
	b->x = scenario_expand(b->s, &b->errors);
	ck_assert_ptr_nonnull(b->x);
	b->r.n_rows = b->x->n_points;
	b->r.rows = g_new0(struct result_row, b->r.n_rows);
	for (uint32_t i = 0; i < b->r.n_rows; i++)
		fill_row(b, i);
	g_free(text);
}

static void bed_clear(struct bed *b)
{
	for (uint32_t i = 0; i < b->r.n_rows; i++)
		g_free(b->r.rows[i].metrics);
	g_free(b->r.rows);
	g_ptr_array_unref(b->lines);
	expansion_free(b->x);
	scenario_free(b->s);
	errors_clear(&b->errors);
}

static const struct form {
	const char *expect;
	const char *value; /* as printed for the last line */
	uint32_t lines, pass;
} forms[] = {
	/* mean of 111 112 113 */
	{"{metric: ping.rtt_ms.mean, case: x, where: {lan.rate: 1Mbit}, between: [112, 112]}",
	 "112", 1, 1},
	{"{metric: ping.rtt_ms.mean, case: x, where: {lan.rate: 1000kbit}, between: [113, 200]}",
	 "112", 1, 0},
	{"{metric: ping.rtt_ms.mean, case: x, where: {lan.rate: 1Mbit}, between: [-.inf, 112]}",
	 "112", 1, 1},
	/* one line for each of three rates: 212 222 232 */
	{"{metric: ping.rtt_ms.mean, case: y, between: [215, 235]}", "232", 3, 2},
	{"{metric: ping.rtt_ms.mean, case: x, where: {lan.rate: 1Mbit}, over: each, between: [111, 113]}",
	 "111 .. 113", 1, 1},
	{"{metric: ping.rtt_ms.mean, case: x, where: {lan.rate: 1Mbit}, over: each, between: [112, 113]}",
	 "111 .. 113", 1, 0},
	{"{metric: ping.rtt_ms.mean, case: x, where: {lan.rate: 1Mbit}, over: median, between: [112, 112]}",
	 "112", 1, 1},
	/* 212 / 112 and 212 - 112 */
	{"{metric: ping.rtt_ms.mean, case: y, where: {lan.rate: 1Mbit}, versus: {case: x, where: {lan.rate: "
	 "1Mbit}}, as: ratio, between: [1.89, 1.9]}",
	 "1.893", 1, 1},
	{"{metric: ping.rtt_ms.mean, case: y, where: {lan.rate: 1Mbit}, versus: {case: x, where: {lan.rate: "
	 "1Mbit}}, as: difference, between: [100, 100]}",
	 "100", 1, 1},
	{"{metric: ping.rtt_ms.mean, case: y, where: {lan.rate: 1Mbit}, versus: {case: x, where: {lan.rate: "
	 "1Mbit}}, within: 50%}",
	 "212", 1, 0},
	{"{metric: ping.rtt_ms.mean, case: y, where: {lan.rate: 1Mbit}, versus: {case: x, where: {lan.rate: "
	 "1Mbit}}, within: 90%}",
	 "212", 1, 1},
	{"{metric: ping.rtt_ms.mean, case: y, where: {lan.rate: 1Mbit}, within: 1% of 211}", "212",
	 1, 1},
	{"{metric: ping.rtt_ms.mean, case: y, where: {lan.rate: 1Mbit}, factor: 2 of 424}", "212",
	 1, 1},
	{"{metric: ping.rtt_ms.mean, case: y, where: {lan.rate: 1Mbit}, factor: 2 of 425}", "212",
	 1, 0},
	/* as many rows on both sides: pair by pair */
	{"{metric: ping.rtt_ms.mean, case: y, versus: {case: x}, as: difference, between: [100, 100]}",
	 "100", 3, 3},
	/* (232 - 112) / 172 = 69.8 % */
	{"{spread: ping.rtt_ms.mean, where: {lan.rate: [1Mbit, 2Mbit, 3Mbit]}, at_most: 70%}",
	 "69.8 % (112 .. 232)", 1, 1},
	{"{spread: ping.rtt_ms.mean, where: {lan.rate: [1Mbit, 2Mbit, 3Mbit]}, at_most: 69%}",
	 "69.8 % (112 .. 232)", 1, 0},
};

START_TEST(every_form)
{
	const struct form *f = &forms[_i];
	const struct verify_line *last;
	struct bed b;

	bed_init(&b, f->expect);
	b.lines = verify_all(b.x, results_of, &b);
	ck_assert_uint_eq(b.lines->len, f->lines);
	last = b.lines->pdata[b.lines->len - 1];
	ck_assert_msg(strcmp(last->value, f->value) == 0, "%s: %s", f->expect, last->value);
	ck_assert_msg(verify_passed(b.lines) == f->pass, "%s", f->expect);
	bed_clear(&b);
}
END_TEST

START_TEST(failed_run)
{
	const struct verify_line *l;
	uint8_t needed[6] = {0};
	struct bed b;

	bed_init(
		&b,
		"{metric: ping.rtt_ms.mean, case: x, where: {lan.rate: 1Mbit}, between: [0, 1000]}");
	verify_needs(b.x, &b.s->expects[0], needed);
	ck_assert_uint_eq(needed[0], 1);
	ck_assert_uint_eq(needed[1] + needed[2] + needed[3] + needed[4] + needed[5], 0);
	b.r.rows[1].status = "crashed";
	b.r.rows[1].error = "signal 11";
	b.lines = verify_all(b.x, results_of, &b);
	l = b.lines->pdata[0];
	ck_assert(!l->pass);
	ck_assert_str_eq(l->note, "seed 2 crashed: signal 11");
	g_ptr_array_unref(b.lines);
	b.r.rows[1].status = "ok";
	b.r.rows[1].n_metrics = 1;
	b.lines = verify_all(b.x, results_of, &b);
	l = b.lines->pdata[0];
	ck_assert(!l->pass);
	ck_assert_str_eq(l->note, "no value");
	bed_clear(&b);
}
END_TEST

/* ---- verdicts -------------------------------------------------------------------------------- */

static const struct judged {
	const char *metric;
	double base, mean, low, high, p;
	uint32_t n;
	enum verdict verdict;
} judged[] = {
	{"ping.rtt_ms.mean", 100, 0, 0, 0, 1, 5, VERDICT_SAME},
	{"ping.rtt_ms.mean", 100, 0.5, -0.2, 0.9, 0.1, 5, VERDICT_SAME},
	{"ping.rtt_ms.mean", 100, 5, 3, 7, 0.001, 5, VERDICT_WORSE},
	{"ping.rtt_ms.mean", 100, -5, -7, -3, 0.001, 5, VERDICT_BETTER},
	{"bulk.goodput_mbit", 100, -5, -7, -3, 0.001, 5, VERDICT_WORSE},
	{"bulk.goodput_mbit", 100, 5, 3, 7, 0.001, 5, VERDICT_BETTER},
	{"bulk.goodput_mbit", 100, -5, -12, 2, 0.1, 5, VERDICT_UNDECIDED},
	/* away from 0, and yet within what does not matter for sure or not */
	{"bulk.goodput_mbit", 100, -0.8, -1.5, -0.1, 0.03, 5, VERDICT_UNDECIDED},
	/* a single run */
	{"bulk.goodput_mbit", 100, -5, -INFINITY, INFINITY, 1, 1, VERDICT_UNDECIDED},
	{"bulk.goodput_mbit", 100, 0, -INFINITY, INFINITY, 1, 1, VERDICT_SAME},
	/* which way is good is not known */
	{"a.eth0.ring.packets.mean", 100, 5, 3, 7, 0.001, 5, VERDICT_UNDECIDED},
};

static struct comparison *comparison_of(const struct judged *j, uint32_t copies)
{
	struct comparison *c = g_new0(struct comparison, 1);

	c->lines = g_ptr_array_new();
	for (uint32_t i = 0; i < copies; i++) {
		struct compare_line *l = g_new0(struct compare_line, 1);

		l->metric = (char *)j->metric;
		l->base = j->base;
		l->diff = (struct interval){j->n, j->mean, j->low, j->high, j->p};
		g_ptr_array_add(c->lines, l);
	}
	return c;
}

static void comparison_done(struct comparison *c)
{
	for (guint i = 0; i < c->lines->len; i++)
		g_free(c->lines->pdata[i]);
	g_ptr_array_unref(c->lines);
	g_free(c);
}

START_TEST(verdicts)
{
	struct comparison *c = comparison_of(&judged[_i], 1);
	struct compare_options opt = {.margin = -1};

	comparison_judge(c, &opt, false);
	ck_assert_int_eq(((struct compare_line *)c->lines->pdata[0])->verdict, judged[_i].verdict);
	ck_assert_int_eq(c->verdict, judged[_i].verdict);
	comparison_done(c);
}
END_TEST

/* What is worse at 2 % alone is undecided among ten such. */
START_TEST(many_metrics)
{
	static const struct judged one = {"ping.rtt_ms.mean", 100, 5, 1, 9, 0.02, 5, VERDICT_WORSE};
	struct compare_options opt = {.margin = -1};
	struct comparison *c = comparison_of(&one, 1);

	comparison_judge(c, &opt, false);
	ck_assert_int_eq(c->verdict, VERDICT_WORSE);
	comparison_done(c);
	c = comparison_of(&one, 10);
	comparison_judge(c, &opt, false);
	ck_assert_int_eq(c->verdict, VERDICT_UNDECIDED);
	comparison_done(c);
}
END_TEST

/* ---- warnings -------------------------------------------------------------------------------- */

START_TEST(starvation)
{
	static const struct result_metric v[] = {
		{"ap.eth0.qdisc.packets.max", 0},
		{"ap.eth0.qdisc.sent_packets", 7000000},
		{"ap.wlan0.qdisc.packets.max", 0},
		{"ap.wlan0.qdisc.sent_packets", 7000000},
		{"ap.wlan0.sta.one.goodput_mbit", 20000000},
		{"ap.wlan0.sta.three.goodput_mbit", 21000000},
		{"ap.wlan0.sta.two.goodput_mbit", 100000},
		{"ap.wlan0.txq.be.packets.max", 5000000},
		{"bulk1.goodput_mbit", 50000000},
		{"bulk1.retransmits", 0},
		{"bulk2.goodput_mbit", 1000000},
		{"bulk2.retransmits", 0},
		{"bulk3.goodput_mbit", 51000000},
		{"bulk3.retransmits", 0},
		{"cbr.goodput_mbit", 100000},
		{"cbr.sent_mbit", 2000000},
		{"ping.lost", 3000000},
		{"voice.goodput_mbit", 64000},
		{"voice.sent_mbit", 64000},
	};
	struct metric_list m = {v, G_N_ELEMENTS(v)};
	GString *out = g_string_new(NULL);

	run_text_warnings(&m, out);
	ck_assert(strstr(out->str,
			 "bulk2.goodput_mbit starves: 1 Mbit/s; the median of its like is 50"));
	ck_assert(strstr(out->str, "ap.wlan0.sta.two.goodput_mbit starves"));
	ck_assert(strstr(out->str, "cbr: of 2 Mbit/s sent 0.1 arrive"));
	ck_assert(strstr(out->str, "ping: every one was lost"));
	ck_assert(strstr(out->str, "ap.wlan0.qdisc held no packet: they wait in ap.wlan0.txq"));
	ck_assert(!strstr(out->str, "ap.eth0"));
	ck_assert(!strstr(out->str, "voice"));
	ck_assert(!strstr(out->str, "bulk1") && !strstr(out->str, "bulk3"));
	g_string_free(out, TRUE);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("verify");
	TCase *tc = tcase_create("verify");
	SRunner *sr;
	int failed;

	tcase_add_loop_test(tc, every_form, 0, G_N_ELEMENTS(forms));
	tcase_add_test(tc, failed_run);
	tcase_add_loop_test(tc, verdicts, 0, G_N_ELEMENTS(judged));
	tcase_add_test(tc, many_metrics);
	tcase_add_test(tc, starvation);
	suite_add_tcase(s, tc);
	sr = srunner_create(s);
	srunner_run_all(sr, CK_NORMAL);
	failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
