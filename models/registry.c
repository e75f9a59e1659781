// SPDX-License-Identifier: GPL-3.0-or-later
#include "registry.h"

/* clang-format off */
#define MODELS(X) \
	X(icmp_class) \
	X(ping_class) \
	X(tcp_bulk_class) \
	X(udp_cbr_class) \
	X(iperf3_class) \
	X(onoff_class) \
	X(voice_class) \
	X(video_class) \
	X(replay_class) \
	X(web_class) \
	X(rrul_class) \
	X(rrul_be_class) \
	X(tcp_upload_class) \
	X(tcp_download_class) \
	X(tcp_ndown_class) \
	X(rtt_fair_class) \
	X(tcp_rr_class) \
	X(udp_rr_class) \
	X(host_class) \
	X(netdev_class) \
	X(ethernet_class) \
	X(ethernet_nic_class) \
	X(e1000_class) \
	X(ag71xx_class) \
	X(bql_class) \
	X(no_limit_class) \
	X(qdisc_default_class) \
	X(noqueue_class) \
	X(pfifo_fast_class) \
	X(pfifo_class) \
	X(bfifo_class) \
	X(pfifo_head_drop_class) \
	X(prio_class) \
	X(tbf_class) \
	X(netem_class) \
	X(mq_class) \
	X(tcp_class) \
	X(udp_class) \
	X(tcp_reno_class) \
	X(tcp_cubic_class) \
	X(tcp_bbr_class) \
	X(tcp_dctcp_class) \
	X(linux_reno_class) \
	X(linux_cubic_class) \
	X(linux_bbr_class) \
	X(linux_bic_class) \
	X(linux_westwood_class) \
	X(linux_htcp_class) \
	X(linux_highspeed_class) \
	X(linux_hybla_class) \
	X(linux_vegas_class) \
	X(linux_nv_class) \
	X(linux_scalable_class) \
	X(linux_lp_class) \
	X(linux_veno_class) \
	X(linux_yeah_class) \
	X(linux_illinois_class) \
	X(linux_dctcp_class) \
	X(linux_cdg_class) \
	X(codel_class) \
	X(fq_codel_class) \
	X(linux_codel_class) \
	X(linux_fq_codel_class) \
	X(linux_pie_class) \
	X(linux_red_class) \
	X(linux_sfq_class) \
	X(linux_cake_class) \
	X(linux_fq_class) \
	X(linux_tbf_class) \
	X(linux_htb_class) \
	X(linux_netem_class) \
	X(linux_prio_class) \
	X(wifi_class) \
	X(wifi_cell_class) \
	X(ideal_class) \
	X(log_distance_class) \
	X(gilbert_class) \
	X(interferer_class) \
	X(playback_class) \
	X(iwl3945_class) \
	X(ath5k_class) \
	X(ath9k_class) \
	X(iwlwifi_class) \
	X(ath10k_class) \
	X(saturated_class) \
	X(rate_fixed_class) \
	X(minstrel_ht_class) \
	X(linux_minstrel_ht_class) \
	X(txq_fq_class) \
	X(mac80211_class)

/* clang-format on */
#define DECLARE(m) extern const struct model_class m;
#define ENTRY(m)   &m,

MODELS(DECLARE)

static const struct model_class *const classes[] = {MODELS(ENTRY) NULL};

const struct registry models_builtin = {.classes = classes};
