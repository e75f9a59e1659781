#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The model's TCP against Linux's own, point by point of the grid that tcp_grid.py measured.

Claim: over the grid the model gives Linux's goodput within 3 %, its mean RTT within 15 %, the 5th and 95th percentile
of the RTT within 20 % (RTTs also within 0.1 ms: below that the machine's scheduling is measured), and the drops within
a factor 1.5, or 3 of them (not for BBR, whose drops vary twofold on Linux too). Both sides are medians over three
repeats, so that one run in which the machine stood still for a while does not decide. A point agrees when all of it
does; --floor says how many must.

Beside it the real kernel is held against itself: a point is `noisy` when one of its own repeats lies outside of the
bands around the median of the others. Noisy points are counted like all others in the first sum; the second leaves them out.

  tcp_compare.py LINUX.csv WLANQ tcp-grid.yaml [--rate MBIT]... [--floor N] [--results DIR] [--all] [--markdown]
"""
import argparse
import csv
import glob
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections import defaultdict
from statistics import median

RATES = [1, 5, 20, 100]
# The points of 100 Mbit/s were measured by themselves, the others six at once: so long a reader took to wake up.
WAKEUP, WAKEUP_ALONE = "wakeup: 140us", "wakeup: 40us"
BYTES = {"kB": 1000, "MB": 1000000, "B": 1}
NAMES = ["goodput", "mean", "p5", "p95", "drops"]
COLUMNS = ["goodput_mbit", "rtt_mean_ms", "rtt_p5_ms", "rtt_p95_ms", "drops"]


def mean(values):
    return sum(values) / len(values)


def percentile(values, p):
    values = sorted(values)
    return values[min(len(values) - 1, int(p * len(values)))] if values else 0.0


def load_linux(path):
    points = defaultdict(list)
    with open(path, newline="") as f:
        for row in csv.DictReader(line for line in f if not line.startswith("#")):
            key = (int(row["rate_mbit"]), int(row["limit_bytes"]), row["cc"], int(row["flows"]), row["place"])
            points[key].append([float(row[c]) for c in COLUMNS])
    return points


def number(text, units):
    for unit, factor in units.items():
        if text.endswith(unit):
            return round(float(text[:-len(unit)]) * factor)
    raise ValueError(text)


def load_run(run):
    p, m = run["params"], run["metrics"]
    key = (number(p["router.eth1.qdisc.rate"], {"Mbit": 1}), number(p["router.eth1.qdisc.limit"], BYTES),
           p["bulk.congestion"], int(p.get("bulk.flows", 1)), "local" if p["bulk.from"] == "router" else "forward")
    rtts = run["distributions"]["ping.rtt_ms"]["samples"]
    drops = m["router.eth1.qdisc.drops"]
    return key, [m["bulk.goodput_mbit"], mean(rtts) if rtts else 0, percentile(rtts, 0.05), percentile(rtts, 0.95),
                 drops]


def sweep(wlanq, text, rates, results):
    """Runs of the scenario @text at @rates, by point."""
    listed = "router.eth1.qdisc.rate: [1Mbit, 5Mbit, 20Mbit, 100Mbit]"
    assert listed in text, "the scenario lists other rates"
    text = text.replace(listed, "router.eth1.qdisc.rate: [%s]" % ", ".join(f"{r}Mbit" for r in rates))
    os.makedirs(results, exist_ok=True)
    shutil.rmtree(os.path.join(results, "runs"), ignore_errors=True)
    path = os.path.join(results, "scenario.yaml")
    with open(path, "w") as f:
        f.write(text)
    subprocess.run([wlanq, "sweep", path, "-o", os.path.join(results, "runs"), "-j", "2", "--quiet", "--fresh"], check=True,
                   stdout=subprocess.DEVNULL)
    points = defaultdict(list)
    for name in glob.glob(os.path.join(results, "runs", "runs", "*.json")):
        if name.endswith(".meta.json"):
            continue
        with open(name) as f:
            run = json.load(f)
        if run["status"] != "ok":
            sys.exit(f"{name}: {run['status']}")
        key, row = load_run(run)
        points[key].append(row)
    return points


def run_model(wlanq, scenario, rates, results):
    with open(scenario) as f:
        text = f.read()
    assert WAKEUP in text, f"{scenario} has another wakeup"
    points = {}
    for name, some, wakeup in (("together", [r for r in rates if r < 100], WAKEUP),
                               ("alone", [r for r in rates if r >= 100], WAKEUP_ALONE)):
        if some:
            points.update(sweep(wlanq, text.replace(WAKEUP, wakeup), some, os.path.join(results, name)))
    return points


def outside(real, model, cc):
    """Names of what of @model is outside of the bands around @real."""
    bad = []
    if abs(model[0] - real[0]) > 0.03 * real[0]:
        bad.append("goodput")
    for i, band in ((1, 0.15), (2, 0.20), (3, 0.20)):
        if abs(model[i] - real[i]) > max(band * real[i], 0.1):
            bad.append(NAMES[i])
    lo, hi = sorted((real[4], model[4]))
    if cc != "bbr" and hi > 1.5 * lo and hi - lo > 3:
        bad.append("drops")
    return bad


def noise(repeats, cc):
    """What of the real kernel's own repeats is outside of the bands around the mean of the others."""
    bad = set()
    for i, one in enumerate(repeats):
        others = repeats[:i] + repeats[i + 1:]
        if others:
            bad.update(outside([median(c) for c in zip(*others)], one, cc))
    return [n for n in NAMES if n in bad]


def in_place_of_model(linux):
    """How many points would be inside if one of Linux's own runs stood in the model's place, the others being the record."""
    inside = runs = 0
    for key, repeats in linux.items():
        for i, one in enumerate(repeats):
            others = repeats[:i] + repeats[i + 1:]
            if others:
                inside += not outside([median(c) for c in zip(*others)], one, key[2])
                runs += 1
    return inside * len(linux) / max(1, runs)


def show(row):
    return "%7.3f %8.2f %8.2f %8.2f %7.0f" % tuple(row)


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("linux")
    ap.add_argument("wlanq")
    ap.add_argument("scenario")
    ap.add_argument("--rate", type=int, action="append")
    ap.add_argument("--floor", type=int, default=0)
    ap.add_argument("--results", help="keep the model's results here")
    ap.add_argument("--all", action="store_true", help="print the points that agree too")
    args = ap.parse_args()
    rates = args.rate or RATES
    linux = {k: v for k, v in load_linux(args.linux).items() if k[0] in rates}
    with tempfile.TemporaryDirectory() as tmp:
        model = run_model(args.wlanq, args.scenario, rates, args.results or tmp)

    inside, quiet, quiet_inside = 0, 0, 0
    by_cc = defaultdict(lambda: [0, 0])
    print("rate  limit  cc  flows place: goodput, RTT mean, p5, p95, drops")
    for key in sorted(linux):
        real = [median(c) for c in zip(*linux[key])]
        ours = [median(c) for c in zip(*model[key])]
        bad, own = outside(real, ours, key[2]), noise(linux[key], key[2])
        inside += not bad
        by_cc[key[2]][0] += not bad
        by_cc[key[2]][1] += 1
        if not own:
            quiet += 1
            quiet_inside += not bad
        if bad or args.all:
            print("%3d %7d %5s %d %-7s %s" % (*key, "outside: " + " ".join(bad) if bad else "inside"),
                  "(Linux varies: %s)" % " ".join(own) if own else "")
            for row in linux[key]:
                print("        Linux", show(row))
            for row in model[key]:
                print("        wlanq", show(row))
    total = len(linux)
    print(f"{inside} of {total} points inside every band:",
          ", ".join(f"{cc} {n} of {of}" for cc, (n, of) in sorted(by_cc.items())))
    print(f"{total - quiet} points vary on Linux by more than the bands; of the other {quiet}, {quiet_inside} are inside")
    print("one of Linux's own runs in the model's place: %.0f of %d" % (in_place_of_model(linux), total))
    if inside < args.floor:
        sys.exit(f"fewer than {args.floor}")


if __name__ == "__main__":
    main()
