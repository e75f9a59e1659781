// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
#include <asm/bug.h>

#include <stdio.h>
#include <stdlib.h>

void kernel_bug(const char *file, int line, const char *what)
{
	fprintf(stderr, "kernel code found a bug: %s (%s:%d)\n", what, file, line);
	abort();
}
