#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# rate.sh ROOT CACHE SOURCE WLANQ VECTORS
# Claim: behind the shim, Linux's minstrel_ht does what it does in a kernel.
# Set-up: 100 loss tables, each with a radio and a station of its own, 4,000 drawn calls each
# (models/kernel/lab/rate-vectors.h), with the same table of samples. Once before the running kernel's own, Debian's
# mac80211 in QEMU, by models/kernel/lab/rate-module.c; once before the library that was built from the same version's
# source (VECTORS).
# Expected: the same rate chains, tries, RTS, A-MSDU limits, samples and expected throughputs, as a hash over all of them
# tells for each table. Tolerance: none.
set -eu -o pipefail

root=$1 cache=$2 source=$3 wlanq=$4 vectors=$5
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
core=$("$root/tests/kernel-files/core.sh" "$root" "$source" "$wlanq")
library=${core%.so}.d/rate.so
mkdir "$work/guest"
WLANQ_LAB_TREE=$("$root/tests/linux-tree.sh" "$source" whole)
export WLANQ_LAB_TREE
kdir=$("$root/tests/kernel-module/lab.sh" "$root" "$work/guest/wlanq-rate.ko")

printf '%s\n' rfkill cfg80211 libarc4 mac80211 >"$work/guest/modules"
cat >"$work/guest/test" <<'END'
uname -v
dmesg -n 1
for m in rfkill cfg80211 libarc4 mac80211; do insmod /lib/$m.ko; done
insmod /wlanq-rate.ko
echo 100 >/sys/module/wlanq_rate/parameters/run
dmesg | sed -n 's/.*wlanq-rate: //p; /BUG\|WARNING\|Call Trace/,$p'
END
"$root/tests/kernel-lab/boot.sh" "$cache" "${kdir##*/linux-headers-}" "$work/guest" >"$work/out"

version=$(sed -n 's/^core tree: Linux \([0-9.]*\),.*/\1/p' "$source/whole/told")
if ! grep -q "Debian $version-" <(head -n 1 "$work/out"); then
	echo "the kernel is $(head -n 1 "$work/out") and the source $version: nothing was compared" >&2
	exit 77
fi
tail -n +2 "$work/out" >"$work/kernel"
"$vectors" "$library" >"$work/library"
diff "$work/kernel" "$work/library" || { echo "FAILED: kernel (<) and library (>) differ"; exit 1; }
echo "$(wc -l <"$work/library") loss tables: the same in all calls"
