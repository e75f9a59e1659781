// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Claim: what a capture shows of a packet or frame is what the standards say, byte by byte; frames that are told out of
 * order come out in order; a file that cannot be written is an error.
 *
 * Set-up: packets, frames and radiotap headers filled by hand. The bytes beside them were written from the figures of
 * RFC 791, 768, 792, 9293, 2018, 7323, of IEEE 802.11-2020 clause 9 and of radiotap.org, their checksums and FCS by
 * Python's struct and zlib.
 *
 * Expected: equal bytes. The scoreboard of a recipient is compared with a slow one that keeps each number.
 */
#include <errno.h>
#include <glib.h>
#include <pcap/pcap.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "check-main.h"
#include "engine/draw.h"
#include "measure/capture.h"
#include "wifi/airtime.h"
#include "wifi/frame.h"
#include "wifi/radiotap.h"
#include "wifi/scoreboard.h"

static void assert_bytes(const u8 *got, u32 n, const char *expected)
{
	GString *text = g_string_new(NULL);

	for (u32 i = 0; i < n; i++)
		g_string_append_printf(text, i ? " %02x" : "%02x", got[i]);
	ck_assert_str_eq(text->str, expected);
	g_string_free(text, TRUE);
}

/* ---- IP ------------------------------------------------------------------------------------------- */

static struct packet tcp(u16 src, u16 dst, u8 flags, u16 header, u32 payload)
{
	struct packet p = {.src = src,
			   .dst = dst,
			   .sport = src ? 5001 : 32768,
			   .dport = src ? 32768 : 5001,
			   .proto = PROTO_TCP,
			   .header = header,
			   .payload = payload};

	p.skb.len = ETH_HLEN + header + payload;
	p.tcp.flags = flags;
	return p;
}

static struct packet echo(u32 payload, u16 flags)
{
	struct packet p = {.src = flags ? 2 : 0,
			   .dst = flags ? 0 : 2,
			   .sport = 3,
			   .dport = 3,
			   .proto = PROTO_ICMP,
			   .header = 28,
			   .payload = payload,
			   .flags = flags};

	p.skb.len = ETH_HLEN + p.header + payload;
	p.dgram.seq = 7;
	return p;
}

START_TEST(tcp_and_its_options)
{
	struct wire *w = wire_new();
	struct packet p = tcp(2, 0, TCP_FLAG_SYN | TCP_FLAG_ACK | TCP_FLAG_ECE, 60, 0);
	u8 to[WIRE_HEADERS_MAX];

	p.tcp.seq = 0x01020304;
	p.tcp.ack = 0x0a0b0c0e;
	p.tcp.wnd = 65160;
	p.tcp.mss = 1460;
	p.tcp.n_sack = 1;
	p.tcp.tsval = 2005;
	p.tcp.tsecr = 2000;
	p.tcp.sack[0].start = 8; /* a scale of 7 */
	ck_assert_uint_eq(wire_headers(w, &p, to), 60);
	assert_bytes(
		to, 60,
		"45 00 00 3c 00 00 40 00 40 06 26 b9 0a 00 00 03 0a 00 00 01 13 89 80 00 01 02 "
		"03 04 0a 0b 0c 0e a0 52 fe 88 77 d6 00 00 02 04 05 b4 04 02 08 0a 00 00 07 d5 "
		"00 00 07 d0 01 03 03 07");

	/* an ACK of the same side: window in units of 128, timestamps, two blocks; TOS 0xba */
	p = tcp(2, 0, TCP_FLAG_ACK, 72, 0);
	p.skb.tos = 0xba;
	p.tcp.seq = 0x01020305;
	p.tcp.ack = 0x0a0b0c0e;
	p.tcp.wnd = 262144;
	p.tcp.tsval = 2100;
	p.tcp.tsecr = 2090;
	p.tcp.n_sack = 2;
	p.tcp.sack[0].start = 1000;
	p.tcp.sack[0].end = 2000;
	p.tcp.sack[1].start = 3000;
	p.tcp.sack[1].end = 4448;
	ck_assert_uint_eq(wire_headers(w, &p, to), 72);
	assert_bytes(
		to, 72,
		"45 ba 00 48 00 00 40 00 40 06 25 f3 0a 00 00 03 0a 00 00 01 13 89 80 00 01 02 "
		"03 05 0a 0b 0c 0e d0 10 08 00 1d bb 00 00 01 01 08 0a 00 00 08 34 00 00 08 2a "
		"01 01 05 12 00 00 03 e8 00 00 07 d0 00 00 0b b8 00 00 11 60");
	wire_free(w);
}
END_TEST

