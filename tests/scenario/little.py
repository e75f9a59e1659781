#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Claim: with txqueuelen 0 the ping under load is what the ring takes to drain, and nothing else.

Set-up: case ring224-q0 of scenarios/threads/iwl3945-ring.yaml, measured from 60 s to 72 s, while the ten pings go; five
seeds. Expected: mean RTT = mean occupancy of the ring x 11584 bit (1448 B) / goodput, by Little's law. Tolerance:
10 % each seed; ten pings sample a sawtooth of 20 % peak to peak, and an ACK or ping in the ring is shorter than a segment.
"""
import json
import subprocess
import sys

wlanq, scenario = sys.argv[1:3]
failed = 0
for seed in range(1, 6):
    out = subprocess.run(
        [wlanq, "run", scenario, "--json", "--seed", str(seed), "--set", "case=ring224-q0", "--set", "warmup=60s",
         "--set", "duration=72s"], check=True, capture_output=True, text=True).stdout
    m = json.loads(out)["metrics"]
    rtt, held, goodput = m["ping.rtt_ms.mean"], m["laptop.wlan0.ring.packets.mean"], m["bulk.goodput_mbit"]
    drain = held * 11584 / goodput / 1000
    ok = abs(rtt / drain - 1) <= 0.1
    failed += not ok
    print(f"seed {seed}: RTT {rtt:.1f} ms, {held:.1f} frames / {goodput:.3f} Mbit/s = {drain:.1f} ms, "
          f"{'ok' if ok else 'OFF'}")
sys.exit(1 if failed else 0)
