// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Claim: minstrel_ht (minstrel_ht_class) reckons as Linux 6.1 does (net/mac80211/rc80211_minstrel_ht.c), with the same integers.
 * Set-up: its table, and a station of HT rates that is asked directly.
 * Expected: reference durations, the filter's step response, throughputs and retry counts worked out from the kernel's
 * rules by hand; every rate there is and back again; samples in range. No tolerance. Over an air without losses a
download ends up at the fastest rate (above 80 % of all MPDUs), and with nothing faster hardly samples (3 % at most).
 */
#include "mac80211/minstrel-ht.h"

#include "mac80211/internal.h"
#include "scenario-lab.h"
#include "wifi-lab.h"

static struct mh_table table;
static struct mh_sta sta;

static void setup(u32 ampdu)
{
	mh_table_init(&table, 1, "ap.wlan0.rate_control");
	sta = (struct mh_sta){.overhead = 108,
			      .overhead_rts = 228,
			      .overhead_legacy = 60,
			      .overhead_legacy_rts = 180,
			      .avg_ampdu = ampdu << 12};
}

static const struct {
	u32 group, ns[MH_RATES];
} durations[] = {
	{0, {1476992, 738496, 492480, 369248, 246240, 184736, 164224, 147744}},
	{4, {1329344, 664672, 443296, 332352, 221664, 166304, 147872, 133024}},
	{8, {711248, 355744, 237248, 178000, 118736, 88992, 79248, 71248}},
	{12, {640160, 320224, 213568, 160240, 106912, 80144, 71360, 64160}},
	{1, {738496, 369248, 246240, 184736, 123248, 92496, 82240, 74000}},
	{13, {320224, 160248, 106920, 80144, 53600, 40096, 35824, 32224}},
	{34, {328248, 164248, 109496, 82248, 54744, 41248, 36496, 33000, 27496, 24744}},
	{39, {147872, 74072, 49324, 37172, 24800, 18724, 16472, 14900, 12424, 11300}},
	{MH_CCK, {9833984, 5017856, 1952768, 1076992, 9737984, 4921856, 1856768, 980992}},
	{MH_OFDM, {1640000, 1104000, 836000, 568000, 436000, 300000, 236000, 212000}},
};

START_TEST(test_durations)
{
	setup(1);
	for (size_t i = 0; i < sizeof(durations) / sizeof(durations[0]); i++)
		for (u32 k = 0; k < MH_RATES; k++)
			ck_assert_uint_eq(table.duration[durations[i].group][k],
					  durations[i].ns[k]);
	ck_assert_uint_eq(mh_frame_duration(true, 0, 60), 48);
	ck_assert_uint_eq(mh_frame_duration(true, 10, 60), 60);
	ck_assert_uint_eq(mh_frame_duration(false, 10, 10), 218);
}
END_TEST

START_TEST(test_filter)
{
	static const u16 fall[] = {2923, 1413, 142, 1, 1}, rise[] = {1173, 2682, 3952, 4096};
	u16 last = 0, before = 0;

	ck_assert_uint_eq(mh_filter(&last, &before, 4096), 4096);
	for (int i = 0; i < 5; i++)
		ck_assert_uint_eq(mh_filter(&last, &before, 0), fall[i]);
	for (int i = 0; i < 4; i++)
		ck_assert_uint_eq(mh_filter(&last, &before, 4096), rise[i]);
}
END_TEST

START_TEST(test_throughput)
{
	static const u32 one[] = {56, 106, 149, 188, 254, 307, 330, 351};
	static const u32 sixteen[] = {60, 120, 180, 239, 355, 469, 526, 582};
	static const u32 top[] = {278, 549, 815, 1077, 1579, 2070, 2295, 2527};

	for (u32 i = 0; i < 8; i++) {
		setup(1);
		ck_assert_uint_eq(mh_throughput(&table, &sta, i, 4096), one[i]);
		setup(16);
		ck_assert_uint_eq(mh_throughput(&table, &sta, i, 4096), sixteen[i]);
		setup(32);
		ck_assert_uint_eq(mh_throughput(&table, &sta, MH_ID(13, i), 4096), top[i]);
		ck_assert_uint_eq(mh_throughput(&table, &sta, i, 408), 0);
	}
}
END_TEST

START_TEST(test_retries)
{
	static const u8 one[8] = {3, 4, 5, 5, 5, 5, 5, 5};

	for (u32 i = 0; i < 8; i++) {
		setup(1);
		mh_rate(&sta, i)->prob = 4096;
		mh_retries(&table, &sta, i, 10);
		ck_assert_uint_eq(mh_rate(&sta, i)->retries, one[i]);
		ck_assert_uint_eq(mh_rate(&sta, i)->retries_rts, one[i]);
		setup(32);
		mh_rate(&sta, i)->prob = 4096;
		mh_retries(&table, &sta, i, 10);
		ck_assert_uint_le(mh_rate(&sta, i)->retries, 10);
		mh_rate(&sta, i)->prob = 408;
		mh_retries(&table, &sta, i, 10);
		ck_assert_uint_eq(mh_rate(&sta, i)->retries, 1);
	}
}
END_TEST