START_TEST(tcp_data_behind_a_router)
{
	struct wire *w = wire_new();
	struct packet p = tcp(0, 2, TCP_FLAG_ACK | TCP_FLAG_PSH, 52, 1448);
	u8 to[WIRE_HEADERS_MAX];

	p.flags = PACKET_HOP; /* TTL 63 */
	p.skb.tos = 2; /* ECT(0) */
	p.tcp.seq = 0x0a0b0c0e;
	p.tcp.ack = 0x01020305;
	p.tcp.wnd = 510; /* no SYN was seen: no scale */
	p.tcp.tsval = 2100;
	p.tcp.tsecr = 2090;
	ck_assert_uint_eq(wire_headers(w, &p, to), 52);
	assert_bytes(
		to, 52,
		"45 02 05 dc 00 00 40 00 3f 06 22 17 0a 00 00 01 0a 00 00 03 80 00 13 89 0a 0b "
		"0c 0e 01 02 03 05 80 18 01 fe 9d 04 00 00 01 01 08 0a 00 00 08 34 00 00 08 2a");
	wire_free(w);
}
END_TEST

/* A side that is offered no scale uses none itself. */
START_TEST(window_scale_needs_both)
{
	struct wire *w = wire_new();
	struct packet p = tcp(0, 2, TCP_FLAG_SYN, 60, 0);
	u8 to[WIRE_HEADERS_MAX];

	p.tcp.sack[0].start = 8;
	wire_headers(w, &p, to);
	p = tcp(0, 2, TCP_FLAG_ACK, 40, 0);
	p.tcp.wnd = 0x12380;
	wire_headers(w, &p, to);
	assert_bytes(to + 34, 2, "02 47");
	p = tcp(2, 0, TCP_FLAG_SYN | TCP_FLAG_ACK, 60, 0);
	wire_headers(w, &p, to);
	p = tcp(0, 2, TCP_FLAG_ACK, 40, 0);
	p.tcp.wnd = 0x1238;
	wire_headers(w, &p, to);
	assert_bytes(to + 34, 2, "12 38");
	wire_free(w);
}
END_TEST

START_TEST(udp_and_icmp)
{
	struct wire *w = wire_new();
	struct packet p = echo(56, 0);
	u8 to[WIRE_HEADERS_MAX];

	ck_assert_uint_eq(wire_headers(w, &p, to), 28);
	assert_bytes(
		to, 28,
		"45 00 00 54 00 00 40 00 40 01 26 a6 0a 00 00 01 0a 00 00 03 08 00 f7 f5 00 03 "
		"00 07");
	p = echo(56, PACKET_ECHO_REPLY);
	wire_headers(w, &p, to);
	assert_bytes(to + 12, 16, "0a 00 00 03 0a 00 00 01 00 00 ff f5 00 03 00 07");

	p = (struct packet){.dst = 2,
			    .sport = 32770,
			    .dport = 6000,
			    .proto = PROTO_UDP,
			    .header = 28,
			    .payload = 172};
	p.skb.len = ETH_HLEN + 200;
	p.skb.tos = 0xb8;
	ck_assert_uint_eq(wire_headers(w, &p, to), 28);
	assert_bytes(
		to, 28,
		"45 b8 00 c8 00 00 40 00 40 11 25 6a 0a 00 00 01 0a 00 00 03 80 02 17 70 00 b4 "
		"53 10");
	p.proto = 0;
	ck_assert_uint_eq(wire_headers(w, &p, to), 0);
	ck_assert_uint_eq(wire_ethertype(&p), ETHERTYPE_LOCAL);
	wire_free(w);
}
END_TEST

/* ---- 802.11 --------------------------------------------------------------------------------------- */

static u8 frame[FRAME_MAX];

