// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Claim: tables line up; what is known of a metric follows from its name; gnuplot makes pictures that are not
 * empty, with lost samples below 1; flent's files are read, and what is written is read back alike;
 * damaged ones are refused; each drop of a queue is told at the terminal.
 * Set-up: small tables and pictures in a temporary folder; a file of flent made here, then cut at each length.
 * Expected: exact texts; pictures of at least 1 kB.
 */
#include <glib/gstdio.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "check-main.h"
#include "report/flent.h"
#include "report/metric-info.h"
#include "report/picture.h"
#include "report/run-text.h"
#include "report/table.h"

START_TEST(table)
{
	struct table *t = table_new();
	GString *out = g_string_new(NULL);

	table_column(t, "case", false);
	table_column(t, "rtt", true);
	table_cell(t, "ring 8");
	table_number(t, 25640000, 4);
	table_cell(t, "é");
	table_number(t, 3646123456, 4);
	table_text(t, "  ", out);
	ck_assert_str_eq(out->str, "  case      rtt\n"
				   "  ring 8  25.64\n"
				   "  é        3646\n");
	g_string_truncate(out, 0);
	table_cell(t, "<b>");
	table_cell(t, "1");
	table_html(t, out);
	ck_assert(strstr(out->str, "<td>&lt;b&gt;</td>") != NULL);
	g_string_free(out, TRUE);
	table_free(t);
}
END_TEST

START_TEST(metrics)
{
	static const struct {
		const char *name, *unit;
		int better, rank;
		bool of_traffic;
	} cases[] = {
		{"ping.rtt_ms.mean", "ms", LOWER_IS_BETTER, 1, true},
		{"ping.rtt_ms.max", "ms", LOWER_IS_BETTER, -1, true},
		{"bulk.goodput_mbit", "Mbit/s", HIGHER_IS_BETTER, 0, true},
		{"ap.wlan0.sta.sta1.goodput_mbit", "Mbit/s", HIGHER_IS_BETTER, -1, false},
		{"laptop.wlan0.ring.packets.mean", "packets", NEITHER, -1, false},
		{"laptop.wlan0.qdisc.sojourn_ms.p95", "ms", LOWER_IS_BETTER, -1, false},
		{"run.packets", "", NEITHER, -1, false},
		{"odd", "", NEITHER, -1, false},
	};

	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		struct metric_info info = metric_info(cases[i].name);

		ck_assert_str_eq(info.unit, cases[i].unit);
		ck_assert_int_eq(info.better, cases[i].better);
		ck_assert_int_eq(info.of_traffic, cases[i].of_traffic);
		ck_assert_int_eq(metric_rank(cases[i].name), cases[i].rank);
	}
}
END_TEST

static void fill(struct picture *p)
{
	struct curve *c = picture_add(p, "ring_8 'q' (1 of 4 lost)", 4);

	for (int i = 0; i < 4; i++) {
		c->x[i] = 1 + i * 100;
		c->y[i] = i * 0.25;
	}
	c->n = 4;
	c->steps = true;
	p->title = "a \"title\" with $ and \\";
	p->subtitle = "and more";
	p->x_label = g_strdup("ping.rtt_ms (ms)");
	p->y_label = g_strdup("share");
	p->log_x = p->unit_y = true;
}

START_TEST(pictures)
{
	static const char *const ends[] = {".png", ".svg", ".pdf"};
	char *dir = g_dir_make_tmp("wlanq-picture-XXXXXX", NULL);
	GError *error = NULL;
	struct picture p;

	picture_init(&p);
	fill(&p);
	ck_assert(!picture_known("x.jpg", &error));
	g_clear_error(&error);
	for (size_t i = 0; i < G_N_ELEMENTS(ends); i++) {
		char *file = g_strdup_printf("%s/a b%s", dir, ends[i]);
		struct stat st;

		ck_assert_msg(picture_write(&p, file, &error), "%s", error ? error->message : "");
		ck_assert_int_eq(g_stat(file, &st), 0);
		ck_assert_int_gt(st.st_size, 1000);
		g_unlink(file);
		g_free(file);
	}
	for (size_t i = 0; i < 2; i++) {
		char *file = g_strdup_printf("%s/a b%s", dir, i ? ".gp" : ".dat"), *text;

		ck_assert(g_file_get_contents(file, &text, NULL, NULL));
		if (i == 0)
			ck_assert(strstr(text, "301 0.75\n") != NULL);
		g_free(text);
		g_unlink(file);
		g_free(file);
	}
	picture_clear(&p);
	g_rmdir(dir);
	g_free(dir);
}
END_TEST

