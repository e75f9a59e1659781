# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs a scenario with --pcap and reads the captures with tshark. A frame is a dict of the fields that were asked for."""
import json
import os
import subprocess
import sys

WARN, SEQUENCE = 0x600000, 0x02000000
MCS_MBIT = {20: (6.5, 13, 19.5, 26, 39, 52, 58.5, 65), 40: (13.5, 27, 40.5, 54, 81, 108, 121.5, 135)}

# Wireshark's defaults leave checksums unread, and take TSFT for the end of a frame.
OPTIONS = ["wlan.check_checksum:TRUE", "wlan_radio.tsf_at_end:FALSE", "ip.check_checksum:TRUE",
           "tcp.check_checksum:TRUE", "udp.check_checksum:TRUE"]

FIELDS = """
    frame.number frame.time_epoch frame.len frame.cap_len _ws.malformed _ws.expert.severity _ws.expert.group
    radiotap.length radiotap.mactime radiotap.timestamp.ts radiotap.flags.badfcs radiotap.flags.preamble radiotap.datarate
    radiotap.dbm_antsignal radiotap.data_retries radiotap.txflags radiotap.channel.freq
    radiotap.mcs.index radiotap.mcs.bw radiotap.mcs.gi radiotap.vht.mcs.0 radiotap.vht.nss.0 radiotap.vht.bw
    radiotap.vht.gi radiotap.ampdu.reference radiotap.ampdu.flags.last radiotap.ampdu.flags.eof
    wlan_radio.phy wlan_radio.data_rate wlan_radio.duration wlan_radio.aggregate.duration wlan_radio.ifs
    wlan.fcs.status wlan.fc.type_subtype wlan.fc.retry wlan.fc.protected wlan.duration wlan.ra wlan.ta wlan.sa
    wlan.da wlan.bssid wlan.seq wlan.qos.tid wlan.qos.amsdupresent wlan.ba.bm wlan.fixed.ssc.sequence
    wlan.ssid wlan.fixed.beacon wlan.fixed.timestamp wlan.fixed.action_code wlan.fixed.status_code
    wlan.fixed.baparams.tid wlan.fixed.baparams.buffersize wlan.fixed.baparams.amsdu wlan.fixed.delba.param.initiator
    wlan.fixed.delba.param.tid wlan_aggregate.a_mdsu.length
    wlan.ba.basic.tidinfo wlan.ccmp.extiv
    ip.src ip.dst ip.dsfield ip.checksum.status tcp.checksum.status udp.checksum.status tcp.seq_raw tcp.len
    tcp.ack_raw tcp.ack tcp.options.sack.count tcp.options.sack_le tcp.options.sack_re icmp.seq icmp.type
""".split()

RTS, CTS, ACK, BLOCK_ACK, BAR, QOS_DATA, DATA, ACTION, BEACON = (
    0x1b, 0x1c, 0x1d, 0x19, 0x18, 0x28, 0x20, 0x0d, 0x08)


def run(wlanq, yaml, folder, *args, whole=True):
    """The metrics of one run, its captures in `folder`."""
    path = os.path.join(folder, "scenario.yaml")
    os.makedirs(folder, exist_ok=True)
    with open(path, "w") as f:
        f.write(yaml)
    pcap = ["--pcap", folder] + (["--pcap-snaplen", "0"] if whole else [])
    p = subprocess.run([wlanq, "run", path, "--json", *pcap, *args], capture_output=True, text=True, timeout=300)
    assert p.returncode == 0, p.stdout + p.stderr
    return json.loads(p.stdout)["metrics"]


def tshark(path, *args, options=()):
    call = ["tshark", "-n", "-r", path]
    for o in [*OPTIONS, *options]:
        call += ["-o", o]
    p = subprocess.run([*call, *args], capture_output=True, text=True, timeout=300)
    assert p.returncode == 0, p.stderr
    return p.stdout


def known_fields():
    out = subprocess.run(["tshark", "-G", "fields"], capture_output=True, text=True, timeout=60).stdout
    return {line.split("\t")[2] for line in out.splitlines() if line.startswith("F\t")}


def frames(path, *args, fields=FIELDS, options=()):
    """All frames; a field that occurs several times is "a,b", one that does not is ""."""
    call = ["-T", "fields", "-E", "occurrence=a", "-E", "aggregator=,"]
    for f in fields:
        call += ["-e", f]
    rows = [line.split("\t") for line in tshark(path, *call, *args, options=options).splitlines()]
    return [Frame(zip(fields, row)) for row in rows]


class Frame(dict):
    """By the field's name; numbers by num()."""

    def num(self, field, default=0):
        text = self.get(field, "").split(",")[0]
        if text in ("True", "False"):
            return int(text == "True")
        return int(text, 0) if text else default

    def ns(self):
        s, ns = self["frame.time_epoch"].split(".")
        return int(s) * 10**9 + int(ns.ljust(9, "0"))

    def kind(self):
        return self.num("wlan.fc.type_subtype")

    def bad(self):
        return self.num("radiotap.flags.badfcs") == 1

    def said(self):
        return f"frame {self['frame.number']}: { {k: v for k, v in self.items() if v} }"


def fail(frame, text):
    sys.exit(f"{text}\n{frame.said()}")
