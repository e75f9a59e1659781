#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""What scripts may rely on (docs/cli.md): contract.py WLANQ. cli.py has the commands one by one.

Claim: exit status, JSON and result files are as the page says. Set-up: a small scenario of two
hosts on a cable, 2 s, two rings by two seeds; everything is called as a script would, from another folder.
Expected: each field and status exactly; result files of one sweep equal byte for byte however it was made.
"""
import csv
import json
import os
import shutil
import subprocess
import sys
import tempfile
import unittest

PROGRAM = ""
SCENARIO = """\
name: cable
about: two hosts on a cable
duration: 2s
repeat: 2
nodes:
  a: {interfaces: {eth0: {}}}
  b: {interfaces: {eth0: {}}}
links:
  lan: {model: ethernet, members: [a.eth0, b.eth0], rate: 10Mbit, delay: 1ms}
traffic:
  bulk: {model: tcp_bulk, from: a, to: b}
  ping: {model: ping, from: a, to: b, interval: 100ms}
cases:
  plain: {}
  lossy: {lan.loss: 1%}
sweep:
  a.eth0.ring: [128, 16]
expect:
  - {metric: bulk.goodput_mbit, case: plain, between: [8, 10], source: "the wire"}
"""


class Contract(unittest.TestCase):
    def setUp(self):
        self.dir = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.dir)
        self.write("cable.yaml", SCENARIO)

    def write(self, name, text):
        with open(os.path.join(self.dir, name), "w", encoding="utf-8") as f:
            f.write(text)

    def read(self, *path):
        with open(os.path.join(self.dir, *path), "rb") as f:
            return f.read()

    def call(self, *args, status=0, **more):
        done = subprocess.run([PROGRAM, *args], cwd=self.dir, capture_output=True, text=True,
                              stdin=subprocess.DEVNULL, timeout=120, **more)
        self.assertEqual(done.returncode, status, (args, done.stdout, done.stderr))
        return done

    def json(self, *args, status=0):
        doc = json.loads(self.call(*args, "--json", status=status).stdout)
        self.assertEqual(doc["format"], 1)
        return doc

    def test_run(self):
        doc = self.json("run", "cable.yaml", "--set", "case=lossy", "--seed", "7")
        self.assertEqual((doc["scenario"], doc["seed"], doc["core"]), ("cable", 7, "builtin"))
        self.assertGreater(doc["metrics"]["bulk.goodput_mbit"], 1)
        for name in ("ping.rtt_ms.mean", "ping.rtt_ms.p95", "ping.rtt_ms.mdev", "run.events", "run.packets",
                     "a.eth0.ring.packets.mean", "a.eth0.qdisc.sojourn_ms.max"):
            self.assertIn(name, doc["metrics"])
        self.assertIsInstance(doc["params"], dict)
        self.assertEqual(self.json("run", "cable.yaml")["seed"], 1)
        again = self.call("run", "cable.yaml", "--json").stdout
        self.assertEqual(again, self.call("run", "cable.yaml", "--json").stdout)

    def test_profile(self):
        """Every event is of one kind, every share adds up to the whole, and no result is another."""
        args = ("run", "cable.yaml", "--set", "case=lossy")
        doc = self.json(*args, "--profile")
        profile = doc.pop("profile")
        self.assertEqual(doc, self.json(*args))
        self.assertGreater(profile["cpu_s"], 0)
        self.assertEqual(sum(e["count"] for e in profile["events"]), doc["metrics"]["run.events"])
        for rows, key in (("parts", "share"), ("events", "count_share")):
            self.assertAlmostEqual(sum(r[key] for r in profile[rows]), 1, 9)
        # events take all but the queue's own time and what comes before and after
        rest = sum(p["share"] for p in profile["parts"] if p["layer"] in ("engine", "run"))
        self.assertAlmostEqual(sum(e["share"] for e in profile["events"]), 1 - rest, 5)
        models = {(p["layer"], p["model"]) for p in profile["parts"]}
        self.assertLessEqual({("transport", "tcp"), ("net", "netdev"), ("driver", "ethernet")}, models)
        self.assertIn(("net", "ethernet", "arrive_at_member"),
                      {(e["layer"], e["model"], e["event"]) for e in profile["events"]})
        text = self.call(*args, "--profile").stdout
        self.assertRegex(text, r"transport +tcp +\d+\.\d %")
        self.assertNotIn("of CPU", self.call(*args).stdout)

    def test_set_wins(self):
        low = self.json("run", "cable.yaml", "--set", "case=lossy", "--set", "lan.loss=0")
        self.assertEqual(low["metrics"]["bulk.retransmits"],
                         self.json("run", "cable.yaml")["metrics"]["bulk.retransmits"])

    def test_wrong_calls(self):
        for args in ((), ("fly",), ("run",), ("run", "nowhere.yaml"), ("run", "cable.yaml", "--seed", "x"),
                     ("run", "cable.yaml", "--set", "lan.los=1"), ("run", "cable.yaml", "--set", "case=none"),
                     ("sweep", "cable.yaml", "-j", "0"), ("sweep", "cable.yaml", "--shard", "3/2"),
                     ("sweep", "cable.yaml", "--shard", "0/2"), ("models", "nothing"), ("plot", "nowhere"),
                     ("compare", "nowhere", "neither"), ("validate", "cable.yaml", "--fly")):
            with self.subTest(args):
                done = self.call(*args, status=2)
                self.assertEqual(done.stdout, "")
                self.assertNotEqual(done.stderr, "")
        self.assertEqual(os.listdir(self.dir), ["cable.yaml"])

    def test_wrong_scenario(self):
        self.write("bad.yaml", SCENARIO.replace("delay: 1ms", "delay: 1").replace("interval:", "intervall:"))
        for command in ("run", "sweep", "validate", "check"):
            done = self.call(command, "bad.yaml", status=2)
            self.assertEqual(done.stdout, "")
            self.assertRegex(done.stderr, r"(?m)^bad\.yaml:9:\d+: ")
            self.assertRegex(done.stderr, r"(?m)^bad\.yaml:12:\d+: .*interval")
        self.assertEqual(sorted(os.listdir(self.dir)), ["bad.yaml", "cable.yaml"])

    def test_wrong_members(self):
        """What no node matches, and an interface on no link, is told at its place, before anything is written."""
        counted = SCENARIO.replace("  a: {i", "  a: {count: 1, i").replace("[a.eth0", "[aa*.eth0")
        alone = SCENARIO.replace("  b: {interfaces: {eth0: {}}}", "  b: {interfaces: {eth0: {}, eth1: {}}}")
        self.write("star.yaml", counted.replace("from: a,", "from: a1,").replace("a.eth0.ring", "a1.eth0.ring"))
        self.write("alone.yaml", alone)
        for command in ("run", "sweep", "validate", "check"):
            done = self.call(command, "star.yaml", status=2)
            self.assertRegex(done.stderr, r"(?m)^star\.yaml:9:\d+: lan\.members: no node matches 'aa\*'.*'a\*'\?$")
            done = self.call(command, "alone.yaml", status=2)
            self.assertRegex(done.stderr, r"(?m)^alone\.yaml:7:\d+: b\.eth1 is a member of no link")
        self.assertEqual(sorted(os.listdir(self.dir)), ["alone.yaml", "cable.yaml", "star.yaml"])

    def test_sweep(self):
        done = self.call("sweep", "cable.yaml")
        self.assertNotIn("\r", done.stderr)
        rows = list(csv.DictReader(self.read("results", "cable", "summary.csv").decode().splitlines()))
        columns = list(rows[0])
        self.assertEqual(columns[:4], ["case", "seed", "status", "a.eth0.ring"])
        self.assertEqual(columns[4:], sorted(columns[4:]))
        self.assertEqual([(r["case"], r["a.eth0.ring"], r["seed"], r["status"]) for r in rows],
                         [(c, r, s, "ok") for c in ("plain", "lossy") for r in ("128", "16") for s in "12"])
        runs = sorted(os.listdir(os.path.join(self.dir, "results", "cable", "runs")))
        self.assertEqual(len(runs), 16)
        for name in runs:
            self.assertRegex(name, r"^[0-9a-f]{20}-s[12](\.meta)?\.json$")
        doc = json.loads(self.read("results", "cable", "runs", next(r for r in runs if "meta" not in r)))
        for key in ("format", "key", "version", "core", "case", "seed", "metrics", "distributions"):
            self.assertIn(key, doc)
        self.assertIn("ping.rtt_ms", doc["distributions"])
        row = next(r for r in rows if r["case"] == doc["case"] and r["seed"] == str(doc["seed"])
                   and float(r["run.events"]) == doc["metrics"]["run.events"])
        self.assertEqual(float(row["ping.rtt_ms.mean"]), doc["metrics"]["ping.rtt_ms.mean"])

    def test_any_way_the_same(self):
        self.call("sweep", "cable.yaml", "-o", "one", "-j", "1", "--quiet")
        whole = self.read("one", "summary.csv")
        self.call("sweep", "cable.yaml", "-o", "four", "-j", "4")
        for shard in ("2/3", "1/3", "3/3"):
            self.call("sweep", "cable.yaml", "-o", "parts", "--shard", shard)
        self.call("sweep", "cable.yaml", "-o", "more", "--set", "repeat=1")
        self.call("sweep", "cable.yaml", "-o", "more")
        shutil.copytree(os.path.join(self.dir, "one"), os.path.join(self.dir, "holes"))
        runs = os.path.join(self.dir, "holes", "runs")
        for name in sorted(os.listdir(runs))[::3]:
            os.unlink(os.path.join(runs, name))
        self.call("sweep", "cable.yaml", "-o", "holes")
        for folder in ("four", "parts", "more", "holes"):
            with self.subTest(folder):
                self.assertEqual(self.read(folder, "summary.csv"), whole)
                for name in os.listdir(os.path.join(self.dir, "one", "runs")):
                    if not name.endswith(".meta.json"):
                        self.assertEqual(self.read(folder, "runs", name), self.read("one", "runs", name))

    def test_no_room_for_the_result(self):
        with open("/dev/full", "w", encoding="ascii") as full:
            done = subprocess.run([PROGRAM, "models"], stdout=full, stderr=subprocess.PIPE, timeout=60)
        self.assertNotEqual(done.returncode, 0)


if __name__ == "__main__":
    PROGRAM = os.path.abspath(sys.argv.pop(1))
    unittest.main(verbosity=0)
