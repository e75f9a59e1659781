// SPDX-License-Identifier: GPL-3.0-or-later
#include "sweep/csv.h"

#include <string.h>

void csv_append(GString *out, const char *field, char end)
{
	if (!strpbrk(field, ",\"\r\n")) {
		g_string_append(out, field);
		g_string_append_c(out, end);
		return;
	}
	g_string_append_c(out, '"');
	for (; *field; field++) {
		if (*field == '"')
			g_string_append_c(out, '"');
		g_string_append_c(out, *field);
	}
	g_string_append_c(out, '"');
	g_string_append_c(out, end);
}

/* One field from @p on, into @out; returns what follows it, NULL on a bad quote. */
static const char *csv_field(const char *p, GString *out, guint *line)
{
	g_string_truncate(out, 0);
	if (*p != '"') {
		size_t len = strcspn(p, ",\"\r\n");

		g_string_append_len(out, p, (gssize)len);
		return p[len] == '"' ? NULL : p + len;
	}
	for (p++; *p; p++) {
		if (*p == '"') {
			if (p[1] != '"')
				return strchr(",\r\n", p[1]) ? p + 1 : NULL;
			p++;
		}
		*line += *p == '\n';
		g_string_append_c(out, *p);
	}
	return NULL;
}

GPtrArray *csv_parse(const char *text, GError **error)
{
	GPtrArray *lines = g_ptr_array_new_with_free_func((GDestroyNotify)g_ptr_array_unref);
	GString *field = g_string_new(NULL);
	GPtrArray *fields = NULL;
	guint line = 1;

	while (*text) {
		if (!fields) {
			fields = g_ptr_array_new_with_free_func(g_free);
			g_ptr_array_add(lines, fields);
		}
		text = csv_field(text, field, &line);
		if (!text) {
			g_set_error(error, G_FILE_ERROR, G_FILE_ERROR_INVAL, "bad quote in line %u",
				    line);
			g_clear_pointer(&lines, g_ptr_array_unref);
			break;
		}
		g_ptr_array_add(fields, g_strdup(field->str));
		if (*text == ',') {
			text++;
			/* A comma at the very end has an empty field behind it. */
			if (!*text)
				g_ptr_array_add(fields, g_strdup(""));
			continue;
		}
		text += *text == '\r';
		text += *text == '\n';
		line++;
		fields = NULL;
	}
	g_string_free(field, TRUE);
	return lines;
}
