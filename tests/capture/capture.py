# SPDX-License-Identifier: GPL-3.0-or-later
"""
Captures as tshark reads them: capture.py WLANQ [NAME]... (without names, all).

Claim: a capture is what a monitor interface would have written. tshark finds nothing malformed and warns of nothing but
frames that were lost; FCS and checksums are right; a PPDU lasts as the formulas of the standard say, its response comes
SIFS behind it and its Duration field says so; what a Block Ack acknowledges is not sent again and the rest is, with the
retry bit; TCP's retransmissions and the air's collisions are as many as the run itself counts.

Set-up: small scenarios, each for some frames of the standard, captured whole. Every one goes through all of claims.py;
beside each stands what it is to show. Numbers are exact: nothing is left to chance in a run with a seed.
"""
import filecmp
import os
import subprocess
import sys
import tempfile

import claims
import shark
from shark import ACK, ACTION, BAR, BEACON, BLOCK_ACK, CTS, DATA, QOS_DATA, RTS, frames, run, tshark

WLANQ = os.path.abspath(sys.argv[1])


def scenario(air, driver, traffic, stations=("sta",), extra="", nodes="", links="", duration="300ms"):
    cards = "\n".join(f"  {s}: {{interfaces: {{wlan0: {{{driver}}}}}}}" for s in stations)
    members = ", ".join(f"{s}.wlan0" for s in stations)
    return f"""
name: capture
about: a capture
kernel: "6.1"
duration: {duration}
warmup: 0s
nodes:
  server: {{interfaces: {{eth0: {{}}}}}}
  ap: {{interfaces: {{eth0: {{}}, wlan0: {{{driver}}}}}}}
{cards}
{nodes}
links:
  lan: {{model: ethernet, members: [server.eth0, ap.eth0], rate: 1Gbit, delay: 1ms}}
  air: {{model: wifi, members: [ap.wlan0, {members}], {air}}}
{links}
traffic:
{traffic}
{extra}
"""


def fixed(text, **more):
    return f"rate_control: {{model: fixed, {text}}}"


class Air:
    """An air's capture that keeps all claims, and how many frames of which kind are in it."""

    def __init__(self, folder, sifs=16, extension=0, name="air", ccmp=False, filled=False, options=(), least=11):
        self.frames = frames(os.path.join(folder, name + ".pcap"), options=options)
        assert self.frames, "the capture is empty"
        self.ppdus = claims.ppdus(self.frames)
        claims.well_formed(self.frames, ccmp)
        claims.whole_ampdus(self.ppdus)
        self.answered = claims.responses(self.ppdus, sifs, extension, filled)
        self.protected = claims.protected(self.ppdus, sifs, extension, filled)
        self.block_acks, self.lost, self.again = claims.block_acks(self.ppdus)
        assert self.answered >= least, "hardly anything was answered"

    def of(self, kind, **fields):
        return [f for f in self.frames if f.kind() == kind and
                all(f[k.replace("__", ".")] == v for k, v in fields.items())]

    def rates(self, kind):
        return {f["radiotap.datarate"] for f in self.of(kind)}


# Fields that hang on the order of frames.
AS_READ = {"frame.number", "radiotap.ampdu.reference", "wlan_radio.ifs", "wlan_radio.duration",
           "wlan_radio.aggregate.duration", "_ws.expert.severity", "_ws.expert.group"}

PING = "  ping: {model: ping, from: server, to: sta, interval: 20ms, dscp: 46}"
DOWN = "  bulk: {model: tcp_bulk, from: server, to: sta}"
CBR = "  cbr: {model: udp_cbr, from: sta, to: server, rate: 2Mbit, size: 1000B, dscp: 8}"


