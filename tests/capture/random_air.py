# SPDX-License-Identifier: GPL-3.0-or-later
"""
Random airs: random_air.py WLANQ [FIRST [LAST]].

Claim: what claims.py says of a capture holds whatever runs on the air.

Set-up: by seed, a standard, band, width, driver and rate that go together, with or without losses, RTS, protection,
beacons, encryption, TXOPs, lifetimes, capture effect, the shared medium or one by stations, some in reach of each other and some
not; TCP both ways, voice-like UDP and a ping for 120 ms. Expected: no claim fails, and no run. Tolerance: none.
"""
import os
import random
import shutil
import sys
import tempfile

from capture import Air, fixed, scenario
import claims
from shark import run

WLANQ = os.path.abspath(sys.argv[1])
DRIVERS = {"11b": ["iwl3945", "ath5k"], "11g": ["iwl3945", "ath5k"], "11a": ["iwl3945", "ath5k"],
           "11n": ["ath9k", "iwlwifi", "ath10k"], "11ac": ["iwlwifi", "ath10k"]}


def rate(r, standard, width):
    sgi = r.choice(["true", "false"])
    if standard == "11n":
        return f"mcs: {r.randrange(16)}, width: {width}MHz, sgi: {sgi}"
    if standard == "11ac":
        return f"mcs: {r.randrange(9)}, nss: {r.randint(1, 3)}, width: {width}MHz, sgi: {sgi}"
    return f"rate: {r.choice({'11b': ['1', '2', '5.5', '11'], '11g': [6, 12, 24, 54], '11a': [6, 9, 18, 36, 54]}[standard])}Mbit"


def air_of(r, standard, width, band):
    keys = {"standard": standard, "width": f"{width}MHz", "band": band,
            "medium": r.choice(["auto", "shared", "stations", "stations"])}
    if r.random() < 0.6:
        keys["loss"] = r.choice([0.02, 0.1, 0.4])
    if r.random() < 0.3:
        keys["rts_threshold"] = r.choice(["100B", "1000B"])
    if r.random() < 0.2 and standard != "11b":
        keys["encryption"] = "ccmp"
    if r.random() < 0.3:
        keys["beacons"] = "true"
    if r.random() < 0.3 and band == "2.4GHz" and standard != "11b":
        keys["protection"] = r.choice(["cts_to_self", "rts_cts"])
    if r.random() < 0.2:
        keys.update(capture="true", medium="stations")
    if keys["medium"] == "stations" and r.random() < 0.5:
        keys["channel"] = ("{model: log_distance, positions: {sta: {x: %dm}, s2: {x: %dm}}}" %
                           (r.randrange(5, 60), -r.randrange(5, 60)))
    if r.random() < 0.3:
        keys["txop"] = "{vo: 1504us, vi: 3008us, be: %s, bk: 0us}" % r.choice(["0us", "2048us"])
    if r.random() < 0.3:
        keys["lifetime"] = r.choice(["2ms", "10ms", "{be: 30ms}"])
    return keys


def one(seed, folder):
    r = random.Random(seed)
    standard = r.choice(["11b", "11g", "11a", "11n", "11n", "11n", "11ac", "11ac"])
    width = r.choice({"11n": [20, 40], "11ac": [20, 40, 80]}.get(standard, [20]))
    band = "2.4GHz" if standard in ("11b", "11g") else "5GHz" if standard != "11n" else r.choice(["2.4GHz", "5GHz"])
    driver = r.choice(DRIVERS[standard])
    chooser = fixed(rate(r, standard, width))
    if driver == "ath9k" and r.random() < 0.3:
        chooser = "rate_control: {model: minstrel_ht}"
    air = air_of(r, standard, width, band)
    size = r.choice([60, 500, 1400])
    yaml = scenario(", ".join(f"{k}: {v}" for k, v in air.items()), f"driver: {driver}, {chooser}",
                    "  down: {model: tcp_bulk, from: server, to: sta}\n  up: {model: tcp_bulk, from: s2, to: server}\n"
                    f"  call: {{model: udp_cbr, from: sta, to: server, rate: 3Mbit, dscp: 46, size: {size}B}}\n"
                    "  ping: {model: ping, from: server, to: s2, interval: 10ms}", ("sta", "s2"), duration="120ms")
    run(WLANQ, yaml, folder, "--seed", str(seed))
    ccmp = "encryption" in air
    seen = Air(folder, 10 if band == "2.4GHz" else 16, 6 if band == "2.4GHz" else 0, ccmp=ccmp,
               filled=driver == "ath9k", options=["wlan.ignore_wep:Yes - with IV"] if ccmp else (), least=0)
    if standard in ("11n", "11ac"):
        claims.agreements(seen.ppdus, lifetimes="lifetime" in air)
    print(f"{seed}: {standard} {driver} {len(seen.frames)} frames, {seen.answered} answered", flush=True)


def main():
    if not shutil.which("tshark"):
        print("SKIP: there is no tshark")
        return 77
    first = int(sys.argv[2]) if len(sys.argv) > 2 else 1
    last = int(sys.argv[3]) if len(sys.argv) > 3 else first + 39
    for seed in range(first, last + 1):
        with tempfile.TemporaryDirectory(prefix="wlanq-air-") as folder:
            try:
                one(seed, folder)
            except (SystemExit, AssertionError):
                print(f"seed {seed} failed", flush=True)
                raise
    return 0


if __name__ == "__main__":
    sys.exit(main())
