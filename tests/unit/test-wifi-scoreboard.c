// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Claim: a recipient of A-MPDUs keeps what it has received on its scoreboard (802.11-2020 10.25.6.3): when its Block Ack was lost, the next
 * one tells of what came before, whether that came again or not.
 *
 * Set-up: a sender whose A-MPDUs of eight frames lose every second one, and whose Block Acks meet the frames of a station
 * that hears none of them; what is not acknowledged is sent again. Expected: with each Block Ack that comes, a frame is
 * acknowledged if and only if it has arrived at some time; some Block Acks are lost, some acknowledged frames did not arrive in
 * that A-MPDU, some arrive twice. Tolerance: none; "some" is at least 20 in two seconds.
 *
 * Claim: the retry bit is set in frames that were on the air before, not in those of which only an RTS was. Set-up: two stations with
 * the RTS threshold at 0, or without, at one receiver that loses nothing, on both media. Expected: all failures are collisions, so
 * with RTS no frame has the bit, and without some have. Tolerance: none.
 */
#include "check-main.h"

#include "wifi-bed.h"

enum { SENDER, RECEIVER, NOISE, ELSE, STATIONS };

#define FRAMES 8

static void stub_attach(struct object *ch, const struct channel_env *env)
{
}

static s32 stub_power(struct object *ch, u32 from, u32 to)
{
	bool hears = (from == SENDER && to == RECEIVER) || (from == RECEIVER && to == SENDER) ||
		     (from == NOISE && (to == ELSE || to == SENDER)) ||
		     (from == ELSE && to == NOISE);

	return hears ? POWER_FULL : -200000;
}

static u32 stub_version(struct object *ch)
{
	return 1;
}

static s32 stub_threshold(struct object *ch)
{
	return -100000;
}

static u64 stub_loss(struct object *ch, u32 from, u32 to, wifi_rate r, u32 bytes, sim_time now,
		     s32 noise)
{
	return from == SENDER ? 1ULL << 31 : 0;
}

static const struct channel_ops stub_ops = {
	.attach = stub_attach,
	.power = stub_power,
	.version = stub_version,
	.threshold = stub_threshold,
	.loss = stub_loss,
};

static const struct model_class stub_class = {
	.kind = &kind_channel,
	.name = "stub",
	.size = sizeof(struct object),
	.kind_ops = &stub_ops,
};

/* The sender's frames, until all are acknowledged. */
static struct {
	struct bed_station *s;
	struct packet *p[FRAMES];
	bool has[FRAMES], now[FRAMES]; /* the receiver has it; from this A-MPDU */
	u32 lost, earlier, twice;
} batch;

static struct wifi_ppdu *batch_pull(void *arg, u32 ac)
{
	struct wifi_ppdu *ppdu = wifi_ppdu_new(batch.s->dev);
	u32 left = 0;

	for (u32 i = 0; i < FRAMES; i++) {
		batch.now[i] = false;
		left += batch.p[i] != NULL;
	}
	ppdu->to = batch.s->bed->s[RECEIVER].dev;
	ppdu->n_steps = 1;
	ppdu->steps[0] = (struct wifi_step){.rate = batch.s->rate, .tries = 1};
	ppdu->flags = PPDU_BLOCK_ACK | PPDU_GOES_ON;
	for (u32 i = 0; i < FRAMES; i++) {
		if (!left) {
			batch.p[i] = packet_new(batch.s->bed->sim);
			batch.p[i]->skb.len = 1500;
			batch.has[i] = false;
		}
		if (batch.p[i])
			wifi_ppdu_add(ppdu, batch.p[i], 1500, (u16)i, 0, 0);
	}
	ppdu->bytes = ppdu->n * (1500 + WIFI_DELIMITER);
	return ppdu;
}