def test_dsss(folder):
    """802.11b with either preamble: rates, times, ACK at 2 Mbit/s; UDP up, ping both ways with its DSCP."""
    for preamble, rate in (("long", "5.5"), ("short", "11")):
        here = os.path.join(folder, preamble)
        run(WLANQ, scenario(f"standard: 11b, preamble: {preamble}", f"driver: iwl3945, {fixed(f'rate: {rate}Mbit')}",
                            PING + "\n" + CBR), here)
        air = Air(here, sifs=10)
        assert air.rates(DATA) == {rate} and air.rates(ACK) == {"2"}, air.rates(ACK)
        assert {f.num("radiotap.channel.freq") for f in air.frames} == {2412}
        assert {f.num("radiotap.flags.preamble") for f in air.frames} == {int(preamble == "short")}
        for kind in ("8", "0"): # echo request and reply
            pings = [f for f in air.frames if f["icmp.type"] == kind]
            assert {f.num("icmp.seq") for f in pings} >= set(range(10)), pings
            assert {f["ip.dsfield"] for f in pings} == {"0xb8"}
        assert {f["ip.dsfield"] for f in air.of(DATA, ip__src="10.0.0.3") if not f["icmp.type"]} == {"0x20"}


def test_ofdm(folder):
    """802.11a at 54 Mbit/s, and 802.11g behind a CTS to itself for old stations."""
    run(WLANQ, scenario("standard: 11a", f"driver: ath5k, {fixed('rate: 54Mbit')}", DOWN), folder + "/a")
    air = Air(folder + "/a")
    assert air.rates(DATA) == {"54"} and air.rates(ACK) == {"24"}
    run(WLANQ, scenario("standard: 11g, protection: cts_to_self", f"driver: ath5k, {fixed('rate: 24Mbit')}", DOWN),
        folder + "/g")
    air = Air(folder + "/g", sifs=10, extension=6)
    # each data frame has its CTS, those that collide too: there one CTS comes behind the other
    assert len(air.of(DATA)) == len(air.of(CTS)) >= air.protected > 50
    assert air.rates(CTS) <= {"1", "2", "11"}, air.rates(CTS)


def test_ht(folder):
    """802.11n, 20 and 40 MHz, long and short guard interval, with losses: sessions, A-MPDUs, Block Acks."""
    for name, chip, width in (("ht20", "mcs: 7", "20MHz"), ("ht40", "mcs: 15, width: 40MHz, sgi: true", "40MHz")):
        here = os.path.join(folder, name)
        run(WLANQ, scenario(f"standard: 11n, width: {width}, loss: 0.1", f"driver: iwlwifi, agg_frames: 64, {fixed(chip)}",
                            DOWN, duration="400ms"), here)
        air = Air(here)
        assert [f.num("wlan.fixed.action_code") for f in air.of(ACTION)][:2] == [0, 1]
        assert air.block_acks > 20 and air.lost > 10 and air.again > 10, (air.block_acks, air.lost, air.again)
        most = max(len(p) for p in air.ppdus)
        assert most > 8, most
        # tshark reckons how long an A-MPDU lasts, but forgets its first delimiter (4 bytes: at times a symbol), and
        # takes a symbol of 40 MHz for two of 20 MHz (1040 bits, not 1080), and colliding A-MPDUs for one
        times = [p[0].ns() for p in air.ppdus]
        for ppdu in air.ppdus:
            if width == "20MHz" and len(ppdu) > 1 and times.count(ppdu[0].ns()) == 1:
                told = max(f.num("wlan_radio.aggregate.duration") for f in ppdu)
                ours = claims.ppdu_ns(ppdu[0], claims.psdu_bytes(ppdu), 0) / 1000
                assert ours - told in (0, 4), (ours, ppdu[-1].said())


def test_vht(folder):
    """802.11ac at 80 MHz with two streams: each PPDU is an A-MPDU, one alone has the EOF bit."""
    run(WLANQ, scenario("standard: 11ac, width: 80MHz, loss: 0.02",
                        f"driver: ath10k, amsdu_frames: 1, {fixed('mcs: 9, nss: 2, width: 80MHz, sgi: true')}",
                        DOWN + "\n" + PING, duration="100ms"), folder)
    air = Air(folder)
    data = air.of(QOS_DATA)
    assert {(f["radiotap.vht.mcs.0"], f["radiotap.vht.nss.0"], f["radiotap.vht.bw"]) for f in data} == {("9", "2", "4")}
    assert {f["wlan_radio.data_rate"] for f in data} == {"866.667"}
    for ppdu in air.ppdus:
        if ppdu[0]["radiotap.ampdu.reference"]:
            assert (ppdu[0].num("radiotap.ampdu.flags.eof") == 1) == (len(ppdu) == 1), ppdu[0].said()
    assert air.block_acks > 10 and air.lost > 5


