#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# core.sh ROOT CACHE WLANQ: prints the core of Linux 6.1's own files, built again where something has changed.
# Exit 77, with the reason: there is no tree, or what is needed to build it is not installed.
set -eu -o pipefail

root=$1 cache=$2 wlanq=$3
tree=$("$root/tests/linux-tree.sh" "$cache" whole)
core=$cache/whole/core.so
mkdir -p "$cache/whole"
exec 8>"$cache/whole/lock"
flock 8
"$wlanq" core build --tree "$tree" -n tree -o "$core" >"$cache/whole/told"
if ! grep -q '^family qdisc' "$cache/whole/told"; then
	cat "$cache/whole/told" >&2
	exit 77
fi
echo "$core"
