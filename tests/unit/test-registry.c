// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Claim: the declarations of all models are sound, and registry_check() finds each fault that it names.
 * Set-up: the built-in registry, the toy network's, and classes with one fault each. Expected: no error for the
 * registries; for each faulty class at least one error with the words that name the fault. No tolerance: the
 * checks are exact.
 */
#include "check-main.h"

#include "registry.h"
#include "scenario/registry-check.h"
#include "toy-net.h"

static void sound(const struct registry *reg)
{
	struct errors errors;
	GString *text;

	errors_init(&errors);
	registry_check(reg, &errors);
	text = errors_text(&errors);
	ck_assert_msg(!text->len, "%s", text->str);
	g_string_free(text, TRUE);
	errors_clear(&errors);
}

START_TEST(test_builtin)
{
	sound(&models_builtin);
	sound(toy_net_registry());
}
END_TEST

struct holder {
	int64_t v;
	struct queue_size q;
};

static const struct model_kind kind_driver = {"driver", "x"}, kind_interface = {"interface", "x"};
static const struct param netdev_params[] = {
	{.name = "mtu", .type = PARAM_BYTES, .def = "1500B", .doc = "x"}, PARAM_END};
static const struct model_class netdev = {.kind = &kind_interface,
					  .name = "netdev",
					  .doc = "x",
					  .source = "x",
					  .params_size = sizeof(struct holder),
					  .params = netdev_params};
static const struct param_era backwards[] = {{"3.2", "1"}, {"2.6.32", "2"}, {NULL, NULL}};
static const struct param_era unknown[] = {{"5.x", "1"}, {NULL, NULL}};
static const struct param_era bad_value[] = {{"2.6.32", "1"}, {"6.18", "x"}, {NULL, NULL}};

static const struct {
	struct param params[3];
	const char *words;
} faults[] = {
	{{{.name = "mtu", .type = PARAM_INT, .doc = "x"}}, "taken in the same map"},
	{{{.name = "driver", .type = PARAM_INT, .doc = "x"}}, "taken in the same map"},
	{{{.name = "Ring", .type = PARAM_INT, .doc = "x"}}, "not of the form"},
	{{{.name = "a", .type = PARAM_INT, .doc = "x"},
	  {.name = "a", .type = PARAM_INT, .doc = "x"}},
	 "two parameters of one name"},
	{{{.name = "a", .type = PARAM_INT}}, "no line of documentation"},
	{{{.name = "a", .type = PARAM_TIME, .doc = "x", .def = "10"}}, "without a unit"},
	{{{.name = "a", .type = PARAM_INT, .doc = "x", .def = "10", .min = 1, .max = 5}},
	 "expected 1 .. 5"},
	{{{.name = "a", .type = PARAM_INT, .doc = "x", .min = 7, .max = 5}}, "above its greatest"},
	{{{.name = "a", .type = PARAM_INT, .doc = "x", .eras = backwards}}, "out of order"},
	{{{.name = "a", .type = PARAM_INT, .doc = "x", .eras = unknown}}, "'5.x' is no kernel"},
	{{{.name = "a", .type = PARAM_INT, .doc = "x", .eras = bad_value}},
	 "expected a whole number"},
	{{{.name = "a", .type = PARAM_ENUM, .doc = "x"}}, "without values"},
	{{{.name = "a", .type = PARAM_SLOT, .doc = "x"}}, "without a kind"},
	{{{.name = "a", .type = PARAM_SLOT, .doc = "x", .kind = &kind_driver, .def = "none"}},
	 "no driver of that name"},
	{{{.name = "a", .type = PARAM_LIST, .doc = "x"}}, "without fields"},
	{{{.name = "a", .type = PARAM_QUEUE_SIZE, .doc = "x", .offset = 16}},
	 "outside of its struct"},
	{{{.name = "a", .type = PARAM_INT, .doc = "x", .def = "1", .flags = PARAM_REQUIRED}},
	 "with a default"},
};

START_TEST(test_faults)
{
	struct model_class faulty = {.kind = &kind_driver,
				     .name = "faulty",
				     .doc = "x",
				     .source = "x",
				     .params_size = sizeof(struct holder),
				     .params = faults[_i].params};
	const struct model_class *classes[] = {&netdev, &faulty, NULL};
	const struct registry reg = {.classes = classes};
	struct errors errors;
	GString *text;

	errors_init(&errors);
	registry_check(&reg, &errors);
	text = errors_text(&errors);
	ck_assert_msg(strstr(text->str, faults[_i].words), "wanted \"%s\" in:\n%s",
		      faults[_i].words, text->str);
	g_string_free(text, TRUE);
	errors_clear(&errors);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("registry");
	TCase *tc = tcase_create("registry");
	SRunner *sr;
	int failed;

	tcase_add_test(tc, test_builtin);
	tcase_add_loop_test(tc, test_faults, 0, sizeof(faults) / sizeof(faults[0]));
	suite_add_tcase(s, tc);
	sr = srunner_create(s);
	srunner_run_all(sr, CK_NORMAL);
	failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
