// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Claim: where frames are ciphered in software, the node's processor bounds what it sends and receives; hardware does it for
 * nothing, and either way each frame is 16 bytes longer.
 *
 * Set-up: one end sends to the other at a rate far above what the cipher allows, which costs 1 ms for 1024 bytes at the end under
 * test; each driver, both directions. Expected: 1508 bytes (IP packet and SNAP) take 1472.7 us, so 679 packets a second.
 * Tolerance: 2 per cent, for what a start and an aggregate in progress make.
 */
#include "check-main.h"

#include "mac80211/internal.h"
#include "wifi-lab.h"

struct net {
	const char *kernel, *driver, *air;
};

static const struct net nets[] = {
	{"2.6.32", "driver: iwl3945, rate_control: {model: fixed, rate: 54Mbit}", "standard: 11g"},
	{"6.1", "driver: ath5k, rate_control: {model: fixed, rate: 54Mbit}", "standard: 11a"},
	{"3.6", "driver: ath9k, rate_control: {model: fixed, mcs: 7}", "standard: 11n"},
	{"6.1", "driver: ath9k, rate_control: {model: fixed, mcs: 7}", "standard: 11n"},
	{"6.1", "driver: iwlwifi, rate_control: {model: fixed, mcs: 7}", "standard: 11n"},
	{"6.1", "driver: ath10k, rate_control: {model: fixed, mcs: 7}", "standard: 11ac"},
};
#define NETS (sizeof(nets) / sizeof(nets[0]))

/* Packets a second that arrive at the other end; @slow: which end ciphers at a cost. */
static u64 rate(const struct net *net, const char *cipher, u32 slow, bool *drained)
{
	static const char *const none = "cipher_cost: 0s";
	struct wifi_lab lab;
	char yaml[2048];
	u64 before, n;

	snprintf(
		yaml, sizeof(yaml),
		"name: lab\nkernel: \"%s\"\nduration: 1s\nnodes:\n"
		"  a: {interfaces: {wlan0: {%s, mac80211: {model: mac80211, %s}}}}\n"
		"  b: {interfaces: {wlan0: {%s, mac80211: {model: mac80211, %s}}}}\n"
		"links:\n  air: {model: wifi, %s, encryption: ccmp, members: [a.wlan0, b.wlan0]}\n",
		net->kernel, net->driver, slow == 0 ? cipher : none, net->driver,
		slow == 1 ? cipher : none, net->air);
	lab_open(&lab, yaml);
	lab.ends[0].to = &lab.ends[1];
	lab.ends[0].left = 1;
	lab_run(&lab, 100 * SIM_MS);
	for (u32 ms = 110; ms <= 1000; ms += 10) {
		lab.ends[0].left = 60;
		lab_run(&lab, ms * SIM_MS);
	}
	lab_audit(&lab);
	before = lab.ends[1].received;
	for (u32 ms = 1010; ms <= 3000; ms += 10) {
		lab.ends[0].left = 60;
		lab_run(&lab, ms * SIM_MS);
	}
	n = (lab.ends[1].received - before) / 2;
	lab.ends[0].left = 0;
	lab_run(&lab, 60 * SIM_SEC);
	lab_audit(&lab);
	*drained = !lab.sim->packets->live;
	lab_close(&lab);
	return n;
}

START_TEST(the_processor_is_the_bound)
{
	for (u32 i = 0; i < NETS; i++) {
		bool drained;
		u64 free = rate(&nets[i], "software_cipher: false, cipher_cost: 1ms", 0, &drained);

		ck_assert_msg(free > 1300, "%s: %llu", nets[i].driver, (unsigned long long)free);
		for (u32 slow = 0; slow < 2; slow++) {
			u64 n = rate(&nets[i], "software_cipher: true, cipher_cost: 1ms", slow,
				     &drained);

			ck_assert_msg(n >= 665 && n <= 693, "%s, %s: %llu a second", nets[i].driver,
				      slow ? "receiver" : "sender", (unsigned long long)n);
			ck_assert_msg(drained, "%s: packets are left", nets[i].driver);
		}
	}
}
END_TEST

/* Of the drivers that leave it to software by default there is one. */
START_TEST(iwl3945_ciphers_in_software)
{
	for (u32 i = 0; i < 2; i++) {
		bool drained;
		u64 n = rate(&nets[i], "cipher_cost: 1ms", 0, &drained);

		if (i == 0)
			ck_assert_uint_le(n, 693);
		else
			ck_assert_uint_gt(n, 1300);
	}
}
END_TEST

CHECK_MAIN("wifi-cipher", the_processor_is_the_bound, iwl3945_ciphers_in_software)
