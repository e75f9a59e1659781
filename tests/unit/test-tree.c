// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Claim: the tree that is read from YAML events keeps each node's place, and where an alias or merge used it;
 * merges obey own key first, includes later wins; the limits of depth, size, nodes and includes stop a reading.
 * Set-up: texts in memory, files in a temporary folder. Expected: exact places and texts, no tolerance.
 */
#include "check-main.h"

#include <glib/gstdio.h>
#include <unistd.h>
#include <string.h>

#include "scenario/tree.h"

static struct arena *arena;
static struct errors errors;

static void setup(void)
{
	arena = arena_new();
	errors_init(&errors);
}

static void teardown(void)
{
	arena_free(arena);
	errors_clear(&errors);
}

static struct node *parse(const char *text)
{
	return tree_read_text(arena, text, strlen(text), "t.yaml", NULL, &errors);
}

static void told(const char *words)
{
	GString *text = errors_text(&errors);

	ck_assert_msg(strstr(text->str, words), "wanted \"%s\" in:\n%s", words, text->str);
	g_string_free(text, TRUE);
}

static void flow_is(const struct node *n, const char *want)
{
	GString *text = g_string_new(NULL);

	ck_assert(n);
	node_flow(n, text);
	ck_assert_str_eq(text->str, want);
	g_string_free(text, TRUE);
}

static void at(const struct node *n, uint32_t line, uint32_t col, uint32_t via_line,
	       uint32_t via_col)
{
	ck_assert_uint_eq(n->place.at.line, line);
	ck_assert_uint_eq(n->place.at.col, col);
	ck_assert_uint_eq(n->place.via.line, via_line);
	ck_assert_uint_eq(n->place.via.col, via_col);
}

START_TEST(test_places)
{
	struct node *root = parse("a: 1\nb:\n  - x\n  - {c: [2]}\n");
	struct node *b = node_get(root, "b");

	ck_assert(!errors_any(&errors));
	at(node_get(root, "a"), 1, 4, 0, 0);
	at(b->items[0], 3, 5, 0, 0);
	at(node_get(b->items[1], "c")->items[0], 4, 10, 0, 0);
	flow_is(root, "{a: 1, b: [x, {c: [2]}]}");
}
END_TEST

START_TEST(test_alias_places)
{
	struct node *root = parse("a: &x {k: [1]}\nb: *x\nc: {d: *x}\n");

	ck_assert(!errors_any(&errors));
	at(node_get(root, "a"), 1, 4, 0, 0);
	at(node_get(root, "b"), 1, 4, 2, 4);
	at(node_get(node_get(root, "b"), "k")->items[0], 1, 12, 2, 4);
	at(node_get(node_get(root, "c"), "d"), 1, 4, 3, 8);
}
END_TEST

START_TEST(test_merge)
{
	struct node *root = parse("a: &a {x: 1, y: 1}\nb: &b {y: 2, z: 2}\n"
				  "c: {y: 3, <<: *a}\nd: {<<: [*a, *b], w: 0}\ne: {<<: {q: 5}}\n");
	struct node *c = node_get(root, "c");

	ck_assert(!errors_any(&errors));
	flow_is(c, "{y: 3, x: 1}");
	flow_is(node_get(root, "d"), "{w: 0, x: 1, y: 1, z: 2}");
	flow_is(node_get(root, "e"), "{q: 5}");
	at(node_get(c, "x"), 1, 11, 3, 15);
	at(node_get(c, "y"), 3, 8, 0, 0);
	at(node_get(node_get(root, "e"), "q"), 5, 13, 5, 5);
}
END_TEST

/* Ten lines of ten aliases each would be 10^10 nodes. */
START_TEST(test_alias_bomb)
{
	GString *text = g_string_new("a0: &a0 [x]\n");

	for (int i = 1; i <= 10; i++) {
		g_string_append_printf(text, "a%d: &a%d [", i, i);
		for (int k = 0; k < 10; k++)
			g_string_append_printf(text, "%s*a%d", k ? ", " : "", i - 1);
		g_string_append(text, "]\n");
	}
	ck_assert(!parse(text->str));
	told("more than 100000 nodes after expansion");
	g_string_free(text, TRUE);
}
END_TEST

