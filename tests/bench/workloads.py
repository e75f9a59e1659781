#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What a delivered packet costs, by workload: CPU, events, instructions, memory.

usage: workloads.py WLANQ [--runs N] [--no-callgrind] [NAME...]

Each workload of tests/bench/workloads/ runs N times (the least CPU time counts) and twice, for two and for three simulated
seconds, under callgrind for its instructions. Figures only: nothing here passes or fails.
"""
import argparse
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import time

FOLDER = pathlib.Path(__file__).resolve().parent / "workloads"


def path(name):
    return FOLDER / f"{name}.yaml"


def high_water(pid):
    """Peak RSS of a process in KiB, 0 once it has ended. That of rusage would count this process's, from before exec."""
    try:
        with open(f"/proc/{pid}/status", encoding="ascii") as f:
            return next((int(line.split()[1]) for line in f if line.startswith("VmHWM")), 0)
    except OSError:
        return 0


def measure(command, look=0.0):
    """Returns what it prints, its CPU seconds (user and system) and its peak RSS in MiB, looked at each @look seconds; without,
    nothing disturbs it and the peak is 0."""
    with tempfile.TemporaryFile("w+") as out:
        with subprocess.Popen(command, stdout=out) as proc:
            peak = done = 0
            while not done:
                if look:
                    time.sleep(look)
                    peak = max(peak, high_water(proc.pid))
                done, status, usage = os.wait4(proc.pid, os.WNOHANG if look else 0)
            proc.returncode = os.waitstatus_to_exitcode(status)
        if status:
            sys.exit(f"{' '.join(command)}: exit status {proc.returncode}")
        out.seek(0)
        return out.read(), usage.ru_utime + usage.ru_stime, peak / 1024


def run_once(wlanq, scenario, extra=()):
    """Returns (result of run --json, CPU seconds, peak RSS in MiB). The peak is of a second run: a short one feels a look."""
    command = [wlanq, "run", str(scenario), "--json", *extra]
    out, cpu, _ = measure(command)
    return json.loads(out), cpu, measure(command, 0.002)[2]


def goodput(metrics):
    """Of all traffic, Mbit/s. A group (`up`) is left out where its members (`up1`, ...) are there."""
    values = {k.split(".")[0]: v for k, v in metrics.items() if re.fullmatch(r"[a-z0-9_-]+\.goodput_mbit", k)}
    return sum(v for k, v in values.items() if v is not None and (k + "1" not in values or k[-1].isdigit()))


def wifi_packets(wlanq, scenario):
    """MSDUs that Wi-Fi MACs hand up, from the first second on."""
    metrics = run_once(wlanq, scenario, ["--set", "warmup=0s"])[0]["metrics"]
    return sum(v for k, v in metrics.items() if k.endswith(".wlan0.rx_packets"))


def callgrind(wlanq, scenario, extra=()):
    """Returns (instructions of the whole process, metrics)."""
    env = {k: v for k, v in os.environ.items() if k != "MALLOC_PERTURB_"} # meson's, which fills what malloc gives
    with tempfile.TemporaryDirectory() as tmp:
        proc = subprocess.run(
            ["valgrind", "--tool=callgrind", f"--callgrind-out-file={tmp}/out", wlanq, "run", str(scenario), "--json",
             *extra], capture_output=True, text=True, check=True, env=env)
    return int(re.search(r"Collected : (\d+)", proc.stderr).group(1)), json.loads(proc.stdout)["metrics"]


def instructions(wlanq, scenario):
    """Instructions per packet of the second second under load: the whole of 3 s less the whole of 2 s."""
    (i2, m2), (i3, m3) = (callgrind(wlanq, scenario, ["--set", f"duration={seconds}s", "--set", "warmup=0s"])
                          for seconds in (2, 3))
    return (i3 - i2) / (m3["run.packets"] - m2["run.packets"])


def main():
    ap = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    ap.add_argument("wlanq")
    ap.add_argument("names", nargs="*")
    ap.add_argument("--runs", type=int, default=5)
    ap.add_argument("--no-callgrind", action="store_true")
    args = ap.parse_intermixed_args()

    print(f"{'workload':16} {'goodput Mbit/s':>14} {'packets':>9} {'CPU s':>7} {'ns/packet':>9} "
          f"{'events/packet':>13} {'instr/packet':>12} {'peak MiB':>8}")
    for scenario in sorted(FOLDER.glob("*.yaml")):
        if args.names and scenario.stem not in args.names:
            continue
        runs = [run_once(args.wlanq, scenario) for _ in range(args.runs)]
        metrics = runs[0][0]["metrics"]
        cpu = min(r[1] for r in runs)
        packets = metrics["run.packets"]
        instr = "-" if args.no_callgrind else f"{instructions(args.wlanq, scenario):.0f}"
        print(f"{scenario.stem:16} {goodput(metrics):14.1f} {packets:9.0f} {cpu:7.3f} {cpu / packets * 1e9:9.0f} "
              f"{metrics['run.events'] / packets:13.2f} {instr:>12} {max(r[2] for r in runs):8.1f}")


if __name__ == "__main__":
    main()
