/* SPDX-License-Identifier: GPL-3.0-or-later */
/* What the tests of the scenario reader share: a small document, and short ways to look at what came of it. */
#ifndef WLANQ_TESTS_READER_LAB_H
#define WLANQ_TESTS_READER_LAB_H

#include <check.h>
#include <string.h>

#include "scenario/expand.h"
#include "toy-net.h"

#define LAB_NODES                                     \
	"  laptop:\n"                                 \
	"    interfaces:\n"                           \
	"      wlan0: {driver: iwl3945, ring: 100}\n" \
	"  ap: {interfaces: {wlan0: {driver: iwl3945}}}\n"
#define LAB_REST                                                            \
	"links:\n  air: {model: wifi, members: [laptop.wlan0, ap.wlan0]}\n" \
	"traffic:\n  ping: {model: ping, from: laptop, to: ap}\n"
#define LAB_HEAD "name: lab\nduration: 10s\nkernel: \"2.6.32\"\n"
#define LAB	 LAB_HEAD "nodes:\n" LAB_NODES LAB_REST

struct lab {
	struct errors errors;
	struct scenario *s;
	struct config *c;
};

static inline void lab_load(struct lab *lab, const char *text, const char *set)
{
	const char *sets[] = {set};

	memset(lab, 0, sizeof(*lab));
	errors_init(&lab->errors);
	lab->s = scenario_load_text(text, strlen(text), "lab.yaml", toy_net_registry(), sets,
				    set != NULL, &lab->errors);
}

static inline void lab_told(const struct lab *lab, const char *words)
{
	GString *text = errors_text(&lab->errors);

	ck_assert_msg(strstr(text->str, words), "wanted \"%s\" in:\n%s", words, text->str);
	g_string_free(text, TRUE);
}

static inline void lab_fine(const struct lab *lab)
{
	GString *text = errors_text(&lab->errors);

	ck_assert_msg(!text->len, "%s", text->str);
	g_string_free(text, TRUE);
}

/* Binds a row; frees the one before. */
static inline void lab_bind(struct lab *lab, int32_t kase, const uint32_t *values)
{
	lab_fine(lab);
	config_free(lab->c);
	lab->c = scenario_bind(lab->s, kase, values, &lab->errors);
	lab_fine(lab);
}

/* The base row of a document, with one --set or NULL. */
static inline void lab_open(struct lab *lab, const char *text, const char *set)
{
	lab_load(lab, text, set);
	lab_bind(lab, -1, NULL);
}

static inline void lab_close(struct lab *lab)
{
	config_free(lab->c);
	scenario_free(lab->s);
	errors_clear(&lab->errors);
}

/* The value at a path, as compact JSON. */
static inline void lab_is(const struct lab *lab, const char *path, const char *want)
{
	json_t *v = config_param(lab->c, path);
	char *text = v ? json_dumps(v, JSON_ENCODE_ANY | JSON_COMPACT | JSON_SORT_KEYS) : NULL;

	ck_assert_msg(text && !strcmp(text, want), "%s: %s, wanted %s", path,
		      text ? text : "nothing", want);
	free(text);
	json_decref(v);
}

#endif
