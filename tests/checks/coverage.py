# SPDX-License-Identifier: GPL-3.0-or-later
"""Nothing without a test: each registered model, each test file and each scenario is known to meson."""
import re

from tree import Tree

ENTRY = re.compile(r"^\s*X\((\w+)\)", re.M)
STRINGS = re.compile(r"'([^']*)'")


def registered(tree):
    """The C symbols of models/registry.c."""
    return ENTRY.findall(tree.text("models/registry.c") or "")


def names(tree):
    """{symbol: model name} of all declarations in models/."""
    found = {}
    start = re.compile(r"\bconst\s+struct\s+model_class\s+(\w+)\s*=\s*\{(.*?)^\};", re.S | re.M)
    for path in tree.files(".c", under="models/"):
        for m in start.finditer(tree.text(path)):
            name = re.search(r'\.name\s*=\s*"([^"]+)"', m[2])
            if name:
                found[m[1]] = name[1]
    return found


def check_models(tree: Tree):
    """A model is tested when a test quotes its name or symbol, or a scenario that is run uses it."""
    problems = []
    symbols, known = registered(tree), names(tree)
    c_text = "\n".join(tree.text(p) or "" for p in tree.files(".c", ".h", under="tests/"))
    yaml = "\n".join(tree.text(p) or "" for p in tree.files(".yaml")
                     if p.startswith(("tests/", "scenarios/")))
    yaml = re.sub(r"(^|\s)#.*", "", yaml)
    for symbol in symbols:
        name = known.get(symbol)
        if name is None:
            problems.append(f"models/registry.c: {symbol} has no declaration with a name in models/")
            continue
        quoted = re.search(rf'"{re.escape(name)}"|\b{symbol}\b', c_text)
        used = re.search(rf'[:\[,]\s*"?{re.escape(name)}"?\s*([,}}\]\n]|$)', yaml)
        if not quoted and not used:
            problems.append(f"model {name} ({symbol}) has no test: nothing in tests/ or scenarios/ names it")
    for symbol, name in sorted(known.items()):
        if symbol not in symbols and not symbol.startswith("test_"):
            problems.append(f"model {name} ({symbol}) is not in models/registry.c")
    return problems


def listed(tree, build):
    return set(STRINGS.findall(re.sub(r"#.*", "", tree.text(build) or ""))) if tree.has(build) else set()


def check_lists(tree: Tree):
    """What lies in a test folder is in its meson.build, and the reverse."""
    problems = []
    build = "tests/unit/meson.build"
    files = {p[len("tests/unit/test-"):-2] for p in tree.files(".c", under="tests/unit/test-")}
    text = re.search(r"unit_tests = \[(.*?)\]", tree.text(build) or "", re.S)
    named = STRINGS.findall(re.sub(r"#.*", "", text[1])) if text else []
    for name in sorted(files - set(named)):
        problems.append(f"tests/unit/test-{name}.c is not in {build}")
    for name in sorted(set(named) - files):
        problems.append(f"{build} names {name}, but there is no tests/unit/test-{name}.c")
    for name in sorted({n for n in named if named.count(n) > 1}):
        problems.append(f"{build} names {name} twice")
    if named != sorted(named):
        problems.append(f"{build}: the names are not sorted")

    build = "tests/scenario/meson.build"
    if tree.has(build):
        files = {p[len("scenarios/"):-5] for p in tree.files(".yaml", under="scenarios/")}
        files = {f for f in files if "/include/" not in f}
        named = {s for s in listed(tree, build) if "/" in s and not s.startswith(("..", "/"))}
        for name in sorted(files - named):
            problems.append(f"scenarios/{name}.yaml is not in {build}")
        for name in sorted(named - files):
            problems.append(f"{build} names {name}, but there is no scenarios/{name}.yaml")
    return problems
