# SPDX-License-Identifier: GPL-3.0-or-later
"""What holds of each capture of an air, whatever runs on it; formulas of IEEE 802.11 written once more, and slowly."""
import math

from shark import (ACK, ACTION, BAR, BLOCK_ACK, CTS, DATA, MCS_MBIT, QOS_DATA, RTS, SEQUENCE, WARN, Frame, fail)

US = 1000
LTF = {1: 1, 2: 2, 3: 4, 4: 4}


def well_formed(frames, ccmp=False):
    """Nothing malformed or warned of but what the receiver lost; checksums and FCS right; times in order."""
    before = 0
    for f in frames:
        severities = [int(x) for x in f["_ws.expert.severity"].split(",") if x]
        groups = [int(x) for x in f["_ws.expert.group"].split(",") if x]
        for severity, group in zip(severities, groups):
            if severity >= WARN and group != SEQUENCE and not f.bad():
                fail(f, "tshark warns")
        if f["_ws.malformed"] and not f.bad():
            fail(f, "malformed")
        if f["frame.len"] != f["frame.cap_len"]:
            fail(f, "cut")
        if "wlan.fcs.status" in f and f.num("wlan.fcs.status", -1) != (0 if f.bad() else 1):
            fail(f, "the FCS is not as the flag says")
        for layer in ("ip", "tcp", "udp"):
            status = f[layer + ".checksum.status"]
            if status not in ("", "1", "1,1", "1,1,1", "1,1,1,1"):
                fail(f, f"the checksum of {layer} is {status}")
        if f.ns() < before:
            fail(f, "a time goes back")
        before = f.ns()
        if f.kind() in (DATA, QOS_DATA) and ccmp != (f.num("wlan.fc.protected") == 1):
            fail(f, "the Protected bit")


