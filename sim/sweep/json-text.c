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

/* Room for @n bytes more, which are then a part of the text. */
static char *room(struct json_text *t, size_t n)
{
	GString *out = t->out;
	gsize len = out->len;

	if (__builtin_expect(len + n >= out->allocated_len, 0))
		g_string_set_size(out, 2 * (len + n));
	out->len = len + n;
	out->str[len + n] = '\0';
	return out->str + len;
}

static void put(struct json_text *t, const char *text, size_t n)
{
	memcpy(room(t, n), text, n);
}

static void put_char(struct json_text *t, char c)
{
	*room(t, 1) = c;
}

static void new_line(struct json_text *t)
{
	size_t blanks = t->depth * INDENT;
	char *line;

	if (t->compact)
		return;
	line = room(t, blanks + 1);
	*line = '\n';
	memset(line + 1, ' ', blanks);
}

/* What stands before a member. */
static void begin(struct json_text *t)
{
	if (t->named) {
		t->named = false;
		return;
	}
	if (t->filled)
		put_char(t, ',');
	if (t->depth)
		new_line(t);
	t->filled = true;
}

void json_text_open(struct json_text *t, char bracket)
{
	begin(t);
	put_char(t, bracket);
	t->depth++;
	t->filled = false;
}

void json_text_close(struct json_text *t, char bracket)
{
	t->depth--;
	if (t->filled)
		new_line(t);
	put_char(t, bracket);
	t->filled = true;
}

/* ---- values --------------------------------------------------------------------------------- */

/* What is rare is left to jansson. */
static void by_jansson(struct json_text *t, json_t *value)
{
	char *text = json_dumps(value, RESULT_JSON | JSON_ENCODE_ANY);

	if (!text)
		abort();
	put(t, text, strlen(text));
	free(text);
	json_decref(value);
}

#define BYTES(b) (0x0101010101010101u * (uint64_t)(b))

/* The highest bit of each byte of @x that is below @n, in the lowest such byte at least; all are below 0x80. */
static inline uint64_t below(uint64_t x, uint8_t n)
{
	return (x - BYTES(n)) & ~x & BYTES(0x80);
}

/* Not 0 when one of these eight bytes cannot stand in a string as it is. */
static inline uint64_t odd_word(const char *text)
{
	uint64_t x;

	memcpy(&x, text, sizeof(x));
	return (x & BYTES(0x80)) | below(x, ' ') | below(x ^ BYTES('"'), 1) |
	       below(x ^ BYTES('\\'), 1);
}

static bool plain(const char *text, size_t n)
{
	char few[sizeof(uint64_t)] = "        ";
	uint64_t odd = 0;

	if (n < sizeof(few)) {
		memcpy(few, text, n);
		return !odd_word(few);
	}
	for (size_t i = 0; i + sizeof(few) < n; i += sizeof(few))
		odd |= odd_word(text + i);
	/* the last eight, whether or not they have been looked at */
	return !(odd | odd_word(text + n - sizeof(few)));
}

static void quoted(struct json_text *t, const char *text)
{
	size_t n = strlen(text);
	char *to, *valid;

	if (plain(text, n)) {
		to = room(t, n + 2);
		to[0] = '"';
		memcpy(to + 1, text, n);
		to[n + 1] = '"';
		return;
	}
	valid = g_utf8_make_valid(text, -1);
	by_jansson(t, json_string(valid));
	g_free(valid);
}

/* What most keys are, in one piece: comma, line, blanks, the name in quotes and the colon. */
static bool plain_key(struct json_text *t, const char *key)
{
	size_t n = strlen(key), blanks = t->compact ? 0 : t->depth * INDENT + 1;
	size_t comma = t->filled, colon = t->compact ? 1 : 2;
	char *to;

	if (t->named || !t->depth || !plain(key, n))
		return false;
	to = room(t, comma + blanks + n + 2 + colon);
	if (comma)
		*to++ = ',';
	if (blanks) {
		*to = '\n';
		memset(to + 1, ' ', blanks - 1);
		to += blanks;
	}
	*to++ = '"';
	memcpy(to, key, n);
	to += n;
	memcpy(to, "\": ", 1 + colon);
	t->filled = true;
	return true;
}

void json_text_key(struct json_text *t, const char *key)
{
	if (plain_key(t, key)) {
		t->named = true;
		return;
	}
	begin(t);
	quoted(t, key);
	put(t, ": ", t->compact ? 1 : 2);
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
	put(t, first, (size_t)(end - first));
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
	put(t, first, (size_t)(end - first));
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
