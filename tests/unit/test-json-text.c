// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Claim: JSON that is written member by member is to the byte what jansson makes of the same document, in lines and
 * compact.
 * Set-up: documents with every kind of value, empty and nested brackets, names and strings with what has to be escaped; and
 * numbers of all sizes with all counts of decimals, drawn.
 * Expected: equal texts. No tolerance.
 */
#include <glib.h>
#include <stdlib.h>

#include "check-main.h"
#include "engine/draw.h"
#include "sweep/decimal.h"
#include "sweep/json-text.h"

#define NUMBERS 20000

static void compare(const json_t *doc)
{
	for (int compact = 0; compact < 2; compact++) {
		struct json_text t = {.out = g_string_new(NULL), .compact = compact};
		char *want = json_dumps(doc, RESULT_JSON | JSON_ENCODE_ANY |
						     (compact ? JSON_COMPACT : JSON_INDENT(2)));

		json_text_value(&t, doc);
		ck_assert_str_eq(t.out->str, want);
		g_string_free(t.out, TRUE);
		free(want);
	}
}

START_TEST(documents)
{
	static const char *const texts[] = {
		"{}",
		"[]",
		"7",
		"-3.25",
		"\"\"",
		"[[], {}, [[]], {\"a\": {}}]",
		"{\"format\": 1, \"yes\": true, \"no\": false, \"none\": null, \"v\": [1, [2.5, -3], \"x\"]}",
		"{\"a b\": \"line\\nbreak, tab\\t, \\u0001, \\u007f, quote \\\", slash /, back \\\\\", \"\\u00fc\": \"\\u00e9 \\ud83d\\ude00\"}",
		"[1e-5, 1.5e-7, 1e22, 123456789012345680000]",
		"[9223372036854775807, -9223372036854775808, 0]",
		"[[[[[[[[[[[[[[[[[[[[1]]]]]]]]]]]]]]]]]]]]",
	};

	for (size_t i = 0; i < G_N_ELEMENTS(texts); i++) {
		json_t *doc = json_loads(texts[i], JSON_DECODE_ANY, NULL);

		if (!doc) /* an integer that is too large is a real */
			doc = json_loads(texts[i], JSON_DECODE_ANY | JSON_DECODE_INT_AS_REAL, NULL);
		ck_assert_ptr_nonnull(doc);
		compare(doc);
		json_decref(doc);
	}
}
END_TEST

static int64_t power(uint32_t n)
{
	int64_t p = 1;

	while (n--)
		p *= 10;
	return p;
}

START_TEST(numbers)
{
	struct draw d;

	draw_init(&d, 1, "numbers", "test");
	for (uint32_t i = 0; i < NUMBERS; i++) {
		/* of up to 18 digits, the last few of which are zeros */
		int64_t end = power(draw_next_below(&d, 8));
		int64_t micro = (int64_t)(draw_bits(d.key, NUMBERS + i) %
					  (uint64_t)power(draw_next_below(&d, 19)));
		struct json_text t = {.out = g_string_new(NULL)};
		json_t *value;
		char *want;

		micro = micro / end * end * (draw_next_below(&d, 2) ? 1 : -1);
		value = decimal_json(micro);
		want = json_dumps(value, RESULT_JSON | JSON_ENCODE_ANY);
		json_text_micro(&t, micro);
		ck_assert_str_eq(t.out->str, want);
		g_string_free(t.out, TRUE);
		json_decref(value);
		free(want);
	}
}
END_TEST

CHECK_MAIN("json-text", documents, numbers)