def rate_of(f):
    """(modulation, Mbit/s, bits of a symbol, streams, short guard interval)"""
    if f["radiotap.mcs.index"]:
        mcs, wide, sgi = f.num("radiotap.mcs.index"), f.num("radiotap.mcs.bw"), f.num("radiotap.mcs.gi")
        per_us = MCS_MBIT[40 if wide else 20][mcs % 8] * (mcs // 8 + 1)
        return "ht", per_us / (0.9 if sgi else 1), round(per_us * 4), mcs // 8 + 1, sgi
    if f["radiotap.vht.bw"]:
        width = {0: 52, 1: 108, 4: 234, 11: 468}[f.num("radiotap.vht.bw")]
        bits, code = ((1, 1 / 2), (2, 1 / 2), (2, 3 / 4), (4, 1 / 2), (4, 3 / 4), (6, 2 / 3), (6, 3 / 4), (6, 5 / 6),
                      (8, 3 / 4), (8, 5 / 6))[f.num("radiotap.vht.mcs.0")]
        nss, sgi = f.num("radiotap.vht.nss.0"), f.num("radiotap.vht.gi")
        per_symbol = round(width * bits * code * nss)
        return "vht", per_symbol / (3.6 if sgi else 4), per_symbol, nss, sgi
    rate = float(f["radiotap.datarate"])
    return ("cck" if rate in (1, 2, 5.5, 11) else "ofdm"), rate, round(rate * 4), 1, 0


def ppdu_ns(f, psdu, extension):
    """How long a PPDU with `psdu` bytes at the rate of `f` lasts: 15.2.5, 16.3.4, 17.4.3, 19.4.3, 21.4.3."""
    mode, rate, per_symbol, nss, sgi = rate_of(f)
    if mode == "cck":
        preamble = 96 if f.num("radiotap.flags.preamble") else 192
        return (preamble + math.ceil(psdu * 8 / rate)) * US
    if mode == "ofdm":
        return (20 + 4 * math.ceil((16 + 8 * psdu + 6) / per_symbol) + extension) * US
    preamble = 32 + 4 * LTF[nss] + (4 if mode == "vht" else 0)
    encoders = 1 if rate <= 300 else 2
    if mode == "vht":
        encoders = math.ceil(per_symbol / 3.6 / 600)
    symbols = math.ceil((8 * psdu + 16 + 6 * encoders) / per_symbol)
    return (preamble + (4 * math.ceil(3.6 * symbols / 4) if sgi else 4 * symbols) + extension) * US


def ppdus(frames):
    """Lists of frames that are one PPDU: those of one A-MPDU, or a frame alone."""
    out = []
    for f in frames:
        same = out and f["radiotap.ampdu.reference"] and any(
            p[0]["radiotap.ampdu.reference"] == f["radiotap.ampdu.reference"] for p in out[-4:])
        if same:
            next(p for p in out[-4:] if p[0]["radiotap.ampdu.reference"] == f["radiotap.ampdu.reference"]).append(f)
        else:
            out.append([f])
    return out


def psdu_bytes(ppdu):
    if not ppdu[0]["radiotap.ampdu.reference"]:
        return mpdu_bytes(ppdu[0])
    sizes = [mpdu_bytes(f) + 4 for f in ppdu]
    return sum(s + -s % 4 for s in sizes[:-1]) + sizes[-1]


def mpdu_bytes(f):
    return f.num("frame.len") - f.num("radiotap.length")


def whole_ampdus(all_ppdus):
    """All MPDUs of an A-MPDU have one time, its last one is marked, and no other."""
    for ppdu in all_ppdus:
        if not ppdu[0]["radiotap.ampdu.reference"]:
            continue
        for f in ppdu:
            if f["radiotap.mactime"] != ppdu[0]["radiotap.mactime"] or f.ns() != ppdu[0].ns():
                fail(f, "another time than the first of its A-MPDU")
            if (f.num("radiotap.ampdu.flags.last") == 1) != (f is ppdu[-1]):
                fail(f, "the last of the A-MPDU")


def responses(all_ppdus, sifs, extension, filled):
    """
    A frame that is answered ends SIFS before the answer, and its Duration is what follows. Returns how many were. An
    A-MPDU that is `filled` with empty delimiters, of which a capture knows nothing, is longer.
    """
    n = 0
    for before, after in zip(all_ppdus, all_ppdus[1:]):
        f, r = before[-1], after[0]
        answers = (CTS,) if f.kind() == RTS else (ACK, BLOCK_ACK)
        if r.kind() not in answers or r["wlan.ra"] != f["wlan.ta"] or not f["wlan.ta"]:
            continue
        end = f.ns() + ppdu_ns(f, psdu_bytes(before), extension)
        if r.ns() - end != sifs * US and not (filled and len(before) > 1 and r.ns() - end > sifs * US):
            fail(r, f"{(r.ns() - end) / US} us behind the frame that it answers, not {sifs}")
        answer = ppdu_ns(r, mpdu_bytes(r), extension) / US
        if f.kind() != RTS and f.num("wlan.duration") != math.ceil(sifs + answer):
            fail(f, f"its Duration is not {sifs} and {answer}")
        n += 1
    return n


def protected(all_ppdus, sifs, extension, filled):
    """RTS, CTS and the frame behind it: SIFS between them, and each Duration reaches to the end of the exchange."""
    n = 0
    for i, (p, q) in enumerate(zip(all_ppdus, all_ppdus[1:])):
        cts, data = p[0], q[0]
        if cts.kind() != CTS or data["wlan.ta"] != cts["wlan.ra"] or i + 2 >= len(all_ppdus):
            continue
        end = cts.ns() + ppdu_ns(cts, 14, extension)
        if data.ns() - end != sifs * US:
            fail(data, "not SIFS behind its CTS")
        over = data.ns() + ppdu_ns(data, psdu_bytes(q), extension) + data.num("wlan.duration") * US
        if filled and len(q) > 1:
            over = end + cts.num("wlan.duration") * US
        if abs(end + cts.num("wlan.duration") * US - over) >= US:
            fail(cts, "its Duration does not reach to the end")
        rts = all_ppdus[i - 1][0] if i else None
        if rts and rts.kind() == RTS and rts["wlan.ta"] == cts["wlan.ra"]:
            end = rts.ns() + ppdu_ns(rts, 20, extension)
            if cts.ns() - end != sifs * US or abs(end + rts.num("wlan.duration") * US - over) >= US:
                fail(rts, "does not reach to the end")
        n += 1
    return n


def block_acks(all_ppdus):
    """
    A Block Ack acknowledges what of its A-MPDU was received, then or before, and nothing that never was; nothing acknowledged is
    sent again; a number that is sent again has the retry bit, one that is sent first has not, unless it is behind an RTS:
    ath9k sets the bit when it queues a frame again, whatever the reason.
    """
    asks = any(p[0].kind() == RTS for p in all_ppdus)
    acked, sent, had = {}, {}, {}
    n = lost = again = 0
    for i, ppdu in enumerate(all_ppdus):
        f = ppdu[0]
        if f.kind() != QOS_DATA:
            continue
        key = (f["wlan.ta"], f["wlan.ra"], f["wlan.qos.tid"])
        got, out, has = acked.setdefault(key, {}), sent.setdefault(key, {}), had.setdefault(key, {})
        for m in ppdu:
            seq = m.num("wlan.seq")
            if seq in got:
                fail(m, "was acknowledged before")
            retry = m.num("wlan.fc.retry") == 1
            if retry != (seq in out) and not (retry and asks):
                fail(m, "its retry bit")
            again += seq in out
            out[seq] = m
            if not m.bad():
                has[seq] = True
            # a window of 64 may be in flight: numbers far behind will come anew
            for old in range(seq - 2048, seq - 1984):
                out.pop(old % 4096, None)
                got.pop(old % 4096, None)
                has.pop(old % 4096, None)
        answer = all_ppdus[i + 1][0] if i + 1 < len(all_ppdus) else None
        if not answer or answer["wlan.ra"] != f["wlan.ta"] or answer.bad():
            continue
        if answer.kind() == ACK:
            got[f.num("wlan.seq")] = True
        if answer.kind() != BLOCK_ACK:
            continue
        n += 1
        start, bits = answer.num("wlan.fixed.ssc.sequence"), bitmap(answer)
        if answer.num("wlan.ba.basic.tidinfo") != f.num("wlan.qos.tid"):
            fail(answer, "another TID")
        for m in ppdu:
            at = (m.num("wlan.seq") - start) % 4096
            if at >= 64:
                continue
            told = bool(bits >> at & 1)
            if told != (m.num("wlan.seq") in has):
                fail(answer, f"tells {told} of {m['wlan.seq']}, from {start}")
            lost += m.bad()
            if told:
                got[m.num("wlan.seq")] = True
        for at in range(64):
            if bits >> at & 1 and (start + at) % 4096 not in has:
                fail(answer, f"tells of {(start + at) % 4096}, which never came")
    return n, lost, again


def bitmap(f):
    return int.from_bytes(bytes.fromhex(f["wlan.ba.bm"].replace(":", "")), "little")


class Session:
    """What an originator and a recipient have agreed on, and what the originator has sent."""

    def __init__(self):
        self.asked = None # start of the last request
        self.window = 0 # frames, 0: no agreement
        self.amsdu = False
        self.first = None # the number that the next frame is to have
        self.highest = None # sent
        self.left = None # what lies before was given up by a BAR that arrived


def behind(a, b):
    """How far number a lies behind b; negative: ahead."""
    d = (b - a) % 4096
    return d if d < 2048 else d - 4096


def note_action(sessions, f):
    """An action frame that arrived changes the session of its originator."""
    code, there, back = f.num("wlan.fixed.action_code"), (f["wlan.ta"], f["wlan.ra"]), (f["wlan.ra"], f["wlan.ta"])
    if code == 0:
        s = sessions.setdefault((*there, f.num("wlan.fixed.baparams.tid")), Session())
        s.asked = f.num("wlan.fixed.ssc.sequence")
    elif code == 1:
        s = sessions.setdefault((*back, f.num("wlan.fixed.baparams.tid")), Session())
        if f.num("wlan.fixed.status_code") == 0 and not s.window:
            s.window, s.first, s.highest, s.left = f.num("wlan.fixed.baparams.buffersize"), s.asked, None, None
            s.amsdu = f.num("wlan.fixed.baparams.amsdu") == 1
    else:
        key = there if f.num("wlan.fixed.delba.param.initiator") else back
        s = sessions.setdefault((*key, f.num("wlan.fixed.delba.param.tid")), Session())
        s.window = 0


def agreements(all_ppdus, limit=1 << 20, own_window=False, lifetimes=False):
    """
    No A-MPDU without an agreement, none longer than the receiver takes, no A-MSDU in one that may have none; numbers in
    flight span no more than the window (`own_window`: the sender's, 64); a session begins with the number that was asked
    for (or, with `lifetimes`, a later one: what came before it was too old); behind a BAR that arrived no older number is
    sent, and it is not sent again; attempts are counted one by one.
    Returns how many A-MPDUs and BARs there were.
    """
    sessions, attempts = {}, {}
    ampdus = bars = 0
    for ppdu, after in zip(all_ppdus, all_ppdus[1:] + [[Frame()]]):
        f = ppdu[0]
        if f.kind() == ACTION and not f.bad():
            note_action(sessions, f)
        elif f.kind() == BAR:
            s = sessions.setdefault((f["wlan.ta"], f["wlan.ra"], f.num("wlan.ba.basic.tidinfo")), Session())
            start = f.num("wlan.fixed.ssc.sequence")
            if s.window and s.left is not None and behind(start, s.left) >= 0:
                fail(f, "a BAR that was answered before")
            bars += 1
            if s.window and not f.bad() and after[0].kind() == BLOCK_ACK and not after[0].bad():
                s.left = start
        elif f.kind() == QOS_DATA:
            s = sessions.setdefault((f["wlan.ta"], f["wlan.ra"], f.num("wlan.qos.tid")), Session())
            several = f["radiotap.ampdu.reference"] and not f.num("radiotap.ampdu.flags.eof")
            ampdus += bool(several)
            if several:
                if not s.window:
                    fail(f, "an A-MPDU without an agreement")
                if psdu_bytes(ppdu) > limit:
                    fail(f, f"an A-MPDU of {psdu_bytes(ppdu)} bytes")
            count_attempts(attempts, ppdu)
            if s.window:
                numbers(s, ppdu, 64 if own_window else s.window, lifetimes)
    return ampdus, bars


def count_attempts(attempts, ppdu):
    """The retries of one PPDU go up by one, whatever became of the attempt before."""
    f = ppdu[0]
    what = (f["wlan.ta"], f["wlan.qos.tid"])
    seqs, n = [m["wlan.seq"] for m in ppdu], f.num("radiotap.data_retries")
    before = attempts.get(what)
    if n and before and before[0] == seqs and not f.num("radiotap.txflags") & 4 and n != before[1] + 1:
        fail(f, f"retries {n} after {before[1]}")
    attempts[what] = seqs, n


def numbers(s, ppdu, window, lifetimes):
    for m in ppdu:
        seq = m.num("wlan.seq")
        if s.first is not None and seq != s.first and not (lifetimes and behind(s.first, seq) > 0):
            fail(m, f"a session begins with {seq}, asked for from {s.first}")
        s.first = None
        if m.num("wlan.qos.amsdupresent") and not s.amsdu:
            fail(m, "an A-MSDU that was not agreed on")
        if s.left is not None and behind(seq, s.left) > 0:
            fail(m, f"lies before {s.left}, which a BAR moved on to")
        if s.highest is None or behind(s.highest, seq) > 0:
            s.highest = seq
        if behind(seq, s.highest) >= window:
            fail(m, f"{s.highest} was sent, and the window is {window}")
