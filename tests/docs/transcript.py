#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs what a page of the docs shows: transcript.py WLANQ PAGE.

In an empty folder, from top to bottom:

- a fenced block after a line `<!-- file: NAME -->` is written to NAME;
- in a `console` block each line `$ COMMAND` is run by the shell with `wlanq` on its path, and what
  follows must be its output (stdout). A line `...` stands for any number of lines, `...` inside
  of a line for any words; white space is not compared, and a number with a fraction or of three
  digits may be a tenth off, one after "±" anything. `$ COMMAND  # status N` expects another exit status than 0.

A `yaml` block that begins with `name:` is a whole scenario and must pass `wlanq validate`.
With GOLDEN_ACCEPT=1 in the environment, lines that differ are replaced in the page.
"""
import os
import re
import subprocess
import sys
import tempfile

FENCE = re.compile(r"^```(\w*)\s*$")
FILE = re.compile(r"^<!-- file: ([\w./-]+) -->$")
STATUS = re.compile(r"\s+# status (\d+)$")
NUMBER = re.compile(r"[-+]?\d+\.\d+|\d{3,}|±\d+(\.\d+)?")


def blocks(lines):
    """(language, first line, end, file name or None) of each fenced block; the lines between are its text."""
    start = language = name = None
    for n, line in enumerate(lines):
        m = FENCE.match(line)
        if start is None and m:
            start, language = n + 1, m[1]
            before = FILE.match(lines[n - 1]) if n else None
            name = before[1] if before else None
        elif start is not None and line.startswith("```"):
            yield language, start, n, name
            start = None


def near(want, got):
    """Whether two words are the same, or numbers that are close."""
    if want == got:
        return True
    if not NUMBER.fullmatch(want) or not re.fullmatch(r"±?[-+]?\d+(\.\d+)?", got):
        return False
    if want.startswith("±") or got.startswith("±"):
        return want[0] == got[0]
    return abs(float(got) - float(want)) <= abs(float(want)) / 10


def same(want, got):
    """Whether a line, as a list of words, is what the page shows."""
    if not want:
        return not got
    if want[0] == "...":
        return any(same(want[1:], got[i:]) for i in range(len(got) + 1))
    return bool(got) and near(want[0], got[0]) and same(want[1:], got[1:])


def match(want, got):
    """Whether output is as shown; `...` alone on a line is any number of lines."""
    if not want:
        return not got
    if want[0].strip() == "...":
        return any(match(want[1:], got[i:]) for i in range(len(got) + 1))
    return bool(got) and same(want[0].split(), got[0].split()) and match(want[1:], got[1:])


def accept(want, got):
    """What the page should show: as many lines around each `...` as it has now."""
    if not any(w.strip() == "..." for w in want):
        return got
    first = next(i for i, w in enumerate(want) if w.strip() == "...")
    last = len(want) - 1 - next(i for i, w in enumerate(reversed(want)) if w.strip() == "...")
    if first != last:
        return want  # pieces in the middle: by hand
    tail = len(want) - 1 - last
    return got[:first] + ["..."] + (got[-tail:] if tail else [])


def run(command, folder, program):
    env = dict(os.environ, PATH=os.path.dirname(os.path.abspath(program)) + os.pathsep + os.environ["PATH"])
    done = subprocess.run(["bash", "-c", command], cwd=folder, env=env, text=True, capture_output=True,
                          stdin=subprocess.DEVNULL)
    return done.returncode, done.stdout.rstrip("\n").split("\n") if done.stdout else [], done.stderr


def console(lines, start, end, folder, program, where, problems, edits):
    n = start
    while n < end:
        command = lines[n][2:]
        status = STATUS.search(command)
        after = next((i for i in range(n + 1, end) if lines[i].startswith("$ ")), end)
        want = lines[n + 1:after]
        code, got, told = run(STATUS.sub("", command), folder, program)
        if code != (int(status[1]) if status else 0):
            problems.append(f"{where}:{n + 1}: {command}: status {code}\n{told}")
        elif not match(want, got):
            problems.append(f"{where}:{n + 1}: {command}: prints\n" + "\n".join("    " + g for g in got))
            edits.append((n + 1, after, accept(want, got)))
        n = after


def check(program, page, out, accepting=False):
    with open(page, encoding="utf-8") as f:
        lines = f.read().split("\n")
    problems, edits = [], []
    with tempfile.TemporaryDirectory() as folder:
        for language, start, end, name in blocks(lines):
            text = "\n".join(lines[start:end]) + "\n"
            if name:
                path = os.path.join(folder, name)
                os.makedirs(os.path.dirname(path), exist_ok=True)
                with open(path, "w", encoding="utf-8") as f:
                    f.write(text)
            if language == "yaml" and text.startswith("name:"):
                path = os.path.join(folder, name or f"line-{start}.yaml")
                if not name:
                    with open(path, "w", encoding="utf-8") as f:
                        f.write(text)
                code, _, told = run(f"wlanq validate {path}", folder, program)
                if code:
                    problems.append(f"{page}:{start}: wlanq validate: status {code}\n{told}")
            elif language == "console":
                console(lines, start, end, folder, program, page, problems, edits)
    if accepting and edits:
        for start, end, new in reversed(edits):
            lines[start:end] = new
        with open(page, "w", encoding="utf-8") as f:
            f.write("\n".join(lines))
    for problem in problems:
        print(problem, file=out)
    return 1 if problems and not (accepting and len(edits) == len(problems)) else 0


if __name__ == "__main__":
    sys.exit(check(sys.argv[1], sys.argv[2], sys.stdout, os.environ.get("GOLDEN_ACCEPT") == "1"))