START_TEST(test_all_rates)
{
	setup(1);
	sta.supported[MH_CCK] = 0xff;
	for (u32 g = 0; g < MH_GROUPS; g++)
		for (u32 i = 0; i < MH_RATES; i++) {
			u32 id = MH_ID(g, i);

			if (!table.duration[g][i] || wifi_rate_invalid(mh_wifi_rate(id, false)))
				continue;
			ck_assert_uint_eq(mh_id(&sta, mh_wifi_rate(id, g == MH_CCK && i > 4)),
					  g == MH_CCK && i == 4 ? MH_ID(g, 0) : id);
		}
}
END_TEST

START_TEST(test_update)
{
	u16 id;

	setup(1);
	sta.supported[0] = sta.supported[1] = 0xff;
	mh_update(&table, &sta, true);
	/* nothing is known: the lowest, and the next faster ones are tried */
	ck_assert_uint_eq(sta.max_tp[0], 0);
	ck_assert_uint_ne(sta.samples[MH_INC][0], 0);
	mh_rate(&sta, 7)->attempts = mh_rate(&sta, MH_ID(1, 3))->attempts = 40;
	mh_rate(&sta, 7)->success = 40;
	mh_rate(&sta, MH_ID(1, 3))->success = 36;
	mh_update(&table, &sta, true);
	/* MCS7 351, MCS11 (90 %) 307, MCS6 as good as MCS7 by the monotone rule 330 */
	ck_assert_uint_eq(sta.max_tp[0], 7);
	ck_assert_uint_eq(sta.max_tp[1], 6);
	ck_assert_uint_eq(sta.max_prob, 7);
	for (int i = 0; i < 100; i++) {
		id = mh_next_sample(&sta, true);
		ck_assert(!id || (MH_GROUP(id) <= 1 && MH_INDEX(id) < 8));
		mh_update(&table, &sta, true);
	}
}
END_TEST

/*
 * An A-MPDU whose Block Ack did not come counts as failed as a whole, at each rate that it was tried at; what was
 * acknowledged counts for the rate of the last attempt, not for the first of the chain.
 */
START_TEST(test_status)
{
	const char *yaml =
		"name: lab\nkernel: \"6.1\"\nduration: 1s\nnodes:\n"
		"  a: {interfaces: {wlan0: &i {driver: ath9k, rate_control: {model: minstrel_ht}}}}\n"
		"  b: {interfaces: {wlan0: *i}}\n"
		"links:\n  air: {model: wifi, standard: 11n, members: [a.wlan0, b.wlan0]}\n";
	struct wifi_ppdu ppdu = {.n = 10,
				 .n_steps = 2,
				 .step = 1,
				 .used = {2, 1},
				 .steps = {{.rate = wifi_ht(7, WIFI_20, false), .tries = 2},
					   {.rate = wifi_ht(3, WIFI_20, false), .tries = 2}}};
	struct softmac_status st = {.ppdu = &ppdu};
	const struct mh_rate *first, *second;
	struct mac80211 *mac;
	struct wifi_lab lab;
	struct mh_sta *s;

	lab_open(&lab, yaml);
	mac = (struct mac80211 *)lab.ends[0].mac;
	st.sta = &mac->stas[1]->soft;
	s = st.sta->rc;
	first = mh_rate(s, mh_id(s, ppdu.steps[0].rate));
	second = mh_rate(s, mh_id(s, ppdu.steps[1].rate));
	mac->rc_ops->tx_status(mac->rc, &st);
	ck_assert_uint_eq(first->attempts, 20);
	ck_assert_uint_eq(second->attempts, 10);
	ck_assert_uint_eq(first->success + second->success, 0);
	st.acked = 7;
	mac->rc_ops->tx_status(mac->rc, &st);
	ck_assert_uint_eq(first->attempts, 40);
	ck_assert_uint_eq(second->attempts, 20);
	ck_assert_uint_eq(first->success, 0);
	ck_assert_uint_eq(second->success, 7);
	lab_close(&lab);
}
END_TEST

START_TEST(test_air)
{
	struct outcome o = outcome_of(
		"name: t\nkernel: \"6.1\"\nduration: 6s\nwarmup: 3s\nnodes:\n"
		"  sta: {count: 2, interfaces: {wlan0: {driver: ath9k, rate_control: {model: minstrel_ht}}}}\n"
		"  ap: {interfaces: {wlan0: {driver: ath9k, rate_control: {model: minstrel_ht}}}}\n"
		"links:\n  air: {model: wifi, standard: 11n, members: [sta*.wlan0, ap.wlan0]}\n"
		"traffic:\n  down: {model: udp_cbr, from: ap, to: sta*, rate: 60Mbit}\n");

	ck_between(metric_of(&o, "ap.wlan0.sta.sta1.rate_share.MCS15/20S"), 0.8, 1);
	ck_between(metric_of(&o, "ap.wlan0.sta.sta2.rate_share.MCS15/20S"), 0.8, 1);
	ck_between(metric_of(&o, "ap.wlan0.rate_control.sample_share"), 0, 0.03);
	ck_between(metric_of(&o, "down.goodput_mbit"), 80, 125);
	outcome_clear(&o);
}
END_TEST

CHECK_MAIN("minstrel-ht", test_durations, test_filter, test_throughput, test_retries,
	   test_all_rates, test_update, test_status, test_air)