/* From interface 3 to the access point, 2. */
static struct frame_head head(u32 duration, u16 seq, bool retry)
{
	struct frame_head h = {.duration = duration, .seq = seq, .retry = retry};

	wire_mac(2, h.receiver);
	wire_mac(3, h.transmitter);
	wire_mac(2, h.bssid);
	memset(frame, 0, sizeof(frame));
	return h;
}

static void assert_frame(u32 len, u32 bytes, const char *expected)
{
	ck_assert_uint_eq(len, bytes);
	frame_fcs(frame, len, true);
	assert_bytes(frame, len, expected);
}

START_TEST(control_frames)
{
	struct frame_head h = head(300, 0, false);

	assert_frame(frame_rts(&h, frame), WIFI_RTS,
		     "b4 00 2c 01 02 00 00 00 00 02 02 00 00 00 00 03 b2 e0 0d 00");
	h = head(256, 0, false);
	assert_frame(frame_cts(&h, frame), WIFI_CTS, "c4 00 00 01 02 00 00 00 00 02 3e 0d 6f 97");
	h = head(0, 0, false);
	assert_frame(frame_ack(&h, frame), WIFI_ACK, "d4 00 00 00 02 00 00 00 00 02 62 87 b6 16");
	h = head(0, 0, false);
	assert_frame(
		frame_block_ack(&h, 6, 4090, 0x8000000000000005ull, frame), WIFI_BA,
		"94 00 00 00 02 00 00 00 00 02 02 00 00 00 00 03 04 60 a0 ff 05 00 00 00 00 00 "
		"00 80 e7 37 0a 44");
	h = head(99999, 0, false);
	frame_ack(&h, frame);
	assert_bytes(frame + 2, 2, "ff 7f"); /* as long as can be told */
}
END_TEST

START_TEST(frames_of_sessions)
{
	struct softmac_mgmt m = {.kind = MGMT_BAR, .tid = 6, .start = 4090};
	struct frame_head h = head(32, 17, true);

	assert_frame(frame_mgmt(&h, &m, frame), WIFI_BAR,
		     "84 00 20 00 02 00 00 00 00 02 02 00 00 00 00 03 04 60 a0 ff 94 b1 a6 af");
	m = (struct softmac_mgmt){.kind = MGMT_ADDBA_REQUEST,
				  .dialog = 9,
				  .tid = 6,
				  .amsdu = true,
				  .start = 100,
				  .size = 64,
				  .timeout = 5000};
	h = head(44, 17, true);
	assert_frame(
		frame_mgmt(&h, &m, frame), 37,
		"d0 08 2c 00 02 00 00 00 00 02 02 00 00 00 00 03 02 00 00 00 00 02 10 01 03 00 "
		"09 1b 10 88 13 40 06 39 50 c8 49");
	m = (struct softmac_mgmt){.kind = MGMT_ADDBA_RESPONSE,
				  .dialog = 9,
				  .tid = 6,
				  .declined = true,
				  .size = 32,
				  .timeout = 5000};
	h = head(44, 17, false);
	assert_frame(
		frame_mgmt(&h, &m, frame), 37,
		"d0 00 2c 00 02 00 00 00 00 02 02 00 00 00 00 03 02 00 00 00 00 02 10 01 03 01 "
		"09 25 00 1a 08 88 13 bf 49 22 51");
	m = (struct softmac_mgmt){
		.kind = MGMT_DELBA, .tid = 6, .initiator = true, .reason = REASON_NOT_USED};
	h = head(44, 17, false);
	assert_frame(
		frame_mgmt(&h, &m, frame), 34,
		"d0 00 2c 00 02 00 00 00 00 02 02 00 00 00 00 03 02 00 00 00 00 02 10 01 03 02 "
		"00 68 25 00 b2 4c 67 09");
}
END_TEST

#define ZEROS_8	 " 00 00 00 00 00 00 00 00"
#define ZEROS_56 ZEROS_8 ZEROS_8 ZEROS_8 ZEROS_8 ZEROS_8 ZEROS_8 ZEROS_8

