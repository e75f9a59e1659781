// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Claim: objects live as engine/model.h says: made in order, parts behind their owner, finished in the
 * reverse order, audited by name; classes are found by kind and name.
 *
 * Set-up: toy models with and without a part in their slot.
 *
 * Expected: exact counts and texts.
 */
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "check-main.h"
#include "measure/metrics.h"
#include "toy-model.h"

static struct toy_params plain(void)
{
	return (struct toy_params){
		.on = 1,
		.count = 4,
		.period = 10 * SIM_MS,
		.rate = 10000000,
		.parcel = 1250,
		.deadline = 35 * SIM_MS,
	};
}

START_TEST(parts_stand_behind_their_owner)
{
	struct toy_soft_params soft = {.factor = 2000000};
	struct toy_params p = plain();
	struct sim *sim = sim_new(3);
	char path[] = "a.toy";
	struct toy *toy;

	p.spring = (struct slot){.cls = &test_toy_soft, .params = &soft, .path = "a.toy.spring"};
	toy = (struct toy *)object_new(sim, &test_toy, path, &p, NULL);
	path[0] = 'X'; /* it was copied */
	ck_assert_uint_eq(sim->n_objects, 2);
	ck_assert_ptr_eq(sim->objects[0], &toy->obj);
	ck_assert_ptr_eq(sim->objects[1], toy->spring);
	ck_assert_str_eq(toy->obj.path, "a.toy");
	ck_assert_ptr_eq(toy->obj.params, &p);
	ck_assert_ptr_null(toy->obj.owner);
	ck_assert_str_eq(toy->spring->path, "a.toy.spring");
	ck_assert_ptr_eq(toy->spring->owner, &toy->obj);
	ck_assert_uint_eq(toy->spring->id, 1);
	ck_assert_uint_eq((uintptr_t)toy % 64, 0);
	objects_start(sim);
	ck_assert_uint_eq(toy->n_started, 1);
	metrics_clear(sim);
	sim_free(sim);
}
END_TEST

/* Many, so that the array grows; each finished once, and released once when all are finished. */
START_TEST(every_object_is_finished)
{
	struct toy_params p = plain();
	struct sim *sim = sim_new(3);
	uint64_t finished = 0, released = 0;
	char path[32];

	for (int i = 0; i < 200; i++) {
		struct toy *toy;

		snprintf(path, sizeof(path), "t%d", i);
		toy = (struct toy *)object_new(sim, &test_toy, path, &p, NULL);
		toy->n_finished = &finished;
		toy->n_released = &released;
	}
	ck_assert_uint_eq(sim->n_objects, 200);
	ck_assert_str_eq(sim->objects[150]->path, "t150");
	objects_free(sim);
	ck_assert_uint_eq(finished, 200);
	ck_assert_uint_eq(released, 200 * 200);
	ck_assert_uint_eq(sim->n_objects, 0);
	metrics_clear(sim);
	sim_free(sim);
	ck_assert_uint_eq(finished, 200);
}
END_TEST

static void audit(struct sim *sim, void *arg)
{
	*(uint64_t *)arg = objects_audit(sim);
}

START_TEST(audit_names_what_is_lost)
{
	static const int64_t delay = SIM_SEC;
	struct toy_params p = plain();
	struct sim *sim = sim_new(3);
	uint64_t held = 0;
	struct toy *toy;

	p.delays.n = 1;
	p.delays.items = &delay;
	toy = (struct toy *)object_new(sim, &test_toy, "a.toy", &p, NULL);
	objects_start(sim);
	ck_assert_int_eq(sim_run(sim, 100 * SIM_MS), 0);
	ck_assert_int_eq(sim_call(sim, audit, &held), 0);
	ck_assert_uint_eq(held, 6); /* three on the shelf, and the same three in their lanes */
	toy->held--;
	ck_assert_int_eq(sim_call(sim, audit, &held), -1);
	ck_assert_str_eq(sim->error, "a.toy: queue: 3 packets in, but 0 out, 0 dropped and 2 held "
				     "(at 0.100000000 s)");
	metrics_clear(sim);
	sim_free(sim);
}
END_TEST

START_TEST(classes_by_kind_and_name)
{
	ck_assert_ptr_eq(registry_find(&toy_registry, &toy_kind, "toy"), &test_toy);
	ck_assert_ptr_eq(registry_find(&toy_registry, &toy_spring_kind, "soft"), &test_toy_soft);
	ck_assert_ptr_null(registry_find(&toy_registry, &toy_kind, "soft"));
	ck_assert_ptr_null(registry_find(&toy_registry, &toy_spring_kind, "sof"));
}
END_TEST

static void error_is(void *arg, const char *param, const char *msg)
{
	ck_assert_str_eq(param, "corner.left");
	ck_assert_str_eq(msg, "left (3) must not be right of right (2)");
	++*(int *)arg;
}

START_TEST(check_tells_the_parameter)
{
	struct toy_params p = plain();
	int errors = 0;
	struct model_check c = {.arg = &errors, .error = error_is, .kernel = "6.1"};

	test_toy.ops->check(&p, &c);
	ck_assert_int_eq(errors, 0);
	p.corner.left = 3;
	p.corner.right = 2;
	test_toy.ops->check(&p, &c);
	ck_assert_int_eq(errors, 1);
}
END_TEST

START_TEST(an_empty_slot_is_no_object)
{
	struct sim *sim = sim_new(3);
	struct slot slot = {.path = "nowhere"};

	ck_assert_ptr_null(object_from_slot(sim, &slot, NULL));
	ck_assert_uint_eq(sim->n_objects, 0);
	metrics_clear(sim);
	sim_free(sim);
}
END_TEST

CHECK_MAIN("model", parts_stand_behind_their_owner, every_object_is_finished,
	   audit_names_what_is_lost, classes_by_kind_and_name, check_tells_the_parameter,
	   an_empty_slot_is_no_object)
