// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Claim: validate shows each value with its origin and place and each queue in packets, bytes and milliseconds;
 * models and schema tell everything that is declared. Set-up: the toy network; a run with toys for the queues.
 * Expected: exact lines; every class and every key of every table is in the schema.
 */
#include "reader-lab.h"

#include "scenario/show-queue.h"
#include "scenario/show.h"

static struct lab lab;

static void has(const GString *text, const char *line)
{
	ck_assert_msg(strstr(text->str, line), "wanted \"%s\" in:\n%s", line, text->str);
}

START_TEST(test_config)
{
	GString *text;
	json_t *o, *row;
	size_t i;
	bool seen = false;

	lab_open(&lab,
		 LAB_HEAD
		 "nodes:\n" LAB_NODES "  sta: {count: 3, interfaces: {wlan0: {driver: ath9k}}}\n"
		 "links: {air: {model: wifi, members: [laptop.wlan0, ap.wlan0, sta*.wlan0]}}\n",
		 "sta3.hz=1000");
	text = show_config(lab.s, lab.c, NULL);
	has(text, "kernel 2.6.32, duration 10s, warm-up 0s, core builtin\n");
	has(text,
	    "  laptop.wlan0.ring                      100                    file lab.yaml:7\n");
	has(text, "  laptop.tcp.initial_cwnd                3                      era\n");
	has(text, "  laptop.wlan0.low_mark                  -                      declared\n");
	has(text, "  sta2: as sta1\n");
	has(text, "  sta3.hz                                1000                   set\n");
	has(text,
	    "  sta1.wlan0.qlen                        {vo: 123, vi: 123, be: 123, bk: 123} declared\n");
	has(text,
	    "  air.members                            [laptop.wlan0, ap.wlan0, sta1.wlan0, sta2.wlan0, "
	    "sta3.wlan0] file lab.yaml:10\n");
	g_string_free(text, TRUE);

	o = show_config_json(lab.s, lab.c, NULL);
	ck_assert_int_eq(json_integer_value(json_object_get(o, "format")), 1);
	json_array_foreach(json_object_get(o, "values"), i, row)
	{
		if (strcmp(json_string_value(json_object_get(row, "path")), "laptop.wlan0.ring"))
			continue;
		seen = true;
		ck_assert_int_eq(json_integer_value(json_object_get(row, "value")), 100);
		ck_assert_str_eq(json_string_value(json_object_get(row, "origin")), "file");
		ck_assert_int_eq(json_integer_value(json_object_get(row, "line")), 7);
	}
	ck_assert(seen);
	json_decref(o);
	lab_close(&lab);
}
END_TEST

START_TEST(test_errors_json)
{
	json_t *o, *list, *e;

	lab_load(&lab, "name: x\nduration: 10s\nnodes:\n  a: &a {hz: 1}\n  b: *a\n", NULL);
	o = show_errors_json(&lab.errors);
	list = json_object_get(o, "errors");
	ck_assert_uint_eq(json_array_size(list), 2);
	e = json_array_get(list, 0);
	ck_assert_str_eq(json_string_value(json_object_get(e, "file")), "lab.yaml");
	ck_assert_int_eq(json_integer_value(json_object_get(e, "line")), 4);
	ck_assert_int_eq(json_integer_value(json_object_get(e, "col")), 14);
	e = json_object_get(json_array_get(list, json_object_get(e, "via") ? 0 : 1), "via");
	ck_assert_int_eq(json_integer_value(json_object_get(e, "line")), 5);
	json_decref(o);
	lab_close(&lab);
}
END_TEST

/* ---- queues -------------------------------------------------------------------------------- */

/* The parts of "laptop.wlan0": a ring without a rate, a qdisc without one, a rate control that knows it. */
static void tell(const struct object *obj, struct model_describe *d)
{
	if (g_str_has_suffix(obj->path, ".rate_control"))
		d->queue(d->arg, "", -1, -1, 8000000);
	else if (g_str_has_suffix(obj->path, ".qdisc"))
		d->queue(d->arg, "qdisc", -1, 15140, 0);
	else if (g_str_has_suffix(obj->path, ".eth0"))
		d->queue(d->arg, "ring", 10, -1, 100000000);
	else
		d->queue(d->arg, "ring", 1000, -1, 0);
}

