// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Claim: scalars with units are read exactly into base units, canonical text is read back as the same value, and
 * what is out of range, too fine, without its unit or with another is an error. Set-up: tables, and 200,000 values
 * spread over each type's range by a fixed draw. Expected: equality, no tolerance; a probability is the nearest
 * 2^-32.
 */
#include "check-main.h"

#include <string.h>

#include "engine/draw.h"
#include "scenario/units.h"

static const struct {
	enum param_type type;
	const char *text;
	int64_t value;
} good[] = {
	{PARAM_INT, "0", 0},
	{PARAM_INT, "-7", -7},
	{PARAM_INT, "1e3", 1000},
	{PARAM_INT, "0x1F", 31},
	{PARAM_INT, "0o10", 8},
	{PARAM_INT, "5.0", 5},
	{PARAM_INT, "9223372036854775807", INT64_MAX},
	{PARAM_TIME, "10ms", 10000000},
	{PARAM_TIME, "1.5s", 1500000000},
	{PARAM_TIME, "2min", 120000000000},
	{PARAM_TIME, "0.001us", 1},
	{PARAM_TIME, "0s", 0},
	{PARAM_TIME, "9223372036854775807ns", INT64_MAX},
	{PARAM_RATE, "5.5Mbit", 5500000},
	{PARAM_RATE, "100Gbit", 100000000000},
	{PARAM_BYTES, "40.96MB", 40960000},
	{PARAM_BYTES, "64KiB", 65536},
	{PARAM_BYTES, "1500B", 1500},
	{PARAM_BYTES, "0.5KiB", 512},
	{PARAM_HZ, "20MHz", 20000000},
	{PARAM_HZ, "5.18GHz", 5180000000},
	{PARAM_DBM, "-60dBm", -60000},
	{PARAM_DBM, "-60.125dBm", -60125},
	{PARAM_DB, "3dB", 3000},
	{PARAM_METRES, "1.5m", 1500},
	{PARAM_METRES, "2km", 2000000},
	{PARAM_PROB, "0", 0},
	{PARAM_PROB, "1", PROB_ONE},
	{PARAM_PROB, "100%", PROB_ONE},
	{PARAM_PROB, "0.5", PROB_ONE / 2},
	{PARAM_PROB, "13%", 558345748}, /* 0.13 x 2^32 = 558345748.48 */
	{PARAM_PROB, "0.13", 558345748},
	{PARAM_PROB, "1e-9", 4}, /* 4.29 */
	{PARAM_DECIMAL, "0.25", 250000},
	{PARAM_DECIMAL, "-2.5e-3", -2500},
	{PARAM_DECIMAL, "100000", 100000000000},
};

START_TEST(test_reads)
{
	GString *err = g_string_new(NULL);
	int64_t v = -1;

	ck_assert_msg(units_parse(good[_i].type, good[_i].text, &v, err), "%s", err->str);
	ck_assert_int_eq(v, good[_i].value);
	g_string_free(err, TRUE);
}
END_TEST

static const struct {
	enum param_type type;
	const char *text, *words;
} bad[] = {
	{PARAM_INT, "", "expected a whole number"},
	{PARAM_INT, "x", "expected a whole number"},
	{PARAM_INT, "1.5", "expected a whole number"},
	{PARAM_INT, "010", "leading zero"},
	{PARAM_INT, "-007", "leading zero"},
	{PARAM_INT, "9223372036854775808", "out of range"},
	{PARAM_INT, "1e30", "out of range"},
	{PARAM_INT, "123456789012345678901234567890", "more digits"},
	{PARAM_INT, "5ms", "without a unit"},
	{PARAM_INT, "0x", "expected a whole number"},
	{PARAM_INT, "0x1G", "expected a whole number"},
	{PARAM_INT, "+-1", "expected a whole number"},
	{PARAM_TIME, "10", "without a unit"},
	{PARAM_TIME, "10 ms", "no space"},
	{PARAM_TIME, "10MS", "did you mean 'ms'"},
	{PARAM_TIME, "10sec", "in ns us ms s min"},
	{PARAM_TIME, "0.5ns", "finer"},
	{PARAM_TIME, "1.0000000001s", "finer"},
	{PARAM_TIME, "1e10min", "out of range"},
	{PARAM_TIME, "ms", "expected a time"},
	{PARAM_TIME, "1e", "with the unit 'e'"},
	{PARAM_RATE, "5.5mbit", "did you mean 'Mbit'"},
	{PARAM_RATE, "0.5bit", "finer"},
	{PARAM_BYTES, "1.5B", "finer"},
	{PARAM_BYTES, "64KB", "with the unit 'KB'"},
	{PARAM_DBM, "-60", "without a unit"},
	{PARAM_DBM, "-60.0001dBm", "finer"},
	{PARAM_PROB, "1.1", "out of range"},
	{PARAM_PROB, "-0.1", "out of range"},
	{PARAM_PROB, "101%", "out of range"},
	{PARAM_PROB, "1e-11", "finer"},
	{PARAM_PROB, "1e-900", "finer"},
	{PARAM_PROB, "0.1dB", "with the unit 'dB'"},
	{PARAM_DECIMAL, "0.0000001", "finer"},
};

