#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# lab.sh ROOT OUT: builds the modules of models/kernel/lab with our files against Debian's headers of Linux 6.1, and
# copies the one of OUT's name there.
# WLANQ_LAB_TREE: a tree of that version, for those that need more than the headers.
# Prints the kernel's build folder. Exit 77: no headers; 1, with the compiler's words: it does not build, or our files
# are warned about.
set -eu -o pipefail

root=$1 out=$2
depends=$(dpkg-query -W -f='${Depends}' linux-headers-amd64 2>/dev/null || true)
version=$(grep -oE '6\.1\.0-[0-9]+-amd64' <<<"$depends" | head -n 1 || true)
kdir=/usr/src/linux-headers-$version
if [ -z "$version" ] || [ ! -f "$kdir/Makefile" ]; then
	echo "no headers of Linux 6.1: install the Debian package linux-headers-amd64" >&2
	exit 77
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp -r "$root/models/kernel/include" "$root/models/kernel/lib" "$root/models/kernel/lab" "$work"
cp "$work/lib/dynamic_queue_limits.c" "$work/lab"
mkdir "$work/shim"
cp "$root"/models/kernel/shim/{seam.h,tree/shim.h,tree/cong.h,tree/rate.h} "$work/shim"
cp "$root"/models/kernel/shim/tree/{cong,rate}.c "$work/lab"
if ! make -C "$kdir" M="$work/lab" modules >"$work/log" 2>&1 </dev/null; then
	tail -n 40 "$work/log" >&2
	exit 1
fi
if grep -E "$work/(include|lib|lab|shim)/.*(warning|error):" "$work/log" >&2; then
	echo "a warning from our files" >&2
	exit 1
fi
cp "$work/lab/$(basename "$out")" "$out"
echo "$kdir"
