// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * W4 and W5: n stations on a circle send UDP to the access point, more than the channel takes. Prints one line of
 * key=value pairs.
 */
#include "common.hh"

using namespace ns3;

int main(int argc, char** argv)
{
	bench::Switches sw;
	double time = 10, warmup = 1, start = 1, offered = 100, radius = 2;
	uint32_t n = 10;
	std::string mode = "HtMcs7";
	bool rts = false;
	const uint32_t payload = 1472;

	CommandLine cmd;
	sw.Add(cmd);
	cmd.AddValue("time", "measured seconds", time);
	cmd.AddValue("warmup", "seconds under load before them", warmup);
	cmd.AddValue("start", "when the load begins, s", start);
	cmd.AddValue("n", "stations", n);
	cmd.AddValue("mode", "rate of data frames", mode);
	cmd.AddValue("rts", "RTS and CTS before every PSDU", rts);
	cmd.AddValue("offered", "load of all stations, Mbit/s", offered);
	cmd.AddValue("radius", "of the circle, m", radius);
	cmd.Parse(argc, argv);

	sw.Apply();
	Config::SetDefault("ns3::WifiRemoteStationManager::RtsCtsThreshold",
			   UintegerValue(rts ? 0 : 4692480));

	NodeContainer ap(1), stas(n);
	YansWifiPhyHelper phy;
	phy.SetChannel(YansWifiChannelHelper::Default().Create());
	phy.Set("ChannelSettings", StringValue("{36, 20, BAND_5GHZ, 0}"));
	WifiHelper wifi;
	wifi.SetStandard(WIFI_STANDARD_80211n);
	wifi.SetRemoteStationManager("ns3::ConstantRateWifiManager", "DataMode", StringValue(mode),
				     "ControlMode", StringValue("OfdmRate24Mbps"));
	NetDeviceContainer devs = sw.Install(wifi, phy, ap, stas);
	wifi.AssignStreams(devs, 0);

	auto places = CreateObject<ListPositionAllocator>();
	places->Add(Vector(0, 0, 0));
	for (uint32_t i = 0; i < n; i++)
		places->Add(bench::OnCircle(i, n, radius));
	MobilityHelper mobility;
	mobility.SetPositionAllocator(places);
	mobility.SetMobilityModel("ns3::ConstantPositionMobilityModel");
	mobility.Install(ap);
	mobility.Install(stas);

	InternetStackHelper inet;
	inet.Install(ap);
	inet.Install(stas);
	Ipv4AddressHelper ip;
	ip.SetBase("10.0.1.0", "255.255.255.0");
	Ipv4InterfaceContainer ifs = ip.Assign(devs); // with the default qdisc, fq_codel
	NeighborCacheHelper().PopulateNeighborCache(ifs);

	std::vector<Ptr<UdpServer>> sinks;
	auto jitter = CreateObject<UniformRandomVariable>();
	jitter->SetStream(100000);
	for (uint32_t i = 0; i < n; i++) {
		UdpServerHelper sink(5000 + i);
		auto s = sink.Install(ap);
		s.Start(Seconds(0));
		sinks.push_back(DynamicCast<UdpServer>(s.Get(0)));
		UdpClientHelper client(ifs.GetAddress(0), 5000 + i);
		client.SetAttribute("MaxPackets", UintegerValue(UINT32_MAX));
		client.SetAttribute("PacketSize", UintegerValue(payload));
		client.SetAttribute("Interval",
				    TimeValue(NanoSeconds(std::llround(payload * 8e3 * n / offered))));
		client.Install(stas.Get(i)).Start(Seconds(start + jitter->GetValue(0, 0.1)));
	}

	bench::Counters counters;
	counters.Hook(devs);
	std::vector<uint64_t> before(n, 0);
	Simulator::Schedule(Seconds(start + warmup), [&]() {
		for (uint32_t i = 0; i < n; i++)
			before[i] = sinks[i]->GetReceived();
	});
	Simulator::Stop(Seconds(start + warmup + time));
	Simulator::Run();

	double sum = 0, squares = 0;
	uint32_t starved = 0;
	for (uint32_t i = 0; i < n; i++) {
		double x = sinks[i]->GetReceived() - before[i];
		sum += x;
		squares += x * x;
		starved += x == 0;
	}
	std::printf("goodput_mbit=%.3f jain=%.4f starved=%u", sum * payload * 8 / time / 1e6,
		    squares > 0 ? sum * sum / (n * squares) : 0, starved);
	counters.Print();
	std::printf("\n");
	Simulator::Destroy();
	return 0;
}
