# SPDX-License-Identifier: GPL-3.0-or-later
"""The arrows between layers, read off the #include lines (docs/architecture.md, "Layers").

A file includes its own layer and lower ones. Headers form no cycle. Shared kernel files see nothing
but <linux/...> and <net/...>. Models do not print and read no files.
"""
import os
import re

from tree import Tree

# From low to high. models/ stands between measure and scenario, in its own order.
LAYERS = [
    "sim/engine", "sim/measure",
    "models/kernel", "models/packet", "models/wifi", "models/driver", "models/mac80211",
    "models/qdisc", "models/net", "models/transport", "models/traffic", "models",
    "sim/scenario", "sim/sweep", "sim/report", "sim/cli",
]
RANK = {layer: rank for rank, layer in enumerate(LAYERS)}
# Where "..." and <...> are looked up; "..." in the including file's own folder first.
ROOTS = ["sim", "models", "models/kernel/include", "models/kernel/shim"]
# Files of the models that gather others: they may include all of models/.
GATHER = {"models/kernel/core.c": "models"}

INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*([<"])([^>"]+)[>"]', re.M)
COMMENT = re.compile(r"/\*.*?\*/|//[^\n]*", re.S)
BANNED_IN_MODELS = re.compile(
    r"\b((?:v|f|d|g_)?printf|puts|fputs|putchar|perror|g_print(?:err)?|fopen|open|getenv|exit)\s*\(")
BANNED_HEADERS = {"yaml.h", "jansson.h", "pcap.h", "pcap/pcap.h"}
KERNEL_PATHS = ("models/kernel/include/", "models/kernel/lib/", "models/kernel/net/")


def code(text):
    """The text without comments, lines kept."""
    return COMMENT.sub(lambda m: "\n" * m.group().count("\n"), text)


def layer_of(path):
    parts = path.split("/")
    for n in (2, 1):
        layer = "/".join(parts[:n])
        if layer in RANK and len(parts) > n:
            return layer
    return None


def resolve(path, quote, name, known):
    """The file that an include names, None when it is the system's."""
    own = [os.path.dirname(path)] if quote == '"' else []
    for folder in own + ROOTS:
        candidate = os.path.normpath(os.path.join(folder, name))
        if candidate in known:
            return candidate
    return None


def includes(tree):
    """(including file, line, quote, name, included file or None) of everything in sim/ and models/."""
    known = set(tree.paths)
    for path in tree.files(".c", ".h"):
        if layer_of(path) is None:
            continue
        text = code(tree.text(path))
        for m in INCLUDE.finditer(text):
            line = text.count("\n", 0, m.start(2)) + 1
            yield path, line, m[1], m[2], resolve(path, m[1], m[2], known)


def arrow(path, target):
    """What is wrong with `path` including `target`, or None."""
    mine = layer_of(GATHER.get(path, "") + "/x") or layer_of(path)
    theirs = layer_of(target)
    if theirs is None:
        return f"includes {target}, which is in no layer"
    if RANK[theirs] > RANK[mine]:
        return f"{mine} includes {target} of the higher layer {theirs}"
    return None


def cycles(graph):
    """Each cycle of the graph once, as a list of files."""
    found, done = [], set()

    def visit(node, trail):
        if node in trail:
            found.append(trail[trail.index(node):] + [node])
            return
        if node in done:
            return
        done.add(node)
        for target in graph.get(node, ()):
            visit(target, trail + [node])

    for node in sorted(graph):
        visit(node, [])
    return found


def check(tree: Tree):
    problems, graph = [], {}
    for path, line, quote, name, target in includes(tree):
        where = f"{path}:{line}"
        if path.startswith(KERNEL_PATHS) and (quote != "<" or not name.startswith(("linux/", "net/"))):
            problems.append(f"{where}: a shared kernel file includes {name}; "
                            "only <linux/...> and <net/...> exist in both worlds")
        if path.startswith("models/") and name in BANNED_HEADERS:
            problems.append(f"{where}: a model includes <{name}>")
        if target is None: # the system's; a misspelt one is the compiler's to tell
            continue
        if target.endswith(".c") and path not in GATHER:
            problems.append(f"{where}: includes a .c file")
        wrong = arrow(path, target)
        if wrong:
            problems.append(f"{where}: {wrong}")
        if path.endswith(".h"):
            graph.setdefault(path, []).append(target)
    for cycle in cycles(graph):
        problems.append("headers in a cycle: " + " -> ".join(cycle))
    for path in tree.files(".c", ".h", under="models/"):
        if path.startswith("models/kernel/"):
            continue
        text = code(tree.text(path))
        for m in BANNED_IN_MODELS.finditer(text):
            line = text.count("\n", 0, m.start()) + 1
            problems.append(f"{path}:{line}: a model calls {m[1]}()")
    return problems
