// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * W1, W2, W3 and W6: an access point and one station, for TCP with a server on a wire behind the access point. Prints
 * one line of key=value pairs.
 */
#include "common.hh"

using namespace ns3;

struct Options
{
	double time{10}, warmup{1};
	bool ac{false};
	uint32_t width{40};
	std::string mode{"HtMcs15"};
	bool minstrel{false};
	double distance{1};
	bool fading{false};
	bool nist{false};
	bool tcp{false};
	uint32_t flows{1};
	double offered{400};
	std::string qdisc{"pfifo_fast"};
	bool bql{false};
	uint32_t macQueue{500};
	int64_t ampdu{-1};

	void Add(CommandLine& cmd)
	{
		cmd.AddValue("time", "measured seconds", time);
		cmd.AddValue("warmup", "seconds under load before them", warmup);
		cmd.AddValue("ac", "802.11ac in place of 802.11n", ac);
		cmd.AddValue("width", "of the channel, MHz", width);
		cmd.AddValue("mode", "rate of data frames", mode);
		cmd.AddValue("minstrel", "MinstrelHt in place of the fixed rate", minstrel);
		cmd.AddValue("distance", "of the two, m", distance);
		cmd.AddValue("fading", "Nakagami fading", fading);
		cmd.AddValue("nist", "error curves of NIST in place of ns-3's tables", nist);
		cmd.AddValue("tcp", "TCP and a ping in place of UDP", tcp);
		cmd.AddValue("flows", "bulk flows", flows);
		cmd.AddValue("offered", "UDP load, Mbit/s", offered);
		cmd.AddValue("qdisc", "pfifo_fast or fq_codel, on both Wi-Fi devices", qdisc);
		cmd.AddValue("bql", "DynamicQueueLimits on the Wi-Fi devices", bql);
		cmd.AddValue("macQueue", "packets of the MAC's queue", macQueue);
		cmd.AddValue("ampdu", "longest A-MPDU of best effort, bytes; -1: ns-3's default, 65535", ampdu);
	}
};

static void SetDefaults(const Options& o)
{
	Config::SetDefault("ns3::TcpL4Protocol::SocketType", StringValue("ns3::TcpCubic"));
	Config::SetDefault("ns3::TcpSocket::SegmentSize", UintegerValue(1448));
	Config::SetDefault("ns3::TcpSocket::SndBufSize", UintegerValue(4 << 20));
	Config::SetDefault("ns3::TcpSocket::RcvBufSize", UintegerValue(4 << 20));
	Config::SetDefault("ns3::TcpSocketBase::Sack", BooleanValue(true));
	Config::SetDefault("ns3::TcpSocketBase::MinRto", TimeValue(MilliSeconds(200))); // Linux's; ns-3 has 1 s
	Config::SetDefault("ns3::WifiMacQueue::MaxSize",
			   QueueSizeValue(QueueSize(QueueSizeUnit::PACKETS, o.macQueue)));
}

static NetDeviceContainer Radio(const Options& o, const bench::Switches& sw, NodeContainer ap,
				NodeContainer sta)
{
	auto channel = CreateObject<YansWifiChannel>();
	channel->SetPropagationDelayModel(CreateObject<ConstantSpeedPropagationDelayModel>());
	auto loss = CreateObject<LogDistancePropagationLossModel>();
	if (o.fading)
		loss->SetNext(CreateObject<NakagamiPropagationLossModel>());
	channel->SetPropagationLossModel(loss);

	YansWifiPhyHelper phy;
	phy.SetChannel(channel);
	uint32_t number = o.width == 20 ? 36 : o.width == 40 ? 38 : 42;
	phy.Set("ChannelSettings", StringValue("{" + std::to_string(number) + ", " +
					       std::to_string(o.width) + ", BAND_5GHZ, 0}"));
	if (o.nist)
		phy.SetErrorRateModel("ns3::NistErrorRateModel");
	phy.Set("Antennas", UintegerValue(2));
	phy.Set("MaxSupportedTxSpatialStreams", UintegerValue(2));
	phy.Set("MaxSupportedRxSpatialStreams", UintegerValue(2));

	WifiHelper wifi;
	wifi.SetStandard(o.ac ? WIFI_STANDARD_80211ac : WIFI_STANDARD_80211n);
	wifi.ConfigHtOptions("ShortGuardIntervalSupported", BooleanValue(true));
	if (o.minstrel)
		wifi.SetRemoteStationManager("ns3::MinstrelHtWifiManager");
	else
		wifi.SetRemoteStationManager("ns3::ConstantRateWifiManager", "DataMode",
					     StringValue(o.mode), "ControlMode",
					     StringValue("OfdmRate24Mbps"));
	NetDeviceContainer devs = sw.Install(wifi, phy, ap, sta);
	for (auto i = devs.Begin(); o.ampdu >= 0 && i != devs.End(); ++i)
		DynamicCast<WifiNetDevice>(*i)->GetMac()->SetAttribute("BE_MaxAmpduSize",
								      UintegerValue(o.ampdu));
	wifi.AssignStreams(devs, 0);

	MobilityHelper mobility;
	auto places = CreateObject<ListPositionAllocator>();
	places->Add(Vector(0, 0, 0));
	places->Add(Vector(o.distance, 0, 0));
	mobility.SetPositionAllocator(places);
	mobility.SetMobilityModel("ns3::ConstantPositionMobilityModel");
	mobility.Install(ap);
	mobility.Install(sta);
	return devs;
}