static bool batch_status(void *arg, struct wifi_ppdu *ppdu)
{
	bool any = false;

	for (u32 i = 0; i < ppdu->n; i++) {
		struct wifi_mpdu *m = &ppdu->mpdus[i];
		bool acked = m->flags & MPDU_ACKED;

		any |= batch.now[m->seq];
		ck_assert(acked == (ppdu->acked && batch.has[m->seq]));
		batch.earlier += acked && !batch.now[m->seq];
		if (acked) {
			wifi_mpdu_end(batch.s->dev, m);
			batch.p[m->seq] = NULL;
		} else {
			m->p = NULL;
		}
	}
	batch.lost += any && !ppdu->acked;
	return true;
}

static void batch_rx(void *arg, struct packet *p)
{
	struct bed_station *s = arg;

	batch.twice += batch.has[p->mac.seq];
	batch.has[p->mac.seq] = batch.now[p->mac.seq] = true;
	packet_free(s->bed->sim, p);
}

static const struct wifi_dev_ops batch_sender = {
	.pull = batch_pull, .tx_status = batch_status, .rx = bed_rx};
static const struct wifi_dev_ops batch_receiver = {
	.pull = bed_pull, .tx_status = bed_status, .rx = batch_rx};

START_TEST(kept_between_block_acks)
{
	struct bed bed;

	bed_init(&bed, 1, STATIONS, WIFI_11N);
	bed.params.mode = WIFI_ADHOC;
	bed.params.channel = (struct slot){.cls = &stub_class, .path = "air.channel"};
	memset(&batch, 0, sizeof(batch));
	batch.s = &bed.s[SENDER];
	bed.s[SENDER].rate = wifi_ht(7, WIFI_20, false);
	bed.s[NOISE].rate = wifi_ofdm(6);
	bed.s[NOISE].bytes = 300;
	bed.s[NOISE].saturated = true;
	bed.s[NOISE].to = ELSE;
	bed_start(&bed);
	wifi_dev_attach(bed.s[SENDER].dev, &batch_sender, &bed.s[SENDER]);
	wifi_dev_attach(bed.s[RECEIVER].dev, &batch_receiver, &bed.s[RECEIVER]);
	wifi_kick(bed.s[SENDER].dev, AC_BE);
	bed_run(&bed, 2 * SIM_SEC);
	ck_assert_uint_ge(batch.lost, 20);
	ck_assert_uint_ge(batch.earlier, 20);
	ck_assert_uint_ge(batch.twice, 20);
	bed_end(&bed);
}
END_TEST

static u64 with_bit;

static void retry_rx(void *arg, struct packet *p)
{
	with_bit += p->mac.retries;
	bed_rx(arg, p);
}

static const struct wifi_dev_ops retry_ops = {
	.pull = bed_pull, .tx_status = bed_status, .rx = retry_rx};

static void retries(int64_t rts, int64_t medium)
{
	struct bed bed;

	bed_init(&bed, 1, 3, WIFI_11A);
	bed.params.rts_threshold = rts;
	bed.params.medium = medium;
	for (u32 i = 0; i < 2; i++) {
		bed.s[i].rate = wifi_ofdm(7);
		bed.s[i].bytes = 1500;
		bed.s[i].saturated = true;
	}
	bed_start(&bed);
	wifi_dev_attach(bed.s[2].dev, &retry_ops, &bed.s[2]);
	with_bit = 0;
	bed_run(&bed, SIM_SEC);
	ck_assert_uint_gt(bed.air->collisions, 20);
	ck_assert_uint_gt(bed.s[2].received, 500);
	bed_end(&bed);
}

START_TEST(retry_bit)
{
	static const int64_t media[] = {MEDIUM_SHARED, MEDIUM_STATIONS};

	for (u32 i = 0; i < 2; i++) {
		retries(0, media[i]);
		ck_assert_uint_eq(with_bit, 0);
		retries(PARAM_UNSET, media[i]);
		ck_assert_uint_gt(with_bit, 20);
	}
}
END_TEST

CHECK_MAIN("wifi-scoreboard", kept_between_block_acks, retry_bit)