def test_amsdu(folder):
    """A-MSDUs inside A-MPDUs: each subframe with its packet."""
    run(WLANQ, scenario("standard: 11ac, width: 40MHz", f"driver: ath10k, {fixed('mcs: 4, width: 40MHz')}", DOWN,
                        duration="200ms"), folder)
    air = Air(folder)
    several = [f for f in air.of(QOS_DATA) if f.num("wlan.qos.amsdupresent")]
    assert len(several) > 20
    for f in several:
        packets = f["ip.src"].split(",")
        assert 2 <= len(packets) == len(f["tcp.seq_raw"].split(",")) == len(f["tcp.checksum.status"].split(","))
        assert len(packets) <= 3


def test_rts(folder):
    """Frames above the threshold come behind RTS and CTS, shorter ones do not."""
    run(WLANQ, scenario("standard: 11a, rts_threshold: 500B", f"driver: ath5k, {fixed('rate: 36Mbit')}", DOWN), folder)
    air = Air(folder)
    long = [f for f in air.of(DATA) if claims.mpdu_bytes(f) > 500]
    asked = [f for f in air.of(RTS) if not f.bad()]
    assert air.protected == len(long) == len(asked) == len(air.of(CTS)) > 50, (
        air.protected, len(long), len(asked), len(air.of(CTS)))
    assert {f.num("radiotap.txflags") for f in long} == {4}


def test_collisions(folder):
    """What met another frame is marked, and as often as the run says."""
    five = [f"s{i}" for i in range(5)]
    yaml = scenario("standard: 11a, ap: ap.wlan0", f"driver: saturated, {fixed('rate: 24Mbit')}", "  {}", five)
    yaml = yaml.replace("  server: {interfaces: {eth0: {}}}\n", "").replace("eth0: {}, ", "")
    yaml = "\n".join(line for line in yaml.splitlines() if "model: ethernet" not in line)
    metrics = run(WLANQ, yaml.replace("traffic:\n  {}", ""), folder)
    air = Air(folder)
    sent = [p[0] for p in air.ppdus if p[0].kind() == DATA]
    bad = [f for f in sent if f.bad()]
    assert len(bad) > 20
    assert abs(len(bad) / len(sent) - metrics["air.collision_share"]) < 1e-6, (len(bad), len(sent), metrics)
    starts = [0] + [f.ns() for f in bad]
    apart = sum(b - a > 4000 for a, b in zip(starts, starts[1:]))
    assert apart == metrics["air.collisions"], (apart, metrics["air.collisions"])
    assert all(f.num("radiotap.data_retries") == 0 or f.num("wlan.fc.retry") == 1 for f in sent)


def hidden(rts, folder):
    yaml = scenario("""standard: 11n, ap: ap.wlan0, channel: {model: log_distance, sensitivity: -72dBm,
    positions: {west: {x: -15m}, east: {x: 15m}}}""", f"driver: iwlwifi, agg_frames: 16, {fixed(f'mcs: 7, rts: {rts}')}",
                    "  w: {model: udp_cbr, from: west, to: ap, rate: 30Mbit, size: 1472B}\n"
                    "  e: {model: udp_cbr, from: east, to: ap, rate: 30Mbit, size: 1472B, start: 20ms}",
                    ("west", "east"))
    run(WLANQ, yaml, folder)
    return Air(folder)


