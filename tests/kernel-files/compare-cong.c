// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * compare-cong CONG.so CALLS: so many of CUBIC, a tenth of Reno and a fifth of BBR
 * Claim: our CUBIC, Reno and BBR decide as Linux's own files do, call by call.
 * Set-up: each in two simulations of one seed, once ours and once the file of the tree that CONG.so was built from, behind
 * a socket that this test moves by hand. Both sockets get the same drawn events: ACKs of one to 45 segments with RTTs of
 * every kind, losses, timeouts, false alarms, idle times, restarts, ECN, rate samples, and pauses of hours. Every 2,000
 * events the path is another one: RTT from 0.2 to 400 ms, losses from one in 20 to one in 20,000 events, and
 * a sixth of them policed.
 * Expected: after each call the same window, threshold, count, pacing and answer; the same number of draws.
 * Tolerance: none.
 */
#include <inttypes.h>

#include "engine/draw.h"
#include "kernel/shim/loader.h"
#include "transport/tcp_linux.h"

#include "../unit/tcp-lab.h"

struct subject {
	const struct model_class *ours, *theirs;
	u32 share; /* of the calls, in 1/20 */
};

static const struct subject subjects[] = {
	{&tcp_cubic_class, &linux_cubic_class, 20},
	{&tcp_reno_class, &linux_reno_class, 2},
	{&tcp_bbr_class, &linux_bbr_class, 4},
};

struct side {
	struct tcp_lab *lab;
	struct tcp_sock *sk;
	u32 answer; /* of the last call that gives one */
	u64 calls;
};

enum what { ACK, LOSS, TIMEOUT, UNDO, IDLE, RESTART, CWR, SIZES, KINDS };

/* One event, the same for both sides. */
struct step {
	enum what what;
	s64 pass;
	u32 acked, sent, rtt, min_rtt, losses;
	s32 ack_rtt; /* what pkts_acked() is told; -1: nothing */
	bool limited, app_limited, delayed, retrans, no_sample;
};

struct path {
	u32 rtt, jitter, loss; /* us; one event in so many */
	bool policed; /* a third of what is sent is lost, all the time */
};

/* ---- events ------------------------------------------------------------------------------------- */

static struct path draw_path(struct draw *d)
{
	static const u32 rtts[] = {200, 2000, 10000, 40000, 100000, 400000};
	static const u32 losses[] = {20, 200, 1000, 5000, 20000};
	u32 rtt = rtts[draw_next_below(d, 6)];

	return (struct path){rtt, rtt / (1 + draw_next_below(d, 8)) + 1,
			     losses[draw_next_below(d, 5)], !draw_next_below(d, 6)};
}

static enum what draw_what(struct draw *d, const struct path *path)
{
	u32 r = draw_next_below(d, 100);

	if (draw_next_below(d, path->loss))
		return draw_next_below(d, 50) ? ACK : SIZES;
	return r < 60	? LOSS
	       : r < 70 ? TIMEOUT
	       : r < 80 ? IDLE
	       : r < 85 ? RESTART
	       : r < 92 ? CWR
			: UNDO;
}

static struct step draw_step(struct draw *d, const struct path *path)
{
	struct step s = {.what = draw_what(d, path)};
	u32 bits = (u32)draw_bits(d->key, d->index++);

	s.acked = bits & 1 ? 2 : bits & 2 ? 1 : 1 + draw_next_below(d, 45);
	s.sent = s.acked + draw_next_below(d, 3);
	s.rtt = path->rtt + draw_next_below(d, path->jitter);
	s.min_rtt = path->rtt;
	s.ack_rtt = bits >> 2 & 15 ? (s32)s.rtt : -1;
	s.limited = !!(bits >> 6 & 7);
	s.app_limited = !(bits >> 9 & 31);
	s.delayed = !(bits >> 14 & 3);
	s.retrans = !(bits >> 16 & 63);
	s.no_sample = !(bits >> 22 & 31);
	s.losses = bits >> 27 & 15 ? 0 : draw_next_below(d, 4);
	/* ACKs come in trains, an RTT apart. */
	s.pass = draw_next_below(d, (bits >> 16 & 7) ? 300000 : path->rtt * 1000);
	if (path->policed) {
		s.losses = s.acked / 3 + 1;
		s.app_limited = s.no_sample = false;
	}
	if (s.what == IDLE)
		s.pass += (s64)draw_next_below(d, 2000000000) * (bits & 1 ? 1 : 10000);
	return s;
}

