// SPDX-License-Identifier: GPL-3.0-or-later
/* export TREE DIR: core_patch() alone, with its errors on stderr. */
#include <stdio.h>

#include "cli/core-patch.h"

int main(int argc, char **argv)
{
	GError *err = NULL;
	int n = argc == 3 ? core_patch(argv[1], argv[2], &err) : -1;

	if (n < 0) {
		fprintf(stderr, "%s\n", err ? err->message : "usage: export TREE DIR");
		return 2;
	}
	printf("%d patches\n", n);
	return 0;
}
