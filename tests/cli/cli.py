# SPDX-License-Identifier: GPL-3.0-or-later
"""The command line from outside: cli.py WLANQ SOURCE [NAME]... (without names, all tests).

Claim: every subcommand keeps its contract: result on stdout, progress on stderr and none in a pipe, exit
status 0 1 2 3 4, JSON with "format": 1, nothing written on a wrong call, results byte for byte the same.
Each test gets an empty folder; the scenario is lan.yaml beside this file.
"""
import csv
import gzip
import json
import os
import pty
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time

WLANQ, SOURCE = os.path.abspath(sys.argv[1]), os.path.abspath(sys.argv[2])
LAN = os.path.join(SOURCE, "tests/cli/lan.yaml")


def run(*args, status=0, **kw):
    p = subprocess.run([WLANQ, *args], capture_output=True, text=True, timeout=120, **kw)
    assert p.returncode == status, f"{args}: status {p.returncode}, not {status}\n{p.stdout}{p.stderr}"
    return p


def read(path, mode="r"):
    with open(path, mode) as f:
        return f.read()


def sweep(folder, *args, **kw):
    return run("sweep", LAN, "-o", folder, *args, **kw)


def test_help():
    out = run("--help").stdout
    for word in ("run", "sweep", "plot", "report", "export", "compare", "check", "validate", "models", "schema",
                 "Examples"):
        assert word in out, word
    assert run("--version").stdout.startswith("wlanq 0.")
    for command in ("run", "sweep", "plot", "compare", "check"):
        assert "Example" in run(command, "--help").stdout
    assert "Usage" in run(status=2).stderr


def test_wrong_calls():
    """One line, the nearest name, status 2, and not a file more than before."""
    wrong = [
        (["swep"], "did you mean 'sweep'"),
        (["sweep", LAN, "--job", "3"], "did you mean --jobs"),
        (["sweep", LAN, "--shard", "0/3"], "I/N"),
        (["sweep", LAN, "--shard", "4/3"], "I/N"),
        (["sweep", LAN, "-j", "0"], "at least 1"),
        (["sweep", LAN, "-j"], "argument"),
        (["sweep"], "missing"),
        (["sweep", LAN, "more"], "too much"),
        (["run", LAN, "--set", "lan.rat=5Mbit"], "did you mean 'rate'"),
        (["run", LAN, "--set", "lan.rate=5"], "lan.rate"),
        (["run", LAN, "--seed", "x"], "whole number"),
        (["run", LAN, "--set", "case=slo"], "slow"),
        (["run", LAN, "--trace", "bulk.godput_mbit"], "did you mean 'bulk.goodput_mbit'"),
        (["run", "no-such-scenario"], "no scenario of that name"),
        (["plot", "nowhere"], "no result folder"),
        (["plot", "."], "no result folder"),
        (["compare", "a"], "missing"),
        (["report", "nowhere"], "no result folder"),
        (["export", "nowhere", "--csv"], "no result folder"),
        (["export", "nowhere"], "--flent and --csv"),
        (["models", "fq_codl"], "fq_codel"),
    ]
    for args, told in wrong:
        if args[:1] == ["models"] and "fq_codel" not in run("models").stdout:
            continue
        p = run(*args, status=2)
        assert told in p.stderr, f"{args}: {p.stderr}"
        assert p.stdout == "", f"{args}: {p.stdout}"
        assert len(p.stderr.strip().split("\n")) == 1, f"{args}: {p.stderr}"
    assert os.listdir(".") == [], os.listdir(".")


def test_run():
    out = run("run", LAN, "--set", "case=slow", "--anatomy")
    assert "ping" in out.stdout and "slowest 5 %" in out.stdout and out.stderr == ""
    a = run("run", LAN, "--json", "--seed", "5").stdout
    assert a == run("run", LAN, "--json", "--seed", "5").stdout
    doc = json.loads(a)
    assert doc["format"] == 1 and doc["scenario"] == "cli-lan" and doc["seed"] == 5
    assert doc["core"] == "builtin" and doc["params"] and doc["metrics"]["ping.rtt_ms.mean"] > 0
    assert "25.600000000000001" not in a
    trace = run("run", LAN, "--trace", "a.eth0.ring.packets").stdout.split("\n")
    assert trace[0] == "time_s,probe,value" and len(trace) > 900
    assert os.listdir(".") == []


