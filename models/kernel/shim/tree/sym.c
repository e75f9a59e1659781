// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Symbols whose arguments are only pointers and integers, under every name that a version of Linux gives them. No
 * header of the kernel declares them here, so a changed prototype cannot be in conflict; what they mean is said once.
 * Sizes, flags and errors have one meaning in all of 6.1 to 6.18.
 */
#include "shim.h"

/* From the C library. */
void *aligned_alloc(unsigned long align, unsigned long size);
void free(void *p);
void *memcpy(void *to, const void *from, unsigned long n);
void *memset(void *to, int c, unsigned long n);
unsigned long strlen(const char *s);
int vsnprintf(char *to, unsigned long size, const char *format, __builtin_va_list args);

struct seam_boot *seam_boot;
struct seam_user *seam_user;
int seam_preempt_count;
/* Of all zeros: no name, no flag, nothing pending. */
unsigned char seam_task[32768] __attribute__((aligned(64)));

void seam_trap(const char *symbol, const char *files)
{
	seam_boot->trap(seam_boot, symbol, files);
	__builtin_unreachable();
}

/* ---- memory ------------------------------------------------------------------------------------ */

/* What stands before each piece, so that all that is left can be given back at the end. */
struct piece {
	struct piece *next, *prev;
	unsigned long pad[6]; /* a cache line */
};

static struct piece pieces = {&pieces, &pieces, {0}};

/* Always zeroed, for the flag that asks for it has no fixed value. */
static void *alloc(unsigned long size)
{
	struct piece *p = aligned_alloc(64, (sizeof(*p) + size + 63) & ~63ul);

	if (!p)
		return (void *)0;
	memset(p + 1, 0, size);
	p->next = pieces.next;
	p->prev = &pieces;
	p->next->prev = p;
	pieces.next = p;
	return p + 1;
}

static void release(const void *memory)
{
	struct piece *p;

	/* ZERO_SIZE_PTR is small. */
	if ((unsigned long)memory < 4096)
		return;
	p = (struct piece *)memory - 1;
	p->next->prev = p->prev;
	p->prev->next = p->next;
	free(p);
}

void seam_halt(void)
{
	while (pieces.next != &pieces)
		release(pieces.next + 1);
}

/* Size classes that inline functions pass on together with the size. */
void *kmalloc_caches[512];

#define ALLOCATOR(name, ...)        \
	void *name(__VA_ARGS__)     \
	{                           \
		return alloc(size); \
	}
ALLOCATOR(__kmalloc, unsigned long size, unsigned int flags)
ALLOCATOR(__kmalloc_noprof, unsigned long size, unsigned int flags)
ALLOCATOR(__kmalloc_node, unsigned long size, unsigned int flags, int node)
ALLOCATOR(__kmalloc_node_noprof, unsigned long size, void *buckets, unsigned int flags, int node)
ALLOCATOR(kmalloc_large, unsigned long size, unsigned int flags)
ALLOCATOR(__kmalloc_large_noprof, unsigned long size, unsigned int flags)
ALLOCATOR(kmalloc_trace, void *cache, unsigned int flags, unsigned long size)
ALLOCATOR(__kmalloc_cache_noprof, void *cache, unsigned int flags, unsigned long size)
ALLOCATOR(__kmalloc_cache_node_noprof, void *cache, unsigned int flags, int node,
	  unsigned long size)
ALLOCATOR(kvmalloc_node, unsigned long size, unsigned int flags, int node)
ALLOCATOR(__kvmalloc_node_noprof, unsigned long size, void *buckets, unsigned int flags, int node)
ALLOCATOR(vmalloc, unsigned long size)
ALLOCATOR(vzalloc, unsigned long size)
ALLOCATOR(__alloc_percpu, unsigned long size, unsigned long align)
ALLOCATOR(__alloc_percpu_gfp, unsigned long size, unsigned long align, unsigned int flags)
ALLOCATOR(pcpu_alloc_noprof, unsigned long size, unsigned long align, _Bool reserved,
	  unsigned int flags)

void *kmemdup(const void *from, unsigned long size, unsigned int flags)
{
	void *p = alloc(size);

	return p ? memcpy(p, from, size) : p;
}

void *kmemdup_noprof(const void *from, unsigned long size, unsigned int flags)
{
	return kmemdup(from, size, flags);
}

char *kstrdup(const char *s, unsigned int flags)
{
	return kmemdup(s, strlen(s) + 1, flags);
}

void kfree(const void *p)
{
	release(p);
}

void kvfree(const void *p)
{
	release(p);
}

void vfree(const void *p)
{
	release(p);
}

void kfree_sensitive(const void *p)
{
	release(p);
}

void free_percpu(void *p)
{
	release(p);
}

/* kfree_rcu(): all readers are through, for there is one thread. 6.1 passes a head and where it lies, later ones the object. */
void kvfree_call_rcu(void *head, void *object)
{
	release((unsigned long)object < 4096 ? (char *)head - (unsigned long)object : object);
}

