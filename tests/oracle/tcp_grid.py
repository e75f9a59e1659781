#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Linux's own TCP through a rate-limited veth, measured: the grid that the model is held against.

Each point makes two or three network namespaces on this machine, joins them by veth pairs, puts a tbf on the way
to the receiver, and runs iperf3 and ten pings a second through it. Needs root, iproute2, iperf3, ping, ethtool.
The burst is four packets by default: with one (tbf.sh's 1540 bytes) each timer that fires late loses its lateness
for good, and the machine's timers are measured instead of its TCP (100 Mbit/s comes out as 70).

With --cpu both ends and the pings run on that processor alone, at the highest priority, and what sets the namespaces up
runs on the others: an `ip` or `tc` on the same one keeps a reader waiting for milliseconds, in which the queue runs empty.
(Not as real-time processes: iperf3's client then never lets its server run.) reader_wait_us is for how long the receiving
iperf3 waited for the processor, in the mean of the times that it ran.

  tcp_grid.py measure OUT.csv [--cpu N] [--jobs N] [--repeat N] [--seconds N] [--burst BYTES]
              [--only RATE,LIMIT,CC,FLOWS,PLACE]...
"""
import argparse
import concurrent.futures
import csv
import itertools
import json
import os
import subprocess
import sys
import time

RATES = [1, 5, 20, 100]  # Mbit/s
LIMITS = [15000, 60000, 300000, 1500000]  # bytes
CONTROLS = ["cubic", "reno", "bbr"]
FLOWS = [1, 4]
PLACES = ["local", "forward"]  # the sender's own qdisc, or a router's
FIELDS = ["rate_mbit", "limit_bytes", "cc", "flows", "place", "repeat", "goodput_mbit", "rtt_mean_ms", "rtt_p5_ms",
          "rtt_p50_ms", "rtt_p95_ms", "pings_lost", "drops", "retransmits", "reader_wait_us"]


def grid():
    for rate, limit, cc, flows, place in itertools.product(RATES, LIMITS, CONTROLS, FLOWS, PLACES):
        # A queue of more than four seconds does not fill within a run.
        if limit * 8 <= 4000000 * rate:
            yield rate, limit, cc, flows, place


def sh(*args, check=True, **kw):
    return subprocess.run(args, check=check, capture_output=True, text=True, **kw)


class Net:
    """Namespaces a - b, or a - r - b, with tbf on what leads to b."""

    def __init__(self, tag, rate, limit, place, burst):
        self.names = {k: f"wlanq{tag}{k}" for k in ("arb" if place == "forward" else "ab")}
        for name in self.names.values():
            sh("ip", "netns", "add", name)
        hops = ["a", "r", "b"] if place == "forward" else ["a", "b"]
        for i, (x, y) in enumerate(zip(hops, hops[1:])):
            sh("ip", "link", "add", f"{x}{y}", "netns", self.names[x], "type", "veth", "peer", "name", f"{y}{x}",
               "netns", self.names[y])
            for host, peer, last in ((x, y, 1), (y, x, 2)):
                dev = f"{host}{peer}"
                self.run(host, "ip", "link", "set", "dev", "lo", "up")
                self.run(host, "ip", "link", "set", "dev", dev, "up")
                self.run(host, "ethtool", "-K", dev, "tso", "off", "gso", "off", "gro", "off")
                self.run(host, "ip", "addr", "add", f"10.9.{i}.{last}/24", "dev", dev)
        self.server = "10.9.0.2"
        self.dev = "ab", "a"
        if place == "forward":
            self.run("r", "sysctl", "-qw", "net.ipv4.ip_forward=1")
            self.run("a", "ip", "route", "add", "default", "via", "10.9.0.2")
            self.run("b", "ip", "route", "add", "default", "via", "10.9.1.1")
            self.server = "10.9.1.2"
            self.dev = "rb", "r"
        self.run(self.dev[1], "tc", "qdisc", "add", "dev", self.dev[0], "root", "tbf", "rate", f"{rate}mbit", "burst",
                 str(burst), "limit", str(limit))

    def cmd(self, host, *args):
        return ["ip", "netns", "exec", self.names[host], *args]

    def run(self, host, *args):
        return sh(*self.cmd(host, *args))

    def close(self):
        for name in self.names.values():
            sh("ip", "netns", "del", name, check=False)


def percentile(values, p):
    values = sorted(values)
    return values[min(len(values) - 1, int(p * len(values)))] if values else 0.0


def waited(pid):
    """For how long a process waited for the processor, us in the mean of the times that it ran."""
    with open(f"/proc/{pid}/schedstat") as f:
        wait, runs = [int(w) for w in f.read().split()[1:3]]
    return wait / 1000 / max(1, runs)


def measure(tag, point, repeat, seconds, burst, cpu=None):
    rate, limit, cc, flows, place = point
    net = Net(tag, rate, limit, place, burst)
    first = [] if cpu is None else ["taskset", "-c", str(cpu), "nice", "-n", "-20"]
    try:
        server = subprocess.Popen(net.cmd("b", *first, "iperf3", "-s", "-1"), stdout=subprocess.DEVNULL,
                                  stderr=subprocess.DEVNULL)
        time.sleep(0.5)
        client = subprocess.Popen(net.cmd("a", *first, "iperf3", "-c", net.server, "-t", str(seconds), "-C", cc, "-P",
                                          str(flows), "-J"), stdout=subprocess.PIPE, text=True)
        time.sleep(3)
        count = (seconds - 4) * 10
        ping = net.run("a", *first, "ping", "-n", "-i", "0.1", "-c", str(count), "-W", "10", net.server).stdout
        wait = waited(server.pid)
        out = json.loads(client.communicate(timeout=seconds + 60)[0])
        drops = net.run(net.dev[1], "tc", "-j", "-s", "qdisc", "show", "dev", net.dev[0]).stdout
        server.kill()
        server.wait()
    finally:
        net.close()
    rtts = [float(w[5:]) for line in ping.splitlines() for w in line.split() if w.startswith("time=")]
    row = [rate, limit, cc, flows, place, repeat, f"{out['end']['sum_received']['bits_per_second'] / 1e6:.3f}",
           f"{sum(rtts) / max(1, len(rtts)):.2f}", f"{percentile(rtts, 0.05):.2f}", f"{percentile(rtts, 0.5):.2f}",
           f"{percentile(rtts, 0.95):.2f}", count - len(rtts), json.loads(drops)[0]["drops"],
           out["end"]["sum_sent"]["retransmits"], f"{wait:.1f}"]
    return row


def main():
    ap = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    ap.add_argument("command", choices=["measure"])
    ap.add_argument("out")
    ap.add_argument("--cpu", type=int, help="where to measure")
    ap.add_argument("--jobs", type=int, default=1)
    ap.add_argument("--repeat", type=int, default=3)
    ap.add_argument("--seconds", type=int, default=20)
    ap.add_argument("--burst", type=int, default=6200, help="of tbf, in bytes")
    ap.add_argument("--only", action="append", help="RATE,LIMIT,CC,FLOWS,PLACE")
    args = ap.parse_args()
    if args.cpu is not None:
        os.sched_setaffinity(0, set(range(os.cpu_count())) - {args.cpu})
    points = list(grid())
    if args.only:
        points = []
        for text in args.only:
            r, l, cc, f, p = text.split(",")
            points.append((int(r), int(l), cc, int(f), p))
    done = set()
    if os.path.exists(args.out):
        with open(args.out, newline="") as f:
            for row in csv.DictReader(line for line in f if not line.startswith("#")):
                done.add(tuple(row[k] for k in FIELDS[:6]))
    fresh = not done
    work = [(p, r) for r in range(1, args.repeat + 1) for p in points
            if tuple(str(x) for x in (*p, r)) not in done]
    with open(args.out, "a", newline="") as f, concurrent.futures.ThreadPoolExecutor(args.jobs) as pool:
        w = csv.writer(f, lineterminator="\n")
        if fresh:
            uname = os.uname().release.split("-")[0]
            f.write(f"# Linux {uname}: tests/oracle/tcp_grid.py measure {os.path.basename(args.out)} "
                    f"--repeat {args.repeat} --seconds {args.seconds} --burst {args.burst}"
                    + (f" --cpu {args.cpu}\n" if args.cpu is not None else "\n"))
            w.writerow(FIELDS)
        jobs = {pool.submit(measure, f"{os.getpid()}x{i}", p, r, args.seconds, args.burst, args.cpu): (p, r)
                for i, (p, r) in enumerate(work)}
        for job in concurrent.futures.as_completed(jobs):
            try:
                w.writerow(job.result())
                f.flush()
            except (subprocess.SubprocessError, json.JSONDecodeError, KeyError, OSError) as e:
                print(f"{jobs[job]}: {e}", file=sys.stderr)


if __name__ == "__main__":
    main()
