# SPDX-License-Identifier: GPL-3.0-or-later
"""No mutable globals: every object file of the program is searched for data that can be written.

Constant tables with pointers in them lie in .data.rel.ro and are fine; .data, .bss, .tdata, .tbss and
common symbols are not, static ones and those inside of functions among them.
"""
import os
import re
import subprocess

from tree import Skip

# name -> why it may be there.
ALLOWED = {
    "kernel_clock": "the clock that kernel code reads without an argument (engine/clock.h)",
}
WRITABLE = re.compile(r"^(\.data|\.bss|\.tdata|\.tbss|\.ldata|\.lbss|\*COM\*)")
LINE = re.compile(r"^[0-9a-f]+ (.{7}) (\S+)\t[0-9a-f]+ +(?:\.hidden )?(\S+)$")


def objects(text):
    """(file, symbol) of each writable datum in the output of objdump -t."""
    member = "?"
    for line in text.split("\n"):
        if ":     file format" in line:
            member = os.path.basename(line.split(":     file format")[0])
        m = LINE.match(line)
        if not m or m[1].endswith(("d ", "df", "d")) or "F" in m[1]:
            continue
        section, name = m[2], m[3]
        if WRITABLE.match(section) and not section.startswith(".data.rel.ro"):
            yield member, name


def allowed(name):
    return name in ALLOWED


def check(library):
    try:
        out = subprocess.run(["objdump", "-t", library], capture_output=True, check=True, text=True).stdout
    except OSError as error:
        raise Skip(f"objdump: {error}")
    if ".gnu.lto_" in out and ".text" not in out:
        raise Skip("an LTO build has no symbols to look at")
    if "asan" in out or "__gcov" in out:
        raise Skip("instrumented objects have data of their own")
    return [f"{member}: {name} can be written; hang it off struct sim or an object"
            for member, name in objects(out) if not allowed(name)]
