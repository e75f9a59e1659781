#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Measures eight points of the grid again on this machine and holds them against the record and the model.

Claim: the record in linux-6.18.csv is what Linux does, not what one afternoon's machine did. Needs root, network
namespaces, iperf3, ping, ethtool and tc; without them it is skipped (exit 77). On a kernel of the record's series at
least half of the eight must lie within the bands around the record (see tcp_compare.py; short runs of single flows
vary); on others, and for the model, it reports only.

  tcp_again.py LINUX.csv WLANQ tcp-grid.yaml
"""
import concurrent.futures
import os
import shutil
import subprocess
import sys
import tempfile
from statistics import median

import tcp_compare
import tcp_grid

POINTS = [(1, 15000, "cubic", 1, "forward"), (1, 60000, "reno", 1, "forward"), (5, 15000, "cubic", 4, "forward"),
          (5, 60000, "cubic", 1, "forward"), (5, 60000, "reno", 4, "forward"), (5, 15000, "bbr", 4, "forward"),
          (20, 60000, "cubic", 4, "local"), (20, 300000, "reno", 1, "forward")]
JOBS = 4
ENOUGH = 4


def skip(why):
    print(why)
    sys.exit(77)


def able():
    for tool in ("ip", "tc", "iperf3", "ping", "ethtool", "sysctl"):
        if not shutil.which(tool):
            skip(f"no {tool}")
    if os.geteuid():
        skip("not root")
    name = f"wlanq{os.getpid()}"
    if subprocess.run(["ip", "netns", "add", name], capture_output=True, check=False).returncode:
        skip("no network namespaces")
    made = subprocess.run(["ip", "netns", "exec", name, "tc", "qdisc", "add", "dev", "lo", "root", "tbf", "rate", "1mbit",
                           "burst", "6200", "limit", "15000"], capture_output=True, check=False)
    subprocess.run(["ip", "netns", "del", name], check=False)
    if made.returncode:
        skip("no tbf in this kernel")


def main():
    linux, wlanq, scenario = sys.argv[1:4]
    able()
    with open(linux) as f:
        series = ".".join(next(line for line in f if line.startswith("# Linux ")).split()[2].split(".")[:2])
    same = os.uname().release.startswith(series + ".")
    record = tcp_compare.load_linux(linux)
    with concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        jobs = [pool.submit(tcp_grid.measure, f"{os.getpid() % 1000}{i}", p, 1, 20, 6200) for i, p in enumerate(POINTS)]
        measured = [[float(job.result()[tcp_grid.FIELDS.index(c)]) for c in tcp_compare.COLUMNS] for job in jobs]
    with tempfile.TemporaryDirectory() as tmp:
        model = tcp_compare.run_model(wlanq, scenario, sorted({p[0] for p in POINTS}), tmp)
    inside = 0
    for point, row in zip(POINTS, measured):
        old, ours = ([median(c) for c in zip(*rows[point])] for rows in (record, model))
        print("%d Mbit/s, %d bytes, %s, %d flows, %s" % point)
        for name, values in (("record", old), ("wlanq", ours), ("now", row)):
            bad = [] if values is row else tcp_compare.outside(values, row, point[2])
            inside += name == "record" and not bad
            print("  %-7s %s %s" % (name, tcp_compare.show(values), "now outside: " + " ".join(bad) if bad else ""))
    print(f"{inside} of {len(POINTS)} points within the bands of the record of Linux {series}; this is {os.uname().release}")
    if same and inside < ENOUGH:
        sys.exit(f"fewer than {ENOUGH}")


if __name__ == "__main__":
    main()
