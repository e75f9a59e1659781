/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * JSON written member by member, without a tree in between: a run's thousands of metrics cost a copy of each name and a
 * number each. The text is to the byte what jansson makes of the same document with RESULT_JSON and either
 * JSON_INDENT(2) or JSON_COMPACT (a test).
 */
#ifndef WLANQ_SWEEP_JSON_TEXT_H
#define WLANQ_SWEEP_JSON_TEXT_H

#include <glib.h>
#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

struct json_text {
	GString *out; /* the caller's; text is added to it */
	bool compact; /* else a line each member, two blanks a level */
	uint32_t depth;
	bool filled; /* what is open has a member */
	bool named; /* a key was written, its value follows */
};

/* @bracket: '{' or '['. Each that is opened is to be closed. */
void json_text_open(struct json_text *t, char bracket);
void json_text_close(struct json_text *t, char bracket);

/* The name of the member whose value comes next. */
void json_text_key(struct json_text *t, const char *key);

/* Values: of an array, of the key before, or the document. */
void json_text_string(struct json_text *t, const char *text);
void json_text_integer(struct json_text *t, int64_t value);
void json_text_micro(struct json_text *t, int64_t micro); /* as decimal_json() */
void json_text_value(struct json_text *t, const json_t *value);

#endif
