#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# linux-tree.sh CACHE: prints a folder below CACHE with the files of Linux 6.1 that the core stands for, and those
# that use them, under their own paths. They come from Debian's package linux-source-6.1 (or the tarball that WLANQ_LINUX_SOURCE
# names), are unpacked once and never leave the build folder. Exit 77: the package is not there.
# linux-tree.sh CACHE whole: the same with all that whole files of the tree are compiled with.
set -eu

tarball=${WLANQ_LINUX_SOURCE:-/usr/src/linux-source-6.1.tar.xz}
if [ ! -f "$tarball" ]; then
	echo "no $tarball: install the Debian package linux-source-6.1" >&2
	exit 77
fi

mkdir -p "$1"
top=$(basename "$tarball" .tar.xz)
tree=$(cd "$1" && pwd)/$top-$(stat -c %Y-%s "$tarball")-2${2:+-$2}
exec 9>"$tree.lock"
flock 9
if [ ! -d "$tree" ]; then
	rm -rf "$tree.part"
	mkdir "$tree.part"
	if [ "${2:-}" = whole ]; then
		set -- Makefile Kbuild '*/Kconfig*' Kconfig '*/Makefile' scripts include arch/um arch/x86 lib net \
			kernel tools/include tools/build tools/scripts
	else
		set -- Makefile lib/dynamic_queue_limits.c include/linux/dynamic_queue_limits.h \
			'include/net/codel*.h' 'include/net/fq*.h' net/sched/sch_codel.c net/sched/sch_fq_codel.c \
			'net/mac80211/*.[ch]' net/mac80211/Makefile
	fi
	for pattern; do
		set -- "$@" "$top/$pattern"
		shift
	done
	xz -dc -T2 "$tarball" | tar -xf - -C "$tree.part" --strip-components=1 --wildcards --anchored "$@"
	mv "$tree.part" "$tree"
fi
echo "$tree"
