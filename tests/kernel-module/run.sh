#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# run.sh ROOT CACHE
# Claim: the kernel files build in a kernel, and so does what uses them there.
# Set-up: Debian's headers of Linux 6.1 (linux-headers-amd64). First the module of models/kernel/lab, with our files;
# then Linux 6.1's own codel, fq_codel and mac80211's transmit path, with our headers in place of the kernel's.
# Expected: no error, and no warning from our files.
set -eu -o pipefail

root=$1 cache=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
kdir=$("$root/tests/kernel-module/lab.sh" "$root" "$work/wlanq-lab.ko")
echo "built: $(basename "$work"/*.ko) against $(basename "$kdir")"

tree=$("$root/tests/linux-tree.sh" "$cache") || { echo "without linux-source-6.1 the users were not built"; exit 0; }
cp -r "$tree/net/sched" "$tree/net/mac80211" "$root/models/kernel/include" "$work"

# build FOLDER TARGET: with the kernel's own build
build()
{
	if ! make -C "$kdir" M="$work/$1" "$2" >"$work/log" 2>&1 </dev/null; then
		tail -n 40 "$work/log"
		exit 1
	fi
	if grep -E "$work/include/.*warning:" "$work/log"; then
		echo "FAILED: a warning from our files"
		exit 1
	fi
}

# what NOSTDINC_FLAGS names is looked up before the kernel's own headers
cat >"$work/sched/Kbuild" <<END
NOSTDINC_FLAGS += -I$work/include
obj-m := sch_codel.o sch_fq_codel.o
END
build sched modules
sed -i "1i NOSTDINC_FLAGS += -I$work/include" "$work/mac80211/Makefile"
build mac80211 tx.o
for o in sched/sch_codel sched/sch_fq_codel mac80211/tx; do
	# the record of what was read must name our headers
	grep -q "$work/include/net/codel_impl.h" "$work/$(dirname "$o")/.$(basename "$o").o.cmd"
	echo "built with our headers: net/$o.c"
done
grep -q "$work/include/net/fq_impl.h" "$work/mac80211/.tx.o.cmd"
