// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Claim: a run is in the store whole or not at all; what is damaged is told and never fatal; a key depends on
 * the parameters, the core's files, the seed and nothing else; CSV and decimals come back as they were.
 * Set-up: a folder under the system's place for temporary files; a writer that is killed at random moments;
 * a run file cut at every length and with every byte changed in turn.
 * Expected: exact.
 */
#include <glib/gstdio.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "check-main.h"
#include "engine/model.h"
#include "sweep/csv.h"
#include "sweep/decimal.h"
#include "sweep/folder.h"
#include "sweep/json-text.h"
#include "sweep/results.h"

static char *temp_dir(void)
{
	char *dir = g_dir_make_tmp("wlanq-store-XXXXXX", NULL);

	ck_assert_ptr_nonnull(dir);
	return dir;
}

static json_t *a_run(const char *key, int n)
{
	json_t *samples = json_array();

	for (int i = 0; i < n; i++)
		json_array_append_new(samples, decimal_json(i * 100 * 1000));
	return json_pack("{s:i, s:s, s:s, s:{s:f, s:i}, s:{s:{s:i, s:o}}}", "format", STORE_FORMAT,
			 "key", key, "status", "ok", "metrics", "ping.rtt_ms.mean", 25.6,
			 "run.packets", 120, "distributions", "ping.rtt_ms", "lost", 1, "samples",
			 samples);
}

START_TEST(keys)
{
	char a[STORE_KEY_MAX], b[STORE_KEY_MAX];

	store_key(a, "{\"air.loss\":0.1}", "builtin", 7);
	ck_assert_uint_eq(strlen(a), 20 + 3);
	ck_assert_str_eq(a + 20, "-s7");
	store_key(b, "{\"air.loss\":0.1}", "builtin", 8);
	ck_assert_int_eq(memcmp(a, b, 20), 0);
	ck_assert_str_ne(a, b);
	store_key(b, "{\"air.loss\":0.2}", "builtin", 7);
	ck_assert_int_ne(memcmp(a, b, 20), 0);
	store_key(b, "{\"air.loss\":0.1}", "another", 7);
	ck_assert_int_ne(memcmp(a, b, 20), 0);
}
END_TEST

static bool write_run(const struct store *s, const char *key, const json_t *run, const json_t *meta,
		      GError **error)
{
	struct json_text t = {.out = g_string_new(NULL), .compact = true};
	bool ok;

	json_text_value(&t, run);
	ok = store_write(s, key, t.out, meta, error);
	g_string_free(t.out, TRUE);
	return ok;
}

START_TEST(round_trip)
{
	char *dir = temp_dir();
	struct store *s = store_open(dir, true, NULL);
	json_t *run = a_run("k-s1", 10), *meta = json_pack("{s:i}", "results-version", 3), *back;
	GError *error = NULL;
	char **keys;

	ck_assert(write_run(s, "k-s1", run, meta, &error));
	back = store_read(s, "k-s1", &error);
	ck_assert(json_equal(run, back));
	ck_assert_int_eq(store_results_version(s, "k-s1"), 3);
	ck_assert_int_eq(store_results_version(s, "k-s2"), 0);
	ck_assert_ptr_null(store_read(s, "k-s2", &error));
	ck_assert_ptr_null(error);
	keys = store_keys(s);
	ck_assert_uint_eq(g_strv_length(keys), 1);
	ck_assert_str_eq(keys[0], "k-s1");
	store_remove(s, "k-s1");
	ck_assert_ptr_null(store_read(s, "k-s1", &error));
	g_strfreev(keys);
	json_decref(run);
	json_decref(meta);
	json_decref(back);
	store_close(s);
	folder_remove(dir);
	g_free(dir);
}
END_TEST

