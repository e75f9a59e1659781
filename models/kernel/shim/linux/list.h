/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* Circular doubly linked lists with a head of the same kind as the links. */
#ifndef WLANQ_SHIM_LINUX_LIST_H
#define WLANQ_SHIM_LINUX_LIST_H

#include <linux/kernel.h>
#include <linux/types.h>

static inline void INIT_LIST_HEAD(struct list_head *head)
{
	head->next = head;
	head->prev = head;
}

static inline bool list_empty(const struct list_head *head)
{
	return head->next == head;
}

/* Puts @entry between @prev and what follows it. */
static inline void list_add(struct list_head *entry, struct list_head *prev)
{
	entry->prev = prev;
	entry->next = prev->next;
	prev->next->prev = entry;
	prev->next = entry;
}

static inline void list_add_tail(struct list_head *entry, struct list_head *head)
{
	list_add(entry, head->prev);
}

static inline void list_del_init(struct list_head *entry)
{
	entry->prev->next = entry->next;
	entry->next->prev = entry->prev;
	INIT_LIST_HEAD(entry);
}

static inline void list_move_tail(struct list_head *entry, struct list_head *head)
{
	list_del_init(entry);
	list_add_tail(entry, head);
}

#define list_entry(ptr, type, member)	    container_of(ptr, type, member)
#define list_first_entry(ptr, type, member) list_entry((ptr)->next, type, member)
#define list_next_entry(pos, member)	    list_entry((pos)->member.next, __typeof__(*(pos)), member)
#define list_for_each_entry(pos, head, member)                                               \
	for (pos = list_first_entry(head, __typeof__(*pos), member); &pos->member != (head); \
	     pos = list_next_entry(pos, member))

#endif
