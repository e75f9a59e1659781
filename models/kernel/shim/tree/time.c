// SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
/*
 * Clocks, timers and deferred work: each is a numbered timer of the simulator. The wheel's rounding is Linux's
 * (kernel/time/timer.c since 4.8): a timer fires one granule of its level late, one jiffy when it is near.
 */
#include <linux/hrtimer.h>
#include <linux/jiffies.h>
#include <linux/ktime.h>
#include <linux/slab.h>
#include <linux/timer.h>
#include <linux/workqueue.h>

#include "shim.h"

/* ---- clocks ----------------------------------------------------------------------------------- */

u64 jiffies_64 = INITIAL_JIFFIES;
asm(".globl jiffies\n.set jiffies, jiffies_64");

void seam_enter(struct seam_user *u)
{
	seam_user = u;
	jiffies_64 = INITIAL_JIFFIES + (u64)seam_boot->now / (NSEC_PER_SEC / HZ);
}

ktime_t ktime_get(void)
{
	return seam_boot->now;
}

ktime_t ktime_get_raw(void)
{
	return seam_boot->now;
}

ktime_t ktime_get_with_offset(enum tk_offsets offset)
{
	return seam_boot->now;
}

ktime_t ktime_get_coarse_with_offset(enum tk_offsets offset)
{
	return seam_boot->now;
}

u64 ktime_get_mono_fast_ns(void)
{
	return (u64)seam_boot->now;
}

time64_t ktime_get_seconds(void)
{
	return seam_boot->now / NSEC_PER_SEC;
}

time64_t ktime_get_real_seconds(void)
{
	return seam_boot->now / NSEC_PER_SEC;
}

ktime_t ktime_add_safe(const ktime_t a, const ktime_t b)
{
	return a > KTIME_MAX - b ? KTIME_MAX : a + b;
}

u64 sched_clock(void)
{
	return (u64)seam_boot->now;
}

/* ---- the table of timers ---------------------------------------------------------------------- */

enum kind { FREE, WHEEL, HRTIMER, WORK };

static struct slot {
	enum kind kind;
	struct seam_user *user;
	void *object;
} * slots;
static u32 n_slots;

static u32 slot_new(enum kind kind, void *object)
{
	u32 i;

	for (i = 0; i < n_slots && slots[i].kind != FREE; i++)
		;
	if (i == n_slots) {
		u32 more = n_slots ? 2 * n_slots : 16;
		struct slot *s = kcalloc(more, sizeof(*s), GFP_KERNEL);

		if (!s)
			panic("no memory for timers");
		if (slots)
			memcpy(s, slots, n_slots * sizeof(*s));
		kfree(slots);
		slots = s;
		n_slots = more;
	}
	slots[i] = (struct slot){kind, seam_user, object};
	return i;
}

static void set(u32 i, s64 at)
{
	seam_boot->timer(seam_boot, slots[i].user ? slots[i].user->up : NULL, i, at);
}

void seam_timers_drop(struct seam_user *u)
{
	for (u32 i = 0; i < n_slots; i++) {
		if (slots[i].kind == FREE || slots[i].user != u)
			continue;
		set(i, -1);
		slots[i].kind = FREE;
	}
}

/* ---- the wheel: a slot's number lies in the list node, which is not used otherwise --------------- */

static u32 wheel_slot(const struct timer_list *t)
{
	return (u32)(unsigned long)t->entry.next - 1;
}

void init_timer_key(struct timer_list *t, void (*fn)(struct timer_list *), unsigned int flags,
		    const char *name, struct lock_class_key *key)
{
	t->function = fn;
	t->flags = flags;
	t->entry.pprev = NULL;
	t->entry.next = (void *)(unsigned long)(slot_new(WHEEL, t) + 1);
}

/* 6.15 and later. */
void timer_init_key(struct timer_list *t, void (*fn)(struct timer_list *), unsigned int flags,
		    const char *name, struct lock_class_key *key)
{
	init_timer_key(t, fn, flags, name, key);
}

/* The jiffy in which the bucket of @expires is looked at. */
static unsigned long bucket_expiry(unsigned long expires)
{
	const unsigned int levels = HZ > 100 ? 9 : 8;
	unsigned long clock = jiffies + 1; /* this jiffy's buckets have been looked at */
	unsigned long delta = expires - clock;
	unsigned int level = 0;

	if ((long)delta < 0)
		return clock;
	/* A granule of level n is 8^n jiffies; the level takes what is less than 63 of them away. */
	while (level < levels - 1 && delta >= 63ul << (3 * level))
		level++;
	if (level == levels - 1 && delta >= 63ul << (3 * level))
		expires = clock + (62ul << (3 * level));
	return ((expires >> (3 * level)) + 1) << (3 * level);
}