/* ---- a sender, moved by hand ---------------------------------------------------------------------- */

static void pacing(struct tcp_sock *sk)
{
	if (!sk->ca_ops->cong_control)
		tcp_update_pacing_rate(sk);
}

static void set_state(struct side *e, u8 state)
{
	tcp_set_ca_state(e->sk, state);
	e->calls++;
}

static void reduce(struct side *e, u8 state)
{
	struct tcp_sock *sk = e->sk;

	sk->prior_ssthresh = tcp_current_ssthresh(sk);
	sk->high_seq = sk->snd_nxt;
	sk->snd_cwnd_cnt = 0;
	sk->prior_cwnd = sk->snd_cwnd;
	sk->snd_ssthresh = e->answer = sk->ca_ops->ssthresh(sk);
	e->calls++;
	set_state(e, state);
}

static void ack_recovery(struct side *e)
{
	struct tcp_sock *sk = e->sk;

	if (before(sk->snd_una, sk->high_seq))
		return;
	if (sk->ca_state != TCP_CA_Loss && !sk->ca_ops->cong_control) {
		sk->snd_cwnd = sk->snd_ssthresh;
		tcp_ca_event(sk, CA_EVENT_COMPLETE_CWR);
		e->calls++;
	}
	set_state(e, TCP_CA_Open);
}

static void ack_control(struct side *e, const struct step *s, u32 prior_in_flight)
{
	struct tcp_sock *sk = e->sk;
	struct rate_sample rs = {
		.prior_us = sk->tcp->us - s->rtt,
		.prior_delivered =
			sk->delivered - min_u32(sk->delivered, s->acked + sk->snd_cwnd / 2),
		.delivered = (s32)(s->acked + sk->snd_cwnd / 2),
		.interval_us = s->rtt,
		.rtt_us = s->ack_rtt,
		.losses = s->losses,
		.acked_sacked = s->acked,
		.prior_in_flight = prior_in_flight,
		.last_end_seq = sk->snd_una,
		.is_app_limited = s->app_limited,
		.is_retrans = s->retrans,
		.is_ack_delayed = s->delayed,
	};

	if (s->no_sample) {
		rs.prior_us = 0;
		rs.delivered = -1;
		rs.interval_us = -1;
	}
	sk->ca_ops->cong_control(sk, &rs);
}

static void ack(struct side *e, const struct step *s)
{
	struct tcp_sock *sk = e->sk;
	u32 acked = min_u32(s->acked, sk->packets_out), in_flight = sk->packets_out;

	sk->snd_una += acked * sk->mss_cache;
	sk->packets_out -= acked;
	sk->delivered += acked;
	sk->lost += s->losses;
	if (sk->app_limited && after(sk->delivered, sk->app_limited))
		sk->app_limited = 0;
	if (acked)
		sk->delivered_us = sk->tcp->us;
	sk->srtt = sk->srtt ? sk->srtt + s->rtt - (sk->srtt >> 3) : s->rtt << 3;
	minmax_reset(&sk->rtt_min, sk->tcp->jiffies, s->min_rtt);
	if (sk->ca_ops->pkts_acked) {
		const struct ack_sample sample = {acked, s->ack_rtt, in_flight * sk->mss_cache};

		sk->ca_ops->pkts_acked(sk, &sample);
		e->calls++;
	}
	if (sk->ca_state >= TCP_CA_CWR)
		ack_recovery(e);
	if (sk->ca_ops->cong_control)
		ack_control(e, s, in_flight);
	else if (sk->ca_state != TCP_CA_CWR && sk->ca_state != TCP_CA_Recovery && acked)
		sk->ca_ops->cong_avoid(sk, sk->snd_una, acked);
	e->calls++;
	pacing(sk);
}