def test_hidden_stations(folder):
    """Frames that overlap at the receiver: in order of their start, those that it lost marked, with what it heard them at."""
    air = hidden("false", folder + "/open")
    data = air.of(QOS_DATA)
    assert len([f for f in data if f.bad()]) > 100
    assert {f["radiotap.dbm_antsignal"] for f in data} == {"-66"}, {f["radiotap.dbm_antsignal"] for f in data}
    starts = [(p[0].ns(), p[0].ns() + claims.ppdu_ns(p[0], claims.psdu_bytes(p), 0), p[0].bad()) for p in air.ppdus]
    assert any(b[0] < a[1] for a, b in zip(starts, starts[1:])), "no two frames overlap"
    assert starts == sorted(starts, key=lambda s: s[0])
    air = hidden("true", folder + "/rts")
    assert air.protected > 20
    lost = [f for f in air.of(RTS) if f.bad()]
    assert lost, "no RTS was lost to a hidden station"


def test_media(folder):
    """Where all hear all, the medium by stations carries the same frames at the same times as the shared one."""
    yaml = scenario("standard: 11n, loss: 0.05, rts_threshold: 3000B, beacons: true",
                    f"driver: iwlwifi, agg_frames: 64, {fixed('mcs: 7')}", DOWN + "\n" + CBR, duration="200ms")
    said = []
    for medium in ("shared", "stations"):
        run(WLANQ, yaml, f"{folder}/{medium}", "--set", f"air.medium={medium}")
        # those that meet are told in either order, and the last exchange may be over after the run
        said.append(sorted(tuple(f[k] for k in shark.FIELDS if k not in AS_READ)
                           for f in Air(f"{folder}/{medium}").frames if f.ns() < 190e6))
    assert said[0] == said[1], next((a, b) for a, b in zip(*said) if a != b)


def test_cells(folder):
    """Two access points on two channels: a capture each, and one of the wire between them."""
    run(WLANQ, scenario("standard: 11a", f"driver: ath5k, {fixed('rate: 54Mbit')}",
                        "  bulk: {model: tcp_bulk, from: sta, to: far}",
                        nodes=f"""  far: {{interfaces: {{wlan0: {{driver: ath9k, {fixed('mcs: 5')}}}}}}}
  ap2: {{interfaces: {{eth0: {{}}, wlan0: {{driver: ath9k, {fixed('mcs: 5')}}}}}}}""",
                        links="  air2: {model: wifi, standard: 11n, members: [ap2.wlan0, far.wlan0]}")
        .replace("[server.eth0, ap.eth0]", "[server.eth0, ap.eth0, ap2.eth0]"), folder)
    near, far = Air(folder), Air(folder, name="air2", filled=True)
    assert {f["wlan.bssid"] for f in near.of(DATA)} == {"02:00:00:00:00:02"}
    assert len({f["wlan.bssid"] for f in far.of(QOS_DATA)}) == 1
    assert {f["ip.src"] for f in far.of(QOS_DATA)} == {"10.0.0.3", "10.0.0.4"}
    wire = frames(os.path.join(folder, "lan.pcap"))
    seen = {f["tcp.seq_raw"] for f in wire if f.num("tcp.len")}
    assert seen <= {f["tcp.seq_raw"] for f in near.of(DATA) if not f.bad()}
    assert {f["tcp.seq_raw"] for f in far.of(QOS_DATA) if f.num("tcp.len")} <= seen


