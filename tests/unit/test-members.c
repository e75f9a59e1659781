// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Claim: what an interface and the air that it is on must agree on is found when the scenario is read, with its place and the
 * reason: a run never fails for a rate that does not exist, for an access point that saves power, or for a station that is not there.
 *
 * Set-up: interfaces with fixed rates on airs of all standards; access points that are named, chosen or not there.
 * Expected: one error, at the key that is wrong, or none.
 * Tolerance: none.
 */
#include "check-main.h"

#include <string.h>

#include "registry.h"
#include "scenario/scenario.h"

/* @more: further lines of the scenario. */
static void expect_more(const char *air, const char *interface, const char *more, int line,
			const char *error)
{
	struct errors errors;
	struct scenario *s;
	struct config *c = NULL;
	char yaml[1024], place[32];

	snprintf(yaml, sizeof(yaml),
		 "name: lab\nduration: 1s\nnodes:\n"
		 "  a: {interfaces: {wlan0: {%s}}}\n  b: {interfaces: {wlan0: {driver: ath9k}}}\n"
		 "  c: {interfaces: {wlan0: {driver: ath9k}}}\n"
		 "links:\n  air: {model: wifi, %s, members: [c.wlan0]}\n"
		 "  cell: {model: wifi_cell, air: air, members: [a.wlan0, b.wlan0]}\n%s",
		 interface, air, more);
	snprintf(place, sizeof(place), "lab.yaml:%d:", line);
	errors_init(&errors);
	s = scenario_load_text(yaml, strlen(yaml), "lab.yaml", &models_builtin, NULL, 0, &errors);
	if (s)
		c = scenario_bind(s, -1, NULL, &errors);
	if (error)
		ck_assert_msg(!c && strstr(errors_text(&errors)->str, error) &&
				      !strncmp(errors_text(&errors)->str, place, strlen(place)),
			      "%s, %s: told '%s', not '%s'", air, interface,
			      errors_text(&errors)->str, error);
	else
		ck_assert_msg(c != NULL, "%s, %s: %s", air, interface, errors_text(&errors)->str);
	config_free(c);
	scenario_free(s);
	errors_clear(&errors);
}

static void expect(const char *air, const char *interface, const char *error)
{
	expect_more(air, interface, "", 4, error);
}

START_TEST(rates_exist_on_their_air)
{
	static const char *const table[][3] = {
		{"standard: 11n", "mcs: 31", NULL},
		{"standard: 11n", "mcs: 7, nss: 4", NULL},
		{"standard: 11n", "mcs: 7, width: 40MHz", "width: frames are no wider"},
		{"standard: 11n, width: 40MHz", "mcs: 7, width: 40MHz", NULL},
		{"standard: 11n", "rate: 54Mbit", NULL},
		{"standard: 11n", "rate: 11Mbit", "rate: 1, 2, 5.5 and 11 Mbit/s are rates of 2.4"},
		{"standard: 11n, band: 2.4GHz", "rate: 11Mbit", NULL},
		{"standard: 11b", "rate: 54Mbit", "rate: 802.11b has 1, 2, 5.5 and 11"},
		{"standard: 11g", "mcs: 3", "mcs: an MCS is a rate of 802.11n and ac"},
		{"standard: 11ac", "mcs: 9", "mcs: VHT MCS 9 at 20 MHz exists with 3 and 6"},
		{"standard: 11ac", "mcs: 9, nss: 3", NULL},
		{"standard: 11ac, width: 80MHz", "mcs: 6, nss: 3", "mcs: VHT MCS 6 at 80 MHz"},
		{"standard: 11ac, width: 80MHz", "mcs: 9, nss: 6", "mcs: VHT MCS 9 at 80 MHz"},
		{"standard: 11ac, width: 160MHz", "mcs: 9, nss: 3", "mcs: VHT MCS 9 at 160"},
		{"standard: 11ac, width: 80MHz", "mcs: 12", "mcs: VHT has MCS 0 to 9"},
	};

	for (size_t i = 0; i < sizeof(table) / sizeof(table[0]); i++) {
		char interface[128], error[128];

		snprintf(interface, sizeof(interface),
			 "driver: ath9k, rate_control: {model: fixed, %s}", table[i][1]);
		snprintf(error, sizeof(error), "a.wlan0.rate_control.%s",
			 table[i][2] ? table[i][2] : "");
		expect(table[i][0], interface, table[i][2] ? error : NULL);
	}
}
END_TEST

START_TEST(changes_too)
{
	static const char *const fixed =
		"driver: ath9k, rate_control: {model: fixed, mcs: 7, nss: 1}";

	expect_more("standard: 11ac", fixed,
		    "changes: [{at: 1s, set: {a.wlan0.rate_control.mcs: 8}}]\n", 10, NULL);
	expect_more("standard: 11ac", fixed,
		    "changes: [{at: 1s, set: {a.wlan0.rate_control.mcs: 9}}]\n", 10,
		    "a.wlan0.rate_control.mcs: after this change: VHT MCS 9 at 20 MHz");
}
END_TEST

