// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Reads every malformed scenario of a folder and compares what is told about it with NAME.expect beside it:
 * all errors, each with its place, what was read and what is allowed. Models are those of the toy network.
 * `bad-check FOLDER --accept` writes the .expect files anew.
 */
#include <glib.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "scenario/expand.h"
#include "toy-net.h"

static GString *told(const char *file)
{
	struct errors errors;
	struct scenario *s;
	GString *text;

	errors_init(&errors);
	s = scenario_load(file, toy_net_registry(), NULL, 0, &errors);
	if (s)
		expansion_free(scenario_expand(s, &errors));
	scenario_free(s);
	text = errors_text(&errors);
	errors_clear(&errors);
	if (text->len)
		g_string_prepend(text, "# SPDX-License-Identifier: GPL-3.0-or-later\n");
	return text;
}

static int check(const char *file, bool accept)
{
	char *base = g_strndup(file, strlen(file) - strlen(".yaml"));
	char *expect = g_strconcat(base, ".expect", NULL), *want = NULL;
	GString *text = told(file);
	int failed = 0;

	if (!text->len) {
		printf("%s: no error was told\n", file);
		failed = 1;
	} else if (accept) {
		g_file_set_contents(expect, text->str, (gssize)text->len, NULL);
	} else if (!g_file_get_contents(expect, &want, NULL, NULL)) {
		printf("%s is missing\n", expect);
		failed = 1;
	} else if (strcmp(want, text->str)) {
		printf("%s:\n--- expected\n%s--- told\n%s", file, want, text->str);
		failed = 1;
	}
	g_string_free(text, TRUE);
	g_free(want);
	g_free(expect);
	g_free(base);
	return failed;
}

static gint by_name(gconstpointer a, gconstpointer b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

int main(int argc, char **argv)
{
	bool accept = argc > 2 && !strcmp(argv[2], "--accept");
	GPtrArray *files = g_ptr_array_new_with_free_func(g_free);
	GDir *dir = argc > 1 ? g_dir_open(argv[1], 0, NULL) : NULL;
	const char *name;
	int failed = 0;

	if (!dir || chdir(argv[1])) {
		fprintf(stderr, "usage: bad-check FOLDER [--accept]\n");
		return 2;
	}
	while ((name = g_dir_read_name(dir)))
		if (g_str_has_suffix(name, ".yaml"))
			g_ptr_array_add(files, g_strdup(name));
	g_dir_close(dir);
	g_ptr_array_sort(files, by_name);
	for (guint i = 0; i < files->len; i++)
		failed += check(files->pdata[i], accept);
	printf("%u scenarios, %d failed\n", files->len, failed);
	/* the number is part of the promise */
	if (files->len < 40)
		failed++;
	g_ptr_array_free(files, TRUE);
	return failed ? 1 : 0;
}
