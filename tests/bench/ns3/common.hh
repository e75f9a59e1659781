// SPDX-License-Identifier: GPL-3.0-or-later
/* What the ns-3 programs of the comparison share: switches, counters at the MACs, round trip times. */
#ifndef WLANQ_BENCH_NS3_COMMON_H
#define WLANQ_BENCH_NS3_COMMON_H

#include "ns3/applications-module.h"
#include "ns3/core-module.h"
#include "ns3/internet-apps-module.h"
#include "ns3/internet-module.h"
#include "ns3/mobility-module.h"
#include "ns3/network-module.h"
#include "ns3/point-to-point-module.h"
#include "ns3/propagation-module.h"
#include "ns3/traffic-control-module.h"
#include "ns3/wifi-module.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <string>
#include <vector>

namespace bench
{

/* What ns-3 does by default and wlanq's Linux stations do not; all are off unless asked for. */
struct Switches
{
	uint32_t seed{1};
	uint64_t run{1};
	bool lifetime{false}; /* MSDUs older than 500 ms are thrown out of the MAC's queue */
	bool assoc{false}; /* beacons, association, and a new one behind ten missed beacons; else ad hoc */
	bool bar{true}; /* an explicit BlockAckReq behind a missing Block Ack, in place of the data again */
	bool retryLimit{true}; /* seven attempts at a frame */

	void Add(ns3::CommandLine& cmd)
	{
		cmd.AddValue("seed", "seed of all draws", seed);
		cmd.AddValue("run", "run number: other draws of the same seed", run);
		cmd.AddValue("lifetime", "MSDU lifetime of 500 ms", lifetime);
		cmd.AddValue("assoc", "infrastructure mode with beacons and association", assoc);
		cmd.AddValue("bar", "explicit BAR behind a missing Block Ack", bar);
		cmd.AddValue("retryLimit", "seven attempts at a frame, else 255", retryLimit);
	}

	/* Before any device is made. */
	void Apply() const
	{
		using namespace ns3;

		RngSeedManager::SetSeed(seed);
		RngSeedManager::SetRun(run);
		if (!lifetime)
			Config::SetDefault("ns3::WifiMacQueue::MaxDelay", TimeValue(Seconds(1000000)));
		Config::SetDefault("ns3::QosTxop::UseExplicitBarAfterMissedBlockAck", BooleanValue(bar));
		if (!retryLimit) {
			Config::SetDefault("ns3::WifiRemoteStationManager::MaxSlrc", UintegerValue(255));
			Config::SetDefault("ns3::WifiRemoteStationManager::MaxSsrc", UintegerValue(255));
		}
	}

	/* The access point's device is the first of those returned. */
	ns3::NetDeviceContainer Install(ns3::WifiHelper& wifi, ns3::YansWifiPhyHelper& phy,
					ns3::NodeContainer ap, ns3::NodeContainer stas) const
	{
		using namespace ns3;
		WifiMacHelper mac;
		Ssid ssid("bench");

		if (!assoc) {
			mac.SetType("ns3::AdhocWifiMac");
			return wifi.Install(phy, mac, NodeContainer(ap, stas));
		}
		mac.SetType("ns3::StaWifiMac", "Ssid", SsidValue(ssid));
		NetDeviceContainer staDevs = wifi.Install(phy, mac, stas);
		mac.SetType("ns3::ApWifiMac", "Ssid", SsidValue(ssid));
		return NetDeviceContainer(wifi.Install(phy, mac, ap), staDevs);
	}
};

/* Round trip times in ms. */
struct RttSamples
{
	std::vector<double> ms;

	void Add(ns3::Time rtt)
	{
		ms.push_back(rtt.GetNanoSeconds() / 1e6);
	}

	/* Nearest rank; -1 when there are none. */
	double Percentile(double p)
	{
		if (ms.empty())
			return -1;
		std::sort(ms.begin(), ms.end());
		auto rank = static_cast<size_t>(std::ceil(p / 100 * ms.size()));
		return ms[rank ? rank - 1 : 0];
	}