def test_pcap():
    """--pcap makes its folder, overwrites files and says in one line what it cannot write."""
    for _ in range(2):
        p = run("run", LAN, "--pcap", "deep/er")
        assert p.stderr == "" and "ping" in p.stdout
        assert sorted(os.listdir("deep/er")) == ["ethers", "hosts", "lan.pcap"]
    short = os.path.getsize("deep/er/lan.pcap")
    run("run", LAN, "--pcap", "deep/er", "--pcap-snaplen", "0")
    assert os.path.getsize("deep/er/lan.pcap") > 5 * short
    for name in ("we ird; $x", "-"):
        run("run", LAN, "--pcap", name, "--pcap-snaplen", "1")
        shutil.rmtree(name)
    shutil.rmtree("deep")

    os.makedirs("taken/lan.pcap")
    os.makedirs("names/hosts/x")
    with open("file", "w"):
        pass
    wrong = [
        (["run", LAN, "--pcap", "file"], "Not a directory"),
        (["run", LAN, "--pcap", "file/x"], "Not a directory"),
        (["run", LAN, "--pcap", "taken"], "taken/lan.pcap cannot be written: Is a directory"),
        (["run", LAN, "--pcap", "names"], "names/hosts"),
        (["run", LAN, "--pcap", ""], "Invalid argument"),
        (["run", LAN, "--pcap", "new", "--pcap-snaplen", "x"], "whole number"),
        (["run", LAN, "--pcap", "new", "--pcap-snaplen", "-1"], "whole number"),
        (["run", LAN, "--pcap-snaplen", "64"], "--pcap DIR"),
        (["run", LAN, "--set", "lan.rate=x", "--pcap", "new"], "expected a rate"),
        (["sweep", LAN, "--pcap", "new"], "--pcap"),
    ]
    for args, words in wrong:
        p = run(*args, status=2)
        assert p.stdout == "" and p.stderr.count("\n") == 1 and words in p.stderr, (args, p.stderr)
        assert not os.path.exists("new")
    os.mkdir("broken")
    for name in ("libpcap.so.0.8", "libpcap.so.1"):
        with open("broken/" + name, "w"):
            pass
    p = run("run", LAN, "--pcap", "without", status=2, env={**os.environ, "LD_LIBRARY_PATH": "broken"})
    assert p.stdout == "" and p.stderr.count("\n") == 1 and "need libpcap" in p.stderr, p.stderr
    assert os.listdir("without") == []
    if os.path.exists("/dev/full"):
        os.mkdir("full")
        os.symlink("/dev/full", "full/lan.pcap")
        p = run("run", LAN, "--pcap", "full", status=3)
        assert p.stdout == "" and p.stderr.count("\n") == 1
        assert "full/lan.pcap cannot be written: No space left on device" in p.stderr, p.stderr
    if os.getuid():
        os.mkdir("closed", 0o500)
        assert "Permission denied" in run("run", LAN, "--pcap", "closed", status=2).stderr


def test_sweep():
    p = sweep("r1", "-j1")
    assert p.stderr == "", p.stderr
    sweep("r4", "-j4", "--quiet")
    text = read("r1/summary.csv")
    assert text == read("r4/summary.csv")
    rows = list(csv.DictReader(text.splitlines()))
    assert [r["case"] for r in rows] == ["slow"] * 6 + ["fast"] * 6
    assert [r["lan.delay"] for r in rows] == (["50us"] * 3 + ["1ms"] * 3) * 2
    assert [r["seed"] for r in rows] == ["1", "2", "3"] * 4
    head = text.split("\n", 1)[0].split(",")
    assert head[:4] == ["case", "seed", "status", "lan.delay"] and head[4:] == sorted(head[4:])
    names = sorted(os.listdir("r1/runs"))
    assert names == sorted(os.listdir("r4/runs")) and len(names) == 24
    for name in names:
        if not name.endswith(".meta.json"):
            assert read(f"r1/runs/{name}") == read(f"r4/runs/{name}"), name
            doc = json.loads(read(f"r1/runs/{name}"))
            assert doc["key"] == name[:-5] and len(doc["key"].split("-s")[0]) == 20
            assert doc["distributions"]["ping.rtt_ms"]["samples"]
    meta = json.loads(read(f"r1/runs/{names[1]}" if names[1].endswith("meta.json") else f"r1/runs/{names[0]}"))
    for key in ("host", "time", "command", "program", "commit", "results-version"):
        assert key in meta, key
    assert "12 made" in p.stdout and "0 made" in sweep("r1").stdout


