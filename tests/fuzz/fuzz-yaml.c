// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Whatever bytes it is given, the reader ends in time with a scenario or with errors, and frees what it took. With
 * clang this is a libFuzzer target (build/tests/fuzz/fuzz-yaml CORPUS); else main() changes the files of a folder by
 * a fixed draw: `fuzz-yaml-loop FOLDER ROUNDS`.
 */
#include <glib.h>
#include <stdio.h>
#include <string.h>

#include "engine/draw.h"
#include "scenario/expand.h"
#include "scenario/show.h"
#include "toy-net.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* A sweep of what is left is bound too, as long as it is small. */
static bool is_small(const struct scenario *s)
{
	uint64_t n = MAX(s->n_cases, 1);

	for (uint32_t i = 0; i < s->n_axes; i++)
		n *= s->axes[i].n_values;
	return n <= 64;
}

static void use(const struct scenario *s, struct errors *errors)
{
	struct config *c = scenario_bind(s, -1, NULL, errors);

	if (c) {
		json_decref(config_params(c));
		g_string_free(show_config(s, c, NULL), TRUE);
		config_free(c);
	}
	if (is_small(s))
		expansion_free(scenario_expand(s, errors));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct errors errors;
	struct scenario *s;

	errors_init(&errors);
	s = scenario_load_text((const char *)data, size, "fuzz.yaml", toy_net_registry(), NULL, 0,
			       &errors);
	g_assert(!s == errors_any(&errors));
	if (s)
		use(s, &errors);
	scenario_free(s);
	g_string_free(errors_text(&errors), TRUE);
	json_decref(errors_json(&errors));
	errors_clear(&errors);
	return 0;
}

#ifndef WITH_LIBFUZZER

static const char *const words[] = {
	"&a ",
	"*a",
	"<<: ",
	": ",
	"- ",
	"[",
	"]",
	"{",
	"}",
	", ",
	"\n",
	"  ",
	"\t",
	"\"",
	"'",
	"|\n",
	"!!int ",
	"---\n",
	"...\n",
	"%",
	"#",
	"0x",
	"1e999",
	"-1",
	"010",
	".inf",
	"null",
	"true",
	"yes",
	"ms",
	"Mbit",
	"KiB",
	"*",
	"count: 9",
	"model: ",
	"sta*.",
	"kernel: ",
	"include: x\n",
	"laptop",
	".wlan0",
	".ring",
	"\xff",
	"\xef\xbb\xbf",
	"cases:\n",
	"sweep:\n",
	"changes:\n",
	"expect:\n",
	"calibration:\n",
	"plots:\n",
	"99999999999999999999",
};

static void mutate(GByteArray *text, struct draw *d, const GPtrArray *seeds)
{
	uint32_t at = draw_next_below(d, text->len + 1), n;
	const GByteArray *other;
	const char *word;

	switch (draw_next_below(d, 6)) {
	case 0: /* one byte */
		if (at < text->len)
			text->data[at] = (uint8_t)draw_next_below(d, 256);
		return;
	case 1: /* some go */
		n = draw_next_below(d, 12);
		g_byte_array_remove_range(text, at, MIN(n, text->len - at));
		return;
	case 2: /* some come twice */
		n = draw_next_below(d, 40);
		n = MIN(n, text->len - at);
		other = g_byte_array_append(g_byte_array_new(), text->data + at, n);
		g_byte_array_append(text, other->data, other->len);
		g_byte_array_unref((GByteArray *)other);
		return;
	case 3: /* the end of another */
		other = seeds->pdata[draw_next_below(d, seeds->len)];
		n = draw_next_below(d, other->len + 1);
		g_byte_array_set_size(text, at);
		g_byte_array_append(text, other->data + n, other->len - n);
		return;
	default: /* a word that means something */
		word = words[draw_next_below(d, G_N_ELEMENTS(words))];
		n = (uint32_t)strlen(word);
		g_byte_array_set_size(text, text->len + n);
		memmove(text->data + at + n, text->data + at, text->len - n - at);
		memcpy(text->data + at, word, n);
	}
}

static gint by_name(gconstpointer a, gconstpointer b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The files in order of name, so that the draw gives the same on every machine. */
static GPtrArray *read_seeds(const char *folder)
{
	GPtrArray *names = g_ptr_array_new_with_free_func(g_free), *seeds = g_ptr_array_new();
	GDir *dir = g_dir_open(folder, 0, NULL);
	const char *name;

	while (dir && (name = g_dir_read_name(dir)))
		if (g_str_has_suffix(name, ".yaml"))
			g_ptr_array_add(names, g_build_filename(folder, name, NULL));
	if (dir)
		g_dir_close(dir);
	g_ptr_array_sort(names, by_name);
	for (guint i = 0; i < names->len; i++) {
		char *text;
		gsize len;

		if (g_file_get_contents(names->pdata[i], &text, &len, NULL))
			g_ptr_array_add(seeds, g_byte_array_new_take((guint8 *)text, len));
	}
	g_ptr_array_free(names, TRUE);
	return seeds;
}

int main(int argc, char **argv)
{
	GPtrArray *seeds = argc == 3 ? read_seeds(argv[1]) : NULL;
	int rounds = argc == 3 ? atoi(argv[2]) : 0;
	struct draw d = {.key = draw_key(1, "fuzz-yaml")};

	if (!seeds || !seeds->len) {
		fprintf(stderr, "usage: fuzz-yaml-loop FOLDER ROUNDS\n");
		return 2;
	}
	for (int i = 0; i < rounds; i++) {
		const GByteArray *seed = seeds->pdata[draw_next_below(&d, seeds->len)];
		GByteArray *text = g_byte_array_append(g_byte_array_new(), seed->data, seed->len);

		for (uint32_t n = 1 + draw_next_below(&d, 8); n; n--)
			mutate(text, &d, seeds);
		LLVMFuzzerTestOneInput(text->data, text->len);
		g_byte_array_unref(text);
	}
	for (guint i = 0; i < seeds->len; i++)
		g_byte_array_unref(seeds->pdata[i]);
	g_ptr_array_free(seeds, TRUE);
	printf("%d rounds\n", rounds);
	return 0;
}

#endif
