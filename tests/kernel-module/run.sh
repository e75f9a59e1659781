#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# run.sh ROOT CACHE
# Claim: the kernel files build in a kernel, and so does what uses them there.
# Set-up: Debian's headers of Linux 6.1 (linux-headers-amd64). First the module of models/kernel/lab, with our files;
# then Linux 6.1's own codel, fq_codel and mac80211's transmit path, with our headers in place of the kernel's.
# Expected: no error, and no warning from our files.
set -eu -o pipefail

root=$1 cache=$2
depends=$(dpkg-query -W -f='${Depends}' linux-headers-amd64 2>/dev/null || true)
version=$(grep -oE '6\.1\.0-[0-9]+-amd64' <<<"$depends" | head -n 1 || true)
kdir=/usr/src/linux-headers-$version
if [ -z "$version" ] || [ ! -f "$kdir/Makefile" ]; then
	echo "no headers of Linux 6.1: install the Debian package linux-headers-amd64"
	exit 77
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# build FOLDER TARGET...: with the kernel's own build
build()
{
	local folder=$1

	shift
	if ! make -C "$kdir" M="$folder" "$@" >"$work/log" 2>&1 </dev/null; then
		tail -n 40 "$work/log"
		exit 1
	fi
	if grep -E '(models|core)/(include|lib|lab)/.*(warning|error):' "$work/log"; then
		echo "FAILED: a warning from our files"
		exit 1
	fi
}

mkdir "$work/core"
cp -r "$root/models/kernel/include" "$root/models/kernel/lib" "$root/models/kernel/lab" "$work/core"
cp "$work/core/lib/dynamic_queue_limits.c" "$work/core/lab"
build "$work/core/lab" modules
modinfo -F description "$work/core/lab/wlanq-lab.ko" 2>/dev/null || ls "$work/core/lab/wlanq-lab.ko"
[ $# -lt 3 ] || cp "$work/core/lab/wlanq-lab.ko" "$3"

tree=$("$root/tests/linux-tree.sh" "$cache") || { echo "without linux-source-6.1 the users were not built"; exit 0; }
cp -r "$tree/net/sched" "$tree/net/mac80211" "$work"
# what NOSTDINC_FLAGS names is looked up before the kernel's own headers
cat >"$work/sched/Kbuild" <<END
NOSTDINC_FLAGS += -I$work/core/include
obj-m := sch_codel.o sch_fq_codel.o
END
build "$work/sched" modules
sed -i "1i NOSTDINC_FLAGS += -I$work/core/include" "$work/mac80211/Makefile"
build "$work/mac80211" tx.o
for o in "$work/sched/sch_codel" "$work/sched/sch_fq_codel" "$work/mac80211/tx"; do
	# the record of what was read must name our headers
	grep -q "$work/core/include/net/codel_impl.h" "$(dirname "$o")/.$(basename "$o").o.cmd"
	echo "built with our headers: $(basename "$o")"
done
grep -q "$work/core/include/net/fq_impl.h" "$work/mac80211/.tx.o.cmd"
