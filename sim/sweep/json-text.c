// SPDX-License-Identifier: GPL-3.0-or-later
#include "sweep/json-text.h"

#include <stdlib.h>
#include <string.h>

#include "sweep/decimal.h"

#define INDENT 2u

/* Decimals of at most 15 digits, the precision of RESULT_JSON, and not so small that they get an exponent. */
#define PLAIN_MAX 1000000000000000
#define PLAIN_MIN 100

/* ---- structure ------------------------------------------------------------------------------ */

static void new_line(struct json_text *t)
{
	static const char blanks[] = "                                ";
	uint32_t left = t->depth * INDENT;

	if (t->compact)
		return;
	g_string_append_c(t->out, '\n');
	while (left) {
		uint32_t n = left < sizeof(blanks) - 1 ? left : sizeof(blanks) - 1;

		g_string_append_len(t->out, blanks, n);
		left -= n;
	}
}

/* What stands before a member. */
static void begin(struct json_text *t)
{
	if (t->named) {
		t->named = false;
		return;
	}
	if (t->filled)
		g_string_append_c(t->out, ',');
	if (t->depth)
		new_line(t);
	t->filled = true;
}

void json_text_open(struct json_text *t, char bracket)
{
	begin(t);
	g_string_append_c(t->out, bracket);
	t->depth++;
	t->filled = false;
}

void json_text_close(struct json_text *t, char bracket)
{
	t->depth--;
	if (t->filled)
		new_line(t);
	g_string_append_c(t->out, bracket);
	t->filled = true;
}

/* ---- values --------------------------------------------------------------------------------- */

/* What is rare is left to jansson. */
static void by_jansson(struct json_text *t, json_t *value)
{
	char *text = json_dumps(value, RESULT_JSON | JSON_ENCODE_ANY);

	if (!text)
		abort();
	g_string_append(t->out, text);
	free(text);
	json_decref(value);
}

/* The length of @text when it can be written as it is, else -1. */
static gssize plain_length(const char *text)
{
	const unsigned char *c = (const unsigned char *)text;

	for (; *c; c++)
		if (*c < ' ' || *c > 0x7f || *c == '"' || *c == '\\')
			return -1;
	return (const char *)c - text;
}

static void quoted(struct json_text *t, const char *text)
{
	gssize len = plain_length(text);
	char *valid;

	if (len < 0) {
		valid = g_utf8_make_valid(text, -1);
		by_jansson(t, json_string(valid));
		g_free(valid);
		return;
	}
	g_string_append_c(t->out, '"');
	g_string_append_len(t->out, text, len);
	g_string_append_c(t->out, '"');
}

void json_text_key(struct json_text *t, const char *key)
{
	begin(t);
	quoted(t, key);
	g_string_append_len(t->out, ": ", t->compact ? 1 : 2);
	t->named = true;
}

void json_text_string(struct json_text *t, const char *text)
{
	begin(t);
	quoted(t, text);
}

/* @n in decimal, in front of @end; returns where it begins. */
static char *digits(char *end, uint64_t n)
{
	do {
		*--end = (char)('0' + n % 10);
	} while (n /= 10);
	return end;
}

void json_text_integer(struct json_text *t, int64_t value)
{
	char buf[MICRO_TEXT], *end = buf + sizeof(buf);
	char *first = digits(end, value < 0 ? 0 - (uint64_t)value : (uint64_t)value);

	begin(t);
	if (value < 0)
		*--first = '-';
	g_string_append_len(t->out, first, end - first);
}

void json_text_micro(struct json_text *t, int64_t micro)
{
	uint64_t abs = micro < 0 ? 0 - (uint64_t)micro : (uint64_t)micro, part = abs % MICRO;
	char buf[MICRO_TEXT], *end = buf + sizeof(buf), *first;

	if (!part) {
		json_text_integer(t, micro / MICRO);
		return;
	}
	begin(t);
	if (abs < PLAIN_MIN || abs >= PLAIN_MAX) {
		by_jansson(t, decimal_json(micro));
		return;
	}
	first = digits(end, part + MICRO);
	*first = '.'; /* in place of the 1, which kept its zeros */
	first = digits(first, abs / MICRO);
	if (micro < 0)
		*--first = '-';
	while (end[-1] == '0')
		end--;
	g_string_append_len(t->out, first, end - first);
}

static void put_object(struct json_text *t, const json_t *object)
{
	const char *key;
	json_t *value;

	json_text_open(t, '{');
	json_object_foreach((json_t *)object, key, value)
	{
		json_text_key(t, key);
		json_text_value(t, value);
	}
	json_text_close(t, '}');
}

static void put_array(struct json_text *t, const json_t *array)
{
	json_text_open(t, '[');
	for (size_t i = 0; i < json_array_size(array); i++)
		json_text_value(t, json_array_get(array, i));
	json_text_close(t, ']');
}

void json_text_value(struct json_text *t, const json_t *value)
{
	switch (json_typeof(value)) {
	case JSON_OBJECT:
		put_object(t, value);
		break;
	case JSON_ARRAY:
		put_array(t, value);
		break;
	case JSON_STRING:
		json_text_string(t, json_string_value(value));
		break;
	case JSON_INTEGER:
		json_text_integer(t, json_integer_value(value));
		break;
	default:
		begin(t);
		by_jansson(t, json_incref((json_t *)value));
	}
}
