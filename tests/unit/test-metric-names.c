// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Claim: what plots and expectations may name is what runs measure. Set-up: the built-in models; a laptop on Wi-Fi
 * that pings a server behind its access point for two seconds, with queues in the driver (iwl3945) and in mac80211 (ath9k). Expected: every metric of the run is known from the
 * declarations alone, and names that are nearly right are not. No tolerance.
 */
#include "scenario-lab.h"

#include "scenario/metric-names.h"

#define NET                                                                          \
	"name: lab\nduration: 2s\nkernel: \"%s\"\nnodes:\n"                          \
	"  laptop: {interfaces: {wlan0: {driver: %s}}}\n"                            \
	"  ap: {interfaces: {wlan0: {driver: %s}, eth0: {}}}\n"                      \
	"  server: {interfaces: {eth0: {}}}\n"                                       \
	"links:\n"                                                                   \
	"  air: {model: wifi, standard: %s, members: [laptop.wlan0, ap.wlan0]}\n"    \
	"  lan: {model: ethernet, members: [ap.eth0, server.eth0], rate: 100Mbit}\n" \
	"traffic:\n"                                                                 \
	"  ping: {model: ping, from: laptop, to: server, interval: 100ms}\n"

static const struct {
	const char *era, *driver, *standard, *queue;
} nets[] = {
	{"2.6.32", "iwl3945", "11b", "laptop.wlan0.ring.be.bytes.p99"},
	{"6.1", "iwl3945", "11b", "laptop.wlan0.ring.be.bytes.p99"},
	{"6.1", "ath9k", "11n", "laptop.wlan0.txq.be.sojourn_ms.p99"},
};

START_TEST(test_all_known)
{
	char *text = g_strdup_printf(NET, nets[_i].era, nets[_i].driver, nets[_i].driver,
				     nets[_i].standard);
	struct run_options opt = {0};
	struct run_result res;
	struct metric_names names;
	struct errors errors;
	struct scenario *s;
	struct config *c, *run;

	errors_init(&errors);
	s = scenario_load_text(text, strlen(text), "lab.yaml", &models_builtin, NULL, 0, &errors);
	ck_assert_msg(s != NULL, "%s", errors_text(&errors)->str);
	c = scenario_bind(s, -1, NULL, &errors);
	run = scenario_bind(s, -1, NULL, &errors);
	ck_assert_int_eq(run_config(run, &opt, &res, &errors), 0);
	ck_assert_msg(!res.failed, "%s", res.error);
	metric_names_init(&names, c);
	ck_assert_uint_gt(res.metrics->n, 100);
	for (uint32_t i = 0; i < res.metrics->n; i++) {
		const char *name = res.metrics->v[i].name;

		ck_assert_msg(metric_name_known(names.full, name) ||
				      metric_name_known(names.open, name),
			      "nothing declares %s", name);
	}
	ck_assert(metric_name_known(names.full, "ap.wlan0.retries"));
	ck_assert(metric_name_known(names.full, "ap.wlan0.sta.laptop.retries"));
	ck_assert(metric_name_known(names.full, nets[_i].queue));
	ck_assert(metric_name_known(names.bases, "ping.rtt_ms"));
	ck_assert(!metric_name_known(names.full, "ap.wlan0.retires"));
	ck_assert(!metric_name_known(names.full, "ping.rtt_ms.p98"));
	metric_names_clear(&names);
	run_result_clear(&res);
	config_free(run);
	config_free(c);
	scenario_free(s);
	errors_clear(&errors);
	g_free(text);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("metric-names");
	TCase *tc = tcase_create("metric-names");
	SRunner *sr;
	int failed;

	tcase_add_loop_test(tc, test_all_known, 0, G_N_ELEMENTS(nets));
	suite_add_tcase(s, tc);
	sr = srunner_create(s);
	srunner_run_all(sr, CK_NORMAL);
	failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
