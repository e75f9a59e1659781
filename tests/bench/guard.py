#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Have the instructions of a packet changed since they were last written down?

usage: guard.py WLANQ BASELINE [--accept]

Counts the instructions of one simulated second of six workloads under callgrind, by packet, and prints them beside those of
BASELINE. It never fails by what it finds: a compiler or a library may be the cause. --accept writes BASELINE
anew. Exit status 77 without valgrind.
"""
import argparse
import pathlib
import shutil
import sys

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))
import workloads # pylint: disable=wrong-import-position

NAMES = ["w1", "w2b", "w3b", "w4a", "w5a", "w6a"]
NOTABLE = 0.02
HEAD = "# SPDX-License-Identifier: GPL-3.0-or-later\n# Instructions a packet, as guard.py --accept counted them.\n"


def count(wlanq, name):
    """Of the second in which the load begins: a whole run less one that ends before it."""
    one = workloads.callgrind(wlanq, workloads.path(name), ["--set", "duration=1s", "--set", "warmup=0s"])[0]
    two, metrics = workloads.callgrind(wlanq, workloads.path(name), ["--set", "duration=2s", "--set", "warmup=0s"])
    return round((two - one) / metrics["run.packets"])


def main():
    ap = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    ap.add_argument("wlanq")
    ap.add_argument("baseline", type=pathlib.Path)
    ap.add_argument("--accept", action="store_true")
    args = ap.parse_args()
    if not shutil.which("valgrind"):
        print("skipped: no valgrind")
        sys.exit(77)
    now = {name: count(args.wlanq, name) for name in NAMES}
    if args.accept:
        args.baseline.write_text(HEAD + "".join(f"{name} {now[name]}\n" for name in NAMES), encoding="ascii")
        return
    lines = [line.split() for line in args.baseline.read_text(encoding="ascii").splitlines() if line[:1] != "#"]
    before = {name: int(value) for name, value in lines}
    print("instructions a packet, of one second under load")
    for name in NAMES:
        change = now[name] / before[name] - 1 if name in before else 0
        print(f"{name:4} {before.get(name, 0):8} -> {now[name]:8}  {100 * change:+6.1f} %"
              + ("  slower" if change > NOTABLE else "  faster: accept" if change < -NOTABLE else ""))
    print(f"to accept: {sys.argv[0]} {args.wlanq} {args.baseline} --accept")


if __name__ == "__main__":
    main()