static json_t *flent_doc(void)
{
	return json_pack("{s:i, s:{s:s, s:s, s:s, s:s, s:i, s:f, s:s}, s:[f, f], "
			 "s:{s:[f, n], s:[f, f], s:[f, f]}, s:{s:[{s:f, s:f}, {s:f, s:f}]}}",
			 "version", 4, "metadata", "NAME", "tcp_upload", "TITLE", "t", "HOST",
			 "peer", "LOCAL_HOST", "sim", "LENGTH", 60, "STEP_SIZE", 0.2, "T0",
			 "2026-01-01T00:00:00.500000Z", "x_values", 0.0, 0.2, "results",
			 "Ping (ms) ICMP", 9.1, "TCP upload", 21.5, 22.0, "TCP upload sum", 21.5,
			 22.0, "raw_values", "TCP upload", "t", 1767225600.75, "val", 21.25, "t",
			 1767225601.0, "val", 21.75);
}

START_TEST(flent)
{
	char *dir = g_dir_make_tmp("wlanq-flent-XXXXXX", NULL);
	char *path = g_build_filename(dir, "x.flent.gz", NULL), *once, *twice;
	json_t *doc = flent_doc();
	GError *error = NULL;
	struct flent *f;
	size_t n, m;

	ck_assert_ptr_nonnull(doc);
	ck_assert(flent_is(path));
	ck_assert(flent_write(path, doc, &error));
	f = flent_read(path, &error);
	ck_assert_msg(f != NULL, "%s", error ? error->message : "");
	ck_assert_str_eq(f->test, "tcp_upload");
	ck_assert_double_eq(f->length, 60);
	/* The sum is computed by flent, and is left out. */
	ck_assert_uint_eq(f->n_series, 2);
	ck_assert(flent_is_ping(&f->series[0]));
	ck_assert_uint_eq(f->series[0].n, 1);
	ck_assert_uint_eq(f->series[0].lost, 1);
	ck_assert(flent_is_tcp(&f->series[1]));
	ck_assert_uint_eq(f->series[1].n, 2);
	ck_assert_double_eq_tol(f->series[1].t[0], 0.25, 1e-6);
	ck_assert_double_eq(f->series[1].value[1], 21.75);
	flent_free(f);
	ck_assert(g_file_get_contents(path, &once, &n, NULL));
	ck_assert(flent_write(path, doc, NULL));
	ck_assert(g_file_get_contents(path, &twice, &m, NULL));
	ck_assert_uint_eq(n, m);
	ck_assert_mem_eq(once, twice, n);
	for (size_t cut = 0; cut + 8 < n; cut += 3) {
		FILE *out = fopen(path, "w");

		fwrite(once, 1, cut, out);
		fclose(out);
		ck_assert_ptr_null(flent_read(path, &error));
		ck_assert_ptr_nonnull(error);
		g_clear_error(&error);
	}
	g_unlink(path);
	ck_assert_ptr_null(flent_read(path, &error));
	g_clear_error(&error);
	g_rmdir(dir);
	json_decref(doc);
	g_free(once);
	g_free(twice);
	g_free(path);
	g_free(dir);
}
END_TEST

/* A driver counts its drops once and has a queue for each category; no count is taken for another's. */
START_TEST(drops)
{
	static const struct result_metric v[] = {
		{"ap.wlan0.driver.be.packets.max", 3000000},
		{"ap.wlan0.driver.be.packets.mean", 1000000},
		{"ap.wlan0.drops.driver.flushed", 0},
		{"ap.wlan0.drops.driver.lifetime", 7000000},
		{"ap.wlan0.drops.driver.retry_limit", 2000000},
		{"ap.wlan0.drops.txq.codel", 5000000},
		{"ap.wlan0.drops.txqs.codel", 9000000},
		{"ap.wlan0.txq.packets.max", 4000000},
		{"ap.wlan0.txq.packets.mean", 1000000},
		{"sta.wlan0.drops.driver.lifetime", 0},
	};
	struct metric_list m = {v, G_N_ELEMENTS(v)};
	GString *out = g_string_new(NULL);

	run_text_queues(&m, out);
	ck_assert(strstr(out->str, "  ap.wlan0.driver: drops lifetime 7, retry_limit 2\n"));
	ck_assert(strstr(out->str, "  codel 5\n"));
	ck_assert(strstr(out->str, "  ap.wlan0.txqs: drops codel 9\n"));
	ck_assert(!strstr(out->str, "sta.wlan0") && !strstr(out->str, "flushed"));
	g_string_free(out, TRUE);
}
END_TEST

CHECK_MAIN("report", table, metrics, pictures, flent, drops)
