# SPDX-License-Identifier: GPL-3.0-or-later
"""Every file names its licence: an SPDX line at its top, or an entry of REUSE.toml."""
import fnmatch
import re
import tomllib

from tree import Tree

SPDX = re.compile(r"SPDX-License-Identifier: ([A-Za-z0-9.\- ()]+?)\s*(?:\*/|-->|$)")
OURS = "GPL-3.0-or-later"
KERNEL = "GPL-2.0 OR BSD-2-Clause"
# Licence texts carry no licence line.
TEXTS = re.compile(r"^(LICENSE|LICENSES/.*)$")


def declared(tree):
    """[(pattern, licence)] of REUSE.toml, for files that cannot carry a line."""
    if not tree.has("REUSE.toml"):
        return []
    entries = tomllib.loads(tree.text("REUSE.toml")).get("annotations", [])
    out = []
    for entry in entries:
        paths = entry["path"] if isinstance(entry["path"], list) else [entry["path"]]
        out += [(p, entry["SPDX-License-Identifier"]) for p in paths]
    return out


def licence_of(tree, path, listed):
    text = tree.text(path)
    for line in (text or "").split("\n")[:3]:
        m = SPDX.search(line)
        if m:
            return m[1]
    for pattern, licence in listed:
        if fnmatch.fnmatchcase(path, pattern.replace("**", "*")):
            return licence
    return None


def wanted(path):
    """The licences that a file may have."""
    if path.startswith("models/kernel/"):
        return {KERNEL} if path.endswith((".c", ".h")) else {KERNEL, OURS}
    return {OURS}


def check(tree: Tree):
    problems = []
    listed = declared(tree)
    for path in tree.files():
        if TEXTS.match(path):
            continue
        licence = licence_of(tree, path, listed)
        if licence is None:
            problems.append(f"{path}: no SPDX line at the top and no entry in REUSE.toml")
        elif licence not in wanted(path):
            problems.append(f"{path}: licence is {licence}, not {' or '.join(sorted(wanted(path)))}")
    for pattern, _ in listed:
        if not any(fnmatch.fnmatchcase(p, pattern.replace("**", "*")) for p in tree.paths):
            problems.append(f"REUSE.toml: {pattern} matches no file")
    for name in sorted({word for w in (OURS, KERNEL) for word in w.split(" OR ")}):
        if not tree.has(f"LICENSES/{name}.txt"):
            problems.append(f"LICENSES/{name}.txt is missing")
    return problems
