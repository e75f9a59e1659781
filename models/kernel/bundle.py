# SPDX-License-Identifier: GPL-3.0-or-later
"""bundle.py ROOT OUT.c OUT.d: the files that a core is built from, as a C array.

These are the kernel files themselves; core.c with everything of this project that it includes, found by following
the #include lines; and the shim around whole files of a tree with the script that builds it. So `wlanq core` needs no
source tree beside it.
"""
import hashlib
import os
import re
import sys

ROOTS = ["sim", "models", "models/kernel/include", "models/kernel/shim"]
KERNEL = "models/kernel"
SHARED = ["include", "lib", "net"]
# Headers that only newer trees ask for.
NEWER = ["linux/bitops.h", "trace/events/napi.h"]
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include(?:_next)?[ \t]*([<"])([^>"]+)[>"]', re.M)


def shared_files(root):
    """Paths of the kernel files, below models/kernel."""
    found = []
    for folder in SHARED:
        for where, _, names in os.walk(os.path.join(root, KERNEL, folder)):
            found += [os.path.relpath(os.path.join(where, n), os.path.join(root, KERNEL)) for n in names]
    return sorted(f for f in found if f.endswith((".c", ".h")))


def closure(root, start):
    """`start` and all that it includes, below `root`."""
    todo, seen = list(start), set()
    while todo:
        path = todo.pop()
        if path in seen:
            continue
        seen.add(path)
        with open(os.path.join(root, path), encoding="utf-8") as f:
            text = f.read()
        for quote, name in INCLUDE.findall(text):
            folders = ([os.path.dirname(path)] if quote == '"' else []) + ROOTS
            for folder in folders:
                candidate = os.path.normpath(os.path.join(folder, name))
                if candidate != path and os.path.isfile(os.path.join(root, candidate)):
                    todo.append(candidate)
                    break
    return sorted(seen)


def tree_files(root):
    """The shim around whole files of a tree."""
    shim = f"{KERNEL}/shim"
    found = [f"{shim}/{f}" for f in ("build.sh", "fragment.config", "seam.h")]
    for where, _, names in os.walk(os.path.join(root, shim, "tree")):
        found += [os.path.relpath(os.path.join(where, n), root) for n in names if n.endswith((".c", ".h"))]
    return sorted(found)


def c_bytes(data):
    return ",\n\t".join(", ".join(str(b) for b in data[i:i + 24]) for i in range(0, len(data), 24))


def main():
    root, out, dep = sys.argv[1:]
    shared = [f"{KERNEL}/{f}" for f in shared_files(root)]
    core = f"{KERNEL}/core.c"
    compiled = closure(root, shared + [core] + [f"{KERNEL}/shim/{f}" for f in NEWER])
    tree = tree_files(root)
    paths = sorted(set(compiled + tree))
    arrays, entries, sums, own = [], [], "", ""
    for i, path in enumerate(paths):
        with open(os.path.join(root, path), "rb") as f:
            data = f.read()
        kind = "CORE_FILE_KERNEL" if path in shared else "CORE_FILE_MODEL" if path in compiled else "CORE_FILE_TREE"
        arrays.append(f"static const unsigned char file_{i}[] = {{\n\t{c_bytes(data)}}};\n")
        entries.append(f'\t{{"{path}", {kind}, file_{i}, {len(data)}}},\n')
        digest = hashlib.sha256(data).hexdigest()
        if path in shared:
            sums += f"{digest}  {os.path.relpath(path, KERNEL)}\n"
        elif path in compiled:
            own += f"{digest}  {path}\n"
    digest = hashlib.sha256(sums.encode()).hexdigest()
    layout = hashlib.sha256(own.encode()).hexdigest()[:8]
    with open(out, "w", encoding="utf-8") as f:
        f.write('#include "kernel/bundle.h"\n\n' + "\n".join(arrays))
        f.write("\nconst struct core_file core_bundle[] = {\n" + "".join(entries) + "\t{0},\n};\n")
        f.write(f'\nconst char core_builtin_sha256[] = "{digest}";\n')
        f.write(f"\nconst uint32_t core_layout_hash = 0x{layout};\n")
    with open(dep, "w", encoding="utf-8") as f:
        f.write(f"{out}: " + " ".join(os.path.join(root, p) for p in paths) + "\n")


main()
