// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Claim: packets come zeroed from one pool and go back once; their sender is told once; the times in the
 * layers sum up to the whole.
 *
 * Set-up: packets made, moved, cloned and ended by hand. The layout that loaded cores rely on is
 * asserted when packet.c is compiled.
 *
 * Expected: exact counts and times.
 */
#include <string.h>

#include "check-main.h"
#include "engine/draw.h"
#include "engine/pool.h"
#include "packet/packet.h"
#include "packet/row.h"

static void count_end(struct sk_buff *skb)
{
	++*(int *)skb->sk;
}

START_TEST(new_is_zeroed_even_when_used_before)
{
	struct sim *sim = sim_new(1);
	struct packet *p = packet_new(sim), *q;

	memset(p->skb.cb, 0xa5, sizeof(p->skb.cb));
	p->payload = 1448;
	ck_assert_uint_eq(p->id, 1);
	packet_free(sim, p);
	sim->now = 77;
	q = packet_new(sim);
	ck_assert_ptr_eq(q, p); /* the same memory */
	ck_assert_uint_eq(q->id, 2);
	ck_assert_uint_eq(q->payload, 0);
	for (size_t i = 0; i < sizeof(q->skb.cb); i++)
		ck_assert_int_eq(q->skb.cb[i], 0);
	ck_assert_ptr_null(q->skb.next);
	ck_assert_int_eq(q->born, 77);
	ck_assert_int_eq(q->since, 77);
	ck_assert_uint_eq(q->layer, LAYER_SOCKET);
	packet_free(sim, q);
	ck_assert_uint_eq(sim->packets->live, 0);
	sim_free(sim);
}
END_TEST

/* Packets are cleared and copied by blocks: the last bytes are those that a wrong count would miss. */
START_TEST(every_byte_is_cleared_and_copied)
{
	struct sim *sim = sim_new(1);
	struct packet *p = packet_new(sim), *q, want, got;

	packet_free(sim, p);
	/* but for the pool's own pointer */
	memset((char *)p + sizeof(void *), 0xa5, sizeof(*p) - sizeof(void *));
	q = packet_new(sim);
	ck_assert_ptr_eq(q, p);
	memset(&want, 0, sizeof(want));
	want.layer = LAYER_SOCKET;
	want.id = 2;
	ck_assert_mem_eq(q, &want, sizeof(want));

	for (size_t i = 0; i < sizeof(want); i++)
		((unsigned char *)&want)[i] = (unsigned char)(1 + i % 250);
	q = packet_clone(sim, &want);
	got = *q;
	ck_assert_ptr_null(got.skb.next);
	ck_assert_ptr_null(got.skb.prev);
	ck_assert_ptr_null(got.skb.sk);
	ck_assert_ptr_null(got.skb.destructor);
	ck_assert_uint_eq(got.id, 3);
	got.skb.next = want.skb.next;
	got.skb.prev = want.skb.prev;
	got.skb.sk = want.skb.sk;
	got.skb.destructor = want.skb.destructor;
	got.id = want.id;
	ck_assert_mem_eq(&got, &want, sizeof(want));
	q->layer = LAYER_SOCKET;
	packet_free(sim, q);
	packet_free(sim, p);
	sim_free(sim);
}
END_TEST

START_TEST(the_sender_is_told_once)
{
	struct sim *sim = sim_new(1);
	struct packet *p = packet_new(sim), *q;
	int ends = 0;

	p->skb.destructor = count_end;
	p->skb.sk = &ends;
	q = packet_clone(sim, p);
	packet_free(sim, q);
	ck_assert_int_eq(ends, 0);
	packet_orphan(p);
	ck_assert_int_eq(ends, 1);
	packet_drop(sim, p);
	ck_assert_int_eq(ends, 1);
	sim_free(sim);
}
END_TEST

START_TEST(times_sum_up)
{
	struct sim *sim = sim_new(1);
	struct packet *p = packet_new(sim), *q;
	sim_time sum = 0;

	packet_enter(p, LAYER_QDISC, 5);
	packet_enter(p, LAYER_RING, 25);
	packet_enter(p, LAYER_QDISC, 100);
	q = packet_clone(sim, p);
	packet_enter(q, LAYER_HOST, 130);
	ck_assert_int_eq(q->spent[LAYER_SOCKET], 5);
	ck_assert_int_eq(q->spent[LAYER_QDISC], 50);
	ck_assert_int_eq(q->spent[LAYER_RING], 75);
	for (int i = 0; i < LAYER_COUNT; i++) {
		sum += q->spent[i];
		ck_assert_ptr_nonnull(layer_names[i]);
	}
	ck_assert_int_eq(sum, 130 - q->born);
	ck_assert_uint_ne(q->id, p->id);
	sim_free(sim);
}
END_TEST

static void end_twice(struct sim *sim, void *arg)
{
	packet_free(sim, arg);
	packet_free(sim, arg);
}

START_TEST(ended_twice_fails)
{
	struct sim *sim = sim_new(1);

	packet_free(sim, packet_new(sim));
	ck_assert_int_eq(sim_call(sim, end_twice, packet_new(sim)), -1);
	ck_assert_str_eq(sim->error, "packet 2 was ended twice (at 0.000000000 s)");
	sim_free(sim);
}
END_TEST

/* A row gives packets back in their order while it grows, empties and goes round. */
START_TEST(row_is_a_queue)
{
	struct sim *sim = sim_new(1);
	struct packet_row row = {0};
	u32 in = 0, out = 0;

	ck_assert_ptr_null(packet_row_pop(&row));
	for (u32 step = 0; step < 2000; step++) {
		/* now it gets longer, now shorter */
		u32 add = draw_below(1, step, step / 200 % 2 ? 3 : 8);
		u32 take = draw_below(2, step, step / 200 % 2 ? 8 : 3);

		for (; add; add--) {
			struct packet *p = packet_new(sim);

			p->payload = in++;
			packet_row_push(&row, p);
		}
		packet_row_begin(&row);
		for (; take && row.n; take--) {
			struct packet *head = packet_row_head(&row);

			ck_assert_ptr_eq(packet_row_pop(&row), head);
			ck_assert_uint_eq(head->payload, out++);
			packet_free(sim, head);
		}
		ck_assert_uint_eq(row.n, in - out);
	}
	ck_assert_uint_gt(row.room, PACKET_ROW_FIRST);
	packet_row_clear(&row);
	sim_free(sim);
}
END_TEST

CHECK_MAIN("packet", new_is_zeroed_even_when_used_before, every_byte_is_cleared_and_copied,
	   the_sender_is_told_once, times_sum_up, ended_twice_fails, row_is_a_queue)
