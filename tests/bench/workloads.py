#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a delivered packet costs, by workload: CPU, events, instructions, memory.

usage: workloads.py WLANQ [--runs N] [--no-callgrind] [NAME...]

Each workload of tests/bench/workloads/ runs N times (the least CPU time counts) and once, for two simulated seconds,
under callgrind for its instructions. Figures only: nothing here passes or fails.
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

FOLDER = pathlib.Path(__file__).resolve().parent / "workloads"


def run_once(wlanq, scenario, extra=()):
    """Returns (result of run --json, CPU seconds, peak RSS in MiB)."""
    proc = subprocess.Popen([wlanq, "run", str(scenario), "--json", *extra], stdout=subprocess.PIPE)
    out = proc.stdout.read()
    _, status, usage = os.wait4(proc.pid, 0)
    if status:
        sys.exit(f"{scenario}: exit status {status}")
    return json.loads(out), usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024


def instructions(wlanq, scenario):
    """Instructions per packet of the second simulated second: the whole of 2 s less the whole of 1 s."""
    counts = []
    for seconds in (2, 4):
        with tempfile.TemporaryDirectory() as tmp:
            proc = subprocess.run(
                ["valgrind", "--tool=callgrind", f"--callgrind-out-file={tmp}/out", wlanq, "run", str(scenario),
                 "--json", "--set", f"duration={seconds}s", "--set", "warmup=0s"],
                capture_output=True, text=True, check=True)
        total = int(re.search(r"Collected : (\d+)", proc.stderr).group(1))
        counts.append((total, json.loads(proc.stdout)["metrics"]["run.packets"]))
    return (counts[1][0] - counts[0][0]) / (counts[1][1] - counts[0][1])


def main():
    ap = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    ap.add_argument("wlanq")
    ap.add_argument("names", nargs="*")
    ap.add_argument("--runs", type=int, default=5)
    ap.add_argument("--no-callgrind", action="store_true")
    args = ap.parse_args()

    print(f"{'workload':16} {'goodput Mbit/s':>14} {'packets':>9} {'CPU s':>7} {'ns/packet':>9} "
          f"{'events/packet':>13} {'instr/packet':>12} {'peak MiB':>8}")
    for scenario in sorted(FOLDER.glob("*.yaml")):
        if args.names and scenario.stem not in args.names:
            continue
        runs = [run_once(args.wlanq, scenario) for _ in range(args.runs)]
        metrics = runs[0][0]["metrics"]
        cpu = min(r[1] for r in runs)
        packets = metrics["run.packets"]
        goodput = sum(v for k, v in metrics.items()
                      if re.fullmatch(r"[a-z0-9_-]+\.goodput_mbit", k) and v is not None)
        instr = "-" if args.no_callgrind else f"{instructions(args.wlanq, scenario):.0f}"
        print(f"{scenario.stem:16} {goodput:14.1f} {packets:9.0f} {cpu:7.3f} {cpu / packets * 1e9:9.0f} "
              f"{metrics['run.events'] / packets:13.2f} {instr:>12} {max(r[2] for r in runs):8.1f}")


if __name__ == "__main__":
    main()
