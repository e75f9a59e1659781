// SPDX-License-Identifier: GPL-3.0-or-later
#include "packet/packet.h"

#include <string.h>

#include "engine/pool.h"
#include "packet/layer.h"

#define PACKETS_PER_CHUNK 512u

/* What a packet's layer says once it lies in the pool. */
#define LAYER_DEAD 0xff

/* The layout that loaded cores were compiled with. */
#define AT(member, offset)                                           \
	_Static_assert(offsetof(struct sk_buff, member) == (offset), \
		       "sk_buff." #member " is part of the cores' ABI")
AT(next, 0);
AT(prev, 8);
AT(len, 16);
AT(truesize, 20);
AT(hash, 24);
AT(priority, 28);
AT(tos, 32);
AT(gso, 36);
AT(tstamp, 40);
AT(cb, 48);
AT(sk, 96);
AT(destructor, 104);
_Static_assert(sizeof(struct sk_buff) == 112, "sk_buff's size is part of the cores' ABI");
_Static_assert(sizeof(((struct sk_buff *)0)->cb) == 48, "sk_buff.cb has 48 bytes in Linux");
_Static_assert(sizeof(struct packet) <= 5 * 64, "a packet is five cache lines");
_Static_assert(NETDEV_QUEUES_MAX <= UINT8_MAX, "packet.queue is a byte");
_Static_assert(offsetof(struct packet, skb) == 0, "packet_of() takes skb for the packet");

const char *const layer_names[LAYER_COUNT] = {
	[LAYER_SOCKET] = "socket", [LAYER_QDISC] = "qdisc", [LAYER_TXQ] = "txq",
	[LAYER_DRIVER] = "driver", [LAYER_RING] = "ring",   [LAYER_CONTEND] = "contend",
	[LAYER_AIR] = "air",	   [LAYER_WIRE] = "wire",   [LAYER_REORDER] = "reorder",
	[LAYER_HOST] = "host",
};

static inline struct packet *packet_get(struct sim *sim)
{
	if (__builtin_expect(!sim->packets, 0))
		sim->packets = pool_new(sizeof(struct packet), PACKETS_PER_CHUNK);
	return pool_get(sim->packets);
}

/* Whether packet_get() has one at hand. */
static inline bool has_free(const struct sim *sim)
{
	return __builtin_expect(sim->packets && sim->packets->free, 1);
}

/*
 * Packets are made and copied whole, 16 bytes at a time: compilers would take a string instruction, which takes longer
 * to start than all of this.
 */
typedef uint64_t block __attribute__((vector_size(16), aligned(8), may_alias));

#define BLOCKS (sizeof(struct packet) / sizeof(block))
#define REST   (sizeof(struct packet) % sizeof(block))

#define SHARED (offsetof(struct packet, born) / sizeof(block))
_Static_assert(offsetof(struct packet, born) % sizeof(block) == 0, "a flow's part is whole blocks");

/* The first @n blocks as in @like, the others 0. */
static inline __attribute__((always_inline)) void fill(struct packet *p, const struct packet *like,
						       size_t n)
{
	block *to = (block *)p;
	const block *from = (const block *)like;

#pragma GCC unroll 32
	for (size_t i = 0; i < n; i++)
		to[i] = from[i];
#pragma GCC unroll 32
	for (size_t i = n; i < BLOCKS; i++)
		to[i] = (block){0};
	memset(&to[BLOCKS], 0, REST);
}

static inline __attribute__((always_inline)) void copy(struct packet *p, const struct packet *from)
{
	block *to = (block *)p;
	const block *what = (const block *)from;

#pragma GCC unroll 32
	for (size_t i = 0; i < BLOCKS; i++)
		to[i] = what[i];
	memcpy(&to[BLOCKS], &what[BLOCKS], REST);
}

static inline void stamp(struct sim *sim, struct packet *p)
{
	p->born = sim->now;
	p->since = sim->now;
	p->id = (u32)sim->packets->taken;
}

static inline __attribute__((always_inline)) struct packet *
make(struct sim *sim, const struct packet *like, size_t shared)
{
	struct packet *p = packet_get(sim);

	fill(p, like, shared);
	stamp(sim, p);
	return p;
}

/* Apart, as what packet_new() and packet_new_like() end with: they need save no registers for it. */
static __attribute__((cold, noinline)) struct packet *make_first(struct sim *sim,
								 const struct packet *like)
{
	return like ? make(sim, like, SHARED) : make(sim, NULL, 0);
}

struct packet *packet_new(struct sim *sim)
{
	_Static_assert(LAYER_SOCKET == 0, "a new packet is in the socket's layer");
	return has_free(sim) ? make(sim, NULL, 0) : make_first(sim, NULL);
}

struct packet *packet_new_like(struct sim *sim, const struct packet *like)
{
	return has_free(sim) ? make(sim, like, SHARED) : make_first(sim, like);
}

struct packet *packet_clone(struct sim *sim, const struct packet *from)
{
	struct packet *p = packet_get(sim);

	copy(p, from);
	p->skb.next = NULL;
	p->skb.prev = NULL;
	p->skb.sk = NULL;
	p->skb.destructor = NULL;
	p->id = (u32)sim->packets->taken;
	return p;
}

void packets_passed(struct sim *sim, u32 n)
{
	sim->packets->taken += n;
}

void packet_free(struct sim *sim, struct packet *p)
{
	SIM_CHECK(sim, NULL, p->layer != LAYER_DEAD, "packet %u was ended twice", p->id);
	packet_orphan(p);
	p->layer = LAYER_DEAD;
	pool_put(sim->packets, p);
}

u32 packet_truesize(u32 len)
{
	const u32 shared_info = 320, sk_buff = 256, line = 64;
	/* LL_RESERVED_SPACE() of Ethernet and the 15 bytes of ip_append_data(). */
	u32 data = len - ETH_HLEN + 16 + 15;
	u32 need = (data + line - 1) / line * line + shared_info;

	return (1u << (32 - __builtin_clz(need - 1))) + sk_buff;
}
