#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# linux-tree.sh CACHE: prints a folder below CACHE with the files of Linux 6.1 that the core stands for, and those
# that use them, under their own paths. They come from Debian's package linux-source-6.1 (or the tarball that WLANQ_LINUX_SOURCE
# names), are unpacked once and never leave the build folder. Exit 77: the package is not there.
set -eu

tarball=${WLANQ_LINUX_SOURCE:-/usr/src/linux-source-6.1.tar.xz}
if [ ! -f "$tarball" ]; then
	echo "no $tarball: install the Debian package linux-source-6.1" >&2
	exit 77
fi

mkdir -p "$1"
tree=$(cd "$1" && pwd)/$(basename "$tarball" .tar.xz)-$(stat -c %Y-%s "$tarball")-2
exec 9>"$tree.lock"
flock 9
if [ ! -d "$tree" ]; then
	rm -rf "$tree.part"
	mkdir "$tree.part"
	xz -dc -T2 "$tarball" | tar -xf - -C "$tree.part" --strip-components=1 --wildcards \
		--anchored 'linux-source-6.1/Makefile' \
		'linux-source-6.1/lib/dynamic_queue_limits.c' \
		'linux-source-6.1/include/linux/dynamic_queue_limits.h' \
		'linux-source-6.1/include/net/codel.h' 'linux-source-6.1/include/net/codel_impl.h' \
		'linux-source-6.1/include/net/codel_qdisc.h' \
		'linux-source-6.1/include/net/fq.h' 'linux-source-6.1/include/net/fq_impl.h' \
		'linux-source-6.1/net/sched/sch_codel.c' 'linux-source-6.1/net/sched/sch_fq_codel.c' \
		'linux-source-6.1/net/mac80211/*.[ch]' 'linux-source-6.1/net/mac80211/Makefile'
	mv "$tree.part" "$tree"
fi
echo "$tree"
