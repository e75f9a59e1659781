#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""The checks can fail: each is given a small tree with one fault and must name it, and one without.

A check that finds nothing in the real tree is worth nothing unless this passes.
"""
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

for folder in ("golden", "docs"):
    sys.path.insert(1, os.path.join(os.path.dirname(os.path.abspath(__file__)), os.pardir, folder))

import coverage
import determinism
import formatting
import golden
import layers
import licences
import symbols
import testlog
import transcript
import words
from tree import Skip, Tree

GPL = "/* SPDX-License-Identifier: GPL-3.0-or-later */\n"
DUAL = "/* SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause */\n"
TEXTS = {f"LICENSES/{n}.txt": "text\n" for n in ("GPL-3.0-or-later", "GPL-2.0", "BSD-2-Clause")}


class Case(unittest.TestCase):
    def setUp(self):
        self.dir = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.dir)

    def tree(self, files):
        for path, text in files.items():
            full = os.path.join(self.dir, path)
            os.makedirs(os.path.dirname(full), exist_ok=True)
            with open(full, "w", encoding="utf-8") as f:
                f.write(text)
        return Tree(self.dir)

    def finds(self, problems, *parts):
        """Exactly one problem, and it says all of `parts`."""
        self.assertEqual(len(problems), 1, problems)
        for part in parts:
            self.assertIn(part, problems[0])

    def clean(self, problems):
        self.assertEqual(problems, [])


class Layers(Case):
    base = {"sim/engine/sim.h": "", "sim/scenario/load.h": "", "models/packet/packet.h": "",
            "models/net/host.h": "", "models/wifi/air.h": "", "models/kernel/include/net/codel.h": "",
            "models/kernel/shim/linux/types.h": ""}

    def look(self, **more):
        files = dict(self.base)
        files.update({k.replace("__", "/").replace("_DOT_", "."): v for k, v in more.items()})
        return layers.check(self.tree(files))

    def test_good(self):
        self.clean(layers.check(self.tree(dict(self.base, **{
            "models/net/host.c": '#include "net/host.h"\n#include "wifi/air.h"\n#include <stdio.h>\n'
                                 '#include "engine/sim.h"\n#include <linux/types.h>\n'
                                 '// #include "scenario/load.h"\n',
            "models/kernel/lib/x.c": "#include <net/codel.h>\n#include <linux/types.h>\n"}))))

    def test_model_sees_scenario(self):
        self.finds(self.look(**{"models/net/a.c": '\n#include "scenario/load.h"\n'}),
                   "models/net/a.c:2", "sim/scenario")

    def test_engine_sees_packet(self):
        self.finds(self.look(**{"sim/engine/a.c": '#include "packet/packet.h"\n'}), "models/packet")

    def test_upward_in_models(self):
        self.finds(self.look(**{"models/wifi/a.h": '#include "net/host.h"\n'}), "higher layer models/net")

    def test_kernel_file_sees_ours(self):
        self.finds(self.look(**{"models/kernel/lib/a.c": '#include "engine/sim.h"\n'}), "both worlds")

    def test_kernel_file_sees_libc(self):
        self.finds(self.look(**{"models/kernel/include/net/a.h": "#include <string.h>\n"}), "both worlds")

    def test_cycle(self):
        self.finds(self.look(**{"models/net/a.h": '#include "net/b.h"\n',
                                "models/net/b.h": '#include "net/a.h"\n'}), "cycle", "models/net/b.h")

    def test_yaml_in_model(self):
        self.finds(self.look(**{"models/net/a.c": "#include <yaml.h>\n"}), "yaml.h")

    def test_print_in_model(self):
        self.finds(self.look(**{"models/net/a.c": 'void f(void)\n{\n\tprintf("x");\n}\n'}),
                   "models/net/a.c:3", "printf")
        self.clean(self.look(**{"models/net/a.c": 'snprintf(b, n, "x"); /* printf("y") */\n'}))

    def test_includes_c(self):
        self.finds(self.look(**{"models/net/a.c": '#include "net/b.c"\n', "models/net/b.c": ""}), ".c file")


class Determinism(Case):
    def look(self, path, text):
        return determinism.check(self.tree({path: text}))

    def test_good(self):
        self.clean(self.look("models/net/a.c", "sim_time now; /* double */ f(\"double time(\"); air_time(x);"))
        self.clean(self.look("sim/report/plot.c", "double t = time(NULL);"))
        self.clean(self.look("sim/scenario/a.c", "g_hash_table_new(g_str_hash, g_str_equal);\n"
                             "g_hash_table_iter_init(&i, t);"))

    def test_clock(self):
        self.finds(self.look("sim/engine/a.c", "\nx = time(NULL);"), "sim/engine/a.c:2", "time()")

    def test_random(self):
        self.finds(self.look("models/net/a.c", "x = rand() % 3;"), "rand()")

    def test_pointer_keys(self):
        self.finds(self.look("sim/scenario/b.c", "t = g_hash_table_new(g_direct_hash, NULL);\n"
                             "g_hash_table_foreach(t, f, NULL);"), "sim/scenario/b.c:2", "allocator")

    def test_float(self):
        self.finds(self.look("models/wifi/a.c", "double p;"), "models/wifi/a.c:1", "integers decide")


class Licences(Case):
    def look(self, files):
        return licences.check(self.tree(dict(TEXTS, **files)))

    def test_good(self):
        self.clean(self.look({
            "a.c": GPL, "run.sh": "#!/bin/sh\n# SPDX-License-Identifier: GPL-3.0-or-later\n",
            "a.md": "<!-- SPDX-License-Identifier: GPL-3.0-or-later -->\n",
            "models/kernel/lib/a.c": DUAL, "data/x.csv": "1\n",
            "REUSE.toml": '# SPDX-License-Identifier: GPL-3.0-or-later\nversion = 1\n[[annotations]]\n'
                          'path = ["data/**"]\nSPDX-License-Identifier = "GPL-3.0-or-later"\n'}))

    def test_none(self):
        self.finds(self.look({"a.c": "int x;\n"}), "a.c", "no SPDX")

    def test_too_late(self):
        self.finds(self.look({"a.c": "\n\n\n\n" + GPL}), "no SPDX")

    def test_wrong(self):
        self.finds(self.look({"sim/a.c": DUAL}), "licence is GPL-2.0 OR BSD-2-Clause")
        self.finds(licences.check(self.tree({"sim/a.c": GPL, "models/kernel/a.h": GPL})), "models/kernel/a.h")

    def test_stale_entry(self):
        self.finds(self.look({"REUSE.toml": '# SPDX-License-Identifier: GPL-3.0-or-later\n[[annotations]]\n'
                              'path = "gone/*"\nSPDX-License-Identifier = "GPL-3.0-or-later"\n'}), "gone/*")

    def test_text_missing(self):
        texts = dict(TEXTS)
        del texts["LICENSES/GPL-2.0.txt"]
        self.finds(licences.check(self.tree(texts)), "GPL-2.0.txt is missing")


class Coverage(Case):
    base = {"models/registry.c": "#define MODELS(X) \\\n\tX(tail_class)\n",
            "models/qdisc/tail.c": 'const struct model_class tail_class = {\n\t.name = "tail",\n};\n'}

    def look(self, **more):
        return coverage.check_models(self.tree(dict(self.base, **more)))

    def test_no_test(self):
        self.finds(self.look(), "model tail", "no test")
        self.finds(self.look(**{"tests/unit/test-x.c": "detail tailor"}), "no test")

    def test_quoted(self):
        self.clean(self.look(**{"tests/unit/test-x.c": 'make("tail");'}))

    def test_scenario(self):
        self.clean(self.look(**{"scenarios/a/b.yaml": "qdisc: {model: tail, limit: 3}\n"}))

    def test_comment_in_scenario(self):
        self.finds(self.look(**{"scenarios/a/b.yaml": "qdisc: x # model: tail\n"}), "no test")

    def test_not_registered(self):
        self.finds(self.look(**{
            "tests/unit/test-x.c": '"tail"', "models/net/n.c":
            'const struct model_class n_class = {\n\t.name = "n",\n};\n'}), "not in models/registry.c")

    def test_no_declaration(self):
        self.finds(coverage.check_models(self.tree({"models/registry.c": "\tX(ghost_class) \\\n"})), "ghost_class")

    def lists(self, names, *files):
        quoted = "".join(f"  '{n}',\n" for n in names)
        tree = {"tests/unit/meson.build": f"unit_tests = [\n{quoted}]\n"}
        tree.update({f"tests/unit/test-{f}.c": "" for f in files})
        return coverage.check_lists(self.tree(tree))

    def test_lists(self):
        self.clean(self.lists(["a", "b"], "a", "b"))

    def test_unlisted(self):
        self.finds(self.lists(["a"], "a", "b"), "test-b.c is not in")

    def test_no_file(self):
        self.finds(self.lists(["a", "b"], "a"), "no tests/unit/test-b.c")

    def test_unsorted(self):
        self.finds(self.lists(["b", "a"], "a", "b"), "not sorted")

    def test_twice(self):
        self.finds(self.lists(["a", "a"], "a"), "names a twice")

    def test_scenarios(self):
        tree = {"tests/scenario/meson.build": "scenarios = [\n  'threads/a',\n]\n", "scenarios/threads/a.yaml": "",
                "scenarios/threads/include/part.yaml": ""}
        self.clean(coverage.check_lists(self.tree(tree)))
        self.finds(coverage.check_lists(self.tree({"scenarios/threads/b.yaml": ""})), "threads/b.yaml is not in")


class Symbols(Case):
    def build(self, text):
        if not shutil.which("gcc") or not shutil.which("objdump"):
            self.skipTest("no gcc or objdump")
        source, obj = os.path.join(self.dir, "a.c"), os.path.join(self.dir, "a.o")
        with open(source, "w", encoding="ascii") as f:
            f.write(text)
        subprocess.run(["gcc", "-fPIC", "-O1", "-c", source, "-o", obj], check=True)
        return symbols.check(obj)

    def test_good(self):
        self.clean(self.build("int f(void); const int c = 3; static const char *const t[] = {\"a\"};\n"
                              "int (*const g[])(void) = {f}; const char *h(int i) { return t[i]; }\n"
                              "_Thread_local long kernel_clock;\n"))

    def test_bad(self):
        for text in ("int counter;", "int counter = 4;", "_Thread_local int counter;",
                     "int f(void) { static int counter; return counter++; }", "const char *counter = \"x\";"):
            with self.subTest(text):
                self.finds(self.build(text), "counter")


class Format(Case):
    def test_both(self):
        style = {".clang-format": "BasedOnStyle: LLVM\nUseTab: Always\nIndentWidth: 8\n"}
        cache = os.path.join(self.dir, "cache")
        try:
            self.clean(formatting.check(self.tree(dict(style, **{"a.c": "int x;\n"})), cache))
        except Skip as why:
            self.skipTest(str(why))
        self.finds(formatting.check(self.tree({"b.c": "int   y ;\n"}), cache), "b.c")
        self.finds(formatting.check(Tree(self.dir), cache), "b.c")
        self.clean(formatting.check(self.tree({"b.c": "int y;\n"}), cache))


class Words(Case):
    def test_sizes(self):
        told = []
        tree = self.tree({"a.c": "\n" * 700, "b.c": "\n" * 801, "c.c": "/* Generated by x. */\n" + "\n" * 900})
        self.finds(words.check_sizes(tree, told.append), "b.c: 801 lines")
        self.assertEqual(len(told), 1)

    def test_left_behind(self):
        self.finds(words.check_words(self.tree({"a.c": "/* TO" "DO: later */\n"})), "a.c:1")
        self.clean(words.check_words(self.tree({"a.c": 'mkstemp("n' + 'X' * 6 + '");\n'})))

    def test_machine_path(self):
        self.finds(words.check_words(self.tree({"a.md": "see /ho" "me/me/x\n"})), "a.md:1", "machine")
        self.clean(words.check_words(self.tree({"a.md": "see docs/wo" "rk/x, /usr/src\n"})))

    def test_white_space(self):
        self.finds(words.check_words(self.tree({"a.c": "int x; \n"})), "white space")
        self.finds(words.check_words(self.tree({"a.c": "int x;"})), "no newline")

    def test_links(self):
        good = {"docs/index.md": "# Index\n[a](a.md#two-words) [up](../README.md) [w](https://x.org/) [s](#index)\n",
                "docs/a.md": "# A\n## Two words\n```\n[x](nothing.md)\n```\n", "README.md": ""}
        self.clean(words.check_links(self.tree(good)))
        self.finds(words.check_links(self.tree({"docs/a.md": "## Two words\n[x](gone.md)\n"})), "gone.md")
        self.finds(words.check_links(self.tree({"docs/a.md": "## Two\n"})), "no such heading")
        self.finds(words.check_links(self.tree({"docs/a.md": "## Two words\n", "docs/b.md": ""})), "b.md")


class Golden(Case):
    def look(self, command, accept=False):
        out = io.StringIO()
        return golden.compare(os.path.join(self.dir, "expected"), command, accept, out), out.getvalue()

    def test_all(self):
        self.assertEqual(self.look(["echo", "a"])[0], 1)
        self.assertEqual(self.look(["echo", "a"], accept=True), (0, ""))
        self.assertEqual(self.look(["echo", "a"]), (0, ""))
        status, text = self.look(["echo", "b"])
        self.assertEqual(status, 1)
        self.assertIn("-a\n+b\n", text)
        self.assertEqual(self.look(["false"], accept=True)[0], 1)


class Transcript(Case):
    def look(self, page, accepting=False):
        path = os.path.join(self.dir, "page.md")
        program = os.path.join(self.dir, "bin", "wlanq")
        os.makedirs(os.path.dirname(program), exist_ok=True)
        with open(program, "w", encoding="ascii") as f:
            f.write("#!/bin/sh\ngrep -q ring \"$2\"\n")
        os.chmod(program, 0o755)
        with open(path, "w", encoding="utf-8") as f:
            f.write(page)
        out = io.StringIO()
        status = transcript.check(program, path, out, accepting)
        with open(path, encoding="utf-8") as f:
            return status, out.getvalue(), f.read()

    def test_good(self):
        status, text, _ = self.look("<!-- file: a.txt -->\n```\nx\ny\n```\n```console\n$ cat a.txt\nx\ny\n"
                                    "$ false  # status 1\n$ seq 9\n1\n...\n9\n$ echo a 1.05 ±3 b c d\n"
                                    "a 1.0 ±2 ... d\n```\n")
        self.assertEqual((status, text), (0, ""))

    def test_bad(self):
        for shown in ("$ echo a\nb\n", "$ false\n", "$ true  # status 1\n", "$ seq 9\n1\n...\n8\n",
                      "$ echo 1.2\n1.0\n", "$ echo 12\n13\n", "$ echo a\n", "$ true\na\n"):
            with self.subTest(shown):
                self.assertEqual(self.look(f"```console\n{shown}```\n")[0], 1)

    def test_scenario(self):
        self.assertEqual(self.look("```yaml\nname: x\nring: 8\n```\n")[0], 0)
        self.assertEqual(self.look("```yaml\nname: x\nrign: 8\n```\n")[0], 1)

    def test_accept(self):
        status, _, page = self.look("```console\n$ seq 4\n7\n...\n9\n```\n", accepting=True)
        self.assertEqual((status, page), (0, "```console\n$ seq 4\n1\n...\n4\n```\n"))


class Testlog(Case):
    def look(self, broken, *tests):
        path = os.path.join(self.dir, "log.json")
        with open(path, "w", encoding="utf-8") as f:
            for name, result in tests:
                f.write(json.dumps({"name": name, "result": result, "stdout": "said\n"}) + "\n")
        out = io.StringIO()
        status = testlog.summarise(broken, [("x", path)], out)
        return status, out.getvalue().rstrip("\n").split("\n")

    def test_good(self):
        self.assertEqual(self.look([], ("a", "OK"), ("b", "EXPECTEDFAIL")), (0, ["2 passed, 0 failed"]))

    def test_skipped(self):
        self.assertEqual(self.look([], ("a", "OK"), ("b", "SKIP")), (0, ["1 passed, 0 failed, 1 skipped"]))

    def test_bad(self):
        for result in ("FAIL", "TIMEOUT", "ERROR", "UNEXPECTEDPASS", "INTERRUPT"):
            status, lines = self.look([], ("a", "OK"), ("b", result))
            self.assertEqual((status, lines[-1]), (1, "1 passed, 1 failed"))
            self.assertIn("b", lines[0])
            self.assertIn("said", lines[1])

    def test_nothing(self):
        self.assertEqual(self.look([]), (1, ["0 passed, 0 failed"]))
        self.assertEqual(self.look([], ("a", "SKIP"))[0], 1)

    def test_broken(self):
        status, lines = self.look(["build-san"], ("a", "OK"))
        self.assertEqual((status, lines[-1]), (1, "1 passed, 1 failed"))

    def test_no_log(self):
        out = io.StringIO()
        self.assertEqual(testlog.summarise([], [("x", "nowhere.json")], out), 1)
        self.assertIn("0 passed, 1 failed", out.getvalue())


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1], verbosity=0)