static void Qdiscs(const Options& o, NetDeviceContainer devs)
{
	TrafficControlHelper tc;

	if (o.qdisc == "fq_codel")
		tc.SetRootQueueDisc("ns3::FqCoDelQueueDisc");
	else
		tc.SetRootQueueDisc("ns3::PfifoFastQueueDisc", "MaxSize", StringValue("1000p"));
	if (o.bql)
		tc.SetQueueLimits("ns3::DynamicQueueLimits");
	tc.Install(devs);
}

int main(int argc, char** argv)
{
	bench::Switches sw;
	Options o;
	CommandLine cmd;

	sw.Add(cmd);
	o.Add(cmd);
	cmd.Parse(argc, argv);
	sw.Apply();
	SetDefaults(o);

	NodeContainer ap(1), sta(1), server;
	NetDeviceContainer devs = Radio(o, sw, ap, sta);
	InternetStackHelper inet;
	inet.Install(ap);
	inet.Install(sta);
	Qdiscs(o, devs);
	Ipv4AddressHelper ip;
	if (o.tcp) {
		server.Create(1);
		inet.Install(server);
		PointToPointHelper wire;
		wire.SetDeviceAttribute("DataRate", StringValue("1Gbps"));
		wire.SetChannelAttribute("Delay", StringValue("5ms"));
		NetDeviceContainer ends = wire.Install(server.Get(0), ap.Get(0));
		TrafficControlHelper tc; // the wire is nobody's bottleneck
		tc.SetRootQueueDisc("ns3::PfifoFastQueueDisc", "MaxSize", StringValue("20000p"));
		tc.Install(ends);
		ip.SetBase("10.0.0.0", "255.255.255.0");
		ip.Assign(ends);
	}
	ip.SetBase("10.0.1.0", "255.255.255.0");
	Ipv4InterfaceContainer ifs = ip.Assign(devs);
	Ipv4GlobalRoutingHelper::PopulateRoutingTables();
	NeighborCacheHelper().PopulateNeighborCache(ifs);

	const double start = 1;
	const uint32_t payload = 1472;
	Ptr<Node> source = o.tcp ? server.Get(0) : ap.Get(0);
	ApplicationContainer sinks, sources;
	for (uint32_t f = 0; f < o.flows; f++) {
		uint16_t port = 5000 + f;

		if (o.tcp) {
			PacketSinkHelper sink("ns3::TcpSocketFactory",
					      InetSocketAddress(Ipv4Address::GetAny(), port));
			sinks.Add(sink.Install(sta));
			BulkSendHelper bulk("ns3::TcpSocketFactory",
					    InetSocketAddress(ifs.GetAddress(1), port));
			bulk.SetAttribute("MaxBytes", UintegerValue(0));
			bulk.SetAttribute("SendSize", UintegerValue(1448));
			sources.Add(bulk.Install(source));
		} else {
			UdpServerHelper sink(port);
			sinks.Add(sink.Install(sta));
			UdpClientHelper client(ifs.GetAddress(1), port);
			client.SetAttribute("MaxPackets", UintegerValue(UINT32_MAX));
			client.SetAttribute("PacketSize", UintegerValue(payload));
			client.SetAttribute("Interval",
					    TimeValue(NanoSeconds(std::llround(payload * 8e3 * o.flows /
									       o.offered))));
			sources.Add(client.Install(source));
		}
	}
	sinks.Start(Seconds(0));
	sources.Start(Seconds(start));
	bench::RttSamples rtt;
	if (o.tcp) {
		V4PingHelper ping(ifs.GetAddress(1));
		ping.SetAttribute("Interval", TimeValue(MilliSeconds(100)));
		auto p = ping.Install(source);
		p.Start(Seconds(start));
		p.Get(0)->TraceConnectWithoutContext("Rtt", MakeCallback(&bench::RttSamples::Add, &rtt));
	}

	auto received = [&]() {
		uint64_t bytes = 0;

		for (auto i = sinks.Begin(); i != sinks.End(); ++i) {
			if (auto udp = DynamicCast<UdpServer>(*i))
				bytes += udp->GetReceived() * payload;
			else
				bytes += DynamicCast<PacketSink>(*i)->GetTotalRx();
		}
		return bytes;
	};
	bench::Counters counters;
	counters.Hook(devs);
	uint64_t before = 0;
	Simulator::Schedule(Seconds(start + o.warmup), [&]() {
		before = received();
		rtt.ms.clear();
	});
	Simulator::Stop(Seconds(start + o.warmup + o.time));
	Simulator::Run();

	std::printf("goodput_mbit=%.3f", (received() - before) * 8 / o.time / 1e6);
	rtt.Print();
	counters.Print();
	std::printf("\n");
	Simulator::Destroy();
	return 0;
}
