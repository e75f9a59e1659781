#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# run.sh ROOT CACHE SOAK
# Claim: in a booted Linux 6.1 our DQL does at each step what the running kernel's own does; our fq with CoDel, compiled
# as a module, does what the kernel's own headers do; and both do what they do in user space.
# Set-up: the module of models/kernel/lab in QEMU with Debian's kernel; 100000 steps of DQL with all fields compared
# after each, 200000 of fq and CoDel. The same source in user space (SOAK).
# Expected: as many equal steps as there are, and equal hashes. Tolerance: none.
set -eu -o pipefail

root=$1 cache=$2 soak=$3
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
kdir=$("$root/tests/kernel-module/lab.sh" "$root" "$work/wlanq-lab.ko")
kver=${kdir##*/linux-headers-}

mkdir "$work/guest"
cp "$work/wlanq-lab.ko" "$work/guest"
cat >"$work/guest/test" <<'END'
uname -r
insmod /wlanq-lab.ko
dmesg | grep -o 'wlanq-lab: .*'
END
"$root/tests/kernel-lab/boot.sh" "$cache" "$kver" "$work/guest" | tee "$work/out"
"$soak" | tee "$work/user"

fail() { echo "FAILED: $*"; exit 1; }

dql=$(sed -n 's/^dql //p' "$work/user") fq=$(sed -n 's/^fq //p' "$work/user")
grep -qx "wlanq-lab: dql steps 100000 equal 100000 ours $dql kernel $dql" "$work/out" || fail "dql"
grep -qx "wlanq-lab: fq steps 200000 ours $fq kernel $fq" "$work/out" || fail "fq and CoDel"