def test_beacons(folder):
    """Two cells on one channel: one capture, each frame with its BSSID, and the beacons of both at their times."""
    metrics = run(WLANQ, scenario("standard: 11n, ap: ap.wlan0, beacons: true", f"driver: ath5k, {fixed('rate: 24Mbit')}",
                                  DOWN + "\n  other: {model: udp_cbr, from: ap2, to: tv, rate: 5Mbit}",
                                  nodes=f"""  ap2: {{interfaces: {{wlan0: {{driver: ath9k, {fixed('mcs: 5')}}}}}}}
  tv: {{interfaces: {{wlan0: {{driver: ath9k, {fixed('mcs: 5')}}}}}}}""",
                                  links="  home2: {model: wifi_cell, air: air, members: [tv.wlan0, ap2.wlan0], "
                                        "ap: ap2.wlan0}", duration="1s"), folder)
    assert sorted(os.listdir(folder)) == ["air.pcap", "ethers", "hosts", "lan.pcap", "scenario.yaml"]
    air = Air(folder, filled=True)
    beacons = air.of(BEACON)
    assert len(beacons) == metrics["air.beacons"] + metrics["home2.beacons"] >= 18, len(beacons)
    cells = {}
    for f in beacons:
        assert f["wlan.ra"] == "ff:ff:ff:ff:ff:ff" and f.num("radiotap.datarate") == 6
        assert f.num("wlan.fixed.timestamp") == f.ns() // 1000, f.said()
        cells.setdefault((f["wlan.bssid"], f["wlan.ssid"]), []).append(f)
    assert len(cells) == 2, cells.keys()
    for times in ([f.ns() for f in c] for c in cells.values()):
        # each comes at its time, or when the medium is free behind it
        steps = [round((b - times[0]) / 102.4e6, 1) for b in times]
        assert all(s % 1 in (0, 0.1, 0.9) for s in steps) and len(set(steps)) == len(steps), steps
    bssids = {bssid for bssid, _ in cells}
    assert {f["wlan.bssid"] for f in air.of(QOS_DATA)} == bssids
    assert {f["ip.src"] for f in air.of(QOS_DATA, wlan__bssid="02:00:00:00:00:02")} == {"10.0.0.1", "10.0.0.3"}


def test_ccmp(folder):
    """Encrypted frames have the header, its numbers rise, and the packets are read when told that they are in clear."""
    run(WLANQ, scenario("standard: 11n, encryption: ccmp", f"driver: ath9k, {fixed('mcs: 7')}", DOWN + "\n" + PING), folder)
    air = Air(folder, ccmp=True, filled=True, options=["wlan.ignore_wep:Yes - with IV"])
    assert {f["wlan.ccmp.extiv"] for f in air.of(QOS_DATA)} - {""}
    assert all(f["ip.src"] for f in air.of(QOS_DATA))
    numbers = [int(f["wlan.ccmp.extiv"], 0) for f in air.of(QOS_DATA, **{"wlan__ta": "02:00:00:00:00:02"})]
    assert numbers == sorted(set(numbers)), numbers[:20]


def test_sessions(folder):
    """A session that is given up for quiet, and one whose window a BAR moves on."""
    run(WLANQ, scenario("standard: 11n, loss: 0.45",
                        f"driver: iwlwifi, retry_limit: 2, mac80211: {{model: mac80211, ba_timeout: 30}}, {fixed('mcs: 3, tries: 1')}",
                        "  cbr: {model: udp_cbr, from: server, to: sta, rate: 8Mbit, size: 1000B, stop: 500ms}",
                        duration="1s"), folder)
    air = Air(folder)
    codes = [f.num("wlan.fixed.action_code") for f in air.of(ACTION)]
    assert set(codes) == {0, 1, 2}, codes
    assert len(air.of(BAR)) > 3
    for bar in air.of(BAR):
        at = air.frames.index(bar)
        if not bar.bad():
            assert air.frames[at + 1].kind() == BLOCK_ACK and \
                air.frames[at + 1].num("wlan.fixed.ssc.sequence") == bar.num("wlan.fixed.ssc.sequence"), bar.said()


def aggregating():
    """The Wi-Fi drivers that there are, of 802.11n."""
    out = subprocess.run([WLANQ, "models"], capture_output=True, text=True, check=True).stdout
    part = out[out.index("driver: driver of"):].split("\n\n")[0]
    return [line.split()[0] for line in part.splitlines()[1:] if "802.11n" in line]