static void send(struct side *e, const struct step *s)
{
	struct tcp_sock *sk = e->sk;
	u32 room = sk->snd_cwnd > sk->packets_out ? sk->snd_cwnd - sk->packets_out : 0;
	u32 sent = min_u32(s->limited ? room : s->sent, room);

	if (!sent)
		return;
	if (!sk->packets_out) {
		tcp_ca_event(sk, CA_EVENT_TX_START);
		e->calls++;
	}
	sk->packets_out += sent;
	sk->snd_nxt += sent * sk->mss_cache;
	sk->lsndtime = sk->tcp->jiffies;
	sk->max_packets_out = sk->packets_out;
	sk->is_cwnd_limited = s->limited;
	sk->wstamp_ns = sk->sim->now + (s64)(s->rtt & 0xfff) * 100;
}

static void timeout(struct side *e)
{
	struct tcp_sock *sk = e->sk;

	sk->prior_ssthresh = tcp_current_ssthresh(sk);
	sk->prior_cwnd = sk->snd_cwnd;
	sk->snd_ssthresh = e->answer = sk->ca_ops->ssthresh(sk);
	tcp_ca_event(sk, CA_EVENT_LOSS);
	sk->snd_cwnd = 1;
	sk->snd_cwnd_cnt = 0;
	set_state(e, TCP_CA_Loss);
	sk->high_seq = sk->snd_nxt;
	e->calls += 2;
}

static void undo(struct side *e)
{
	struct tcp_sock *sk = e->sk;

	if (sk->ca_state < TCP_CA_CWR)
		return;
	sk->snd_cwnd = e->answer = sk->ca_ops->undo_cwnd(sk);
	sk->snd_ssthresh = max_u32(sk->snd_ssthresh, sk->prior_ssthresh);
	set_state(e, TCP_CA_Open);
	e->calls++;
}

static void sizes(struct side *e)
{
	struct tcp_sock *sk = e->sk;

	if (sk->ca_ops->min_tso_segs)
		e->answer = sk->ca_ops->min_tso_segs(sk);
	if (sk->ca_ops->sndbuf_expand)
		e->answer = e->answer << 8 | sk->ca_ops->sndbuf_expand(sk);
	e->calls += 2;
}

struct play {
	struct side *e;
	const struct step *s;
};

static void play(struct sim *sim, void *arg)
{
	struct play *p = arg;
	struct side *e = p->e;
	struct tcp_sock *sk = e->sk;

	sim->now += p->s->pass;
	tcp_clock(sk->tcp, sim);
	switch (p->s->what) {
	case ACK:
		ack(e, p->s);
		break;
	case LOSS:
		if (sk->ca_state < TCP_CA_CWR)
			reduce(e, TCP_CA_Recovery);
		break;
	case CWR:
		if (sk->ca_state < TCP_CA_CWR)
			reduce(e, TCP_CA_CWR);
		break;
	case TIMEOUT:
		timeout(e);
		break;
	case UNDO:
		undo(e);
		break;
	case RESTART:
		tcp_ca_event(sk, CA_EVENT_CWND_RESTART);
		sk->snd_cwnd = min_u32(sk->snd_cwnd, 10);
		e->calls++;
		break;
	case IDLE:
		sk->snd_una = sk->snd_nxt;
		sk->packets_out = 0;
		sk->app_limited = sk->delivered ? sk->delivered : 1;
		break;
	default:
		sizes(e);
		break;
	}
	/* What no path holds is lost. */
	if (sk->snd_cwnd > 20000 && sk->ca_state < TCP_CA_CWR)
		reduce(e, TCP_CA_Recovery);
	send(e, p->s);
}

/* ---- both ----------------------------------------------------------------------------------------- */

static void connect(struct sim *sim, void *arg)
{
	struct side *e = arg;

	tcp_lab_start(e->lab);
	e->sk = e->lab->client;
	tcp_init_transfer(e->sk);
	e->sk->packets_out = 0;
	e->sk->snd_una = e->sk->snd_nxt;
}

