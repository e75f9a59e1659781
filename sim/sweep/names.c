// SPDX-License-Identifier: GPL-3.0-or-later
#include "sweep/names.h"

#include <string.h>

static int compare(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

void names_sort(GPtrArray *names)
{
	g_ptr_array_sort(names, compare);
}