START_TEST(data_with_ccmp)
{
	struct packet p = echo(56, 0);
	struct frame_data d = {.direction = FRAME_TO_AP,
			       .qos = true,
			       .ccmp = true,
			       .tid = 6,
			       .number = 1,
			       .packets = &p,
			       .wire = wire_new()};
	struct frame_head h = head(48, 0x123, true);
	u32 headers, len;

	p.l2_src = 3;
	p.l2_dst = 2;
	len = frame_data(&h, &d, frame, &headers);
	assert_frame(
		len, wifi_mpdu_bytes(84, true, true),
		"88 49 30 00 02 00 00 00 00 02 02 00 00 00 00 03 02 00 00 00 00 02 30 12 06 00 "
		"01 00 00 20 00 00 00 00 aa aa 03 00 00 00 08 00 45 00 00 54 00 00 40 00 40 01 "
		"26 a6 0a 00 00 01 0a 00 00 03 08 00 f7 f5 00 03 00 07" ZEROS_56 ZEROS_8
		" c1 bf de 8f");
	ck_assert_uint_eq(headers, 26 + 8 + 8 + 28);
	/* without payload all of the frame is headers */
	p = echo(0, 0);
	h = head(48, 0x123, true);
	len = frame_data(&h, &d, frame, &headers);
	ck_assert_uint_eq(headers, len);
	wire_free(d.wire);
}
END_TEST

START_TEST(two_packets_in_an_amsdu)
{
	struct packet p[] = {echo(1, 0), echo(56, 0)};
	struct frame_data d = {
		.direction = FRAME_FROM_AP, .qos = true, .packets = p, .wire = wire_new()};
	struct frame_head h = head(48, 0xfff, false);
	u32 headers, len;

	wire_mac(3, h.receiver);
	wire_mac(2, h.transmitter);
	for (u32 i = 0; i < 2; i++) {
		p[i].l2_src = 2;
		p[i].l2_dst = 3;
	}
	p[0].skb.next = &p[1].skb;
	len = frame_data(&h, &d, frame, &headers);
	/* 51 bytes of the first subframe, one of padding */
	assert_frame(
		len, 188,
		"88 02 30 00 02 00 00 00 00 03 02 00 00 00 00 02 02 00 00 00 00 02 f0 ff 80 00 "
		"02 00 00 00 00 03 02 00 00 00 00 02 00 25 aa aa 03 00 00 00 08 00 45 00 00 1d "
		"00 00 40 00 40 01 26 dd 0a 00 00 01 0a 00 00 03 08 00 f7 f5 00 03 00 07 00 00 "
		"02 00 00 00 00 03 02 00 00 00 00 02 00 5c aa aa 03 00 00 00 08 00 45 00 00 54 "
		"00 00 40 00 40 01 26 a6 0a 00 00 01 0a 00 00 03 08 00 f7 f5 00 03 00 07" ZEROS_56
		" 1a 2f e8 1a");
	ck_assert_uint_eq(headers, 26 + 14 + 8 + 28);
	wire_free(d.wire);
}
END_TEST

START_TEST(a_lost_frame_has_a_wrong_fcs)
{
	struct frame_head h = head(0, 0, false);
	u32 len = frame_ack(&h, frame);

	frame_fcs(frame, len, false);
	assert_bytes(frame + 10, 4, "9d 78 49 e9");
}
END_TEST

/* ---- radiotap ------------------------------------------------------------------------------------- */

static void assert_radiotap(const struct radiotap *r, const char *expected)
{
	u8 to[RADIOTAP_MAX];
	u32 n = radiotap_write(r, to);

	assert_bytes(to, n, expected);
}

