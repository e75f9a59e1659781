// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Claim: a list can stand in a CSV file ("replay", `file:`): its rows are what the same list in the scenario would be, its
 * faults are told at their line and column, and a result's key changes with its content.
 * Set-up: scenarios and traces written to a folder of their own.
 * Expected: the same metrics from the file as from the list; one message a fault, none hides another; more rows than a
 * YAML list can have (100000 nodes), up to a million; nothing outside of the folder is read. A cell is taken whole or
 * refused, a byte order mark before the headings is not part of them, and a pipe without a writer is not waited for.
 * Tolerance: none.
 */
#include <sys/stat.h>

#include "table-lab.h"

#define NET                                                                          \
	"name: t\nkernel: \"6.1\"\nduration: 3s\nwarmup: 0s\n"                       \
	"nodes:\n  a: {interfaces: {eth0: {}}}\n  b: {interfaces: {eth0: {}}}\n"     \
	"links:\n  lan: {model: ethernet, members: [a.eth0, b.eth0], rate: 1Gbit}\n" \
	"traffic:\n"

#define FILE_OF "  r: {model: replay, from: a, to: b, file: t.csv}\n"

static struct run_result run(const char *traffic)
{
	return table_run(NET, traffic);
}

static void expect_told(const char *csv, const char *traffic, const char *want)
{
	table_told(csv, NET, traffic ? traffic : FILE_OF, want);
}

static char *key_of(const char *csv)
{
	return table_key(csv, NET, FILE_OF);
}

static void same(const struct run_result *a, const struct run_result *b, const char *name)
{
	ck_assert_int_ne(metrics_find(a->metrics, name), METRIC_ABSENT);
	ck_assert_int_eq(metrics_find(a->metrics, name), metrics_find(b->metrics, name));
}

START_TEST(test_same_as_list)
{
	struct run_result list, file;

	put("t.csv",
	    "at [ms], size [B], dscp, flow\r\n# between\n0, 1000, , 0\n\n10.5,500,46,7\n20,1000,,0\n");
	file = run("  r: {model: replay, from: a, to: b, file: t.csv, period: 100ms}\n");
	list = run("  r: {model: replay, from: a, to: b, period: 100ms, packets: ["
		   "{at: 0s, size: 1000B}, {at: 10500us, size: 500B, dscp: 46, flow: 7}, "
		   "{at: 20ms, size: 1000B}]}\n");
	same(&list, &file, "r.received");
	same(&list, &file, "r.received_bytes");
	same(&list, &file, "r.jain");
	same(&list, &file, "r.delay_ms.max");
	same(&list, &file, "lan.delivered");
	ck_assert_int_eq(metrics_find(file.metrics, "r.received"), 90 * (int64_t)MICRO);
	run_result_clear(&list);
	run_result_clear(&file);
}
END_TEST

START_TEST(test_faults)
{
	expect_told(
		"at,sizze,dscp [ms]\n1ms,10B,1\n", NULL,
		"t.csv:1:4: r.file: no column 'sizze'; allowed: at, size, dscp, flow; did you mean 'size'?\n"
		"t.csv:1:10: r.file: read the unit 'ms' of 'dscp'");
	expect_told("at [s],dscp\n1,2\n", NULL, "t.csv:1:1: r.file: missing column 'size'");
	expect_told("at,size [B],at\n1ms,10,2ms\n", NULL, "t.csv:1:13: r.file: two columns 'at'");
	expect_told("at,size [B],dscp\n1ms,10,70\n0.5,1e3,\n5ms,,4\n-1ms,10\n3ms,10,1,9\n", NULL,
		    "t.csv:2:8: r.file.0.dscp: read '70', expected 0 .. 63\n"
		    "t.csv:3:1: r.file.1.at: read '0.5' without a unit, expected a time\n"
		    "t.csv:4:5: r.file.2.size: read nothing\n"
		    "t.csv:5:1: r.file.3.at: read '-1ms', expected 0s\n"
		    "t.csv:5:1: r.file: read 2 cells, expected 3\n"
		    "t.csv:6:10: r.file.4: read '9', expected an end after 3 cells");
	expect_told("# only\nat [s],size [B]\n3,10\n2,10\n", NULL,
		    "t.csv:4:1: r.file.1: is earlier than the one before");
	expect_told("", NULL, "t.yaml:11:44: r.file: '");
	expect_told(NULL, "  r: {model: replay, from: a, to: b, file: none.csv}\n", "cannot read");
	expect_told(NULL, "  r: {model: replay, from: a, to: b, file: ../t.csv}\n",
		    "'../t.csv' lies outside of the scenario's folder");
	expect_told(NULL, "  r: {model: replay, from: a, to: b, file: [t.csv]}\n",
		    "expected the name of a CSV file");
	expect_told(
		"at [s],size [B]\n3,10\n",
		"  r: {model: replay, from: a, to: b, file: t.csv, packets: [{at: 0s, size: 1B}]}\n",
		"packets are given as well");
	expect_told(NULL, "  r: {model: replay, from: a, to: b}\n", "packets: are none");
}
END_TEST

