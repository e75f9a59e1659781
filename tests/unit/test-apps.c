// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Claim: the applications ("voice", "onoff", "replay", "web", "video") and flent's tests ("rrul", "rrul_be", "tcp_upload",
 * "tcp_download", "tcp_ndown", "rtt_fair") send what they say and measure what a user of them feels.
 * Set-up: hosts on Ethernet of 10 Mbit/s, given as scenarios.
 * Expected: voice is 68.8 kbit/s of payload a call and knows what is too late and what one thinks of it (E-model: R of
 * a call without loss at 90 ms from mouth to ear is 91.0, MOS 4.36; 5 % of loss make it 3.83, without concealment 2);
 * a film is played at the rate that the line carries, and stands still when it carries less than the lowest; a source that is on half the time
 * sends half its rate; a trace is sent at its times; a page of known objects takes the time that the wire and the
 * round trips give it, more behind a bulk flow, and no more connections are open than allowed; each flent test has
 * its parts, which together fill the link, and its pings see the queue that the flows make.
 * Tolerance: stated with each.
 */
#include "scenario-lab.h"

#define NET(kernel, qdisc, duration)                                                 \
	"name: t\nkernel: \"" kernel "\"\nduration: " duration "\nwarmup: 1s\n"      \
	"nodes:\n"                                                                   \
	"  a: {interfaces: {eth0: {driver: ethernet, qdisc: " qdisc "}}}\n"          \
	"  b: {interfaces: {eth0: {driver: ethernet, qdisc: " qdisc "}}}\n"          \
	"  c: {interfaces: {eth0: {driver: ethernet, qdisc: " qdisc "}}}\n"          \
	"links:\n"                                                                   \
	"  lan: {model: ethernet, members: [a.eth0, b.eth0, c.eth0], rate: 10Mbit, " \
	"delay: 10ms}\n"                                                             \
	"traffic:\n"

START_TEST(test_voice)
{
	struct outcome o = outcome_of(
		NET("6.1", "pfifo_fast", "21s") "  v: {model: voice, from: a, to: b, flows: 4}\n");

	ck_between(metric_of(&o, "v.goodput_mbit"), 4 * 0.0688 * 0.999, 4 * 0.0688 * 1.001);
	ck_assert_int_eq(metric_of(&o, "v.lost") + metric_of(&o, "v.late"), 0);
	ck_between(metric_of(&o, "v.jitter_ms.max"), 0, 0);
	/* 20 ms of a packet, 10.38 of the path, 60 in the buffer: 93.2 - 0.024 * 90.38. */
	ck_between(metric_of(&o, "v.r.mean"), 91.03, 91.032);
	ck_between(metric_of(&o, "v.mos.min"), 4.363, 4.364);
	outcome_clear(&o);
	/* Behind a full queue of 1000 packets nearly all is late. */
	o = outcome_of(
		NET("2.6.32", "pfifo_fast", "41s") "  v: {model: voice, from: a, to: b}\n"
						   "  bulk: {model: tcp_bulk, from: a, to: b, "
						   "flows: 4}\n");
	ck_between(metric_of(&o, "v.useless_share"), 0.8, 1);
	ck_assert(metric_of(&o, "v.delay_ms.mean") > 200);
	ck_between(metric_of(&o, "v.mos.mean"), 1, 1.5);
	outcome_clear(&o);
}
END_TEST

#define LOSSY                                                                     \
	"name: t\nkernel: \"6.1\"\nduration: 201s\nwarmup: 1s\n"                  \
	"nodes:\n  a: {interfaces: {eth0: {}}}\n  b: {interfaces: {eth0: {}}}\n"  \
	"links:\n  lan: {model: ethernet, members: [a.eth0, b.eth0], loss: 5%}\n" \
	"traffic:\n"

START_TEST(test_voice_loss)
{
	struct outcome o = outcome_of(LOSSY "  v: {model: voice, from: a, to: b}\n"
					    "  bare: {model: voice, from: b, to: a, bpl: 4.3}\n");
	/* Loss in per cent as it was, 93.2 - 0.024 * 80 - 95 P / (P + Bpl). */
	double p = 100 * metric_of(&o, "v.useless_share"),
	       q = 100 * metric_of(&o, "bare.useless_share");

	ck_between(p, 4, 6);
	ck_between(metric_of(&o, "v.r.mean"), 91.28 - 95 * p / (p + 25.1) - 0.01,
		   91.28 - 95 * p / (p + 25.1) + 0.01);
	ck_between(metric_of(&o, "bare.r.mean"), 91.28 - 95 * q / (q + 4.3) - 0.01,
		   91.28 - 95 * q / (q + 4.3) + 0.01);
	ck_between(metric_of(&o, "v.mos.mean"), 3.7, 4);
	ck_between(metric_of(&o, "bare.mos.mean"), 1.8, 2.4);
	outcome_clear(&o);
}
END_TEST