def test_shards():
    sweep("whole")
    for i in (2, 3, 1):
        sweep("parts", "--shard", f"{i}/3")
    assert read("whole/summary.csv") == read("parts/summary.csv")


def test_default_folder():
    run("sweep", LAN, "--set", "repeat=1", "--set", "case=slow")
    assert os.path.isfile("results/cli-lan/summary.csv")


def test_killed():
    sweep("whole")
    for i in range(12):
        p = subprocess.Popen([WLANQ, "sweep", LAN, "-o", "cut", "-j2"], stdout=subprocess.DEVNULL)
        time.sleep(0.01 + 0.006 * i)
        p.kill()
        p.wait()
    sweep("cut")
    assert read("whole/summary.csv") == read("cut/summary.csv")
    left = [n for n in os.listdir("cut/runs") if n.startswith(".")]
    assert left == [], left


def test_interrupted():
    """SIGINT: no half-written file, a summary of what is there, death by the signal as shells expect it."""
    p = subprocess.Popen([WLANQ, "sweep", LAN, "-o", "r", "-j2", "--set", "duration=200s"],
                         stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)
    time.sleep(0.5)
    os.killpg(p.pid, signal.SIGINT)
    _, err = p.communicate(timeout=20)
    assert p.returncode == -signal.SIGINT, (p.returncode, err)
    assert "start again for the rest" in err, err
    assert not [n for n in os.listdir("r/runs") if n.startswith(".")]
    assert os.path.isfile("r/summary.csv")


def test_terminal():
    """On a terminal there is a bar; with --quiet there is none."""
    for extra, shown in ((["--fresh"], True), (["--fresh", "--quiet"], False)):
        leader, follower = pty.openpty()
        subprocess.run([WLANQ, "sweep", LAN, "-o", "r", *extra], stdout=subprocess.DEVNULL, stderr=follower,
                       env={**os.environ, "TERM": "xterm"}, check=True, timeout=60)
        os.close(follower)
        text = b""
        try:
            while True:
                text += os.read(leader, 4096)
        except OSError:
            pass
        os.close(leader)
        assert (b"runs in" in text) == shown, text


def test_plot():
    sweep("r")
    out = run("plot", "r").stdout.split()
    assert len(out) == 2 and all(os.path.getsize(p) > 2000 for p in out)
    for end in ("png", "svg", "pdf"):
        run("plot", "r", "--cdf", "ping.rtt_ms", "--by", "case", "-o", f"x.{end}")
        assert os.path.getsize(f"x.{end}") > 2000
    assert os.path.getsize("x.gp") > 100 and "slow" in read("x.dat")
    subprocess.run(["gnuplot", "x.gp"], check=True, timeout=60)
    assert "did you mean 'ping.rtt_ms'" in run("plot", "r", "--cdf", "ping.rt_ms", status=2).stderr
    run("plot", "r", "--by", "nothing", status=2)
    run("plot", "r", "-o", "x.jpg", status=2)
    run("plot", "r", "--series", "lan.rate", status=2)
    # The last point of a curve with lost samples is below 1.
    last = [line.split() for line in read("x.dat").split("\n\n\n")[0].strip().split("\n") if line[0] != "#"][-1]
    lost = any(json.loads(read(f"r/runs/{n}"))["distributions"]["ping.rtt_ms"]["lost"]
               for n in os.listdir("r/runs") if not n.endswith("meta.json"))
    assert float(last[1]) < 1 or not lost


def test_report():
    sweep("r")
    run("report", "r")
    text = read("r/report.html")
    assert text.startswith("<!DOCTYPE html>") and "data:image/svg+xml;base64," in text
    assert "http://" not in text and "https://" not in text and "<script" not in text