#define ZEROS "000000000000000000000000000000000000000000000000000000000000000"

START_TEST(test_bytes)
{
	static const char cell[] = "at [s],size [B]\n1,10\0junk\n", heading[] = "at [s],size\0x\n";
	struct run_result res;

	put_bytes("t.csv", cell, sizeof(cell) - 1);
	expect_told(NULL, NULL,
		    "t.csv:2:3: r.file.0.size: read '10', expected text of less than 64");
	put_bytes("t.csv", heading, sizeof(heading) - 1);
	expect_told(NULL, NULL,
		    "t.csv:1:8: r.file: read 'size', expected a heading of less than 64");
	expect_told("at [s],size [B]\n0." ZEROS "junk,10\n", NULL,
		    "t.csv:2:1: r.file.0.at: read '0.0000");
	put("t.csv", "\xef\xbb\xbf"
		     "at [s],size [B]\n1,10\n");
	res = run(FILE_OF);
	ck_assert_int_eq(metrics_find(res.metrics, "r.received"), MICRO);
	run_result_clear(&res);
}
END_TEST

START_TEST(test_pipe)
{
	char *file;

	put("t.csv", "");
	file = in_folder("t.csv");
	ck_assert_int_eq(g_unlink(file), 0);
	ck_assert_int_eq(mkfifo(file, 0600), 0);
	expect_told(NULL, NULL, "t.csv': it is a pipe or a device");
	ck_assert_int_eq(g_unlink(file), 0);
	g_free(file);
}
END_TEST

START_TEST(test_key)
{
	char *a = key_of("at [s],size [B]\n0,10\n"), *b = key_of("at [s],size [B]\n0,11\n");
	char *c = key_of("at [s],size [B]\n0,10\n");

	ck_assert(strstr(a, "t.csv sha256:") != NULL);
	ck_assert_str_eq(a, c);
	ck_assert_str_ne(a, b);
	free(a);
	free(b);
	free(c);
}
END_TEST

START_TEST(test_many)
{
	GString *csv = g_string_new("at [us],size [B]\n");
	struct run_result res;

	for (u32 i = 0; i < 200000; i++)
		g_string_append_printf(csv, "%u,100\n", i * 10);
	put("t.csv", csv->str);
	res = run("  r: {model: replay, from: a, to: b, file: t.csv}\n");
	ck_assert_int_eq(metrics_find(res.metrics, "r.received"), 200000 * (int64_t)MICRO);
	run_result_clear(&res);
	for (u32 i = 200000; i < 1000001; i++)
		g_string_append_printf(csv, "%u,100\n", i * 10);
	expect_told(csv->str, NULL, "t.csv:1000002:1: r.file: more than 1000000 rows");
	g_string_free(csv, TRUE);
}
END_TEST

CHECK_MAIN("table", test_same_as_list, test_faults, test_bytes, test_pipe, test_key, test_many)