def test_agreements(folder):
    """
    Every driver that aggregates, with losses that it gives up after: nothing outside the window, no A-MPDU without an
    agreement or above what the receiver takes, no number behind a BAR; with a receiver that takes all, and a small one.
    """
    small = "ba_window: 16, max_ampdu: 8191B, amsdu_in_ampdu: false"
    drivers = aggregating()
    assert len(drivers) >= 3, drivers
    for driver in drivers:
        for name, mac, limit in (("all", "", 65535), ("small", ", " + small, 8191)):
            here = os.path.join(folder, driver, name)
            run(WLANQ, scenario("standard: 11n, loss: 0.25",
                                f"driver: {driver}, mac80211: {{model: mac80211{mac}}}, {fixed('mcs: 7, tries: 1')}",
                                DOWN + "\n  up: {model: udp_cbr, from: sta, to: server, rate: 20Mbit}",
                                duration="300ms"), here, "--set", "air.beacons=true")
            air = Air(here, filled=True)
            ampdus, _ = claims.agreements(air.ppdus, limit)
            assert ampdus > 50 and air.lost > 20, (driver, name, ampdus, air.lost)
    run(WLANQ, scenario("standard: 11n, loss: 0.4", f"driver: iwlwifi, retry_limit: 2, {fixed('mcs: 7, tries: 1')}", DOWN),
        folder + "/bars")
    _, bars = claims.agreements(Air(folder + "/bars").ppdus)
    assert bars > 20, bars


def test_refused(folder):
    """
    A receiver that refuses sessions, or does not answer: no A-MPDU is ever sent, and it is asked at most sixteen times,
    after the fourth (net/mac80211/agg-tx.c: HT_AGG_BURST_RETRIES) every 15 s at most.
    """
    for how in ("refuse", "ignore"):
        for driver in aggregating():
            here = os.path.join(folder, how, driver)
            run(WLANQ, scenario("standard: 11n", f"driver: {driver}, mac80211: {{model: mac80211, addba: {how}}}, "
                                f"{fixed('mcs: 7')}",
                                "  cbr: {model: udp_cbr, from: server, to: sta, rate: 50kbit, size: 625B}",
                                duration="50s"), here)
            air = Air(here)
            ampdus, _ = claims.agreements(air.ppdus)
            asked = [f for f in air.of(ACTION, wlan__ta="02:00:00:00:00:02") if f.num("wlan.fixed.action_code") == 0]
            assert not ampdus and 5 <= len(asked) <= 16, (driver, how, len(asked))
            apart = [(b.ns() - a.ns()) / 1e9 for a, b in zip(asked, asked[1:])]
            assert all(t > 14.9 for t in apart[4:]), (driver, how, apart)


def analysed(folder, name, expression):
    return len(tshark(os.path.join(folder, name), "-Y", expression).splitlines())


def test_tcp(folder):
    """TCP's losses on a wire: as many segments again as the sender counts, and SACK blocks that tell of them."""
    metrics = run(WLANQ, scenario("standard: 11a", f"driver: ath5k, {fixed('rate: 54Mbit')}", DOWN, duration="2s")
                  .replace("delay: 1ms", "delay: 20ms, loss: 0.01"), folder)
    # each is sent on the wire, also when it is lost there; tshark calls early ones out of order
    again = analysed(folder, "lan.pcap", "ip.src == 10.0.0.1 and (tcp.analysis.retransmission or "
                                         "tcp.analysis.fast_retransmission or tcp.analysis.out_of_order)")
    assert again == metrics["bulk.retransmits"] > 10, (again, metrics["bulk.retransmits"])
    wire = frames(os.path.join(folder, "lan.pcap"))
    assert max(f.num("tcp.options.sack.count") for f in wire) >= 2
    ends = {(f.num("tcp.seq_raw") + at) % 2**32 for f in wire if f["ip.src"] == "10.0.0.1" for at in (0, f.num("tcp.len"))}
    again = {f.num("tcp.seq_raw") for f in wire if f["ip.src"] == "10.0.0.1" and f.num("tcp.len")}
    for f in wire:
        if not f["tcp.options.sack_le"]:
            continue
        blocks = [tuple(int(x) + f.num("tcp.ack_raw") - f.num("tcp.ack") for x in pair)
                  for pair in zip(f["tcp.options.sack_le"].split(","), f["tcp.options.sack_re"].split(","))]
        for le, re in blocks:
            assert le % 2**32 in ends and re % 2**32 in ends, f.said()
            assert 0 < re - le < 2**31 and le % 2**32 in again, f.said()
    assert not analysed(folder, "lan.pcap", "tcp.analysis.ack_lost_segment")
    assert not analysed(folder, "lan.pcap", "tcp.checksum.status == 0")
    air = Air(folder)
    assert len(air.of(DATA)) > 500


