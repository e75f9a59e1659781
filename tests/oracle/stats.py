# SPDX-License-Identifier: GPL-3.0-or-later
"""sim/report/stats.c against scipy: stats.py TEST-STATS. Exit 77 (skipped) where there is no scipy."""
import json
import math
import subprocess
import sys

try:
    from scipy import stats
except ImportError:
    print("no scipy (Debian: python3-scipy)")
    sys.exit(77)

# GSL finds the quantiles of t by iteration, to about 1e-8.
TOLERANCE = 1e-7


def interval(mean, error, freedom, level):
    t = stats.t.ppf(0.5 + level / 2, freedom)
    return [mean - t * error, mean + t * error]


def expected(case):
    a, b, level = case["a"], case["b"], case["level"]
    n = len(case["p"])
    one = stats.ttest_1samp(a, 0)
    yield "mean", [sum(a) / len(a), *interval(sum(a) / len(a), stats.sem(a), len(a) - 1, level), one.pvalue]
    d = [y - x for x, y in zip(a[:n], b[:n])]
    paired = stats.ttest_rel(b[:n], a[:n])
    yield "paired", [sum(d) / n, *interval(sum(d) / n, stats.sem(d), n - 1, level), paired.pvalue]
    welch = stats.ttest_ind(b, a, equal_var=False)
    va, vb = stats.sem(a) ** 2, stats.sem(b) ** 2
    freedom = (va + vb) ** 2 / (va ** 2 / (len(a) - 1) + vb ** 2 / (len(b) - 1))
    diff = sum(b) / len(b) - sum(a) / len(a)
    yield "welch", [diff, *interval(diff, math.sqrt(va + vb), freedom, level), welch.pvalue]
    order = sorted(range(n), key=lambda i: case["p"][i])
    holm, least = [0.0] * n, 0.0
    for rank, i in enumerate(order):
        least = max(least, min(1.0, case["p"][i] * (n - rank)))
        holm[i] = least
    yield "holm", holm
    middle = sorted(a)
    yield "median", [(middle[(len(a) - 1) // 2] + middle[len(a) // 2]) / 2]


def main():
    text = subprocess.run([sys.argv[1], "--dump"], check=True, capture_output=True, text=True).stdout
    cases, bad = [json.loads(line) for line in text.splitlines()], 0
    for number, case in enumerate(cases):
        for name, want in expected(case):
            have = case[name] if isinstance(case[name], list) else [case[name]]
            if len(have) != len(want) or any(
                    abs(h - w) > TOLERANCE * max(1.0, abs(w)) for h, w in zip(have, want)):
                print(f"case {number}, {name}: {have}, scipy says {want}")
                bad += 1
    print(f"{len(cases)} cases, {bad} differ")
    return 1 if bad or not cases else 0


if __name__ == "__main__":
    sys.exit(main())
