#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The arrivals of the fq_codel lab, and what a kernel did with them against what wlanq does with the same.

  fq_codel.py arrivals TRACE SETTING   writes the arrivals and the set-up for the guest
  fq_codel.py compare WLANQ OUTPUT     OUTPUT is what fq-codel-guest.sh printed; exit status 1: out of a band
"""
import base64
import gzip
import json
import os
import random
import struct
import subprocess
import sys
import tempfile

RATE, BURST = "6Mbit", 3000
SECONDS = 30
FLOWS = ["ect", "plain", "sparse"]
TOS = [2, 0, 0]  # ECT(0), not ECT
PAYLOAD = [1200, 1200, 100]
HEADERS = 42  # Ethernet, IP, UDP
BUSY_MBIT, QUIET_MBIT = 3.9, 0.9  # of ect and plain each: 600 ms and 400 ms of every second
SPARSE_GAP_NS = 20_000_000
QUANTILES = ["p50", "p90", "p95", "p99"]
COUNT_BAND, DELAY_BAND = 0.02, 0.05


def arrivals():
    """Poisson arrivals of two flows that overload the link and let it drain again, once a second, and a sparse flow."""
    rng = random.Random(1)
    out = []
    for flow in 0, 1:
        # In units of work at the busy rate, so that a change of rate keeps the process Poisson.
        mean = (PAYLOAD[flow] + HEADERS) * 8 / BUSY_MBIT * 1000
        now = 0.0
        while now < SECONDS * 1e9:
            left = rng.expovariate(1 / mean)
            while left > 0:
                phase = now % 1e9
                speed, end = (1, 6e8) if phase < 6e8 else (QUIET_MBIT / BUSY_MBIT, 1e9)
                step = min(left, (end - phase) * speed)
                left -= step
                now += step / speed if step == left + step else end - phase
            out.append((int(now), flow))
    out += [(t, 2) for t in range(3_000_000, SECONDS * 10**9, SPARSE_GAP_NS)]
    return sorted(out)


def write_arrivals(trace, setting):
    with open(trace, "w") as f:
        for at, flow in arrivals():
            f.write(f"{at} {flow} {PAYLOAD[flow]} {TOS[flow]}\n")
    with open(setting, "w") as f:
        f.write(f"RATE={RATE.lower()} BURST={BURST} FLOWS={len(FLOWS)}\n")


def records(lines):
    """(flow, seq, ns, tos, payload) of each record of a log."""
    data = gzip.decompress(base64.b64decode("".join(lines)))
    return list(struct.iter_unpack("<IIqII", data))


def parse(text):
    logs, counters, name = {}, None, None
    for line in text.splitlines():
        if line.startswith("tc "):
            counters = {q["kind"]: q for q in json.loads(line[3:])}
        elif line.startswith("log "):
            name = line[4:]
            logs[name] = []
        elif line == "end":
            name = None
        elif name:
            logs[name].append(line)
    return counters, records(logs["sent"]), records(logs["received"])


def quantile(values, percent):
    """As wlanq's: the value of rank ceil(n percent / 100)."""
    return values[max(1, -(-len(values) * percent // 100)) - 1]


def delays(sent, received):
    """Of each flow, sorted, in ms."""
    at = {(r[0], r[1]): r[2] for r in sent}
    out = [[] for _ in FLOWS]
    for flow, seq, ns, _, _ in received:
        out[flow].append((ns - at[flow, seq]) / 1e6)
    return [sorted(d) for d in out]


def scenario(sent, path_ms):
    """wlanq's set-up in YAML: the arrivals that the guest's sender noted down, over the same router."""
    origin = min(r[2] for r in sent)
    lines = [
        f"name: fq-codel-lab\nduration: {SECONDS + 5}s\nseed: 1",
        "nodes:",
        "  a: {interfaces: {eth0: {bql: none}}}",
        "  router:",
        "    forward: route",
        "    interfaces:",
        "      ra: {}",
        f"      rb: {{bql: none, qdisc: {{model: tbf, rate: {RATE}, burst: {BURST}B, limit: 1MB, child: fq_codel}}}}",
        "  b: {interfaces: {eth0: {}}}",
        "links:",
        f"  in: {{model: ethernet, members: [a.eth0, router.ra], rate: 400Gbit, delay: {round(path_ms * 1e6)}ns}}",
        "  out: {model: ethernet, members: [router.rb, b.eth0], rate: 400Gbit, delay: 0ns}",
        "traffic:",
    ]
    for i, name in enumerate(FLOWS):
        lines += [f"  {name}:", "    model: replay", "    from: a", "    to: b", "    spread: 0s",
                  f"    tos: {TOS[i]}",
                  # One line each and no more: a scenario may have 1 MiB, and 100000 nodes.
                  "    packets: [" + ",\n".join(f"{{at: {ns - origin}ns,size: {payload}B}}"
                                                for flow, _, ns, _, payload in sent if flow == i) + "]"]
    return "\n".join(lines) + "\n"


def simulate(wlanq, text):
    with tempfile.TemporaryDirectory() as folder:
        name = os.path.join(folder, "lab.yaml")
        with open(name, "w") as f:
            f.write(text)
        run = subprocess.run([wlanq, "run", name, "--json"], capture_output=True, text=True)
    if run.returncode:
        sys.exit(f"wlanq run: {run.stderr}")
    return json.loads(run.stdout)["metrics"]


def row(name, linux, ours, band):
    share = (ours - linux) / linux if linux else float(ours != linux)
    good = abs(share) <= band
    print(f"{name:24} {linux:10.6g} {ours:10.6g} {100 * share:+8.2f} %  {'' if good else 'OUT OF BAND'}")
    return good


def compare(wlanq, output):
    with open(output) as f:
        counters, sent, received = parse(f.read())
    linux = delays(sent, received)
    path_ms = min(d[0] for d in linux)
    ours = simulate(wlanq, scenario(sent, path_ms))
    shifts = [r[2] - at for r, (at, _) in zip(sent, arrivals())]
    print(f"{len(sent)} datagrams sent, each within {(max(shifts) - min(shifts)) / 1000:.1f} us of its time; "
          f"path through the idle guest {path_ms * 1000:.1f} us")
    print(f"{'':24} {'Linux':>10} {'wlanq':>10}")
    tc = counters["fq_codel"]
    prefix = "router.rb.qdisc.child."
    good = [row("drops", counters["tbf"]["drops"], ours["router.rb.qdisc.dropped"], COUNT_BAND),
            row("marks", tc["ecn_mark"], ours[prefix + "ecn_mark"], COUNT_BAND)]
    for i, name in enumerate(FLOWS):
        good += [row(f"{name} delay {q} ms", quantile(linux[i], int(q[1:])), ours[f"{name}.delay_ms.{q}"], DELAY_BAND)
                 for q in QUANTILES]
    print(f"{sum(good)} of {len(good)} within their bands: drops and marks {COUNT_BAND:.0%}, delays {DELAY_BAND:.0%}")
    return 0 if all(good) else 1


def main():
    if len(sys.argv) != 4 or sys.argv[1] not in ("arrivals", "compare"):
        sys.exit(__doc__)
    if sys.argv[1] == "arrivals":
        write_arrivals(sys.argv[2], sys.argv[3])
        return 0
    return compare(sys.argv[2], sys.argv[3])


sys.exit(main())
