#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Compares what a command prints with a file: golden.py EXPECTED COMMAND [ARGUMENT]...

stdout is compared, the exit status must be 0. With GOLDEN_ACCEPT=1 in the environment the file is
written instead. Status 1 with the first differing lines.
"""
import difflib
import os
import subprocess
import sys

SHOW = 40


def compare(expected, command, accept, out):
    run = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL)
    if run.returncode:
        print(f"{' '.join(command)}: status {run.returncode}\n{run.stderr}", file=out)
        return 1
    if accept:
        with open(expected, "w", encoding="utf-8") as f:
            f.write(run.stdout)
        return 0
    try:
        with open(expected, encoding="utf-8") as f:
            want = f.read()
    except OSError as error:
        print(f"{error}\nGOLDEN_ACCEPT=1 makes it", file=out)
        return 1
    if run.stdout == want:
        return 0
    diff = list(difflib.unified_diff(want.split("\n"), run.stdout.split("\n"), expected, "now", "", "", 1, ""))
    print("\n".join(diff[:SHOW]), file=out)
    if len(diff) > SHOW:
        print(f"... {len(diff) - SHOW} more lines", file=out)
    print("If this is meant: GOLDEN_ACCEPT=1 meson test -C BUILD --suite golden, look at the diff, and "
          "commit it with the change and its numbers.", file=out)
    return 1


if __name__ == "__main__":
    sys.exit(compare(sys.argv[1], sys.argv[2:], os.environ.get("GOLDEN_ACCEPT") == "1", sys.stdout))
