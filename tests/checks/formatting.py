# SPDX-License-Identifier: GPL-3.0-or-later
"""clang-format has nothing to change. Files found clean are remembered, for speed."""
import hashlib
import shutil
import subprocess

from tree import Skip, Tree

BATCH = 32


def digest(tree, path, salt):
    return hashlib.sha256(salt + tree.bytes(path)).hexdigest()


def check(tree: Tree, cache=None):
    tool = shutil.which("clang-format-14") or shutil.which("clang-format")
    if not tool:
        raise Skip("clang-format is not installed")
    version = subprocess.run([tool, "--version"], capture_output=True, check=True).stdout
    if b"version 14." not in version:
        raise Skip(f"the style is that of clang-format 14; this is {version.decode().strip()}")
    salt = version + tree.bytes(".clang-format")
    try:
        with open(cache, encoding="ascii") as f:
            clean = set(f.read().split())
    except (OSError, TypeError):
        clean = set()
    sums = {p: digest(tree, p, salt) for p in tree.files(".c", ".h")}
    todo = [p for p in sums if sums[p] not in clean]
    dirty = set()
    for i in range(0, len(todo), BATCH):
        batch = todo[i:i + BATCH]
        out = subprocess.run([tool, "--dry-run", *batch], cwd=tree.root, capture_output=True, text=True)
        for line in out.stderr.split("\n"):
            if "code should be clang-formatted" in line:
                dirty.add(line.split(":")[0])
    if cache:
        with open(cache, "w", encoding="ascii") as f:
            f.write("\n".join(sorted(sums[p] for p in sums if p not in dirty)))
    return [f"{path}: clang-format -i {path} changes it" for path in sorted(dirty)]