START_TEST(rings_that_drop_everything)
{
	expect("standard: 11b", "driver: iwl3945, ring: 2", NULL);
	expect("standard: 11b", "driver: iwl3945, ring: 1", "a.wlan0.ring: at least 2");
	expect("standard: 11b", "driver: iwl3945, ring_slots: 8, ring: 1", "never has more than 6");
	expect("standard: 11b", "driver: iwl3945, ring_interactive: 1",
	       "a.wlan0.ring_interactive: at");
	expect("standard: 11b", "driver: iwl3945, high_mark: 255",
	       "a.wlan0.high_mark: at most 254");
	expect("standard: 11b", "driver: iwl3945, high_mark: 254", NULL);
	expect("standard: 11n", "driver: iwlwifi, ring: 1", NULL);
	expect_more("standard: 11n", "driver: iwlwifi, ring: 1", "kernel: \"3.6\"\n", 4,
		    "a.wlan0.ring: at least 2");
}
END_TEST

/* @a, @b: what mac80211 of the interfaces is told, line 4 and 5; @air: the link's, line 6. */
static void expect_cell(const char *a, const char *b, const char *air, const char *error)
{
	struct errors errors;
	struct scenario *s;
	struct config *c = NULL;
	char yaml[1024];
	const char *told;

	snprintf(
		yaml, sizeof(yaml),
		"name: lab\nduration: 1s\nnodes:\n"
		"  a: {interfaces: {wlan0: {driver: ath9k, mac80211: {model: mac80211%s}}}}\n"
		"  b: {interfaces: {eth0: {}, wlan0: {driver: ath9k, mac80211: {model: mac80211%s}}}}\n"
		"  c: {interfaces: {wlan0: {driver: ath9k}}}\n"
		"links: {air: {model: wifi, members: [a.wlan0, b.wlan0]%s}}\n",
		a, b, air);
	errors_init(&errors);
	s = scenario_load_text(yaml, strlen(yaml), "lab.yaml", &models_builtin, NULL, 0, &errors);
	if (s)
		c = scenario_bind(s, -1, NULL, &errors);
	told = errors_text(&errors)->str;
	ck_assert_msg((c != NULL) == (error == NULL) && (!error || strstr(told, error)),
		      "%s, %s, %s: told '%s', not '%s'", a, b, air, told,
		      error ? error : "nothing");
	config_free(c);
	scenario_free(s);
	errors_clear(&errors);
}

START_TEST(access_points)
{
	static const char *const keys[] = {", power_save: true", ", scan_start: 1s",
					   ", absent: [{at: 1s, span: 10ms}]"};
	static const char *const names[] = {"power_save", "scan_start", "absent"};
	char error[128];

	expect_cell("", "", ", mode: adhoc", NULL);
	expect_cell("", "", ", ap: a.wlan0", NULL);
	expect_cell("", "", ", mode: adhoc, ap: a.wlan0",
		    "lab.yaml:7:74: air.ap: an ad-hoc network has no access point");
	expect_cell("", "", ", ap: c.wlan0", "lab.yaml:7:61: air.ap: c.wlan0 is no member");
	for (int i = 0; i < 3; i++) {
		/* b has a further interface, so it is the access point when none is named */
		expect_cell(keys[i], "", "", NULL);
		expect_cell("", keys[i], ", ap: a.wlan0", NULL);
		snprintf(error, sizeof(error), "b.wlan0.mac80211.%s: is a station's", names[i]);
		expect_cell("", keys[i], "", error);
		snprintf(error, sizeof(error), "a.wlan0.mac80211.%s: is a station's", names[i]);
		expect_cell(keys[i], "", ", ap: a.wlan0", error);
		snprintf(error, sizeof(error),
			 "%s: is a station's that has an access point, but its", names[i]);
		expect_cell(keys[i], "", ", mode: adhoc", error);
	}
}
END_TEST

START_TEST(names_of_stations)
{
#define CHANNEL(model) ", channel: {model: log_distance, " model "}"
	expect_cell("", "", CHANNEL("positions: {a: {x: 1m}, b: {x: 2m}}, walls: {b: 1dB}"), NULL);
	expect_cell("", "", CHANNEL("positions: {a: {x: 1m}, c: {x: 2m}}"),
		    "lab.yaml:7:115: air.channel.positions.c: c has no interface on this air");
	expect_cell("", "", CHANNEL("walls: {b: 1dB, d: 2dB}"),
		    "air.channel.walls.d: d has no interface on this air");
}
END_TEST

CHECK_MAIN("members", rates_exist_on_their_air, changes_too, rings_that_drop_everything,
	   access_points, names_of_stations)
