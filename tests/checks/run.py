#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Runs one check over the tree: run.py CHECK ROOT [ARGUMENT]. Status 1 with the problems, 77 skipped."""
import sys

import coverage
import determinism
import formatting
import layers
import licences
import symbols
import words
from tree import Skip, Tree

CHECKS = {
    "layers": layers.check,
    "determinism": determinism.check,
    "licences": licences.check,
    "models": coverage.check_models,
    "lists": coverage.check_lists,
    "format": formatting.check,
    "globals": lambda tree, library: symbols.check(library),
    "sizes": words.check_sizes,
    "words": words.check_words,
    "links": words.check_links,
}


def main(name, root, *args):
    try:
        problems = CHECKS[name](Tree(root), *args)
    except Skip as why:
        print(f"skipped: {why}")
        return 77
    for problem in problems:
        print(problem)
    return 1 if problems else 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