	void Print()
	{
		double sum = 0;

		for (double v : ms)
			sum += v;
		std::printf(" ping_n=%zu rtt_min=%.3f rtt_mean=%.3f rtt_p50=%.3f rtt_p95=%.3f rtt_max=%.3f",
			    ms.size(), Percentile(0), ms.empty() ? -1 : sum / ms.size(), Percentile(50),
			    Percentile(95), Percentile(100));
	}
};

/* Counted at all MACs, over the whole run. A packet that finds the MAC's queue full fires no trace in 3.37. */
struct Counters
{
	unsigned long rx{0}; /* MSDUs handed up: data, TCP ACKs, pings */
	unsigned long aged{0}, retry{0}, old{0}; /* MPDUs dropped: lifetime, retry limit, behind the window */
	unsigned long missing{0}; /* MPDUs that a Block Ack reports as not received */
	unsigned long psduTimeouts{0}, mpduTimeouts{0}; /* no Block Ack, no ACK */
	unsigned long mpdus{0}, psdus{0}; /* MPDUs of acknowledged A-MPDUs and A-MPDUs that got no answer */

	void Rx(ns3::Ptr<const ns3::Packet>)
	{
		rx++;
	}

	void Drop(ns3::WifiMacDropReason why, ns3::Ptr<const ns3::WifiMpdu>)
	{
		if (why == ns3::WIFI_MAC_DROP_EXPIRED_LIFETIME)
			aged++;
		else if (why == ns3::WIFI_MAC_DROP_REACHED_RETRY_LIMIT)
			retry++;
		else
			old++;
	}

	void Missing(ns3::Ptr<const ns3::WifiMpdu>)
	{
		missing++;
	}

	void PsduTimeout(uint8_t, ns3::Ptr<const ns3::WifiPsdu>, const ns3::WifiTxVector&)
	{
		psduTimeouts++;
	}

	void MpduTimeout(uint8_t, ns3::Ptr<const ns3::WifiMpdu>, const ns3::WifiTxVector&)
	{
		mpduTimeouts++;
	}

	void Psdu(ns3::WifiConstPsduMap map, ns3::WifiTxVector, double)
	{
		for (const auto& entry : map) {
			const auto& psdu = entry.second;

			if (!psdu->GetHeader(0).IsQosData())
				continue;
			psdus++;
			mpdus += psdu->GetNMpdus();
		}
	}

	void Hook(const ns3::NetDeviceContainer& devs)
	{
		using namespace ns3;

		for (auto i = devs.Begin(); i != devs.End(); ++i) {
			auto dev = DynamicCast<WifiNetDevice>(*i);
			auto mac = dev->GetMac();

			mac->TraceConnectWithoutContext("MacRx", MakeCallback(&Counters::Rx, this));
			mac->TraceConnectWithoutContext("DroppedMpdu", MakeCallback(&Counters::Drop, this));
			mac->TraceConnectWithoutContext("NAckedMpdu", MakeCallback(&Counters::Missing, this));
			mac->TraceConnectWithoutContext("PsduResponseTimeout",
							MakeCallback(&Counters::PsduTimeout, this));
			mac->TraceConnectWithoutContext("MpduResponseTimeout",
							MakeCallback(&Counters::MpduTimeout, this));
			dev->GetPhy()->TraceConnectWithoutContext("PhyTxPsduBegin",
								  MakeCallback(&Counters::Psdu, this));
		}
	}

	void Print() const
	{
		std::printf(" packets=%lu events=%lu aged=%lu retry=%lu old=%lu missing=%lu psdu_timeouts=%lu"
			    " mpdu_timeouts=%lu ampdu=%.2f",
			    rx, (unsigned long)ns3::Simulator::GetEventCount(), aged, retry, old, missing,
			    psduTimeouts, mpduTimeouts, psdus ? (double)mpdus / psdus : 0);
	}
};

/* Station @i of @n on a circle around the origin. */
inline ns3::Vector OnCircle(unsigned i, unsigned n, double radius)
{
	double a = 2 * M_PI * i / std::max(1u, n);

	return {radius * std::cos(a), radius * std::sin(a), 0};
}

} // namespace bench

#endif
