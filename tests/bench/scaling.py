#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""How the cost of a run grows: with stations, flows, simulated time, points of a sweep, and cores.

usage: scaling.py WLANQ [--short]

Prints Markdown. Each figure is the least CPU time of three runs (user and system); set-up, measured by a run of 1 ms, is
taken off where a cost per packet is told. Sweeps are timed by the wall clock, so the machine should have nothing else to
do. --short leaves out what takes minutes. Figures only: nothing here passes or fails.
"""
import argparse
import pathlib
import subprocess
import sys
import tempfile
import time

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import workloads # pylint: disable=wrong-import-position

FOLDER = pathlib.Path(__file__).resolve().parent / "scaling"
RUNS = 3


def settings(values):
    return sum((["--set", f"{k}={v}"] for k, v in values.items()), [])


def least(wlanq, scenario, runs=RUNS, **values):
    """(metrics, CPU seconds, CPU seconds beyond set-up, MiB)"""
    made = [workloads.run_once(wlanq, scenario, settings(values)) for _ in range(runs)]
    start = min(workloads.run_once(wlanq, scenario, settings({**values, "duration": "1ms", "warmup": "0s"}))[1]
                for _ in range(RUNS))
    cpu = min(m[1] for m in made)
    return made[0][0]["metrics"], cpu, cpu - start, max(m[2] for m in made)


def rows(title, first, made):
    print(f"| {title} | packets | CPU s | ns a packet | MiB |\n|---|---|---|---|---|")
    for value, (metrics, cpu, beyond, mib) in zip(first, made):
        packets = metrics["run.packets"]
        print(f"| {value} | {packets:.0f} | {cpu:.3f} | {beyond / packets * 1e9:.0f} | {mib:.1f} |")
    print()


def stations(wlanq):
    counts = [1, 2, 10, 50, 100, 200]
    rows("Stations, a TCP flow to each", counts,
         [least(wlanq, FOLDER / "stations.yaml", **{"sta.count": n}) for n in counts])


def cells(wlanq):
    """Saturated uplink with RTS: a transmission is one PPDU's attempt, collisions included."""
    print("| Saturated cell of | accesses | collisions | CPU s | us an access |\n|---|---|---|---|---|")
    for n in [1, 5, 50, 200]:
        metrics, cpu, beyond, _ = least(wlanq, workloads.path("w4b"), **{
            "sta.count": n, "up.rate": f"{100000000 // n}bit", "warmup": "0s"})
        print(f"| {n} | {metrics['air.exchanges']:.0f} | {metrics['air.collisions']:.0f} | {cpu:.3f} | "
              f"{beyond / metrics['air.exchanges'] * 1e6:.1f} |")
    print()


def flows(wlanq):
    counts = [1, 10, 100, 1000]
    rows("TCP flows of one station", counts,
         [least(wlanq, workloads.path("w2b"), **{"bulk.flows": n}) for n in counts])


def simulated_time(wlanq, short):
    seconds = [2, 10, 100] + ([] if short else [1000])
    rows("Simulated seconds of W2b", seconds,
         [least(wlanq, workloads.path("w2b"), runs=1 if s > 100 else RUNS,
                **{"duration": f"{s}s", "warmup": "0s"}) for s in seconds])


def sweep(wlanq, points, jobs):
    """Wall seconds, CPU seconds and peak MiB of a worker."""
    with tempfile.TemporaryDirectory() as out:
        begin = time.monotonic()
        _, cpu, mib = workloads.measure([wlanq, "sweep", str(FOLDER / "point.yaml"), "-o", out, "--set",
                                         f"repeat={points}", "-j", str(jobs), "--fresh", "--quiet"], 0.05)
        return time.monotonic() - begin, cpu, mib


def sweeps(wlanq, short):
    print("| Points of a sweep | runs a second, -j1 | runs a second, -j2 | gain | CPU ms a run | MiB |")
    print("|---|---|---|---|---|---|")
    for points in [1, 10, 100, 1000] + ([] if short else [10000]):
        (one, cpu, mib), (two, _, _) = (min((sweep(wlanq, points, jobs) for _ in range(1 if points > 1000 else RUNS)))
                                        for jobs in (1, 2))
        print(f"| {points} | {points / one:.0f} | {points / two:.0f} | {one / two:.2f} | {cpu / points * 1e3:.2f} | "
              f"{mib:.1f} |")
    print()


def start(wlanq):
    """Wall time from exec to exit, which no run can be shorter than, and of a run of one second under load."""
    def wall(command):
        times = []
        for _ in range(20):
            begin = time.monotonic()
            subprocess.run(command, stdout=subprocess.DEVNULL, check=True)
            times.append(time.monotonic() - begin)
        return min(times) * 1e3

    w1 = [wlanq, "run", str(workloads.path("w1")), "--json"]
    first = wall(w1 + settings({"duration": "1us", "warmup": "0s"}))
    whole = wall(w1 + settings({"duration": "1s", "warmup": "0s", "load.start": "0s"}))
    print("| W1 | ms of wall time |\n|---|---|")
    print(f"| up to the first event, with exit | {first:.1f} |\n| one second under load, all of it | {whole:.1f} |\n")


def tables(wlanq, short=False):
    start(wlanq)
    stations(wlanq)
    cells(wlanq)
    flows(wlanq)
    simulated_time(wlanq, short)
    sweeps(wlanq, short)


def main():
    ap = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    ap.add_argument("wlanq")
    ap.add_argument("--short", action="store_true")
    args = ap.parse_args()
    tables(args.wlanq, args.short)


if __name__ == "__main__":
    main()
