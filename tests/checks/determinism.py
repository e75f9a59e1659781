# SPDX-License-Identifier: GPL-3.0-or-later
"""What would make results depend on machine, compiler or day (docs/architecture.md, "Determinism").

No wall clock and no libc or GLib random numbers where results are made; no table keyed by pointers is
walked; no floating point in engine, measure and models, but for files that use it at set-up only.
"""
import re

from layers import code
from tree import Tree

# Where results are made.
RESULT_PATH = ("sim/engine/", "sim/measure/", "sim/scenario/", "models/")
INTEGER_PATH = ("sim/engine/", "sim/measure/", "models/")

# file -> why floating point cannot reach a decision there.
SET_UP_ONLY = {
    "models/wifi/log-distance.c": "powers between stations, when the run starts and when a parameter changes; "
                                  "rounded to 0.001 dB",
    "models/qdisc/linux-red.c": "tc works out RED's logarithms in floating point; whole numbers come of it",
    "sim/engine/late.c": "quantiles of how late a host is, when the run starts; rounded to 1/256 of the median",
}

# file -> why what it reads off a clock cannot reach a result.
CLOCKS = {
    "sim/engine/profile.c": "what CPU time is spent on is measured from outside; no model reads it",
}

OUTSIDE = re.compile(r"\b((?:s?rand(?:om)?|[dejlmn]rand48|rand_r|g_random_\w+|g_rand_\w+|getrandom|"
                     r"time|gettimeofday|clock|clock_gettime|g_get_(?:real|monotonic)_time)\s*\()")
POINTER_KEYS = re.compile(r"\bg_direct_hash\b|\bg_hash_table_new(?:_full)?\s*\(\s*NULL")
WALK = re.compile(r"\bg_hash_table_(?:iter_init|foreach|get_keys|get_values|find)\w*\s*\(")
FLOAT = re.compile(r"\b(?:double|float)\b")


def hits(pattern, text):
    for m in pattern.finditer(text):
        yield text.count("\n", 0, m.start()) + 1, m


def check(tree: Tree):
    problems = []
    for path in tree.files(".c", ".h"):
        if not path.startswith(RESULT_PATH):
            continue
        text = re.sub(r'"(?:\\.|[^"\\\n])*"', '""', code(tree.text(path)))
        for line, m in hits(OUTSIDE, text) if path not in CLOCKS else ():
            problems.append(f"{path}:{line}: {m[1]}) depends on the machine or the day; "
                            "time is sim->now, luck is engine/draw.h")
        if POINTER_KEYS.search(text):
            for line, m in hits(WALK, text):
                problems.append(f"{path}:{line}: walks a table keyed by pointers: the order is the allocator's")
        if path.startswith(INTEGER_PATH) and path not in SET_UP_ONLY:
            for line, m in hits(FLOAT, text):
                problems.append(f"{path}:{line}: {m[0]}: integers decide; a file that needs it at set-up "
                                "only is listed in tests/checks/determinism.py with the reason")
    for path in SET_UP_ONLY:
        if tree.has(path) and not FLOAT.search(tree.text(path) or ""):
            problems.append(f"tests/checks/determinism.py lists {path}, which has no floating point")
    for path in CLOCKS:
        if tree.has(path) and not OUTSIDE.search(tree.text(path) or ""):
            problems.append(f"tests/checks/determinism.py lists {path}, which reads no clock")
    return problems
