/* SPDX-License-Identifier: GPL-3.0-or-later */
/* Scenarios with a CSV file beside them, in a folder of their own: t.yaml, which is @net with @lines behind it, and t.csv. */
#ifndef WLANQ_TESTS_TABLE_LAB_H
#define WLANQ_TESTS_TABLE_LAB_H

#include <glib/gstdio.h>
#include <stdlib.h>

#include "scenario-lab.h"
#include "scenario/expand.h"

static char folder[] = "/tmp/wlanq-table-XXXXXX";

static inline char *in_folder(const char *name)
{
	return g_build_filename(folder, name, NULL);
}

static inline void remove_folder(void)
{
	static const char *const names[] = {"t.csv", "t.yaml"};

	for (u32 i = 0; i < 2; i++) {
		char *file = in_folder(names[i]);

		g_unlink(file);
		g_free(file);
	}
	g_rmdir(folder);
}

/* @len -1: all up to the NUL. */
static inline void put_bytes(const char *name, const char *text, gssize len)
{
	char *file;

	if (g_str_has_suffix(folder, "XXXXXX")) {
		ck_assert(g_mkdtemp(folder) != NULL);
		atexit(remove_folder);
	}
	file = in_folder(name);
	ck_assert(g_file_set_contents(file, text, len, NULL));
	g_free(file);
}

static inline void put(const char *name, const char *text)
{
	put_bytes(name, text, -1);
}

/* The scenario of @net and @lines in the folder; what was told about it in @told. */
static inline struct config *table_load(const char *net, const char *lines, struct scenario **s,
					GString **told)
{
	char *text = g_strconcat(net, lines, NULL), *file;
	struct config *c = NULL;
	struct errors errors;

	put("t.yaml", text);
	file = in_folder("t.yaml");
	errors_init(&errors);
	*s = scenario_load(file, &models_builtin, NULL, 0, &errors);
	if (*s)
		c = scenario_bind(*s, -1, NULL, &errors);
	*told = errors_text(&errors);
	errors_clear(&errors);
	g_free(text);
	g_free(file);
	return c;
}

static inline struct run_result table_run(const char *net, const char *lines)
{
	struct run_options opt = {0};
	struct run_result res;
	struct scenario *s;
	struct errors errors;
	GString *told;
	struct config *c = table_load(net, lines, &s, &told);

	ck_assert_msg(c != NULL, "%s", told->str);
	errors_init(&errors);
	ck_assert_int_eq(run_config(c, &opt, &res, &errors), 0);
	ck_assert_msg(!res.failed, "%s", res.error);
	errors_clear(&errors);
	g_string_free(told, TRUE);
	config_free(c);
	scenario_free(s);
	return res;
}

/* Each line of @want is in what is told; @csv NULL: as it was. */
static inline void table_told(const char *csv, const char *net, const char *lines, const char *want)
{
	struct scenario *s;
	GString *told;
	struct config *c;
	char **wanted = g_strsplit(want, "\n", -1);

	if (csv)
		put("t.csv", csv);
	c = table_load(net, lines, &s, &told);
	ck_assert(c == NULL);
	for (char **l = wanted; *l && **l; l++)
		ck_assert_msg(strstr(told->str, *l) != NULL, "'%s' is not in\n%s", *l, told->str);
	g_strfreev(wanted);
	g_string_free(told, TRUE);
	scenario_free(s);
}

/* The parameters that the key of a result is made of. */
static inline char *table_key(const char *csv, const char *net, const char *lines)
{
	struct scenario *s;
	GString *told;
	struct config *c;
	json_t *json;
	char *text;

	put("t.csv", csv);
	c = table_load(net, lines, &s, &told);
	ck_assert_msg(c != NULL, "%s", told->str);
	json = config_params(c);
	text = json_dumps(json, JSON_SORT_KEYS);
	json_decref(json);
	g_string_free(told, TRUE);
	config_free(c);
	scenario_free(s);
	return text;
}

#endif