def test_ecn(folder):
    """CoDel's marks: CE on the packets, ECE on ACKs, CWR behind."""
    run(WLANQ, scenario("standard: 11n", f"driver: ath9k, {fixed('mcs: 2')}",
                        DOWN, duration="1s", extra="").replace("server: {interfaces", "server: {tcp: {ecn: 1}, interfaces")
        .replace("sta: {interfaces", "sta: {tcp: {ecn: 1}, interfaces"), folder)
    air = os.path.join(folder, "air.pcap")
    assert analysed(folder, "air.pcap", "ip.dsfield.ecn == 3"), "nothing was marked"
    assert analysed(folder, "air.pcap", "tcp.flags.ece == 1 and tcp.flags.syn == 0")
    assert analysed(folder, "air.pcap", "tcp.flags.cwr == 1 and tcp.flags.syn == 0")
    assert os.path.getsize(air)


def test_headers(folder):
    """Without --pcap-snaplen: frames cut behind their headers, all of which are read; names for the addresses."""
    yaml = scenario("standard: 11n", f"driver: ath9k, {fixed('mcs: 7')}", DOWN + "\n" + PING)
    run(WLANQ, yaml, folder, whole=False)
    for name in ("air.pcap", "lan.pcap"):
        path = os.path.join(folder, name)
        for f in frames(path):
            if (f["_ws.malformed"] and not f.bad()) or any(int(s) >= shark.WARN for s in f["_ws.expert.severity"].split(",") if s):
                groups = set(f["_ws.expert.group"].split(","))
                assert f.bad() or groups == {str(shark.SEQUENCE)}, f.said()
            cut = f.num("frame.len") > f.num("frame.cap_len")
            assert cut == (f.num("tcp.len") > 0 or bool(f["icmp.type"])), f.said()
            assert f.num("frame.cap_len") <= 190, f.said()
    with open(os.path.join(folder, "hosts")) as f:
        assert f.read() == "10.0.0.1 server\n10.0.0.2 ap\n10.0.0.3 sta\n"
    with open(os.path.join(folder, "ethers")) as f:
        assert "02:00:00:00:00:02 ap.wlan0\n" in f.read()
    out = subprocess.run(["tshark", "-N", "n", "-H", os.path.join(folder, "hosts"), "-r",
                          os.path.join(folder, "lan.pcap"), "-c", "1"], capture_output=True, text=True).stdout
    assert "server" in out and "sta" in out, out


def test_same(folder):
    """The same seed gives the same bytes, and a run that is captured the same metrics; another seed does not."""
    yaml = scenario("standard: 11n, loss: 0.1", f"driver: ath9k, {fixed('mcs: 7')}", DOWN + "\n" + PING)
    one, two = run(WLANQ, yaml, folder + "/1"), run(WLANQ, yaml, folder + "/2")
    run(WLANQ, yaml, folder + "/3", "--seed", "9")
    for name in ("air.pcap", "lan.pcap", "hosts", "ethers"):
        assert filecmp.cmp(f"{folder}/1/{name}", f"{folder}/2/{name}", shallow=False), name
    assert not filecmp.cmp(f"{folder}/1/air.pcap", f"{folder}/3/air.pcap", shallow=False)
    p = subprocess.run([WLANQ, "run", f"{folder}/1/scenario.yaml", "--json"], capture_output=True, text=True)
    assert shark.json.loads(p.stdout)["metrics"] == one == two


def main():
    try:
        subprocess.run(["tshark", "--version"], capture_output=True, check=True)
    except OSError:
        print("SKIP: there is no tshark")
        return 77
    tests = {k[5:]: v for k, v in globals().items() if k.startswith("test_")}
    for name in sys.argv[2:] or tests:
        with tempfile.TemporaryDirectory(prefix="wlanq-capture-") as folder:
            tests[name](os.environ.get("CAPTURE_KEEP", folder))
        print(f"{name}: ok", flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
