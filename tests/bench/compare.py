#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""wlanq beside ns-3 3.37 on the workloads W1 to W6: do they agree, and what does each cost?

usage: compare.py [--runs N] [--wlanq PROGRAM] [--folder DIR] [--no-callgrind] [--variants] [--write] [NAME...]

Prints Markdown: goodput of both, CPU time of both, how costs grow (scaling.py; not where workloads are named). Runs
alternate, each pair with its own seed: wlanq, ns-3, wlanq, ... Without --wlanq the optimised program of `setup.sh build`
is built and used; the ns-3 programs are built into --folder (build/ns3), for which Debian's libns3-dev must be there.
--variants adds what ns-3 gives with mechanisms on that the workloads have off. --write puts the tables into README.md
and docs/speed.md. Some twelve minutes where nothing else runs. Figures only: nothing here passes or fails.
"""
import argparse
import contextlib
import io
import os
import pathlib
import re
import shutil
import statistics
import subprocess
import sys
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import scaling # pylint: disable=wrong-import-position
import workloads # pylint: disable=wrong-import-position

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
LIBS = ["applications", "internet-apps", "internet", "point-to-point", "traffic-control", "wifi", "mobility",
        "propagation", "spectrum", "network", "stats", "antenna", "core"]

TOLERANCE = 0.03
SHORT = ["w1", "w2b", "w3b", "w4a", "w5a", "w6a"]
PLAIN = ["--lifetime=0", "--assoc=0", "--bar=0", "--retryLimit=0"]
DEFAULTS = ["--lifetime=1", "--assoc=1", "--bar=1", "--retryLimit=1"]
TCP = ["--tcp=1"]
FQ = TCP + ["--qdisc=fq_codel"]
MINSTREL = FQ + ["--minstrel=1", "--nist=1"]
AC = FQ + ["--time=5", "--ac=1", "--width=80", "--mode=VhtMcs9", "--flows=4"]
RATES = "ath9k's two A-MPDUs of 32 fill the window of 64, and one lost MPDU holds it"

# Name, what it is, the ns-3 program with its arguments, and why goodputs may differ by more than the tolerance.
WORKLOADS = [
    ("w1", "UDP, one station", ["link"], ""),
    ("w2a", "TCP, pfifo_fast", ["link", *TCP], ""),
    ("w2b", "TCP, fq_codel", ["link", *FQ], ""),
    ("w2d", "TCP, fq_codel, short MAC queue", ["link", *FQ, "--macQueue=64"], ""),
    ("w3a", "TCP, minstrel_ht, 20 m", ["link", *MINSTREL, "--distance=20"], RATES),
    ("w3b", "TCP, minstrel_ht, 30 m", ["link", *MINSTREL, "--distance=30"], RATES),
    ("w3c", "TCP, minstrel_ht, fading", ["link", *MINSTREL, "--distance=20", "--fading=1"],
     "fading goes on in time, ns-3 draws it for each frame"),
    ("w4a", "10 stations, UDP", ["contend"], ""),
    ("w4b", "10 stations, UDP, RTS", ["contend", "--rts=1"], ""),
    ("w5a", "50 stations, UDP", ["contend", "--n=50", "--warmup=4", "--time=3"], ""),
    ("w5b", "50 stations, UDP, RTS", ["contend", "--n=50", "--warmup=4", "--time=3", "--rts=1"], ""),
    ("w6a", "802.11ac, 4 TCP flows", ["link", *AC], ""),
    ("w6b", "802.11ac, 4 TCP flows, 64 frames", ["link", *AC, "--ampdu=1048575"], ""),
]
VARIANTS = [
    ("w4a, BAR", ["contend", *PLAIN, "--bar=1"]),
    ("w4a, BAR, association", ["contend", *PLAIN, "--bar=1", "--assoc=1"]),
    ("w4a, lifetime", ["contend", *PLAIN, "--lifetime=1"]),
    ("w4a, all defaults", ["contend", *DEFAULTS]),
    ("w5a, BAR", ["contend", *PLAIN, "--n=50", "--warmup=4", "--time=3", "--bar=1"]),
    ("w5a, all defaults", ["contend", *DEFAULTS, "--n=50", "--start=2", "--time=3"]),
    ("w2b, BQL", ["link", *PLAIN, *FQ, "--bql=1"]),
]


def build_ns3(folder):
    """Compiles the programs whose source is newer; False without ns-3."""
    if not shutil.which("g++") or not pathlib.Path("/usr/include/ns3/wifi-module.h").exists():
        return False
    folder.mkdir(parents=True, exist_ok=True)
    for source in sorted((HERE / "ns3").glob("*.cc")):
        program = folder / source.stem
        newest = max(source.stat().st_mtime, (HERE / "ns3/common.hh").stat().st_mtime)
        if program.exists() and program.stat().st_mtime > newest:
            continue
        print(f"build {program}", file=sys.stderr)
        subprocess.run(["g++", "-std=c++17", "-O2", "-DNDEBUG", "-o", str(program), str(source),
                        *(f"-lns3-{lib}" for lib in LIBS)], check=True)
    return True


def run_ns3(folder, args, seed):
    """Returns its key=value line as numbers, CPU seconds and peak RSS in MiB."""
    out, cpu, rss = workloads.measure([str(folder / args[0]), *args[1:], f"--run={seed}"], 0.05)
    return {k: float(v) for k, v in re.findall(r"(\w+)=(\S+)", out)}, cpu, rss


def medians(pairs, what):
    return statistics.median(what(p) for p in pairs)


def spread(values, digits):
    values = list(values)
    return f"{statistics.median(values):.{digits}f} ({min(values):.{digits}f} to {max(values):.{digits}f})"


def verdict(ours, theirs, why):
    value = statistics.median(ours)
    low, high = min(theirs) * (1 - TOLERANCE), max(theirs) * (1 + TOLERANCE)
    if low <= value <= high:
        return "within"
    return why or "outside"


def print_goodput(results):
    print("| Workload | | wlanq, Mbit/s | ns-3, Mbit/s | difference | ns-3's range and 3 % |")
    print("|---|---|---|---|---|---|")
    for name, about, why, pairs in results:
        ours = [workloads.goodput(p["ours"]["metrics"]) for p in pairs]
        theirs = [p["ns3"]["goodput_mbit"] for p in pairs]
        ratio = statistics.median(ours) / statistics.median(theirs) - 1
        print(f"| {name.upper()} | {about} | {spread(ours, 1)} | {spread(theirs, 1)} | {100 * ratio:+.1f} % | "
              f"{verdict(ours, theirs, why)} |")
    print()


def print_cost(results):
    print("| Workload | ns-3, CPU s | wlanq, CPU s | ratio | ns-3, packets a CPU s | wlanq, packets a CPU s | "
          "wlanq, ns a packet | events a packet | instructions a packet | MiB, ns-3 | MiB, wlanq |")
    print("|---|---|---|---|---|---|---|---|---|---|---|")
    for name, _, _, pairs in results:
        metrics = pairs[0]["ours"]["metrics"]
        cpu = medians(pairs, lambda p: p["ours_cpu"])
        ns3_cpu = medians(pairs, lambda p: p["ns3_cpu"])
        instr = pairs[0]["instructions"]
        print(f"| {name.upper()} | {ns3_cpu:.2f} | {cpu:.3f} | "
              f"{spread((p['ns3_cpu'] / p['ours_cpu'] for p in pairs), 0)} | "
              f"{medians(pairs, lambda p: p['ns3']['packets'] / p['ns3_cpu']):.0f} | "
              f"{pairs[0]['wifi_packets'] / cpu:.0f} | {cpu / metrics['run.packets'] * 1e9:.0f} | "
              f"{metrics['run.events'] / metrics['run.packets']:.2f} | {'-' if instr is None else f'{instr:.0f}'} | "
              f"{max(p['ns3_rss'] for p in pairs):.1f} | {max(p['ours_rss'] for p in pairs):.1f} |")
    print()
    print("Packets a CPU second are MSDUs that Wi-Fi MACs hand up, for both; ns, events and instructions are by")
    print("`run.packets`, which counts Ethernet's too.")
    print()


def print_air(wlanq, results):
    """The air's own cost: what the sources' datagrams cost is taken off, one event each."""
    print("| Workload | MPDUs a PPDU | events a delivered MPDU, beside one a datagram sent |")
    print("|---|---|---|")
    for name, _, _, _ in results:
        if name not in ("w1", "w4a", "w4b", "w5a", "w5b"):
            continue
        m = workloads.run_once(wlanq, workloads.path(name), ["--set", "warmup=0s"])[0]["metrics"]
        sent = sum(v for k, v in m.items() if re.fullmatch(r"(load|up\d+)\.sent_mbit", k))
        seconds = 7 if name.startswith("w5") else 11 # under load
        datagrams = sent * 1e6 * seconds / 8 / 1472
        sizes = [v for k, v in m.items() if re.fullmatch(r"(ap|sta\d+)\.wlan0\.ampdu\.mean", k) and v]
        print(f"| {name.upper()} | {statistics.mean(sizes):.1f} | {(m['run.events'] - datagrams) / m['run.packets']:.2f} |")
    print()


def print_short(results):
    print("| | goodput, wlanq and ns-3, Mbit/s | ns-3's CPU time over wlanq's | wlanq, ns a packet |\n|---|---|---|---|")
    for name, about, _, pairs in results:
        if name not in SHORT:
            continue
        ours = medians(pairs, lambda p: workloads.goodput(p["ours"]["metrics"]))
        theirs = medians(pairs, lambda p: p["ns3"]["goodput_mbit"])
        cpu = medians(pairs, lambda p: p["ours_cpu"])
        print(f"| {about} | {ours:.1f}, {theirs:.1f} | {medians(pairs, lambda p: p['ns3_cpu'] / p['ours_cpu']):.0f} | "
              f"{cpu / pairs[0]['ours']['metrics']['run.packets'] * 1e9:.0f} |")
    print()


def print_machine():
    model = re.search(r"model name\s*: (.*)", pathlib.Path("/proc/cpuinfo").read_text(encoding="utf-8"))
    print(f"{model.group(1) if model else 'unknown processor'}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} "
          "when it began.\n")


def print_variants(folder, runs):
    print("| ns-3 with | Mbit/s | MPDUs aged out | missing in Block Acks | aggregates without answer |")
    print("|---|---|---|---|---|")
    for name, program in VARIANTS:
        made = [run_ns3(folder, program, seed)[0] for seed in range(1, runs + 1)]
        print(f"| {name} | {spread((r['goodput_mbit'] for r in made), 1)} | {made[0]['aged']:.0f} | "
              f"{made[0]['missing']:.0f} | {made[0]['psdu_timeouts']:.0f} |")
    print()


class Blocks:
    """What was printed, by name; goes to the same places of the documents."""

    def __init__(self):
        self.texts = {}

    def add(self, name, function, *args):
        with contextlib.redirect_stdout(io.StringIO()) as out:
            function(*args)
        self.texts[name] = out.getvalue().strip("\n")
        print(self.texts[name] + "\n")

    def write(self, path):
        text = path.read_text(encoding="utf-8")
        for name, block in self.texts.items():
            text = re.sub(rf"(<!-- bench {name} -->\n).*?(<!-- end -->)",
                          lambda m, b=block: m.group(1) + b + "\n" + m.group(2), text, flags=re.S)
        path.write_text(text, encoding="utf-8")


def main():
    ap = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    ap.add_argument("names", nargs="*")
    ap.add_argument("--runs", type=int, default=5)
    ap.add_argument("--wlanq")
    ap.add_argument("--folder", type=pathlib.Path, default=ROOT / "build/ns3")
    ap.add_argument("--no-callgrind", action="store_true")
    ap.add_argument("--variants", action="store_true")
    ap.add_argument("--write", action="store_true")
    args = ap.parse_intermixed_args()

    wlanq = args.wlanq
    if not wlanq:
        subprocess.run([str(ROOT / "setup.sh"), "build"], check=True)
        wlanq = str(ROOT / "build/wlanq")
    if not build_ns3(args.folder):
        sys.exit("compare.py: needs g++ and ns-3 3.37 (Debian: libns3-dev)")
    chosen = [w for w in WORKLOADS if not args.names or w[0] in args.names]
    unknown = set(args.names) - {w[0] for w in WORKLOADS}
    if unknown:
        ap.error(f"no workload {', '.join(sorted(unknown))}: {' '.join(w[0] for w in WORKLOADS)}")

    if args.write and args.names:
        ap.error("--write is for all workloads together")

    blocks = Blocks()
    blocks.add("machine", print_machine)
    begin = time.monotonic()
    results = [(name, about, why, []) for name, about, _, why in chosen]
    for seed in range(1, args.runs + 1):
        for (name, _, program, _), result in zip(chosen, results):
            scenario = workloads.path(name)
            ours, ours_cpu, ours_rss = workloads.run_once(wlanq, scenario, ["--seed", str(seed)])
            ns3, ns3_cpu, ns3_rss = run_ns3(args.folder, [program[0], *PLAIN, *program[1:]], seed)
            pair = {"ours": ours, "ours_cpu": ours_cpu, "ours_rss": ours_rss, "ns3": ns3, "ns3_cpu": ns3_cpu,
                    "ns3_rss": ns3_rss, "instructions": None}
            if seed == 1:
                pair["wifi_packets"] = workloads.wifi_packets(wlanq, scenario)
                if not args.no_callgrind:
                    pair["instructions"] = workloads.instructions(wlanq, scenario)
            result[3].append(pair)
        print(f"{seed} of {args.runs} runs, {time.monotonic() - begin:.0f} s", file=sys.stderr)
    blocks.add("short", print_short, results)
    blocks.add("goodput", print_goodput, results)
    blocks.add("cost", print_cost, results)
    blocks.add("air", print_air, wlanq, results)
    if args.variants:
        blocks.add("variants", print_variants, args.folder, min(args.runs, 2))
    if not args.names:
        blocks.add("scaling", scaling.tables, wlanq)
    if args.write:
        blocks.write(ROOT / "README.md")
        blocks.write(ROOT / "docs/speed.md")


if __name__ == "__main__":
    main()