START_TEST(test_refuses)
{
	GString *err = g_string_new(NULL);
	int64_t v = -1;

	ck_assert_msg(!units_parse(bad[_i].type, bad[_i].text, &v, err), "%s was read",
		      bad[_i].text);
	ck_assert_msg(strstr(err->str, bad[_i].words), "%s: %s", bad[_i].text, err->str);
	ck_assert_int_eq(v, -1);
	g_string_free(err, TRUE);
}
END_TEST

static const struct {
	enum param_type type;
	int64_t value;
	const char *text;
} shown[] = {
	{PARAM_TIME, 0, "0s"},
	{PARAM_TIME, 1500000, "1.5ms"},
	{PARAM_TIME, 120000000000, "120s"},
	{PARAM_TIME, 1, "1ns"},
	{PARAM_RATE, 5500000, "5.5Mbit"},
	{PARAM_BYTES, 1500, "1500B"},
	{PARAM_BYTES, 65536, "64KiB"},
	{PARAM_BYTES, 40960000, "40.96MB"},
	{PARAM_BYTES, 1000, "1kB"},
	{PARAM_HZ, 20000000, "20MHz"},
	{PARAM_DBM, -60500, "-60.5dBm"},
	{PARAM_METRES, 2500, "2.5m"},
	{PARAM_PROB, 558345748, "0.13"},
	{PARAM_PROB, PROB_ONE, "1"},
	{PARAM_PROB, 1, "0.0000000002"},
	{PARAM_DECIMAL, -2500, "-0.0025"},
	{PARAM_BOOL, 1, "true"},
	{PARAM_INT, PARAM_UNSET, "unset"},
};

START_TEST(test_shows)
{
	char text[UNITS_TEXT_MAX];

	units_format(shown[_i].type, shown[_i].value, text);
	ck_assert_str_eq(text, shown[_i].text);
}
END_TEST

START_TEST(test_round_trip)
{
	struct draw d = {.key = draw_key(1, "units")};
	char text[UNITS_TEXT_MAX];
	int64_t back;

	for (int type = PARAM_INT; type <= PARAM_DECIMAL; type++) {
		int64_t min, max;

		units_range(type, &min, &max);
		for (int i = 0; i < 20000; i++) {
			uint32_t shift = draw_next_below(&d, 63);
			int64_t v = (int64_t)(draw_bits(d.key, d.index++) >> 1 >> shift);

			if (type == PARAM_PROB)
				v %= PROB_ONE + 1;
			if (min < 0 && i % 2)
				v = -v;
			units_format(type, v, text);
			ck_assert_msg(units_parse(type, text, &back, NULL), "%s", text);
			ck_assert_msg(back == v, "type %d: %lld became %s, %lld", type,
				      (long long)v, text, (long long)back);
		}
	}
}
END_TEST

START_TEST(test_queue_size)
{
	struct queue_size q;
	char text[UNITS_TEXT_MAX];

	ck_assert(units_parse_queue("1000", false, &q, NULL));
	ck_assert(q.value == 1000 && q.unit == QUEUE_PACKETS);
	ck_assert(units_parse_queue("64KiB", true, &q, NULL));
	ck_assert(q.value == 65536 && q.unit == QUEUE_BYTES);
	units_format_queue(&q, text);
	ck_assert_str_eq(text, "64KiB");
	ck_assert(units_parse_queue("20ms", true, &q, NULL));
	ck_assert(q.value == 20000000 && q.unit == QUEUE_TIME);
	ck_assert(!units_parse_queue("20ms", false, &q, NULL));
	ck_assert(!units_parse_queue("-1", true, &q, NULL));
	ck_assert(!units_parse_queue("5Mbit", true, &q, NULL));
}
END_TEST

int main(void)
{
	Suite *s = suite_create("units");
	TCase *tc = tcase_create("units");
	SRunner *sr;
	int failed;

	tcase_add_loop_test(tc, test_reads, 0, sizeof(good) / sizeof(good[0]));
	tcase_add_loop_test(tc, test_refuses, 0, sizeof(bad) / sizeof(bad[0]));
	tcase_add_loop_test(tc, test_shows, 0, sizeof(shown) / sizeof(shown[0]));
	tcase_add_test(tc, test_round_trip);
	tcase_add_test(tc, test_queue_size);
	suite_add_tcase(s, tc);
	sr = srunner_create(s);
	srunner_run_all(sr, CK_NORMAL);
	failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
