// SPDX-License-Identifier: GPL-3.0-or-later
/* What congestion controls share, and Reno (net/ipv4/tcp_cong.c). */
#include "transport/tcp.h"

u32 tcp_slow_start(struct tcp_sock *sk, u32 acked)
{
	u32 cwnd;

	/* Before 3.13 one segment an ACK, however many it acknowledged. */
	if (!sk->par->count_segments) {
		if (sk->snd_cwnd < sk->snd_cwnd_clamp)
			sk->snd_cwnd++;
		return 0;
	}
	cwnd = min_u32(sk->snd_cwnd + acked, sk->snd_ssthresh);
	acked -= cwnd - sk->snd_cwnd;
	sk->snd_cwnd = min_u32(cwnd, sk->snd_cwnd_clamp);
	return acked;
}

/* A segment more for every @w acknowledged. */
void tcp_cong_avoid_ai(struct tcp_sock *sk, u32 w, u32 acked)
{
	if (!sk->par->count_segments) {
		if (sk->snd_cwnd_cnt >= w) {
			if (sk->snd_cwnd < sk->snd_cwnd_clamp)
				sk->snd_cwnd++;
			sk->snd_cwnd_cnt = 0;
		} else {
			sk->snd_cwnd_cnt++;
		}
		return;
	}
	/* What gathered under a larger w is applied gently. */
	if (sk->snd_cwnd_cnt >= w) {
		sk->snd_cwnd_cnt = 0;
		sk->snd_cwnd++;
	}
	sk->snd_cwnd_cnt += acked;
	if (sk->snd_cwnd_cnt >= w) {
		u32 delta = sk->snd_cwnd_cnt / w;

		sk->snd_cwnd_cnt -= delta * w;
		sk->snd_cwnd += delta;
	}
	sk->snd_cwnd = min_u32(sk->snd_cwnd, sk->snd_cwnd_clamp);
}

u32 tcp_reno_ssthresh(struct tcp_sock *sk)
{
	return max_u32(sk->snd_cwnd >> 1, 2);
}

u32 tcp_reno_undo_cwnd(struct tcp_sock *sk)
{
	return max_u32(sk->snd_cwnd, sk->prior_cwnd);
}

void tcp_reno_cong_avoid(struct tcp_sock *sk, u32 ack, u32 acked)
{
	bool slow_start = sk->par->count_segments ? tcp_in_slow_start(sk)
						  : sk->snd_cwnd <= sk->snd_ssthresh;

	if (!tcp_is_cwnd_limited(sk))
		return;
	if (slow_start) {
		acked = tcp_slow_start(sk, acked);
		if (!acked)
			return;
	}
	tcp_cong_avoid_ai(sk, sk->snd_cwnd, acked);
}

static const struct tcp_congestion_ops reno_ops = {
	.ssthresh = tcp_reno_ssthresh,
	.cong_avoid = tcp_reno_cong_avoid,
	.undo_cwnd = tcp_reno_undo_cwnd,
};

const struct model_class tcp_reno_class = {
	.kind = &kind_congestion,
	.name = "reno",
	.doc = "Reno: half the window on a loss, a segment an RTT",
	.source = "RFC 5681; Linux 6.1 net/ipv4/tcp_cong.c, 2.6.32 counting by era",
	.kind_ops = &reno_ops,
};