START_TEST(test_video)
{
	struct outcome o =
		outcome_of(NET("6.1", "fq_codel", "121s") "  v: {model: video, from: a, to: b}\n");

	/* 10 Mbit/s carry 9.4 of payload; 80 % of it is above 5 and below 8. */
	ck_between(metric_of(&o, "v.rate_mbit.p50"), 5, 5);
	ck_assert_int_eq(metric_of(&o, "v.stalls"), 0);
	ck_assert_int_eq(metric_of(&o, "v.still_share"), 0);
	/* The first chunk, of 250 kB: 0.21 s of the wire, and slow start. */
	ck_between(metric_of(&o, "v.startup_ms"), 230, 500);
	/* In the steady state a chunk is asked for when 26 s are left, and takes 2.1 s of the wire. */
	ck_between(metric_of(&o, "v.buffer_ms.p50"), 23000, 24500);
	ck_between(metric_of(&o, "v.chunk_ms.p50"), 2000, 2300);
	outcome_clear(&o);

	/* A line of half the lowest rate: as much time stands still as it moves. */
	o = outcome_of(NET("6.1", "fq_codel",
			   "401s") "  v: {model: video, from: a, to: b, rates: [18800kbit]}\n");
	ck_between(metric_of(&o, "v.still_share"), 0.45, 0.55);
	ck_assert(metric_of(&o, "v.stalls") >= 15);
	outcome_clear(&o);

	/* Of five flows through fq_codel each has a fifth, 1.9 Mbit/s: 80 % of that are above 1 and below 2.5. */
	o = outcome_of(NET("6.1", "fq_codel",
			   "121s") "  v: {model: video, from: a, to: b}\n"
				   "  bulk: {model: tcp_bulk, from: b, to: a, flows: 4}\n");
	ck_between(metric_of(&o, "v.rate_mbit.p50"), 1, 1);
	outcome_clear(&o);
}
END_TEST

START_TEST(test_onoff)
{
	struct outcome o = outcome_of(NET(
		"6.1", "pfifo_fast",
		"201s") "  o: {model: onoff, from: a, to: b, rate: 200kbit, size: 250B, flows: 20,"
			" on: 500ms, off: 1500ms}\n"
			"  f: {model: onoff, from: b, to: a, rate: 200kbit, size: 250B,"
			" on: 500ms, off: 1500ms, exponential: false}\n");

	/* A quarter of the time: 20 sources of some 100 cycles, standard error 2.3 %. */
	ck_between(metric_of(&o, "o.sent_mbit"), 1 * 0.93, 1 * 1.07);
	/* 50 datagrams each 2 s */
	ck_between(metric_of(&o, "f.sent_mbit"), 0.05 * 0.99, 0.05 * 1.01);
	outcome_clear(&o);
}
END_TEST

START_TEST(test_replay)
{
	struct outcome o = outcome_of(NET(
		"6.1", "pfifo_fast",
		"11s") "  r: {model: replay, from: a, to: b, period: 100ms, packets: "
		       "[{at: 0ms, size: 1000B}, {at: 1ms, size: 100B}, {at: 50ms, size: 900B}]}\n"
		       "  once: {model: replay, from: b, to: a, start: 2s, packets: "
		       "[{at: 0ms, size: 100B}, {at: 1ms, size: 100B}]}\n");

	ck_between(metric_of(&o, "r.sent_mbit"), 0.16, 0.1601);
	ck_assert_int_eq(metric_of(&o, "once.received"), 2);
	/* 128 bytes and less: padded to 60, twice over the wire of 10 Mbit/s. */
	ck_between(metric_of(&o, "once.delay_ms.mean"), 10.2656, 10.2656);
	outcome_clear(&o);
}
END_TEST

START_TEST(test_web)
{
	struct outcome o =
		outcome_of(NET("6.1", "pfifo_fast",
			       "61s") "  w: {model: web, from: a, to: b, lookups: 1, streams: 1,"
				      " size: 1000B, exponential: false, pause: 1s}\n");

	/* Look-up, handshake, request and response: three round trips of 20 ms and a little. */
	ck_between(metric_of(&o, "w.plt_ms.mean"), 60, 65);
	ck_between(metric_of(&o, "w.dns_ms.mean"), 20, 21);
	outcome_clear(&o);

	/* 70 of 10000 bytes are 0.6 s of the wire; one after the other would be 3 s more. */
	o = outcome_of(NET("6.1", "pfifo_fast",
			   "61s") "  w: {model: web, from: a, to: b, dns: c, size: 10kB,"
				  " exponential: false, pause: 1s}\n");
	ck_between(metric_of(&o, "w.plt_ms.mean"), 650, 1000);
	outcome_clear(&o);
	o = outcome_of(NET("6.1", "pfifo_fast",
			   "61s") "  w: {model: web, from: a, to: b, dns: c, size: 10kB,"
				  " exponential: false, pause: 1s, connections: 1}\n");
	ck_between(metric_of(&o, "w.plt_ms.mean"), 70 * 48, 70 * 60);
	outcome_clear(&o);
}
END_TEST