START_TEST(radiotap_of_each_modulation)
{
	/* 11 Mbit/s, short preamble: the first bit comes 96 us behind the start */
	assert_radiotap(&(struct radiotap){.at = 1000500,
					   .rate = wifi_cck(3) | WIFI_SHORT_PREAMBLE,
					   .band = WIFI_2GHZ},
			"00 00 24 00 0f 00 40 00 48 04 00 00 00 00 00 00 12 16 6c 09 a0 00 00 00 "
			"34 44 0f 00 00 00 00 00 00 00 12 00");
	/* 24 Mbit/s at 5 GHz */
	assert_radiotap(&(struct radiotap){.at = 0, .rate = wifi_ofdm(4), .band = WIFI_5GHZ},
			"00 00 24 00 0f 00 40 00 14 00 00 00 00 00 00 00 10 30 3c 14 40 01 00 00 "
			"00 00 00 00 00 00 00 00 00 00 12 00");
	/* MCS 15, 40 MHz, short guard interval: last of A-MPDU 7, lost, behind an RTS, second retry, at -61 dBm */
	assert_radiotap(&(struct radiotap){.at = 5000000,
					   .rate = wifi_ht(15, WIFI_40, true),
					   .band = WIFI_5GHZ,
					   .bad_fcs = true,
					   .has_signal = true,
					   .signal = -61,
					   .has_tx = true,
					   .tx_flags = RADIOTAP_TX_RTS,
					   .retries = 2,
					   .ampdu = true,
					   .last = true,
					   .reference = 7},
			"00 00 34 00 2b 80 5a 00 b0 13 00 00 00 00 00 00 d0 00 3c 14 40 01 c3 00 "
			"04 00 02 7f 05 0f 00 00 07 00 00 00 0c 00 00 00 40 4b 4c 00 00 00 00 00 "
			"00 00 12 00");
	/* VHT MCS 9, two streams, 80 MHz, short guard interval, alone; 3500 bytes are nine symbols */
	assert_radiotap(&(struct radiotap){.at = 0,
					   .rate = wifi_vht(9, 2, WIFI_80, true),
					   .band = WIFI_5GHZ,
					   .ampdu = true,
					   .last = true,
					   .single = true,
					   .reference = 1,
					   .psdu = 3500},
			"00 00 3c 00 0b 00 70 00 2c 00 00 00 00 00 00 00 90 00 3c 14 40 01 00 00 "
			"01 00 00 00 cc 00 00 00 4d 00 0c 04 92 00 00 00 00 00 00 00 00 00 00 00 "
			"00 00 00 00 00 00 00 00 00 00 12 00");
}
END_TEST

/* ---- block acks ------------------------------------------------------------------------------------ */

/* Which of all numbers were received, and where the window is: 10.25.6.3 taken word for word. */
struct slow_board {
	bool got[4096];
	u32 start, size;
};

static void slow_move(struct slow_board *s, u32 start)
{
	/* what enters the window anew has not been received */
	for (u32 i = (s->start + s->size) & 4095; i != ((start + s->size) & 4095);
	     i = (i + 1) & 4095)
		s->got[i] = false;
	s->start = start & 4095;
}

static void slow_take(struct slow_board *s, u32 seq)
{
	u32 ahead = (seq - s->start) & 4095;

	if (ahead >= 2048)
		return;
	if (ahead >= s->size)
		slow_move(s, (seq - s->size + 1) & 4095);
	s->got[seq] = true;
}

START_TEST(scoreboard_as_the_slow_one)
{
	static const u16 sizes[] = {1, 8, 32, 63, 64};
	u64 key = draw_key(1, "scoreboard");

	for (u32 k = 0; k < G_N_ELEMENTS(sizes); k++) {
		struct slow_board slow = {.start = 4000, .size = sizes[k]};
		struct scoreboard s;

		scoreboard_begin(&s, 4000, sizes[k]);
		for (u32 i = 0; i < 20000; i++) {
			u64 bits = draw_bits(key, k * 20000 + i), got = 0;
			/* mostly near the window, now and then far off; a request now and then */
			u32 seq = (slow.start + bits % (bits >> 32 & 15 ? 70 : 4096)) & 4095;

			if (bits >> 40 & 31) {
				scoreboard_take(&s, (u16)seq);
				slow_take(&slow, seq);
			} else if (((seq - slow.start) & 4095) < 2048) {
				scoreboard_move(&s, (u16)seq);
				slow_move(&slow, seq);
			}
			/* Check writes each assertion to a pipe: one for all 64, not one each. */
			for (u32 n = 0; n < 64 && n < slow.size; n++)
				got |= (u64)slow.got[(slow.start + n) & 4095] << n;
			ck_assert_uint_eq(s.start, slow.start);
			ck_assert_uint_eq(s.bitmap, got);
		}
	}
}
END_TEST