struct kmem_cache {
	unsigned long size;
};

void *kmem_cache_create(const char *name, unsigned int size, unsigned int align, unsigned int flags,
			void (*ctor)(void *))
{
	struct kmem_cache *c = alloc(sizeof(*c));

	if (c)
		c->size = size;
	return c;
}

void *__kmem_cache_create_args(const char *name, unsigned int size, void *args, unsigned int flags)
{
	return kmem_cache_create(name, size, 0, flags, (void *)0);
}

void kmem_cache_destroy(struct kmem_cache *c)
{
	release(c);
}

void *kmem_cache_alloc(struct kmem_cache *c, unsigned int flags)
{
	return alloc(c->size);
}

void *kmem_cache_alloc_noprof(struct kmem_cache *c, unsigned int flags)
{
	return alloc(c->size);
}

void kmem_cache_free(struct kmem_cache *c, void *p)
{
	release(p);
}

void kmem_cache_free_bulk(struct kmem_cache *c, unsigned long n, void **p)
{
	for (unsigned long i = 0; i < n; i++)
		release(p[i]);
}

/* ---- random draws ---------------------------------------------------------------------------- */

unsigned int get_random_u32(void)
{
	return seam_boot->draw(seam_boot, seam_up());
}

unsigned short get_random_u16(void)
{
	return (unsigned short)get_random_u32();
}

/* The upper bits: as our own BBR takes them. */
unsigned char get_random_u8(void)
{
	return (unsigned char)(get_random_u32() >> 24);
}

unsigned long get_random_u64(void)
{
	unsigned long low = get_random_u32();

	return (unsigned long)get_random_u32() << 32 | low;
}

/* Uniform below @ceil, without the rejection that would make the number of draws vary. */
unsigned int __get_random_u32_below(unsigned int ceil)
{
	return (unsigned int)((unsigned long)get_random_u32() * ceil >> 32);
}

void get_random_bytes(void *to, unsigned long n)
{
	unsigned char *p = to;

	for (unsigned long i = 0; i < n; i++)
		p[i] = (unsigned char)get_random_u32();
}

/* ---- context: one thread, never interrupted ---------------------------------------------------- */

int signals_enabled = 1;

int um_set_signals(int on)
{
	int before = signals_enabled;

	signals_enabled = on;
	return before;
}

int set_signals(int on)
{
	return um_set_signals(on);
}

_Bool static_key_initialized = 1;

/* local_bh_enable() gives back what it has taken. */
void __local_bh_enable_ip(unsigned long ip, unsigned int count)
{
	seam_preempt_count -= (int)count;
}

int rtnl_is_locked(void)
{
	return 1;
}

int lockdep_rtnl_is_held(void)
{
	return 1;
}

void rtnl_lock(void)
{
}

void rtnl_unlock(void)
{
}

int __cond_resched(void)
{
	return 0;
}

void synchronize_rcu(void)
{
}

void synchronize_net(void)
{
}

unsigned long get_state_synchronize_rcu(void)
{
	return 0;
}

unsigned long start_poll_synchronize_rcu(void)
{
	return 0;
}

_Bool poll_state_synchronize_rcu(unsigned long cookie)
{
	return 1;
}

/* A callback's function is the second word of its head. */
void call_rcu(void *head, void (*fn)(void *head))
{
	fn(head);
}

/* ---- reports ---------------------------------------------------------------------------------- */

/* Messages to the log are not kept: what is worth it ends the run below. */
int _printk(const char *format, ...)
{
	return 0;
}

int net_ratelimit(void)
{
	return 0;
}

int ___ratelimit(void *state, const char *function)
{
	return 0;
}

void do_trace_netlink_extack(const char *message)
{
}

static void bug(const char *file, int line, const char *format, __builtin_va_list args)
	__attribute__((noreturn));
static void bug(const char *file, int line, const char *format, __builtin_va_list args)
{
	char text[200] = "";

	/* Linux's own conversions (%pI4) come out as pointers. */
	vsnprintf(text, sizeof(text), format, args);
	seam_boot->bug(seam_boot, file, line, text);
	__builtin_unreachable();
}

void panic(const char *format, ...)
{
	__builtin_va_list args;

	__builtin_va_start(args, format);
	bug((void *)0, 0, format, args);
}

void warn_slowpath_fmt(const char *file, int line, unsigned int taint, const char *format, ...)
{
	__builtin_va_list args;

	__builtin_va_start(args, format);
	bug(file, line, format ? format : "WARN_ON", args);
}

void refcount_warn_saturate(void *counter, int what)
{
	seam_boot->bug(seam_boot, (void *)0, 0, "a reference count went wrong");
}

/* ---- the boot --------------------------------------------------------------------------------- */

typedef int (*initcall)(void);
extern initcall __start_seam_initcalls[], __stop_seam_initcalls[];

void seam_run_initcalls(void)
{
	for (initcall *f = __start_seam_initcalls; f < __stop_seam_initcalls; f++)
		(*f)();
}