/* Read in brief: all but what is bulky, wherever that stands, and whatever brackets and quotes lie in strings. */
START_TEST(brief)
{
	static const char *const odd[] = {
		"", "\\", "\"", "\\\"}]", "{\"series\":1", ",\"anatomy\":[", "a, b"};
	static const char *const names[] = {"distributions", "anatomy", "series", "kept", "wanted"};
	char *dir = temp_dir();
	struct store *s = store_open(dir, true, NULL);
	json_t *meta = json_object(), *back;
	GError *error = NULL;

	for (uint32_t mask = 0; mask < 1u << G_N_ELEMENTS(names); mask++) {
		json_t *run = json_pack("{s:i, s:s, s:s}", "format", STORE_FORMAT, "key", "k-s1",
					"status", "ok");
		json_t *less = json_deep_copy(run);

		for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
			json_t *value = json_object();

			if (!(mask >> i & 1)) {
				json_decref(value);
				continue;
			}
			for (size_t k = 0; k < G_N_ELEMENTS(odd); k++)
				json_object_set_new(value, odd[k],
						    json_pack("[s, {s:n}]",
							      odd[(k + i) % G_N_ELEMENTS(odd)],
							      "series"));
			json_object_set(run, names[i], value);
			if (i >= 3)
				json_object_set(less, names[i], value);
			json_decref(value);
		}
		ck_assert(write_run(s, "k-s1", run, meta, NULL));
		back = store_read_brief(s, "k-s1", &error);
		ck_assert_msg(json_equal(less, back), "%u: %s", mask, json_dumps(back, 0));
		json_decref(back);
		back = store_read(s, "k-s1", &error);
		ck_assert(json_equal(run, back));
		json_decref(back);
		json_decref(run);
		json_decref(less);
	}
	json_decref(meta);
	store_close(s);
	folder_remove(dir);
	g_free(dir);
}
END_TEST

/* A writer that is killed leaves whole runs only; what it left half written goes with the next opening. */
START_TEST(killed_writer)
{
	char *dir = temp_dir();

	for (int i = 0; i < 30; i++) {
		struct store *s = store_open(dir, true, NULL);
		GDir *listing = g_dir_open(s->runs, 0, NULL);
		const char *name;
		char **keys;
		pid_t pid;

		while ((name = g_dir_read_name(listing)))
			ck_assert_msg(name[0] != '.', "%s is left", name);
		g_dir_close(listing);
		fflush(NULL);
		pid = fork();
		if (pid == 0) {
			for (int n = 0;; n++) {
				char key[32];
				json_t *run, *meta = json_pack("{s:i}", "results-version", 1);

				g_snprintf(key, sizeof(key), "k%d-s%d", i, n);
				run = a_run(key, 2000);
				write_run(s, key, run, meta, NULL);
				json_decref(run);
				json_decref(meta);
			}
		}
		g_usleep((gulong)(3000 + 700 * i));
		kill(pid, SIGKILL);
		waitpid(pid, NULL, 0);
		keys = store_keys(s);
		for (char **k = keys; *k; k++) {
			GError *error = NULL;
			json_t *run = store_read(s, *k, &error);

			ck_assert_msg(run != NULL, "%s", error ? error->message : *k);
			ck_assert_int_eq(store_results_version(s, *k), 1);
			json_decref(run);
		}
		g_strfreev(keys);
		store_close(s);
	}
	folder_remove(dir);
	g_free(dir);
}
END_TEST

static void write_manifest(const struct store *s)
{
	ck_assert(store_write_text(
		s, MANIFEST_NAME,
		"{\"format\":1,\"scenario\":\"t\",\"about\":\"\",\"file\":\"\",\"axes\":[\"a.b\"],\"rows\":["
		"{\"case\":\"x,\\\"y\",\"axes\":[\"8\"],\"seed\":1,\"key\":\"k-s1\"},"
		"{\"case\":\"z\",\"axes\":[\"8\"],\"seed\":2,\"key\":\"k-s2\"}]}",
		-1, NULL));
}

static void damage_file(const char *path, const char *text, size_t len)
{
	FILE *f = fopen(path, "w");

	ck_assert_uint_eq(fwrite(text, 1, len, f), len);
	fclose(f);
}