START_TEST(scoreboards_by_pair_and_tid)
{
	struct scoreboards *all = scoreboards_new();
	struct scoreboard *s = scoreboards_find(all, 1, 2, 0, true);

	ck_assert_ptr_null(scoreboards_find(all, 2, 1, 0, false));
	ck_assert_ptr_null(scoreboards_find(all, 1, 2, 1, false));
	ck_assert_ptr_eq(scoreboards_find(all, 1, 2, 0, true), s);
	scoreboards_end(all, 1, 2, 0);
	ck_assert_ptr_null(scoreboards_find(all, 1, 2, 0, false));
	scoreboards_free(all);
}
END_TEST

/* ---- files ---------------------------------------------------------------------------------------- */

START_TEST(times_and_lengths_come_back)
{
	const u32 snaplens[] = {CAPTURE_HEADERS, 3, 100};
	const u32 kept[] = {4, 3, 8}; /* of a frame of 8 bytes, 4 of which are headers */
	char path[] = "/tmp/wlanq-capture-XXXXXX";
	u8 bytes[8] = {0};

	close(mkstemp(path));
	for (u32 i = 0; i < G_N_ELEMENTS(snaplens); i++) {
		static const sim_time at[] = {5 * SIM_SEC + 1, 7, 5 * SIM_SEC, 7};
		static const u8 order[] = {1, 3, 2, 0};
		struct capture *c = capture_open(NULL, path, CAPTURE_ETHERNET, snaplens[i]);
		char why[PCAP_ERRBUF_SIZE];
		struct pcap_pkthdr *h;
		const u_char *data;
		pcap_t *in;

		ck_assert_ptr_nonnull(c);
		ck_assert_uint_eq(capture_length(c, 4, 8), kept[i]);
		ck_assert_uint_eq(capture_length(c, 4, 2), 2);
		for (u32 k = 0; k < 4; k++) {
			bytes[0] = (u8)k;
			capture_put(c, at[k], bytes, kept[i], 8);
		}
		capture_settle(c, 7);
		ck_assert_int_eq(capture_close(c), 0);

		in = pcap_open_offline_with_tstamp_precision(path, PCAP_TSTAMP_PRECISION_NANO, why);
		ck_assert_ptr_nonnull(in);
		ck_assert_int_eq(pcap_datalink(in), DLT_EN10MB);
		for (u32 k = 0; k < 4; k++) {
			ck_assert_int_eq(pcap_next_ex(in, &h, &data), 1);
			ck_assert_int_eq(h->ts.tv_sec * SIM_SEC + h->ts.tv_usec, at[order[k]]);
			ck_assert_uint_eq(h->caplen, kept[i]);
			ck_assert_uint_eq(h->len, 8);
			ck_assert_uint_eq(data[0], order[k]);
		}
		ck_assert_int_eq(pcap_next_ex(in, &h, &data), PCAP_ERROR_BREAK);
		pcap_close(in);
	}
	unlink(path);
}
END_TEST

START_TEST(what_cannot_be_written)
{
	u8 bytes[64] = {0};
	struct capture *c;

	ck_assert_ptr_null(capture_open(NULL, "/dev/null/x.pcap", CAPTURE_ETHERNET, 64));
	ck_assert_int_eq(errno, ENOTDIR);
	c = capture_open(NULL, "/dev/full", CAPTURE_ETHERNET, 64);
	if (!c) /* its header did not fit, and that was told at once */
		return;
	capture_put(c, 0, bytes, 64, 64);
	ck_assert_int_eq(capture_close(c), -1);
	ck_assert_int_eq(errno, ENOSPC);
}
END_TEST

CHECK_MAIN("capture", tcp_and_its_options, tcp_data_behind_a_router, window_scale_needs_both,
	   udp_and_icmp, control_frames, frames_of_sessions, data_with_ccmp,
	   two_packets_in_an_amsdu, a_lost_frame_has_a_wrong_fcs, radiotap_of_each_modulation,
	   scoreboard_as_the_slow_one, scoreboards_by_pair_and_tid, times_and_lengths_come_back,
	   what_cannot_be_written)