def test_export():
    sweep("r")
    before = read("r/summary.csv")
    rows = list(csv.DictReader(run("export", "r", "--csv").stdout.splitlines()))
    assert {r["distribution"] for r in rows} >= {"ping.rtt_ms"}
    files = run("export", "r", "--flent", "-o", "f").stdout.split()
    assert len(files) == 12 and read("r/summary.csv") == before
    doc = json.loads(gzip.decompress(read(files[0], "rb")))
    assert doc["version"] == 4
    for key in ("NAME", "TITLE", "STEP_SIZE", "LENGTH", "HOST", "LOCAL_HOST", "T0"):
        assert key in doc["metadata"], key
    for name, values in doc["results"].items():
        assert len(values) == len(doc["x_values"]) and doc["raw_values"][name], name
    # A scenario that is not what it was is not exported as if it were.
    with open("mine.yaml", "w") as f:
        f.write(read(LAN))
    run("sweep", "mine.yaml", "-o", "m", "--set", "repeat=1")
    with open("mine.yaml", "w") as f:
        f.write(read(LAN).replace("loss: 0.01", "loss: 0.02"))
    assert "has changed" in run("export", "m", "--flent", status=2).stderr
    # What was written is read: as a base, it is no worse than itself.
    p = run("compare", files[0], "r", "--json", status=json_status)
    assert json.loads(p.stdout)["format"] == 1


# compare with a real run may come out any way; what counts is that it says so.
class AnyOf(tuple):
    def __eq__(self, other):
        return other in tuple(self)

    def __ne__(self, other):
        return other not in tuple(self)

    __hash__ = tuple.__hash__


json_status = AnyOf((0, 1, 4))


def test_flent():
    """Real flent draws what we write (skipped where it is not installed)."""
    if not shutil.which("flent"):
        return
    sweep("r", "--set", "repeat=1", "--set", "case=slow")
    files = run("export", "r", "--flent").stdout.split()
    env = {**os.environ, "MPLBACKEND": "Agg", "MPLCONFIGDIR": os.getcwd(), "PATH": "/usr/bin:" + os.environ["PATH"]}
    for plot in ("ping_cdf", "totals"):
        subprocess.run(["flent", "-i", files[0], "-p", plot, "-o", f"{plot}.png"], env=env, check=True,
                       capture_output=True, timeout=100)
        assert os.path.getsize(f"{plot}.png") > 5000
    out = subprocess.run(["flent", "-i", files[0], "-f", "summary"], env=env, check=True, capture_output=True,
                         text=True, timeout=100).stdout
    assert "TCP upload" in out and "Ping (ms) ICMP" in out


def test_compare():
    sweep("a")
    sweep("b", "--set", "ping.interval=50ms")
    assert "same" in run("compare", "a", "b").stdout
    sweep("worse", "--set", "lan.loss=0.05", "--set", "repeat=3")
    p = run("compare", "a", "worse", "--metric", "bulk.goodput_mbit", "--json", status=1)
    doc = json.loads(p.stdout)
    assert doc["format"] == 1 and doc["verdict"] == "worse" and doc["pairs"] == 12
    run("compare", "worse", "a", "--metric", "bulk.goodput_mbit")
    sweep("one", "--set", "repeat=1", "--set", "lan.loss=0.02")
    run("compare", "a", "one", status=4)
    # A folder that keeps its table alone is a base too.
    shutil.rmtree("a/runs")
    assert "same" in run("compare", "a", "b").stdout
    p = run("compare", "a", "nowhere", status=2)
    assert "nowhere" in p.stderr


def test_check():
    p = run("check", LAN)
    assert p.stdout.count("pass") == 3 and "less losses" in p.stdout, p.stdout
    assert os.listdir(".") == []
    doc = json.loads(run("check", LAN, "--json").stdout)
    assert doc["format"] == 1 and doc["passed"] == 3 and doc["failed"] == 0
    with open("bad.yaml", "w") as f:
        f.write(read(LAN).replace("between: [5, 9.6]", "between: [50, 96]"))
    p = run("check", "bad.yaml", status=1)
    assert "FAIL" in p.stdout and "50 .. 96" in p.stdout
    with open("wrong.yaml", "w") as f:
        f.write("name: [")
    run("check", "wrong.yaml", status=2)
    p = run("check", "bad.yaml", LAN, status=1)
    assert "5 passed, 1 failed" in p.stdout
    # A baseline that was better fails it, one that is equal does not.
    sweep("results/baseline/cli-lan", "-q")
    shutil.rmtree("results/baseline/cli-lan/runs")
    assert "baseline: " in run("check", LAN).stdout
    run("check", LAN, "--set", "lan.loss=0.2", status=1)