/* However a file is damaged: the folder opens, the row says so, nothing crashes. */
START_TEST(damage)
{
	char *dir = temp_dir(), *path, *text;
	struct store *s = store_open(dir, true, NULL);
	json_t *run = a_run("k-s1", 3), *meta = json_object();
	struct results *r;
	size_t len;

	write_manifest(s);
	ck_assert(write_run(s, "k-s1", run, meta, NULL));
	path = g_build_filename(s->runs, "k-s1.json", NULL);
	ck_assert(g_file_get_contents(path, &text, &len, NULL));
	for (size_t i = 0; i < 2 * len; i++) {
		char *bad = g_memdup2(text, len + 1);
		size_t n = i < len ? i : len;

		if (i >= len)
			bad[i - len] = (char)(bad[i - len] ^ (i % 2 ? 0x80 : 0x15));
		damage_file(path, bad, n);
		r = results_open(dir, NULL);
		ck_assert_ptr_nonnull(r);
		ck_assert_uint_eq(r->n_rows, 2);
		if (i < len)
			ck_assert_str_eq(r->rows[0].status, "corrupt");
		ck_assert_str_eq(r->rows[1].status, "missing");
		g_string_free(results_csv(r), TRUE);
		results_free(r);
		g_free(bad);
	}
	g_free(text);
	g_free(path);
	json_decref(run);
	json_decref(meta);
	store_close(s);
	folder_remove(dir);
	g_free(dir);
}
END_TEST

START_TEST(no_folder)
{
	char *dir = temp_dir();
	GError *error = NULL;

	ck_assert_ptr_null(results_open("/nonexistent/results", &error));
	ck_assert_str_eq(error->message, "no result folder /nonexistent/results");
	g_clear_error(&error);
	ck_assert_ptr_null(results_open(dir, &error));
	ck_assert(strstr(error->message, "is no result folder") != NULL);
	g_clear_error(&error);
	folder_remove(dir);
	g_free(dir);
}
END_TEST

/* summary.csv quotes what must be, leaves absent values empty, and is enough for a folder without runs. */
START_TEST(summary)
{
	static const char expected[] = "case,seed,status,a.b,ping.rtt_ms.mean,run.packets\n"
				       "\"x,\"\"y\",1,ok,8,25.6,120\n"
				       "z,2,crashed,8,,\n";
	char *dir = temp_dir();
	struct store *s = store_open(dir, true, NULL);
	json_t *run = a_run("k-s1", 3), *meta = json_object(), *lost;
	struct results *r;
	GString *csv;
	int64_t micro;
	struct values v = {0};

	write_manifest(s);
	write_run(s, "k-s1", run, meta, NULL);
	lost = json_pack("{s:i, s:s, s:s, s:s}", "format", STORE_FORMAT, "key", "k-s2", "status",
			 "crashed", "error", "signal 11");
	write_run(s, "k-s2", lost, meta, NULL);
	r = results_open(dir, NULL);
	csv = results_csv(r);
	ck_assert_str_eq(csv->str, expected);
	ck_assert(row_metric(&r->rows[0], "ping.rtt_ms.mean", &micro));
	ck_assert_int_eq(micro, 25600000);
	ck_assert(!row_metric(&r->rows[1], "ping.rtt_ms.mean", &micro));
	ck_assert_str_eq(r->rows[1].error, "signal 11");
	ck_assert(values_add(&v, run, "ping.rtt_ms"));
	ck_assert(values_add(&v, run, "ping.rtt_ms"));
	values_sort(&v);
	ck_assert_uint_eq(v.n, 3);
	ck_assert_double_eq(v.total, 6);
	ck_assert_double_eq(v.lost, 2);
	ck_assert_double_eq(values_quantile(&v, 0.5), 0.1);
	ck_assert_double_eq(values_quantile(&v, 1), 0.2);
	values_clear(&v);
	store_write_text(s, SUMMARY_NAME, csv->str, -1, NULL);
	results_free(r);
	store_remove(s, "k-s1");
	store_remove(s, "k-s2");
	ck_assert_int_eq(g_rmdir(s->runs), 0);
	r = results_open(dir, NULL);
	ck_assert(row_metric(&r->rows[0], "ping.rtt_ms.mean", &micro));
	ck_assert_int_eq(micro, 25600000);
	ck_assert_str_eq(r->rows[1].status, "crashed");
	results_free(r);
	g_string_free(csv, TRUE);
	json_decref(run);
	json_decref(meta);
	json_decref(lost);
	store_close(s);
	folder_remove(dir);
	g_free(dir);
}
END_TEST

