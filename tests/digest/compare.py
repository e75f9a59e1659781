#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Builds a program with gcc and clang at -O0 and -O3, runs each and compares what they print, byte for byte.

    compare.py BUILD OBJECTS LIBS [-- ARGUMENT...]...

BUILD is a build folder: the commands are those of its compile_commands.json for the outputs that the
regular expression OBJECTS finds, with another compiler and level. Each group of arguments is one run
of the program; without one it runs without any. A compiler that is not there is left out; with fewer
than two builds the test is skipped (77).
"""
import concurrent.futures
import json
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile

COMPILERS = ("gcc", "clang")
LEVELS = ("-O0", "-O3")
JOBS = 2
# What belongs to the build that is copied, not to the program.
LEFT_OUT = re.compile(r"-O.*|-g.*|-flto.*|-fsanitize.*|-W.*|-MD|-fdiagnostics.*")


def groups(words):
    """The words between one "--" and the next."""
    found = [[]]
    for word in words:
        if word == "--":
            found.append([])
        else:
            found[-1].append(word)
    return found


def commands(build, objects):
    """(source, flags) of each command, the compiler and the output left out."""
    with open(os.path.join(build, "compile_commands.json"), encoding="utf-8") as file:
        for entry in json.load(file):
            if not re.search(objects, entry["output"]):
                continue
            words = shlex.split(entry["command"])
            flags, skip = [], False
            for word in words[next(i for i, w in enumerate(words) if w.startswith("-")):]:
                if skip:
                    skip = False
                elif word in ("-o", "-MF", "-MQ"):
                    skip = True
                elif word not in ("-c", entry["file"]) and not LEFT_OUT.fullmatch(word):
                    flags.append(word)
            yield entry["file"], flags


def work(command, folder):
    done = subprocess.run(command, capture_output=True, text=True, cwd=folder)
    if done.returncode:
        sys.exit(f"{' '.join(command)}\n{done.stderr}")


def make(pool, build, folder, compiler, level, objects, libs):
    """Returns the program's path."""
    out = os.path.join(folder, compiler + level)
    os.mkdir(out)
    cache = ["ccache"] if shutil.which("ccache") else []
    results, jobs = [], []
    for n, (source, flags) in enumerate(commands(build, objects)):
        results.append(f"{out}/{n}.o")
        line = cache + [compiler, level, *flags, "-w", "-c", source, "-o", results[-1]]
        jobs.append(pool.submit(work, line, build))
    for job in jobs:
        job.result()
    program = os.path.join(out, "program")
    work([compiler, *results, "-rdynamic", "-no-pie", "-o", program, *libs], build)
    return program


def run(program, arguments):
    done = subprocess.run([program, *arguments], capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{program} {' '.join(arguments)}: status {done.returncode}\n{done.stderr}")
    return done.stdout


def compare(name_a, a, name_b, b):
    if a == b:
        return True
    for n, (x, y) in enumerate(zip(a.split("\n"), b.split("\n")), 1):
        if x != y:
            print(f"line {n} differs\n  {name_a}: {x}\n  {name_b}: {y}")
            return False
    print(f"{name_a} and {name_b} differ in length")
    return False


def main():
    (build, objects, libs), *runs = groups(sys.argv[1:])
    kinds = [(c, level) for c in COMPILERS if shutil.which(c) for level in LEVELS]
    if len(kinds) < 2:
        sys.exit(77)
    same = True
    with tempfile.TemporaryDirectory() as folder, \
            concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        programs = [make(pool, build, folder, c, level, objects, libs.split()) for c, level in kinds]
        for arguments in runs or [[]]:
            texts = [run(program, arguments) for program in programs]
            print(f"{len(texts)} builds, {len(texts[0])} bytes: program {' '.join(arguments)}")
            if not texts[0]:
                sys.exit("the program printed nothing")
            for (c, level), text in zip(kinds[1:], texts[1:]):
                same &= compare(" ".join(kinds[0]), texts[0], f"{c} {level}", text)
    sys.exit(not same)


main()
