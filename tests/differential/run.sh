#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# run.sh ROOT CACHE DIFF-RUN CALLS: the random calls through our kernel files and through Linux 6.1's own.
# run.sh ROOT CACHE DIFF-RUN mutants: Linux's files with one rule changed each; every change must be found.
set -eu -o pipefail

root=$1 cache=$2 diff_run=$3 what=$4
here=$root/tests/differential
shim=$root/models/kernel/shim
tree=$("$root/tests/linux-tree.sh" "$cache")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# build TREE LIBRARY: the subjects with a tree's own files
build()
{
	sel=$work/include
	rm -rf "$sel"
	mkdir -p "$sel/net" "$sel/linux"
	cp "$1"/include/net/codel*.h "$1"/include/net/fq*.h "$sel/net"
	cp "$1/include/linux/dynamic_queue_limits.h" "$sel/linux"
	# shellcheck disable=SC2086 # CC may be several words
	${CC:-cc} -std=gnu11 -O2 -w -fPIC -shared -Wl,-Bsymbolic -fno-strict-aliasing -fwrapv \
		-D_GNU_SOURCE -D__KERNEL__ -I"$sel" -I"$shim" -I"$root/sim" -I"$root/models" -I"$here" \
		"$here"/subject-*.c "$here/subjects.c" "$1/lib/dynamic_queue_limits.c" -o "$2"
}

# mutant FILE SED-EXPRESSION SUBJECT
mutant()
{
	rm -rf "$work/tree"
	cp -r "$tree" "$work/tree"
	sed -i "$2" "$work/tree/$1"
	if cmp -s "$tree/$1" "$work/tree/$1"; then
		echo "mutant did not apply: $1 $2"
		exit 1
	fi
	build "$work/tree" "$work/mutant.so"
	echo "$1: $2"
	timeout 60 "$diff_run" "$work/mutant.so" --only "$3" --calls 2000000 --expect-difference 200 |
		tail -n 12
}

if [ "$what" = mutants ]; then
	mutant lib/dynamic_queue_limits.c 's/2 \* (completed/1 * (completed/' dql
	mutant lib/dynamic_queue_limits.c 's/^\t\tovlimit = 0;/;/' dql
	mutant include/net/codel_impl.h 's/delta > 1/delta >= 1/' codel
	mutant include/net/codel_impl.h 's/16 \* params/15 * params/' codel
	mutant include/net/codel_impl.h 's/<= params->mtu/< params->mtu/' codel
	mutant include/net/codel_impl.h 's/codel_time_after_eq(now, vars->drop_next)/codel_time_after(now, vars->drop_next)/' codel
	mutant include/net/fq_impl.h 's/cur_len <= len/cur_len < len/' fq
	mutant include/net/fq_impl.h 's/int, 32,/int, 31,/' fq
	mutant include/net/fq_impl.h 's/list_add(&tin/list_add_tail(\&tin/' fq
	exit 0
fi

build "$tree" "$work/linux.so"
"$diff_run" "$work/linux.so" --calls "$what"
