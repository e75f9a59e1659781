#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# qdisc.sh ROOT CACHE SOURCE WLANQ VECTORS
# Claim: behind the shim, files of Linux's qdiscs do what they do in a kernel.
# Set-up: fq_codel, codel, pie, sfq and cake, each with several sets of options, 30,000 drawn calls each: packets of IPv4
# and IPv6, UDP, TCP and ICMP, with and without a hash; dequeues, peeks, a change, a reset, time from nothing to seconds.
# Once before the running kernel's own qdiscs, Debian's binaries in QEMU, by models/kernel/lab/qdisc-module.c, which
# answers for clock and draws; once before the library that was built from the same version's source (VECTORS).
# Then 400 timers of the kernel's own wheel, 1 to 8191 jiffies, and pie's in the library's world.
# Expected: the same results, packets, marks, lengths, drops, timers and number of draws after each call, as a hash over
# all of them tells; each timer fires in the same jiffy. Tolerance: none.
set -eu -o pipefail

root=$1 cache=$2 source=$3 wlanq=$4 vectors=$5
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
core=$("$root/tests/kernel-files/core.sh" "$root" "$source" "$wlanq")
library=${core%.so}.d/qdisc.so
mkdir "$work/guest"
kdir=$("$root/tests/kernel-module/lab.sh" "$root" "$work/guest/wlanq-qdisc.ko")

printf 'sch_%s\n' codel pie sfq cake >"$work/guest/modules"
"$vectors" list >"$work/guest/subjects"
cat >"$work/guest/test" <<'END'
uname -v
for m in codel pie sfq cake; do insmod /lib/sch_$m.ko; done
insmod /wlanq-qdisc.ko
p=/sys/module/wlanq_qdisc/parameters
while read -r number kind; do
	echo $kind >/proc/sys/net/core/default_qdisc
	echo $number >$p/run
done </subjects
echo 1 >$p/wheel
dmesg | sed -n 's/.*wlanq-qdisc: //p; /BUG\|WARNING\|Call Trace/,$p'
END
"$root/tests/kernel-lab/boot.sh" "$cache" "${kdir##*/linux-headers-}" "$work/guest" >"$work/out"

version=$(sed -n 's/^core tree: Linux \([0-9.]*\),.*/\1/p' "$source/whole/told")
if ! grep -q "Debian $version-" <(head -n 1 "$work/out"); then
	echo "the kernel is $(head -n 1 "$work/out") and the source $version: nothing was compared" >&2
	exit 77
fi
grep -v '^wheel ' "$work/out" | tail -n +2 >"$work/kernel"
"$vectors" run "$library" >"$work/library"
grep 'calls 30000' "$work/library"
diff "$work/kernel" "$work/library" || { echo "FAILED: kernel (<) and library (>) differ"; exit 1; }
sed -n 's/^wheel //p' "$work/out" | "$vectors" wheel "$library"
