// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Claim: the reference pages say all that a declaration says, and nothing else is needed to write them.
 *
 * Set-up: the pages of the toy model, which uses every parameter type, flag, probe shape and scope.
 *
 * Expected: for each of these a row of known text, without tolerance; one row a key, nested ones under
 * dotted keys; the files in a folder equal the pages.
 */
#include <glib/gstdio.h>
#include <string.h>

#include "check-main.h"
#include "report/reference.h"
#include "toy-model.h"

static GString *page;

static void has(const char *text)
{
	ck_assert_msg(strstr(page->str, text) != NULL, "not in the page: %s", text);
}

START_TEST(test_parameters)
{
	page = reference_page(&toy_registry, &toy_kind);
	has("# Models of kind toy\n\nA shelf that tests build.\n");
	has("\n## toy\n\nA shelf for parcels.\n\nSource: tests.\n\nNot modelled: Anything real.\n");
	has("| `on` | true or false | `true` |  | Whether parcels come |\n");
	has("| `count` | count | `2`; `3` from 2.6.32, `10` from 3.2 | 1 to 64 | Places on the shelf "
	    "(Linux: `toy_places`) *structural* |\n");
	has("| `period` | time | `10ms` | 1ns to 10s | Time between parcels *live* |\n");
	has("| `rate` | rate | required |  | How fast a parcel is carried out |\n");
	has("| `power` | power | `17dBm` | -100dBm to 30dBm | Its power |\n");
	has("| `loss` | probability | `10%` |  | Chance that a parcel falls *live* |\n");
	has("| `deadline` | time |  |  | When to stop; not given: never |\n");
	has("| `colour` | one of `red`, `green`, `blue` | `green` |  | Its colour |\n");
	has("| | `green` | | | of grass |\n");
	has("| `peer` | path of a toy |  |  | Who is greeted |\n");
	has("| `spring` | model: toy_spring | `stiff` |");
	has("| `corner` | mapping |");
	has("| `corner.edge.sharp` | true or false | `false` |");
	has("| `steps[].height` | length | `1m` |");
	has("| `delays[]` | time |  | 0s to 1s | One delay |\n");
	has("| `weights.NAME` | count |  | 0 to 100 | One weight |\n");
	has("| `lanes` | by access category: count | `{vo: 2, vi: 3, be: 3, bk: 3}` | 0 to 64 |");
	has("| `limit` | queue size (packets) | `1000` |");
	has("| `backlog` | queue size (packets, bytes or time) | `64KiB` |");
	g_string_free(page, TRUE);
}
END_TEST

START_TEST(test_probes)
{
	const struct probe *p;
	uint32_t rows = 0;

	page = reference_page(&toy_registry, &toy_kind);
	has("| `arrivals` |  | counter |");
	has("| an access category |");
	has("| a station |");
	for (p = test_toy.probes; p->name; p++) {
		char *row = g_strdup_printf("\n| `%s` | ", p->name);

		has(row);
		g_free(row);
		rows++;
	}
	ck_assert_uint_gt(rows, 0);
	g_string_free(page, TRUE);
}
END_TEST

START_TEST(test_kinds_apart)
{
	page = reference_page(&toy_registry, &toy_spring_kind);
	has("## stiff\n");
	has("## soft\n");
	has("| `factor` | number | `1.5` | 1 to 10 | How many times longer |\n");
	ck_assert_ptr_null(strstr(page->str, "## toy\n"));
	g_string_free(page, TRUE);

	page = reference_index(&toy_registry);
	has("| [toy](toy.md) | toy |\n");
	has("| [toy_spring](toy_spring.md) | stiff, soft |\n");
	g_string_free(page, TRUE);
}
END_TEST

START_TEST(test_files)
{
	static const char *const names[] = {"README.md", "toy.md", "toy_spring.md"};
	char *dir = g_dir_make_tmp("reference-XXXXXX", NULL);
	char *deep = g_build_filename(dir, "a", "b", NULL);
	char *up = g_path_get_dirname(deep);
	GError *error = NULL;
	char *text, *path;

	ck_assert(reference_write(&toy_registry, deep, &error));
	path = g_build_filename(deep, "toy.md", NULL);
	ck_assert(g_file_get_contents(path, &text, NULL, NULL));
	page = reference_page(&toy_registry, &toy_kind);
	ck_assert_str_eq(text, page->str);
	g_string_free(page, TRUE);
	g_free(text);

	/* a folder that cannot be made */
	ck_assert(!reference_write(&toy_registry, path, &error));
	ck_assert_ptr_nonnull(error);
	g_error_free(error);
	g_free(path);

	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		path = g_build_filename(deep, names[i], NULL);
		ck_assert_int_eq(g_unlink(path), 0);
		g_free(path);
	}
	g_rmdir(deep);
	g_rmdir(up);
	g_rmdir(dir);
	g_free(up);
	g_free(deep);
	g_free(dir);
}
END_TEST

CHECK_MAIN("reference", test_parameters, test_probes, test_kinds_apart, test_files)
