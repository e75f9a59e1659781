#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Sums up meson's test logs: testlog.py [--broken=BUILD]... [LABEL=testlog.json]...

Prints each test that failed with the tail of its output, then one line "N passed, N failed" with
", N skipped" when there are any. Status 1 when something failed, a build broke or nothing passed.
"""
import json
import sys

TAIL = 40
PASSED = {"OK", "EXPECTEDFAIL"}
SKIPPED = {"SKIP"}


def results(path):
    """The tests of one log, one JSON object a line."""
    with open(path, encoding="utf-8", errors="replace") as log:
        return [json.loads(line) for line in log if line.strip()]


def tail(test):
    lines = (test.get("stdout", "") + test.get("stderr", "")).rstrip().split("\n")
    return "\n".join("    " + line for line in lines[-TAIL:])


def summarise(broken, logs, out):
    passed = failed = skipped = 0
    for build in broken:
        failed += 1
        print(f"FAILED: {build} does not build", file=out)
    for label, path in logs:
        try:
            tests = results(path)
        except (OSError, ValueError) as error:
            failed += 1
            print(f"FAILED: {label}: no test log: {error}", file=out)
            continue
        for test in tests:
            if test["result"] in PASSED:
                passed += 1
            elif test["result"] in SKIPPED:
                skipped += 1
            else:
                failed += 1
                print(f"FAILED: {label}: {test['name']} ({test['result']})", file=out)
                print(tail(test), file=out)
    line = f"{passed} passed, {failed} failed"
    print(line + (f", {skipped} skipped" if skipped else ""), file=out)
    return 1 if failed or not passed else 0


def main(argv):
    broken = [a.split("=", 1)[1] for a in argv if a.startswith("--broken=")]
    logs = [tuple(a.split("=", 1)) for a in argv if not a.startswith("--")]
    return summarise(broken, logs, sys.stdout)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
