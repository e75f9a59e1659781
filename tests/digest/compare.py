#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Builds a program with gcc and clang at -O0 and -O3, runs each and compares what they print, byte for byte.

    compare.py ROOT FLAGS LIBS -- SOURCE... [-- ARGUMENT...]...

SOURCE may be relative to ROOT. Every further group of arguments is one run of the program; without one
it runs without any. A compiler that is not there is left out; with fewer than two builds the test is
skipped (77).
"""
import concurrent.futures
import os
import shutil
import subprocess
import sys
import tempfile

COMPILERS = ("gcc", "clang")
LEVELS = ("-O0", "-O3")
JOBS = 2


def groups(words):
    """The words between one "--" and the next."""
    found = [[]]
    for word in words:
        if word == "--":
            found.append([])
        else:
            found[-1].append(word)
    return found


def compile_one(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(command)}\n{done.stderr}")


def build(pool, folder, compiler, level, root, flags, libs, sources):
    """Returns the program's path."""
    out = os.path.join(folder, compiler + level)
    os.mkdir(out)
    cache = ["ccache"] if shutil.which("ccache") else []
    objects, commands = [], []
    for n, source in enumerate(sources):
        objects.append(f"{out}/{n}.o")
        commands.append(cache + [compiler, level, *flags, "-w", "-c", os.path.join(root, source),
                                 "-o", objects[-1]])
    list(pool.map(compile_one, commands))
    program = os.path.join(out, "program")
    # Tables of models are looked up at run time; nothing may be left out.
    compile_one([compiler, *objects, "-rdynamic", "-o", program, *libs])
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
    (root, flags, libs), sources, *runs = groups(sys.argv[1:])
    builds = [(c, level) for c in COMPILERS if shutil.which(c) for level in LEVELS]
    if len(builds) < 2:
        sys.exit(77)
    same = True
    with tempfile.TemporaryDirectory() as folder, \
            concurrent.futures.ThreadPoolExecutor(JOBS) as pool:
        programs = [build(pool, folder, c, level, root, flags.split(), libs.split(), sources)
                    for c, level in builds]
        for arguments in runs or [[]]:
            texts = [run(program, arguments) for program in programs]
            print(f"{len(texts)} builds, {len(texts[0])} bytes: program {' '.join(arguments)}")
            if not texts[0]:
                sys.exit("the program printed nothing")
            for (c, level), text in zip(builds[1:], texts[1:]):
                same &= compare(" ".join(builds[0]), texts[0], f"{c} {level}", text)
    sys.exit(not same)


main()