START_TEST(test_queues)
{
	static const struct model_ops ops = {.describe = tell};
	static const struct model_class cls = {
		.kind = &toy_kind, .name = "teller", .size = sizeof(struct object), .ops = &ops};
	static const char *const paths[] = {"laptop.wlan0", "laptop.wlan0.qdisc",
					    "laptop.wlan0.rate_control", "laptop.eth0",
					    "laptop.eth0.qdisc"};
	struct sim *sim = sim_new(1);
	GString *text = g_string_new(NULL);
	json_t *list;

	for (size_t i = 0; i < G_N_ELEMENTS(paths); i++)
		object_new(sim, &cls, paths[i], NULL, NULL);
	queues_text(sim, text);
	has(text,
	    "  laptop.wlan0.ring                            1000      1514000     1514.000  8Mbit\n");
	has(text,
	    "  laptop.wlan0.qdisc                             10        15140       15.140  8Mbit\n");
	has(text,
	    "  laptop.eth0.ring                               10        15140        1.211  100Mbit\n");
	has(text,
	    "  laptop.eth0.qdisc                              10        15140        1.211  100Mbit\n");
	ck_assert_ptr_null(strstr(text->str, "rate_control"));
	list = queues_json(sim);
	ck_assert_uint_eq(json_array_size(list), 4);
	ck_assert_int_eq(json_integer_value(json_object_get(json_array_get(list, 0), "packets")),
			 1000);
	json_decref(list);
	g_string_free(text, TRUE);
	objects_free(sim);
	sim_free(sim);
}
END_TEST

/* ---- models, schema ------------------------------------------------------------------------ */

START_TEST(test_models)
{
	const struct registry *reg = toy_net_registry();
	struct errors errors;
	GString *text = show_models(reg);

	errors_init(&errors);
	has(text, "qdisc: a queueing discipline\n  pfifo_fast        Three bands\n");
	g_string_free(text, TRUE);
	text = show_model(reg, "iwl3945", &errors);
	has(text, "iwl3945 (driver)\n");
	has(text, "  ring                  Frames before the queue stops\n"
		  "                          count, 1 .. 4096; default 224\n");
	has(text, "  ring.{packets,bytes,sojourn_ms}.{min,mean,p50,p90,p95,p99,max}\n");
	has(text, "not modelled\n  Firmware scans.\n");
	g_string_free(text, TRUE);
	text = show_model(reg, "ethernet", &errors); /* a driver and a link */
	has(text, "ethernet (driver)\n");
	has(text, "\nethernet (link)\n");
	has(text, "; required\n");
	g_string_free(text, TRUE);
	text = show_model(reg, "link/ethernet", &errors);
	ck_assert_ptr_null(strstr(text->str, "(driver)"));
	g_string_free(text, TRUE);
	ck_assert_ptr_null(show_model(reg, "pfifo_fst", &errors));
	text = errors_text(&errors);
	has(text, "no model 'pfifo_fst'; did you mean 'pfifo_fast'?");
	g_string_free(text, TRUE);
	errors_clear(&errors);
}
END_TEST

START_TEST(test_schema)
{
	static const char *const keys[] = {"name",    "about",	     "kernel", "duration", "warmup",
					   "seed",    "repeat",	     "core",   "include",  "nodes",
					   "links",   "traffic",     "cases",  "sweep",	   "plots",
					   "changes", "calibration", "expect"};
	const struct registry *reg = toy_net_registry();
	json_t *schema = scenario_schema(reg), *defs = json_object_get(schema, "$defs");
	json_t *top = json_object_get(schema, "properties");

	for (size_t i = 0; i < G_N_ELEMENTS(keys); i++)
		ck_assert_msg(json_object_get(top, keys[i]) != NULL, "%s", keys[i]);
	ck_assert_uint_eq(json_object_size(top), G_N_ELEMENTS(keys));
	for (const struct model_class *const *c = reg->classes; *c; c++) {
		char *name = g_strdup_printf("%s-%s", (*c)->kind->name, (*c)->name);
		json_t *def = json_object_get(defs, name);

		ck_assert_msg(def != NULL, "%s", name);
		for (const struct param *p = (*c)->params; p && p->name; p++)
			ck_assert_msg(json_object_get(json_object_get(def, "properties"),
						      p->name) != NULL,
				      "%s.%s", name, p->name);
		g_free(name);
	}
	json_decref(schema);
}
END_TEST

int main(void)
{
	Suite *s = suite_create("show");
	TCase *tc = tcase_create("show");
	SRunner *sr;
	int failed;

	tcase_add_test(tc, test_config);
	tcase_add_test(tc, test_errors_json);
	tcase_add_test(tc, test_queues);
	tcase_add_test(tc, test_models);
	tcase_add_test(tc, test_schema);
	suite_add_tcase(s, tc);
	sr = srunner_create(s);
	srunner_run_all(sr, CK_NORMAL);
	failed = srunner_ntests_failed(sr);
	srunner_free(sr);
	return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