START_TEST(test_depth)
{
	GString *text = g_string_new("a: ");

	for (int i = 0; i < 100; i++)
		g_string_append_c(text, '[');
	for (int i = 0; i < 100; i++)
		g_string_append_c(text, ']');
	ck_assert(!parse(text->str));
	told("nested deeper than 64 levels");
	g_string_free(text, TRUE);
}
END_TEST

START_TEST(test_depth_allowed)
{
	GString *text = g_string_new("a: ");

	/* the scalar is the 64th: map, 62 lists, scalar */
	for (int i = 0; i < 62; i++)
		g_string_append_c(text, '[');
	g_string_append_c(text, '1');
	for (int i = 0; i < 62; i++)
		g_string_append_c(text, ']');
	ck_assert(parse(text->str));
	ck_assert(!errors_any(&errors));
	g_string_free(text, TRUE);
}
END_TEST

START_TEST(test_size)
{
	char *text = g_strnfill(TREE_FILE_MAX + 1, ' ');

	ck_assert(!tree_read_text(arena, text, strlen(text), "t.yaml", NULL, &errors));
	told("larger than 1 MiB");
	g_free(text);
}
END_TEST

START_TEST(test_traps)
{
	static const char *const traps[] = {"on",   "Off",   "yes", "NO",
					    "True", "FALSE", "010", "-07"};
	static const char *const fine[] = {"true", "false", "null", "0",    "10",
					   "0o7",  "once",  "0.5",  "00:11"};

	for (size_t i = 0; i < G_N_ELEMENTS(traps); i++) {
		struct node n = {.plain = true, .text = traps[i]};

		ck_assert_msg(scalar_trap(&n) != NULL, "%s", traps[i]);
		n.plain = false;
		ck_assert(!scalar_trap(&n));
	}
	for (size_t i = 0; i < G_N_ELEMENTS(fine); i++) {
		struct node n = {.plain = true, .text = fine[i]};

		ck_assert_msg(!scalar_trap(&n), "%s", fine[i]);
	}
}
END_TEST

START_TEST(test_classes)
{
	static const struct {
		const char *text;
		enum scalar_class class;
	} cases[] = {
		{"", SCALAR_NULL},	   {"~", SCALAR_NULL},	      {"true", SCALAR_BOOL},
		{"1", SCALAR_NUMBER},	   {"-1.5e3", SCALAR_NUMBER}, {".5", SCALAR_NUMBER},
		{".inf", SCALAR_NUMBER},   {"0x1f", SCALAR_NUMBER},   {"1.", SCALAR_NUMBER},
		{"1e", SCALAR_STRING},	   {".", SCALAR_STRING},      {"10ms", SCALAR_STRING},
		{"2.6.32", SCALAR_STRING}, {"yes", SCALAR_STRING},
	};

	for (size_t i = 0; i < G_N_ELEMENTS(cases); i++) {
		struct node n = {.plain = true, .text = cases[i].text};

		ck_assert_msg(scalar_classify(&n) == cases[i].class, "'%s'", cases[i].text);
	}
}
END_TEST

/* ---- includes ------------------------------------------------------------------------------ */

static char *folder;

static void folder_setup(void)
{
	setup();
	folder = g_dir_make_tmp("wlanq-tree-XXXXXX", NULL);
}

static void remove_in(const char *dir)
{
	GDir *d = g_dir_open(dir, 0, NULL);
	const char *name;

	while (d && (name = g_dir_read_name(d))) {
		char *path = g_build_filename(dir, name, NULL);

		if (g_file_test(path, G_FILE_TEST_IS_DIR) &&
		    !g_file_test(path, G_FILE_TEST_IS_SYMLINK))
			remove_in(path);
		g_remove(path);
		g_free(path);
	}
	if (d)
		g_dir_close(d);
	g_rmdir(dir);
}

static void folder_teardown(void)
{
	remove_in(folder);
	g_free(folder);
	teardown();
}

static void put(const char *name, const char *text)
{
	char *path = g_build_filename(folder, name, NULL), *dir = g_path_get_dirname(path);

	g_mkdir_with_parents(dir, 0755);
	ck_assert(g_file_set_contents(path, text, -1, NULL));
	g_free(dir);
	g_free(path);
}

