// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * Saturated 802.11a stations around one receiver, raw frames of 1500 bytes at 54 Mbit/s without aggregation: what
 * Bianchi's model is checked with. Prints one line of key=value pairs.
 */
#include "common.hh"

using namespace ns3;

int main(int argc, char** argv)
{
	bench::Switches sw;
	double time = 10;
	uint32_t n = 10;
	const double warmup = 1;
	const uint32_t payload = 1500;

	CommandLine cmd;
	sw.Add(cmd);
	cmd.AddValue("time", "measured seconds", time);
	cmd.AddValue("n", "stations", n);
	cmd.Parse(argc, argv);
	sw.Apply();

	NodeContainer sink(1), stas(n), all(sink, stas);
	YansWifiPhyHelper phy;
	phy.SetChannel(YansWifiChannelHelper::Default().Create());
	WifiHelper wifi;
	wifi.SetStandard(WIFI_STANDARD_80211a);
	wifi.SetRemoteStationManager("ns3::ConstantRateWifiManager", "DataMode",
				     StringValue("OfdmRate54Mbps"), "ControlMode",
				     StringValue("OfdmRate24Mbps"));
	WifiMacHelper mac;
	mac.SetType("ns3::AdhocWifiMac", "QosSupported", BooleanValue(false));
	NetDeviceContainer devs = wifi.Install(phy, mac, all);
	wifi.AssignStreams(devs, 0);

	auto places = CreateObject<ListPositionAllocator>();
	places->Add(Vector(0, 0, 0));
	for (uint32_t i = 0; i < n; i++)
		places->Add(bench::OnCircle(i, n, 1));
	MobilityHelper mobility;
	mobility.SetPositionAllocator(places);
	mobility.SetMobilityModel("ns3::ConstantPositionMobilityModel");
	mobility.Install(all);

	PacketSocketHelper().Install(all);
	const double offered = std::min(40.0, 80.0 / n) * 1e6; // about twice the fair share
	auto jitter = CreateObject<UniformRandomVariable>();
	jitter->SetStream(100000);
	for (uint32_t i = 0; i < n; i++) {
		PacketSocketAddress to;
		to.SetSingleDevice(devs.Get(1 + i)->GetIfIndex());
		to.SetPhysicalAddress(devs.Get(0)->GetAddress());
		to.SetProtocol(1);
		auto client = CreateObject<PacketSocketClient>();
		client->SetAttribute("MaxPackets", UintegerValue(0));
		client->SetAttribute("PacketSize", UintegerValue(payload));
		client->SetAttribute("Interval",
				     TimeValue(NanoSeconds(std::llround(payload * 8e9 / offered))));
		client->SetRemote(to);
		client->SetStartTime(Seconds(jitter->GetValue(0, 0.1)));
		stas.Get(i)->AddApplication(client);
	}

	bench::Counters counters;
	counters.Hook(devs);
	unsigned long received = 0, failed = 0;
	Simulator::Schedule(Seconds(warmup), [&]() {
		received = counters.rx;
		failed = counters.mpduTimeouts;
	});
	Simulator::Stop(Seconds(warmup + time));
	Simulator::Run();

	received = counters.rx - received;
	failed = counters.mpduTimeouts - failed;
	std::printf("goodput_mbit=%.3f collision_share=%.4f", received * payload * 8 / time / 1e6,
		    (double)failed / (failed + received));
	counters.Print();
	std::printf("\n");
	Simulator::Destroy();
	return 0;
}
