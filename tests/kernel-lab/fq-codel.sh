#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# fq-codel.sh ROOT CACHE WLANQ DATAGRAMS
# Claim: fq_codel below tbf drops, marks and delays as Linux 6.1's does.
# Set-up: three UDP flows, one of them ECT, from one namespace through a router to another, in Debian's kernel in QEMU;
# arrivals from a table, overload and drain in turn. wlanq gets the arrivals that the guest's sender noted down, and as
# its link's delay the least delay that the guest's receiver saw, for wlanq's hosts take no time.
# Expected: equal drops and marks, and delays of the receiver's timestamps. Tolerance: 2 % of the counts, 5 % of the
# delays' quantiles: timers and CPU of the guest move each departure by some microseconds.
set -eu -o pipefail

root=$1 cache=$2 wlanq=$3 datagrams=$4
here=$root/tests/kernel-lab
kver=$(dpkg-query -W -f='${Depends}' linux-headers-amd64 2>/dev/null | grep -oE '6\.1\.0-[0-9]+-amd64' | head -n 1) ||
	{ echo "no headers of Linux 6.1: install the Debian package linux-headers-amd64" >&2; exit 77; }
for tool in ip tc python3; do
	command -v $tool >/dev/null || { echo "no $tool: install iproute2, python3" >&2; exit 77; }
done

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/guest/net"
for tool in "$(command -v ip)" "$(command -v tc)"; do
	cp "$tool" "$work/guest/net"
	ldd "$tool" | grep -oE '/[^ ]+' | while read -r lib; do
		mkdir -p "$work/guest${lib%/*}"
		cp -L "$lib" "$work/guest$lib"
	done
done
cp "$datagrams" "$work/guest/net/datagrams"
cp "$here/fq-codel-guest.sh" "$work/guest/test"
printf 'veth\nsch_tbf\n' >"$work/guest/modules"
python3 "$here/fq_codel.py" arrivals "$work/guest/trace" "$work/guest/setting"

"$here/boot.sh" "$cache" "$kver" "$work/guest" >"$work/out"
python3 "$here/fq_codel.py" compare "$wlanq" "$work/out" || {
	status=$?
	grep -v '^[A-Za-z0-9+/=]\{70,\}$' "$work/out" >&2
	exit $status
}