static void side_open(struct side *e, const struct model_class *cls)
{
	*e = (struct side){.lab = tcp_lab_new("6.1", cls)};
	if (sim_call(e->lab->lab.sim, connect, e)) {
		fprintf(stderr, "%s\n", e->lab->lab.sim->error);
		exit(1);
	}
}

static bool same(const struct side *a, const struct side *b)
{
	const struct tcp_sock *p = a->sk, *q = b->sk;

	return p->snd_cwnd == q->snd_cwnd && p->snd_ssthresh == q->snd_ssthresh &&
	       p->snd_cwnd_cnt == q->snd_cwnd_cnt && p->pacing_rate == q->pacing_rate &&
	       p->pacing == q->pacing && p->app_limited == q->app_limited &&
	       p->draw_index == q->draw_index && p->packets_out == q->packets_out &&
	       a->answer == b->answer && a->calls == b->calls;
}

static void tell(const char *name, const struct side *e)
{
	const struct tcp_sock *sk = e->sk;

	printf("  %-6s cwnd %u + %u, ssthresh %u, pacing %" PRIu64
	       ", app_limited %u, answer %u, draws %u, calls %" PRIu64 "\n",
	       name, sk->snd_cwnd, sk->snd_cwnd_cnt, sk->snd_ssthresh, sk->pacing_rate,
	       sk->app_limited, e->answer, sk->draw_index, e->calls);
}

static bool compare(const struct linux_library *lib, const struct subject *sub, u64 calls)
{
	static const char *const kinds[KINDS] = {"ack",	 "loss",    "timeout", "undo",
						 "idle", "restart", "cwr",     "sizes"};
	struct model_class theirs_class = *sub->theirs;
	struct path path = {0};
	struct side ours, theirs;
	struct draw d;
	bool ok = true;
	u64 n, happened[KINDS] = {0};

	theirs_class.library = lib;
	side_open(&ours, sub->ours);
	side_open(&theirs, &theirs_class);
	draw_init(&d, 5, sub->ours->name, "compare");
	for (n = 0; ok && ours.calls < calls; n++) {
		struct step s;
		struct play a = {&ours, &s}, b = {&theirs, &s};

		if (n % 2000 == 0)
			path = draw_path(&d);
		s = draw_step(&d, &path);
		happened[s.what]++;
		if (sim_call(ours.lab->lab.sim, play, &a) ||
		    sim_call(theirs.lab->lab.sim, play, &b)) {
			printf("%s: %s%s\n", sub->ours->name, ours.lab->lab.sim->error,
			       theirs.lab->lab.sim->error);
			ok = false;
		} else if (!same(&ours, &theirs)) {
			printf("%s: event %" PRIu64 " (%s) at %.9f s\n", sub->ours->name, n,
			       kinds[s.what], (double)ours.lab->lab.sim->now / 1e9);
			tell("ours", &ours);
			tell("Linux", &theirs);
			ok = false;
		}
	}
	if (ok) {
		printf("%s: %" PRIu64 " calls identical (", sub->ours->name, ours.calls);
		for (u32 i = 0; i < KINDS; i++)
			printf("%s%s %" PRIu64, i ? ", " : "", kinds[i], happened[i]);
		printf(")\n");
	}
	tcp_lab_free(ours.lab);
	tcp_lab_free(theirs.lab);
	return ok;
}

int main(int argc, char **argv)
{
	u64 calls = argc == 3 ? strtoull(argv[2], NULL, 10) : 0;
	struct linux_library lib;
	char err[160], *image;
	bool ok = true;
	gsize size;

	if (!calls) {
		fprintf(stderr, "compare-cong CONG.so CALLS\n");
		return 2;
	}
	if (!g_file_get_contents(argv[1], &image, &size, NULL) ||
	    !linux_library_open(&lib, image, size, err, sizeof(err))) {
		fprintf(stderr, "%s cannot be used\n", argv[1]);
		return 1;
	}
	for (u32 i = 0; i < sizeof(subjects) / sizeof(subjects[0]); i++)
		ok = compare(&lib, &subjects[i], calls * subjects[i].share / 20) && ok;
	linux_library_close(&lib);
	g_free(image);
	return ok ? 0 : 1;
}