START_TEST(csv)
{
	static const char *const bad[] = {"a,\"b", "a\"b,c", "\"a\"b"};
	GString *out = g_string_new(NULL);
	GPtrArray *lines, *l;

	csv_append(out, "", ',');
	csv_append(out, "a\"b", ',');
	csv_append(out, "two\nlines", '\n');
	csv_append(out, "plain", ',');
	csv_append(out, "", '\n');
	ck_assert_str_eq(out->str, ",\"a\"\"b\",\"two\nlines\"\nplain,\n");
	lines = csv_parse(out->str, NULL);
	ck_assert_uint_eq(lines->len, 2);
	l = lines->pdata[0];
	ck_assert_uint_eq(l->len, 3);
	ck_assert_str_eq(l->pdata[0], "");
	ck_assert_str_eq(l->pdata[1], "a\"b");
	ck_assert_str_eq(l->pdata[2], "two\nlines");
	l = lines->pdata[1];
	ck_assert_uint_eq(l->len, 2);
	g_ptr_array_unref(lines);
	for (size_t i = 0; i < G_N_ELEMENTS(bad); i++) {
		GError *error = NULL;

		ck_assert_ptr_null(csv_parse(bad[i], &error));
		ck_assert_ptr_nonnull(error);
		g_clear_error(&error);
	}
	g_string_free(out, TRUE);
}
END_TEST

static const struct decimal_case {
	int64_t micro;
	const char *full, *two, *four; /* all places, at most two, four digits */
} decimal_cases[] = {
	{0, "0", "0", "0"},
	{25600000, "25.6", "25.6", "25.6"},
	{-1, "-0.000001", "0", "-0.000001"},
	{3645678901, "3645.678901", "3645.68", "3646"},
	{999995, "0.999995", "1", "1"},
	{1234567, "1.234567", "1.23", "1.235"},
	{-25645000, "-25.645", "-25.65", "-25.65"},
	{1234567890123456, "1234567890.123456", "1234567890.12", "1234567890"},
};

START_TEST(decimals)
{
	const struct decimal_case *d = &decimal_cases[_i];
	char buf[MICRO_TEXT];
	int64_t micro;
	json_t *json = decimal_json(d->micro);
	char *text = json_dumps(json, RESULT_JSON | JSON_ENCODE_ANY);

	ck_assert_str_eq(decimal_round(buf, d->micro, 2), d->two);
	ck_assert_str_eq(decimal_short(buf, d->micro, 4), d->four);
	ck_assert(decimal_parse(d->full, &micro));
	ck_assert_int_eq(micro, d->micro);
	ck_assert(decimal_from_json(json, &micro));
	ck_assert_int_eq(micro, d->micro);
	/* Up to 10^9 the text is the decimal itself. */
	if (llabs(d->micro) < 1000LL * MICRO * MICRO && d->micro != -1)
		ck_assert_str_eq(text, d->full);
	free(text);
	json_decref(json);
}
END_TEST

START_TEST(no_decimals)
{
	static const char *const bad[] = {
		"", "-", ".", "1e3", "1.2.3", " 1", "99999999999999999999"};
	int64_t micro;

	for (size_t i = 0; i < G_N_ELEMENTS(bad); i++)
		ck_assert_msg(!decimal_parse(bad[i], &micro), "%s", bad[i]);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("store");
	TCase *tc = tcase_create("store");
	SRunner *sr;
	int failed;

	tcase_set_timeout(tc, 60);
	tcase_add_test(tc, keys);
	tcase_add_test(tc, round_trip);
	tcase_add_test(tc, brief);
	tcase_add_test(tc, killed_writer);
	tcase_add_test(tc, damage);
	tcase_add_test(tc, no_folder);
	tcase_add_test(tc, summary);
	tcase_add_test(tc, csv);
	tcase_add_loop_test(tc, decimals, 0, G_N_ELEMENTS(decimal_cases));
	tcase_add_test(tc, no_decimals);
	suite_add_tcase(s, tc);
	sr = srunner_create(s);
	srunner_run_all(sr, CK_NORMAL);
	failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
