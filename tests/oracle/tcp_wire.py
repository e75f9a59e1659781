#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-3.0-or-later
"""Records what Linux's TCP puts on the wire when given packets are lost, late, doubled or marked.

Two network namespaces, a TUN device in each, and this program as the path between them: it delays every packet
by half a round trip and applies the rules of a case. The trace of each case goes behind it in the file, where
tests/conformance/test-tcp-wire.c compares the model with it.

  tcp_wire.py record FILE [CASE]...      writes the traces anew (root; nothing but loopback and TUN is touched)

A case is a block of lines:
  case NAME               opens it
  set KEY VALUE           cc, rtt (ms), seconds, rcvbuf (bytes, or auto), sysctl names under net.ipv4
  write SEGMENTS MS       the client writes so many full segments at that time after the connection
  close MS                the client closes
  drop data N [K]         the Kth (first) transmission of segment N, counted from 0; N-M for a run
  drop ack N              the Nth pure ACK of the receiver behind the handshake, counted from 1
  drop syn N, drop synack N, drop fin N
  late data N MS          the first transmission of N comes so much later; also: late ack N MS
  dup data N              it comes twice
  mark data N             congestion experienced
  > MS TOKEN...           data from the client: N or N-M, with F for a FIN
  < MS TOKEN...           ACKs from the server: segments acknowledged, [a-b,...] SACK blocks, e: ECN echo
"""
import ctypes
import fcntl
import heapq
import os
import select
import socket
import struct
import subprocess
import sys
import time
from collections import Counter

TUNSETIFF = 0x400454CA
SO_SNDBUFFORCE = 32
MSS = 1448
GAP_MS = 3.0
libc = ctypes.CDLL(None, use_errno=True)


def enter(name):
    fd = os.open(f"/run/netns/{name}", os.O_RDONLY)
    if libc.setns(fd, 0x40000000):
        raise OSError(ctypes.get_errno(), "setns")
    os.close(fd)


def sh(*args):
    subprocess.run(args, check=True, capture_output=True)


class Case:
    def __init__(self, name):
        self.name = name
        self.lines = []
        self.sets = {"cc": "reno", "rtt": "40", "rcvbuf": "131072"}
        self.writes = []
        self.close = None
        self.rules = []
        self.trace = []

    def parse(self, line):
        self.lines.append(line)
        w = line.split()
        if w[0] == "set":
            self.sets[w[1]] = w[2]
        elif w[0] == "write":
            self.writes.append((int(w[1]), float(w[2]) / 1e3))
        elif w[0] == "close":
            self.close = float(w[1]) / 1e3
        else:
            lo, _, hi = w[2].partition("-")
            for n in range(int(lo), int(hi or lo) + 1):
                if w[0] == "late":
                    self.rules.append((w[0], w[1], n, 1, float(w[3]) / 1e3))
                else:
                    self.rules.append((w[0], w[1], n, int(w[3]) if len(w) > 3 else 1, 0))


def load(path):
    cases, head = [], []
    with open(path) as f:
        for line in f:
            line = line.rstrip("\n")
            if line.startswith("case "):
                cases.append(Case(line.split()[1]))
            elif not cases:
                head.append(line)
            elif line and line[0] in "<>":
                cases[-1].trace.append(line)
            elif line:
                cases[-1].parse(line)
    return head, cases