static struct node *load(const char *name, const char *text)
{
	char *path = g_build_filename(folder, name, NULL);
	struct node *n;

	put(name, text);
	n = tree_read_file(arena, path, folder, &errors);
	g_free(path);
	return n;
}

START_TEST(test_include_order)
{
	struct node *root;

	put("one.yaml", "a: 1\nm: {x: 1, y: 1}\nq: {model: red, k: 1}\nl: [1]\n");
	put("sub/two.yaml", "include: three.yaml\na: 2\nm: {y: 2, z: 2}\n");
	put("sub/three.yaml", "a: 3\nt: 3\n");
	root = load("main.yaml",
		    "include: [one.yaml, sub/two.yaml]\nm: {z: 9}\nq: {model: blue}\nl: [2, 3]\n");
	ck_assert(!errors_any(&errors));
	flow_is(root, "{a: 2, m: {x: 1, y: 2, z: 9}, q: {model: blue}, l: [2, 3], t: 3}");
	ck_assert_int_eq(node_get(root, "a")->origin, ORIGIN_INCLUDE);
	ck_assert_int_eq(node_get(node_get(root, "m"), "z")->origin, ORIGIN_FILE);
	ck_assert_int_eq(node_get(node_get(root, "m"), "y")->origin, ORIGIN_INCLUDE);
}
END_TEST

START_TEST(test_include_outside)
{
	static const char *const names[] = {"../up.yaml", "/etc/passwd", "link.yaml",
					    "sub/../../up.yaml"};
	char *link = g_build_filename(folder, "link.yaml", NULL);

	put("sub/a.yaml", "a: 1\n");
	ck_assert_int_eq(symlink("/etc/passwd", link), 0);
	for (size_t i = 0; i < G_N_ELEMENTS(names); i++) {
		char *text = g_strdup_printf("include: %s\n", names[i]);

		load("main.yaml", text);
		ck_assert_uint_eq(errors.list->len, i + 1);
		g_free(text);
	}
	told("include '/etc/passwd' lies outside of the scenario's folder");
	told("include 'link.yaml' lies outside of the scenario's folder");
	g_free(link);
}
END_TEST

START_TEST(test_include_many)
{
	GString *text = g_string_new("include: [");

	for (int i = 0; i < 17; i++) {
		char name[16];

		g_snprintf(name, sizeof(name), "f%d.yaml", i);
		put(name, "a: 1\n");
		g_string_append_printf(text, "%s%s", i ? ", " : "", name);
	}
	g_string_append(text, "]\n");
	load("main.yaml", text->str);
	told("more than 16 includes");
	g_string_free(text, TRUE);
}
END_TEST

START_TEST(test_include_cycle)
{
	put("a.yaml", "include: b.yaml\n");
	put("b.yaml", "include: main.yaml\n");
	load("main.yaml", "include: a.yaml\n");
	told("'main.yaml' includes itself");
}
END_TEST

int main(void)
{
	Suite *s = suite_create("tree");
	TCase *tc = tcase_create("text"), *files = tcase_create("files");
	SRunner *sr;
	int failed;

	tcase_add_checked_fixture(tc, setup, teardown);
	tcase_add_test(tc, test_places);
	tcase_add_test(tc, test_alias_places);
	tcase_add_test(tc, test_merge);
	tcase_add_test(tc, test_alias_bomb);
	tcase_add_test(tc, test_depth);
	tcase_add_test(tc, test_depth_allowed);
	tcase_add_test(tc, test_size);
	tcase_add_test(tc, test_traps);
	tcase_add_test(tc, test_classes);
	suite_add_tcase(s, tc);
	tcase_add_checked_fixture(files, folder_setup, folder_teardown);
	tcase_add_test(files, test_include_order);
	tcase_add_test(files, test_include_outside);
	tcase_add_test(files, test_include_many);
	tcase_add_test(files, test_include_cycle);
	suite_add_tcase(s, files);
	sr = srunner_create(s);
	srunner_run_all(sr, CK_NORMAL);
	failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
