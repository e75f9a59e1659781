// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Round-trip time: Jacobson's estimator as Linux runs it (gains 1/8 and 1/4, a deviation that falls slowly, a floor on
 * it in place of one on the timeout), the windowed minimum, and the pacing rate that follows from it.
 */
#include "transport/tcp.h"

/* @m in the unit of srtt: us, or jiffies before 3.15. */
static void estimate(struct tcp_sock *sk, u32 sample)
{
	s32 m = (s32)sample;

	if (!sk->srtt) {
		sk->srtt = sample << 3;
		sk->mdev = sample << 1;
		sk->rttvar = max_u32(sk->mdev, sk->rto_min);
		sk->mdev_max = sk->rttvar;
		sk->rtt_seq = sk->snd_nxt;
		if (!sk->srtt)
			sk->srtt = 1;
		return;
	}
	m -= (s32)(sk->srtt >> 3);
	sk->srtt += (u32)m;
	if (m < 0) {
		m = -m - (s32)(sk->mdev >> 2);
		/* A falling RTT must not raise the timeout. */
		if (m > 0)
			m >>= 3;
	} else {
		m -= (s32)(sk->mdev >> 2);
	}
	sk->mdev += (u32)m;
	if (sk->mdev > sk->mdev_max) {
		sk->mdev_max = sk->mdev;
		if (sk->mdev_max > sk->rttvar)
			sk->rttvar = sk->mdev_max;
	}
	if (after(sk->snd_una, sk->rtt_seq)) {
		if (sk->mdev_max < sk->rttvar)
			sk->rttvar -= (sk->rttvar - sk->mdev_max) >> 2;
		sk->rtt_seq = sk->snd_nxt;
		sk->mdev_max = sk->rto_min;
	}
	if (!sk->srtt)
		sk->srtt = 1;
}

static void rtt_min_update(struct tcp_sock *sk, u32 us)
{
	minmax_running(&sk->rtt_min, sk->tcp->min_rtt_wlen_j, sk->tcp->jiffies, us, false);
}

static void set_rto(struct tcp_sock *sk)
{
	u32 rto = (sk->srtt >> 3) + sk->rttvar;

	if (sk->par->rtt_clock == RTT_USEC)
		rto = tcp_us_to_jiffies(sk->tcp, rto);
	sk->rto = min_u32(rto, sk->tcp->rto_max_j);
	sk->probe_kept = false;
	sk->backoff = 0;
}

/* Before 3.15: jiffies, and the timestamp echo before the segment's own time. */
static bool update_jiffies(struct tcp_sock *sk, u32 flag, s64 seq_us, s64 ca_us)
{
	s64 m = -1;

	if (ca_us >= 0)
		rtt_min_update(sk, ca_us ? (u32)ca_us : tcp_jiffies_to_us(sk->tcp, 1));
	if (!(flag & FLAG_ACKED))
		return false;
	if (sk->saw_tstamp && sk->rcv_tsecr) {
		m = (s64)(sk->tcp->jiffies - sk->rcv_tsecr);
	} else if (seq_us >= 0) {
		m = (s64)sk->tcp->jiffies - (s64)tcp_us_to_ts(sk, sk->tcp->us - (u64)seq_us);
	}
	if (m < 0)
		return false;
	estimate(sk, m ? (u32)m : 1);
	set_rto(sk);
	return true;
}

/*
 * The samples of one ACK, us, -1: none. @seq_us: first segment newly acknowledged; @sack_us: first one SACKed; @ca_us:
 * the last of them, for congestion control, goes into rs->rtt_us.
 */
bool tcp_ack_update_rtt(struct tcp_sock *sk, u32 flag, s64 seq_us, s64 sack_us, s64 ca_us,
			struct rate_sample *rs)
{
	if (sk->par->rtt_clock == RTT_JIFFIES) {
		rs->rtt_us = ca_us;
		return update_jiffies(sk, flag, seq_us, ca_us);
	}
	if (seq_us < 0)
		seq_us = sack_us;
	if (seq_us < 0 && sk->saw_tstamp && sk->rcv_tsecr && (flag & FLAG_ACKED)) {
		u32 delta = tcp_ts(sk) - sk->rcv_tsecr;

		if (delta < INT32_MAX / 1000) {
			seq_us = (delta ? delta : 1) * 1000;
			ca_us = seq_us;
		}
	}
	rs->rtt_us = ca_us;
	if (seq_us < 0)
		return false;
	if (!(flag & FLAG_ACK_MAYBE_DELAYED) || ca_us <= (s64)tcp_min_rtt(sk))
		rtt_min_update(sk, ca_us ? (u32)ca_us : tcp_jiffies_to_us(sk->tcp, 1));
	estimate(sk, (u32)seq_us);
	set_rto(sk);
	return true;
}

/* cwnd/srtt with some room, bytes/s. */
void tcp_update_pacing_rate(struct tcp_sock *sk)
{
	const struct tcp_params *par = sk->par;
	u64 rate = (u64)sk->mss_cache * (1000000 / 100 * 8);

	if (par->rtt_clock == RTT_JIFFIES)
		return;
	rate *= (u64)(sk->snd_cwnd < sk->snd_ssthresh / 2 ? par->pacing_ss_ratio
							  : par->pacing_ca_ratio);
	rate *= max_u32(sk->snd_cwnd, sk->packets_out);
	if (sk->srtt)
		rate /= sk->srtt;
	sk->pacing_rate = rate;
}
