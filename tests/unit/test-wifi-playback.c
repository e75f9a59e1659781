// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Claim: a recorded link (channel "playback") is the same from a CSV file as from the scenario, by rate and by SNR; its
 * faults are told at their line and column, all of them; a result's key changes with the file's content.
 * Set-up: one UDP flow at a fixed rate of 54 Mbit/s (or two rates tried in turn), a record that turns each 100 ms.
 * Expected: equal metrics from both; a line of another rate is not heeded, one of the rate or of all is, whichever is the
 * later; delivery is 1 - loss; a rate that no line is of loses nothing.
 * Tolerance: none, but where half of the time all is lost: 10 % of the goodput.
 */
#include "table-lab.h"

#define NET                                                                                         \
	"name: t\nkernel: \"6.1\"\nduration: 4s\nwarmup: 0s\n"                                      \
	"nodes:\n"                                                                                  \
	"  a: {interfaces: {wlan0: {driver: ath5k, rate_control: {model: fixed, rate: 54Mbit}}}}\n" \
	"  b: {interfaces: {wlan0: {driver: ath5k}}}\n"                                             \
	"traffic:\n  u: {model: udp_cbr, from: a, to: b, rate: 60Mbit}\n"                           \
	"links:\n  air: {model: wifi, standard: 11a, members: [a.wlan0, b.wlan0], "                 \
	"channel: {model: playback, "

#define FROM_FILE "period: 200ms, file: t.csv}}\n"

static double mbit(const char *csv, const char *lines)
{
	struct run_result r;
	double v;

	if (csv)
		put("t.csv", csv);
	r = table_run(NET, lines);
	v = (double)metrics_find(r.metrics, "u.goodput_mbit") / MICRO;
	run_result_clear(&r);
	return v;
}

START_TEST(same_as_list)
{
	static const char *const csvs[] = {
		"at [ms],delivery [%],rate [Mbit]\n0,90,54\n0,10,6\n100,25,54\n",
		"# two columns\nat [s],snr [dB]\n0,25.5\n0.1,21\n",
		"at [ms],loss,rate\n0,0.3,\n100,0.75,54Mbit\n100,1,6Mbit\n",
	};
	static const char *const lists[] = {
		"period: 200ms, points: [{at: 0s, loss: 10%, rate: 54Mbit}, "
		"{at: 100ms, loss: 0.75, rate: 54Mbit}]}}\n",
		"period: 200ms, points: [{at: 0s, snr: 25.5dB}, {at: 100ms, snr: 21dB}]}}\n",
		"period: 200ms, points: [{at: 0s, delivery: 0.7}, {at: 100ms, delivery: 0.25}]}}\n",
	};
	double all = mbit(NULL, "points: [{at: 0s, loss: 0}]}}\n");

	for (u32 i = 0; i < 3; i++) {
		double file = mbit(csvs[i], FROM_FILE), list = mbit(NULL, lists[i]);

		ck_assert_double_eq(file, list);
		ck_assert_double_lt(file, 0.95 * all);
		ck_assert_double_gt(file, 0.1 * all);
	}
}
END_TEST

START_TEST(by_rate)
{
	double all = mbit(NULL, "points: [{at: 0s, loss: 0}]}}\n");

	/* other rates' lines, and those of all until a later one of its own */
	ck_assert_double_eq(mbit("at [ms],loss,rate [Mbit]\n0,1,6\n50,1,48\n", FROM_FILE), all);
	ck_assert_double_eq_tol(mbit("at [ms],loss,rate [Mbit]\n0,1,\n100,0,54\n", FROM_FILE),
				all / 2, all / 10);
	ck_assert_double_eq_tol(mbit("at [ms],loss,rate [Mbit]\n0,0,54\n100,1,\n", FROM_FILE),
				all / 2, all / 10);
}
END_TEST

START_TEST(faults)
{
	table_told("at,delivry,rate [MHz]\n1ms,1,6\n", NET, FROM_FILE,
		   "t.csv:1:4: air.channel.file: no column 'delivry'\n"
		   "t.csv:1:12: air.channel.file: read the unit 'MHz' of 'rate'");
	table_told(
		"at [s],delivery,snr [dB]\n0,1.5,\n1,,\n2,0.5,20\n1.5,0.5,\n3,0.5,2000\n4,half,\n",
		NET, FROM_FILE,
		"t.csv:2:3: air.channel.file.0.delivery: read '1.5'\n"
		"t.csv:6:7: air.channel.file.4.snr: read '2000dB'\n"
		"t.csv:7:3: air.channel.file.5.delivery: read 'half'");
	table_told("at [s],delivery,snr [dB]\n0,,\n2,0.5,20\n1.5,0.5,\n", NET, FROM_FILE,
		   "t.csv:2:1: air.channel.file.0: has none of loss, delivery and snr\n"
		   "t.csv:3:1: air.channel.file.1: has more than one of loss, delivery and snr\n"
		   "t.csv:4:1: air.channel.file.2: is earlier than the one before\n"
		   "ends before the last point");
	table_told(NULL, NET, "points: [{at: 0s}, {at: 0s, loss: 0}]}}\n",
		   "air.channel.points.0: has none of loss, delivery and snr");
	table_told(NULL, NET, "period: 1s}}\n", "points: are none");
	table_told("at [s],loss\n0,0\n", NET, "file: t.csv, points: [{at: 0s, loss: 0}]}}\n",
		   "points are given as well");
}
END_TEST

START_TEST(key)
{
	char *a = table_key("at [s],loss\n0,0.1\n", NET, FROM_FILE);
	char *b = table_key("at [s],loss\n0,0.2\n", NET, FROM_FILE);

	ck_assert(strstr(a, "t.csv sha256:") != NULL);
	ck_assert_str_ne(a, b);
	free(a);
	free(b);
}
END_TEST

CHECK_MAIN("wifi-playback", same_as_list, by_rate, faults, key)