class Wire:
    def __init__(self, case):
        self.case = case
        self.ns = [f"wlanqw{os.getpid()}{k}" for k in "ab"]
        self.fds = []
        self.home = os.open("/proc/self/ns/net", os.O_RDONLY)
        for i, name in enumerate(self.ns):
            sh("ip", "netns", "add", name)
            enter(name)
            fd = os.open("/dev/net/tun", os.O_RDWR | os.O_NONBLOCK)
            fcntl.ioctl(fd, TUNSETIFF, struct.pack("16sH", b"tun0", 0x0001 | 0x1000))
            self.fds.append(fd)
            sh("ip", "addr", "add", f"10.8.0.{i + 1}/24", "dev", "tun0")
            sh("ip", "link", "set", "dev", "tun0", "up")
            sh("sysctl", "-qw", "net.ipv4.tcp_no_metrics_save=1",
               *[f"net.ipv4.{k}={v}" for k, v in case.sets.items() if k.startswith("tcp_")])
        self.listener = socket.socket()
        if case.sets["rcvbuf"] != "auto":
            self.listener.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, int(case.sets["rcvbuf"]) // 2)
        self.listener.bind(("10.8.0.2", 5001))
        self.listener.listen()
        self.listener.setblocking(False)
        enter(self.ns[0])
        self.client = socket.socket()
        self.client.setblocking(False)
        # A namespace's default may only be an unrestricted one; root may choose any for a socket.
        self.client.setsockopt(socket.IPPROTO_TCP, socket.TCP_CONGESTION, case.sets["cc"].encode())
        # All is written at once: what the send buffer takes is no part of this.
        self.client.setsockopt(socket.SOL_SOCKET, SO_SNDBUFFORCE, 1 << 22)
        libc.setns(self.home, 0x40000000)
        self.count = Counter()
        self.seen = Counter()
        self.isn = [None, None]
        self.events = []
        self.queue = []

    def close(self):
        for s in (self.client, self.listener):
            s.close()
        for fd in self.fds:
            os.close(fd)
        os.close(self.home)
        for name in self.ns:
            subprocess.run(["ip", "netns", "del", name], capture_output=True)

    def rule(self, what, n, k):
        return [r for r in self.case.rules if (r[1], r[2], r[3]) == (what, n, k)]

    def classify(self, way, pkt):
        """The packet as (kind, number, transmission, token)."""
        ihl = (pkt[0] & 15) * 4
        sport, dport, seq, ack, off, flags, wnd = struct.unpack("!HHIIBBH", pkt[ihl:ihl + 16])
        doff = (off >> 4) * 4
        length = struct.unpack("!H", pkt[2:4])[0] - ihl - doff
        if flags & 2:
            self.isn[way] = seq
            kind = "synack" if way else "syn"
            self.count[kind] += 1
            return kind, self.count[kind], 1, None
        rel = (seq - self.isn[way] - 1) & 0xFFFFFFFF
        if way == 0:
            fin = flags & 1
            if not length and not fin:
                return "other", 0, 1, None
            n = rel // MSS
            m = n + max(1, -(-length // MSS)) - 1
            kind = "fin" if fin and not length else "data"
            self.seen[n] += 1
            if kind == "fin":
                self.count["fin"] += 1
                return kind, self.count["fin"], 1, f"{n}F"
            return kind, n, self.seen[n], (f"{n}" if m == n else f"{n}-{m}") + ("F" if fin else "")
        acked = (ack - self.isn[0] - 1) & 0xFFFFFFFF
        token = f"{acked // MSS}" + ("+" if acked % MSS else "")
        opts, sacks = pkt[ihl + 20:ihl + doff], []
        while opts and opts[0]:
            if opts[0] == 1:
                opts = opts[1:]
                continue
            if opts[0] == 5:
                for i in range(2, opts[1], 8):
                    a, b = ((x - self.isn[0] - 1) & 0xFFFFFFFF for x in struct.unpack("!II", opts[i:i + 8]))
                    sacks.append(f"{a // MSS}-{b // MSS}")
            opts = opts[opts[1]:]
        if sacks:
            token += "[" + ",".join(sacks) + "]"
        if flags & 0x40:
            token += "e"
        if flags & 1:
            return "other", 0, 1, token
        self.count["ack"] += 1
        return "ack", self.count["ack"], 1, token

    def packet(self, way, pkt, now):
        if pkt[0] >> 4 != 4 or pkt[9] != 6:
            return
        kind, n, k, token = self.classify(way, pkt)
        if token:
            self.events.append((now - self.start, way, token))
        delay = float(self.case.sets["rtt"]) / 2e3
        copies = 1
        for what, _, _, _, arg in self.rule(kind, n, k):
            if what == "drop":
                return
            if what == "late":
                delay += arg
            elif what == "dup":
                copies = 2
            elif what == "mark" and pkt[1] & 3:
                pkt = bytearray(pkt)
                pkt[1] |= 3
                pkt[10:12] = b"\0\0"
                s = sum(struct.unpack("!10H", pkt[:20]))
                s = (s & 0xFFFF) + (s >> 16)
                s = (s & 0xFFFF) + (s >> 16)
                pkt[10:12] = struct.pack("!H", ~s & 0xFFFF)
        for _ in range(copies):
            heapq.heappush(self.queue, (now + delay, len(self.events), time.monotonic_ns(), not way, bytes(pkt)))

    @staticmethod
    def read(conn):
        """True at the end of the stream."""
        try:
            return not conn.recv(1 << 20)
        except BlockingIOError:
            return False

    def run(self, seconds):
        self.start = time.monotonic()
        try:
            self.client.connect(("10.8.0.2", 5001))
        except BlockingIOError:
            pass
        conn, connected, pending = None, None, 0
        writes = list(self.case.writes)
        closing = self.case.close
        while True:
            now = time.monotonic()
            if now - self.start > seconds:
                break
            while self.queue and self.queue[0][0] <= now:
                _, _, _, to, pkt = heapq.heappop(self.queue)
                os.write(self.fds[to], pkt)
                # The application reads at once, as the model's does.
                if to and conn:
                    self.read(conn)
            if connected is not None:
                while writes and now >= connected + writes[0][1]:
                    pending += writes.pop(0)[0] * MSS
                if not writes and not pending and closing is not None and now >= connected + closing:
                    self.client.shutdown(socket.SHUT_WR)
                    closing = None
            wait = [seconds - (now - self.start)]
            if self.queue:
                wait.append(self.queue[0][0] - now)
            if connected is not None and writes:
                wait.append(connected + writes[0][1] - now)
            if connected is not None and closing is not None:
                wait.append(max(0.0005, connected + closing - now))
            reads = [*self.fds, conn if conn else self.listener]
            outs = [self.client] if connected is None or pending else []
            r, w, _ = select.select(reads, outs, [], max(0, min(wait)))
            now = time.monotonic()
            for way in (0, 1):
                if self.fds[way] in r:
                    while True:
                        try:
                            self.packet(way, os.read(self.fds[way], 65536), now)
                        except BlockingIOError:
                            break
            if self.listener in r and not conn:
                conn = self.listener.accept()[0]
                conn.setblocking(False)
            if conn in r and self.read(conn):
                conn.close()
                conn = None
                seconds = min(seconds, now + 0.3 - self.start)
            if self.client in w:
                if connected is None:
                    connected = now
                elif pending:
                    try:
                        pending -= self.client.send(b"x" * pending)
                    except BlockingIOError:
                        pass
        if conn:
            conn.close()

    def lines(self):
        out, last = [], {}
        for t, way, token in self.events:
            ms = t * 1e3
            if way in last and ms - last[way][0] < GAP_MS:
                last[way][2].append(token)
                last[way][0] = ms
            else:
                last[way] = [ms, ms, [token]]
                out.append((way, last[way]))
        text = []
        for way, (_, first, tokens) in out:
            if way == 0:
                tokens = runs(tokens)
            text.append(f"{'<' if way else '>'} {first:.0f} {' '.join(tokens)}")
        return text


def runs(tokens):
    """1 2 3 becomes 1-3."""
    out = []
    for t in tokens:
        if out and t.isdigit() and out[-1][-1].isdigit():
            lo, _, hi = out[-1].partition("-")
            if int(t) == int(hi or lo) + 1:
                out[-1] = f"{lo}-{t}"
                continue
        out.append(t)
    return out


def record(path, names):
    head, cases = load(path)
    try:
        os.sched_setscheduler(0, os.SCHED_FIFO, os.sched_param(20))
    except PermissionError:
        pass
    for case in cases:
        if names and case.name not in names:
            continue
        got = Counter()
        texts = {}
        for _ in range(5):
            wire = Wire(case)
            try:
                wire.run(float(case.sets.get("seconds", 4)))
            finally:
                wire.close()
            text = wire.lines()
            key = tuple(" ".join(w for line in text if line[0] == d for w in line.split()[2:]) for d in "<>")
            got[key] += 1
            texts.setdefault(key, text)
            if got.most_common(1)[0][1] == (2 if len(got) == 1 else 3):
                break
        best, n = got.most_common(1)[0]
        print(f"{case.name}: {n} of {sum(got.values())} alike", flush=True)
        case.trace = texts[best] if n > 1 else []
        save(path, head, cases)


def save(path, head, cases):
    kernel = os.uname().release.split("-")[0]
    head = [h for h in head if not h.startswith("# Recorded")]
    head.insert(len(head) - 1 if head and not head[-1] else len(head), f"# Recorded on Linux {kernel}.")
    with open(path, "w") as f:
        f.write("\n".join(head) + "\n")
        for case in cases:
            f.write("\n".join([f"case {case.name}", *case.lines, *case.trace]) + "\n\n")


if __name__ == "__main__":
    if len(sys.argv) < 3 or sys.argv[1] != "record":
        sys.exit(__doc__)
    record(sys.argv[2], sys.argv[3:])