START_TEST(test_web_lost_lookup)
{
	struct outcome o =
		outcome_of("name: t\nkernel: \"6.1\"\nduration: 120s\n"
			   "nodes:\n"
			   "  a: {interfaces: {eth0: {driver: ethernet}}}\n"
			   "  b: {interfaces: {eth0: {driver: ethernet}}}\n"
			   "links:\n  lan: {model: ethernet, members: [a.eth0, b.eth0], loss: 5%}\n"
			   "traffic:\n  w: {model: web, from: a, to: b, pause: 100ms}\n");

	/* Nearly each page has a look-up that is asked again, after 5 s. */
	ck_between(metric_of(&o, "w.dns_ms.max"), 5000, 20100);
	ck_between(metric_of(&o, "w.plt_ms.p50"), 5000, 12000);
	ck_assert(metric_of(&o, "w.dns_retries") > 20);
	outcome_clear(&o);
}
END_TEST

START_TEST(test_flent)
{
	struct outcome o =
		outcome_of(NET("6.1", "fq_codel", "31s") "  t: {model: rrul, from: a, to: b}\n");

	/* Four flows a way share with the other way's ACKs. */
	ck_between(metric_of(&o, "t.upload_mbit"), 8.8, 9.5);
	ck_between(metric_of(&o, "t.download_mbit"), 8.8, 9.5);
	ck_between(metric_of(&o, "t.goodput_mbit"),
		   metric_of(&o, "t.upload_mbit") + metric_of(&o, "t.download_mbit") - 0.001,
		   metric_of(&o, "t.upload_mbit") + metric_of(&o, "t.download_mbit") + 0.001);
	ck_between(metric_of(&o, "t.upload_ef.goodput_mbit"), 1.5, 3);
	ck_between(metric_of(&o, "t.ping.rtt_ms.mean"), 20, 45);
	ck_between(metric_of(&o, "t.ping_udp_ef.rtt_ms.mean"), 20, 45);
	ck_between(metric_of(&o, "t.ping_udp_bk.transactions"), 148, 151);
	outcome_clear(&o);

	o = outcome_of(NET("6.1", "fq_codel", "31s") "  t: {model: rrul_be, from: a, to: b}\n");
	ck_between(metric_of(&o, "t.upload_be4.goodput_mbit"), 1.5, 3);
	outcome_clear(&o);

	/* With the time of flent: 5 s of pings, 10 s of TCP, 5 s of pings. */
	o = outcome_of(NET("6.1", "fq_codel",
			   "31s") "  t: {model: tcp_upload, from: a, to: b, length: 10s}\n");
	ck_between(metric_of(&o, "t.upload.goodput_mbit"), 9, 9.5);
	ck_between(metric_of(&o, "t.upload_mbit"), 9, 9.5);
	ck_assert(metric_absent(&o, "t.download_mbit"));
	ck_between(metric_of(&o, "t.ping.received"), 94, 96);
	outcome_clear(&o);

	o = outcome_of(
		NET("6.1", "fq_codel", "31s") "  t: {model: tcp_download, from: a, to: b}\n");
	ck_between(metric_of(&o, "t.download_mbit"), 9, 9.5);
	outcome_clear(&o);
	o = outcome_of(NET("6.1", "fq_codel",
			   "31s") "  t: {model: tcp_ndown, from: a, to: b, streams: 5}\n");
	ck_between(metric_of(&o, "t.download.flow_goodput_mbit.mean"), 9.2 / 5, 9.5 / 5);
	outcome_clear(&o);
	o = outcome_of(NET("6.1", "fq_codel",
			   "31s") "  t: {model: rtt_fair, from: a, to: b, hosts: [c]}\n");
	ck_between(metric_of(&o, "t.upload_bk2.goodput_mbit"), 1.5, 3);
	ck_between(metric_of(&o, "c.tx_packets"), 1000, 1e9);
	outcome_clear(&o);
}
END_TEST

CHECK_MAIN("apps", test_voice, test_voice_loss, test_video, test_onoff, test_replay, test_web,
	   test_web_lost_lookup, test_flent)
