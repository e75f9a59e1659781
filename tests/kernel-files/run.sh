#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# run.sh ROOT CACHE WLANQ compare PROGRAM CALLS: our qdiscs and those of Linux 6.1's own files, call by call.
# run.sh ROOT CACHE WLANQ conform PROGRAM: the rules of all qdiscs, over those files.
set -eu -o pipefail

root=$1 cache=$2 wlanq=$3 what=$4
shift 4
tree=$("$root/tests/linux-tree.sh" "$cache" whole)

# The core of that tree, built again where something has changed.
core=$cache/whole/core.so
mkdir -p "$cache/whole"
exec 8>"$cache/whole/lock"
flock 8
"$wlanq" core build --tree "$tree" -n tree -o "$core" >"$cache/whole/told"
if ! grep -q '^family qdisc' "$cache/whole/told"; then
	cat "$cache/whole/told"
	exit 77
fi
flock -u 8

case $what in
compare) "$1" "$core" "$2" ;;
conform) WLANQ_TEST_CORE=$core "$1" ;;
esac
