/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/*
 * Large tables come from the system page by page, as they are written: of thousands of flows a run uses few. malloc()
 * would clear what it has had before.
 */
#ifndef WLANQ_SHIM_LINUX_SLAB_H
#define WLANQ_SHIM_LINUX_SLAB_H

#include <stddef.h>
#include <stdlib.h>
#include <sys/mman.h>

#define GFP_KERNEL		 0
#define kvcalloc(n, size, flags) ((void)(flags), kv_zalloc(n, size))

#define KV_MAPPED 32768 /* bytes from which on the system is asked */
#define KV_HEAD	  64

/* Before what is given out, which keeps the alignment of malloc() or of a page's line. */
struct kv_head {
	size_t mapped; /* bytes, 0: malloc()ed */
	char line[KV_HEAD - sizeof(size_t)];
};

static inline void *kv_zalloc(size_t n, size_t size)
{
	struct kv_head *head;
	size_t bytes;

	if (__builtin_mul_overflow(n, size, &bytes) ||
	    __builtin_add_overflow(bytes, sizeof(*head), &bytes))
		return NULL;
	if (bytes < KV_MAPPED) {
		head = calloc(1, bytes);
		return head ? head + 1 : NULL;
	}
	head = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (head == MAP_FAILED)
		return NULL;
	head->mapped = bytes;
	return head + 1;
}

static inline void kvfree(const void *p)
{
	struct kv_head *head;

	if (!p)
		return;
	head = (struct kv_head *)p - 1;
	if (head->mapped)
		munmap(head, head->mapped);
	else
		free(head);
}

#endif
