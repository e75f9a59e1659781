/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */
/* The run of fq with CoDel on its flows; see soak.h. To be included by one file, after fq_impl.h and codel_impl.h. */
#ifndef WLANQ_LAB_SOAK_FQ_H
#define WLANQ_LAB_SOAK_FQ_H

struct soak_fq {
	struct fq fq;
	struct fq_tin tin[SOAK_TINS];
	struct codel_vars vars[SOAK_FLOWS];
	struct codel_vars default_vars[SOAK_TINS];
	struct codel_params params;
	struct codel_stats stats;
	struct fq_flow *serving;
	struct sk_buff_head idle;
	struct sk_buff *skbs;
	u32 hash;
};

struct soak_cb {
	u32 number;
	codel_time_t time;
};

static struct soak_cb *soak_cb(const struct sk_buff *skb)
{
	return (struct soak_cb *)skb->cb;
}

static u32 soak_len(const struct sk_buff *skb)
{
	return skb->len;
}

static codel_time_t soak_time(const struct sk_buff *skb)
{
	return soak_cb(skb)->time;
}

/* @kind: sent, dropped by CoDel, dropped by fq. */
static void soak_end(struct soak_fq *s, struct sk_buff *skb, u32 kind)
{
	s->hash = soak_hash(s->hash, soak_cb(skb)->number << 2 | kind);
	__skb_queue_tail(&s->idle, skb);
}

static void soak_drop(struct sk_buff *skb, void *ctx)
{
	soak_end(ctx, skb, 1);
}

static void soak_free(struct fq *fq, struct fq_tin *tin, struct fq_flow *flow, struct sk_buff *skb)
{
	soak_end(container_of(fq, struct soak_fq, fq), skb, 2);
}

static struct sk_buff *soak_pull(struct codel_vars *vars, void *ctx)
{
	struct soak_fq *s = ctx;

	return fq_flow_dequeue(&s->fq, s->serving);
}

static struct sk_buff *soak_dequeue(struct fq *fq, struct fq_tin *tin, struct fq_flow *flow)
{
	struct soak_fq *s = container_of(fq, struct soak_fq, fq);
	struct codel_vars *vars = flow == &tin->default_flow ? &s->default_vars[tin - s->tin]
							     : &s->vars[flow - fq->flows];

	s->serving = flow;
	return codel_dequeue(s, &flow->backlog, &s->params, vars, &s->stats, soak_len, soak_time,
			     soak_drop, soak_pull);
}

static void soak_arrival(struct soak_fq *s, u32 number, u32 r, u32 hash)
{
	struct sk_buff *skb = __skb_dequeue(&s->idle);

	if (!skb)
		return;
	soak_cb(skb)->number = number;
	soak_cb(skb)->time = codel_get_time();
	skb->len = r & 3 ? 1514 : 66 + r % 400;
	skb->truesize = skb->len + 768;
	skb->hash = hash;
#ifdef __KERNEL__
	skb->sw_hash = 1;
#endif
	fq_tin_enqueue(&s->fq, &s->tin[r / 4 % SOAK_TINS], fq_flow_idx(&s->fq, skb), skb,
		       soak_free);
}

/* @s is zeroed, with @s->skbs set to SOAK_PACKETS zeroed packets. Returns the hash, 0 when memory ran out. */
static u32 soak_fq_run(struct soak_fq *s)
{
	u32 rng = 2, i;

	if (fq_init(&s->fq, SOAK_FLOWS))
		return 0;
	s->fq.limit = 400;
	s->fq.memory_limit = 500000;
	for (i = 0; i < SOAK_TINS; i++)
		fq_tin_init(&s->tin[i]);
	codel_params_init(&s->params);
	__skb_queue_head_init(&s->idle);
	for (i = 0; i < SOAK_PACKETS; i++)
		__skb_queue_tail(&s->idle, &s->skbs[i]);

	s->hash = 2166136261u;
	soak_now = 0;
	for (i = 0; i < SOAK_FQ_STEPS; i++) {
		u32 r = soak_random(&rng), flow = soak_random(&rng) % 24;
		struct sk_buff *skb;

		soak_now += r % 1000000;
		if (r % 1021 == 0)
			soak_now += (u64)1 << 41; /* half round CoDel's clock */
		if ((r >> 12) % 16 < 9) {
			soak_arrival(s, i, r >> 3, flow * 0x9e3779b1u);
			continue;
		}
		skb = fq_tin_dequeue(&s->fq, &s->tin[(r >> 5) % SOAK_TINS], soak_dequeue);
		if (skb)
			soak_end(s, skb, 0);
		s->hash = soak_hash(s->hash, s->fq.backlog);
		s->hash = soak_hash(s->hash, s->fq.memory_usage);
	}
	s->hash = soak_hash(s->hash, s->fq.overlimit);
	s->hash = soak_hash(s->hash, s->fq.collisions);
	s->hash = soak_hash(s->hash, s->stats.drop_count);

	for (i = 0; i < SOAK_TINS; i++)
		fq_tin_reset(&s->fq, &s->tin[i], soak_free);
	fq_reset(&s->fq, soak_free);
	return s->hash;
}

#endif
