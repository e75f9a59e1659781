#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# cong.sh ROOT CACHE SOURCE WLANQ VECTORS
# Claim: behind the shim, files of Linux's congestion controls do what they do in a kernel.
# Set-up: 17 algorithms, 30,000 drawn calls each (models/kernel/lab/cong-vectors.h): ACKs, losses, timeouts, undo, ECN,
# idle times, rate samples. Once before the running kernel's own, Debian's binaries in QEMU, by
# models/kernel/lab/cong-module.c; once before the library that was built from the same version's source (VECTORS).
# Expected: the same window, threshold, pacing, answers and number of draws after each call, as a hash over all of them
# tells. Tolerance: none.
set -eu -o pipefail

root=$1 cache=$2 source=$3 wlanq=$4 vectors=$5
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
core=$("$root/tests/kernel-files/core.sh" "$root" "$source" "$wlanq")
library=${core%.so}.d/cong.so
mkdir "$work/guest"
kdir=$("$root/tests/kernel-module/lab.sh" "$root" "$work/guest/wlanq-cong.ko")

"$vectors" list >"$work/guest/algorithms"
# Those that are not built into the kernel; vegas before yeah, which calls it.
sed -n 's/^[0-9]* //p' "$work/guest/algorithms" | grep -vx 'reno\|cubic' | sed 's/^/tcp_/' >"$work/guest/modules"
cat >"$work/guest/test" <<'END'
uname -v
while read -r m; do insmod /lib/$m.ko; done </modules
insmod /wlanq-cong.ko
while read -r number name; do echo $number >/sys/module/wlanq_cong/parameters/run; done </algorithms
dmesg | sed -n 's/.*wlanq-cong: //p; /BUG\|WARNING\|Call Trace/,$p'
END
"$root/tests/kernel-lab/boot.sh" "$cache" "${kdir##*/linux-headers-}" "$work/guest" >"$work/out"

version=$(sed -n 's/^core tree: Linux \([0-9.]*\),.*/\1/p' "$source/whole/told")
if ! grep -q "Debian $version-" <(head -n 1 "$work/out"); then
	echo "the kernel is $(head -n 1 "$work/out") and the source $version: nothing was compared" >&2
	exit 77
fi
tail -n +2 "$work/out" >"$work/kernel"
"$vectors" run "$library" >"$work/library"
grep '^[a-z]' "$work/library"
diff "$work/kernel" "$work/library" || { echo "FAILED: kernel (<) and library (>) differ"; exit 1; }