def test_sensitivity():
    """The conclusions with the fitted value varied: told, and without effect on the status."""
    with open("fit.yaml", "w") as f:
        f.write(read(LAN).replace("between: [5, 9.6]", "between: [9.25, 9.6]").replace("expect:", '''calibration:
  - {set: lan.loss, value: 0.01, on: "case fast, goodput 60", because: "not told", sensitivity: 90%}
expect:'''))
    p = run("check", "fit.yaml", "--sensitivity")
    assert "with lan.loss=0.001 (-90 %): 3 of 3" in p.stdout, p.stdout
    assert "with lan.loss=0.019 (+90 %): 2 of 3" in p.stdout, p.stdout
    doc = json.loads(run("check", "fit.yaml", "--sensitivity", "--json").stdout)
    assert [s["set"] for s in doc["scenarios"][0]["sensitivity"]] == ["lan.loss=0.001", "lan.loss=0.019"]


def test_validate():
    doc = json.loads(run("validate", LAN, "--json").stdout)
    assert doc["format"] == 1 and doc["errors"] == []
    with open("bad.yaml", "w") as f:
        f.write(read(LAN).replace("rate: 10Mbit", "rat: 10Mbit", 1))
    p = run("validate", "bad.yaml", status=2)
    assert "bad.yaml:12:" in p.stderr and "rate" in p.stderr
    doc = json.loads(run("validate", "bad.yaml", "--json", status=2).stdout)
    assert doc["format"] == 1 and doc["errors"][0]["line"] == 12
    # What a driver cannot do is told before anything runs, at its key.
    with open("firmware.yaml", "w") as f:
        f.write("name: firmware\nduration: 1s\nnodes:\n  ap: {interfaces: {wlan0: {driver: ath10k}}}\n"
                "  sta:\n    interfaces:\n      wlan0:\n        driver: iwlwifi\n        rate_control: minstrel_ht\n"
                "links:\n  air: {model: wifi, standard: 11ac, members: [sta.wlan0, ap.wlan0]}\n")
    p = run("validate", "firmware.yaml", status=2)
    assert p.stderr.startswith("firmware.yaml:9:") and "allowed here: fixed" in p.stderr, p.stderr


def test_names():
    os.mkdir("scenarios")
    os.mkdir("scenarios/deep")
    shutil.copy(LAN, "scenarios/deep/my-lan.yaml")
    run("validate", "my-lan")
    assert "did you mean 'my-lan'" in run("validate", "my-lam", status=2).stderr
    assert "3 of 3" in run("check").stdout


def test_damaged():
    """Whatever happened to the files of a folder: told, never a crash."""
    sweep("r", "--set", "repeat=1")
    luck = random.Random(1)
    names = [os.path.join(d, n) for d, _, files in os.walk("r") for n in files
             if n.endswith((".json", ".csv")) and not n.endswith("meta.json")]
    for k in range(120):
        shutil.rmtree("x", ignore_errors=True)
        shutil.copytree("r", "x")
        path = luck.choice(names).replace("r/", "x/", 1)
        data = bytearray(read(path, "rb"))
        if k % 3 == 0:
            data = data[:luck.randrange(len(data))]
        else:
            for _ in range(luck.randrange(1, 4)):
                data[luck.randrange(len(data))] = luck.choice(b"{}[],:\"0-9x\x00\xff ")
        with open(path, "wb") as f:
            f.write(data)
        command = luck.choice([["compare", "r", "x"], ["compare", "x", "r"], ["export", "x", "--csv"]])
        p = subprocess.run([WLANQ, *command], capture_output=True, timeout=60)
        assert p.returncode in (0, 1, 2, 4), (path, command, p.returncode, p.stderr)
    path = [n for n in names if "/runs/" in n][0]
    with open(path, "r+b") as f:
        f.truncate(100)
    assert "corrupt" in run("report", "r") .stderr or "corrupt" in read("r/report.html")
    # Starting again mends it.
    before = read("r/summary.csv")
    sweep("r", "--set", "repeat=1")
    assert read("r/summary.csv") == before


def main():
    tests = [v for k, v in globals().items() if k.startswith("test_")]
    wanted = sys.argv[3:]
    failed = 0
    for test in tests:
        if wanted and test.__name__[5:] not in wanted:
            continue
        folder = tempfile.mkdtemp(prefix="wlanq-cli-")
        os.chdir(folder)
        started = time.monotonic()
        try:
            test()
            print(f"ok {test.__name__[5:]} ({time.monotonic() - started:.1f} s)")
        except Exception as e:  # one test's end is not that of the others
            failed += 1
            print(f"FAIL {test.__name__[5:]}: {type(e).__name__}: {e}")
        os.chdir("/")
        shutil.rmtree(folder, ignore_errors=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