static int modify(struct timer_list *t, unsigned long expires)
{
	int pending = timer_pending(t);
	u32 i = wheel_slot(t);

	t->expires = expires;
	t->entry.pprev = &t->entry.next;
	set(i, (s64)(bucket_expiry(expires) - INITIAL_JIFFIES) * (NSEC_PER_SEC / HZ));
	return pending;
}

int mod_timer(struct timer_list *t, unsigned long expires)
{
	return modify(t, expires);
}

int mod_timer_pending(struct timer_list *t, unsigned long expires)
{
	return timer_pending(t) ? modify(t, expires) : 0;
}

int timer_reduce(struct timer_list *t, unsigned long expires)
{
	if (timer_pending(t) && time_before_eq(t->expires, expires))
		return 1;
	return modify(t, expires);
}

void add_timer(struct timer_list *t)
{
	modify(t, t->expires);
}

int timer_delete(struct timer_list *t)
{
	int pending = timer_pending(t);

	if (pending) {
		t->entry.pprev = NULL;
		set(wheel_slot(t), -1);
	}
	return pending;
}

int timer_delete_sync(struct timer_list *t)
{
	return timer_delete(t);
}

int timer_shutdown_sync(struct timer_list *t)
{
	return timer_delete(t);
}

/* ---- high resolution --------------------------------------------------------------------------- */

static u32 hr_slot(const struct hrtimer *t)
{
	return (u32)t->node.node.__rb_parent_color - 1;
}

static void hr_init(struct hrtimer *t)
{
	memset(t, 0, sizeof(*t));
	t->node.node.__rb_parent_color = slot_new(HRTIMER, t) + 1;
}

void hrtimer_init(struct hrtimer *t, clockid_t clock, enum hrtimer_mode mode)
{
	hr_init(t);
}

/* 6.13 and later. */
void hrtimer_setup(struct hrtimer *t, enum hrtimer_restart (*fn)(struct hrtimer *), clockid_t clock,
		   enum hrtimer_mode mode)
{
	hr_init(t);
	*(enum hrtimer_restart(**)(struct hrtimer *)) & t->function = fn;
}

/*
 * It fires at the end of its range: nothing else interrupts this machine earlier.
 */
static void hr_arm(struct hrtimer *t)
{
	t->state = HRTIMER_STATE_ENQUEUED;
	set(hr_slot(t), max_t(s64, hrtimer_get_expires_ns(t), seam_boot->now));
}

void hrtimer_start_range_ns(struct hrtimer *t, ktime_t at, u64 range, const enum hrtimer_mode mode)
{
	if (mode & HRTIMER_MODE_REL)
		at += seam_boot->now;
	hrtimer_set_expires_range_ns(t, at, range);
	hr_arm(t);
}

int hrtimer_try_to_cancel(struct hrtimer *t)
{
	int pending = t->state;

	if (pending) {
		t->state = HRTIMER_STATE_INACTIVE;
		set(hr_slot(t), -1);
	}
	return pending;
}

int hrtimer_cancel(struct hrtimer *t)
{
	return hrtimer_try_to_cancel(t);
}

bool hrtimer_active(const struct hrtimer *t)
{
	return t->state;
}

/* ---- work: as soon as the present event is over -------------------------------------------------- */

struct workqueue_struct *system_wq, *system_percpu_wq;

static u32 work_slot(struct work_struct *w)
{
	u32 i;

	for (i = 0; i < n_slots; i++)
		if (slots[i].kind == WORK && slots[i].object == w)
			return i;
	return slot_new(WORK, w);
}

bool queue_work_on(int cpu, struct workqueue_struct *wq, struct work_struct *w)
{
	set(work_slot(w), seam_boot->now);
	return true;
}

bool cancel_work_sync(struct work_struct *w)
{
	u32 i = work_slot(w);

	set(i, -1);
	slots[i].kind = FREE;
	return false;
}

bool flush_work(struct work_struct *w)
{
	return false;
}

/* ---- expiry ------------------------------------------------------------------------------------ */

static void fired_hr(struct hrtimer *t)
{
	t->state = HRTIMER_STATE_INACTIVE;
	if (t->function(t) == HRTIMER_RESTART)
		hr_arm(t);
}

static void fire(const struct slot *s)
{
	struct timer_list *t = s->object;
	struct work_struct *w = s->object;

	switch (s->kind) {
	case WHEEL:
		t->entry.pprev = NULL;
		t->function(t);
		break;
	case HRTIMER:
		fired_hr(s->object);
		break;
	case WORK:
		w->func(w);
		break;
	case FREE:
		break;
	}
}

void seam_fired(u32 i)
{
	struct slot s = slots[i];
	struct seam_user *u = s.user;

	seam_enter(u);
	if (u && u->enter)
		u->enter(u);
	fire(&s);
	if (u && u->leave)
		u->leave(u);
}
