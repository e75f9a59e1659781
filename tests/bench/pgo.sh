#!/bin/sh
# SPDX-License-Identifier: GPL-3.0-or-later
# A build that is laid out by what the workloads do (profile-guided optimisation): pgo.sh [FOLDER [OPTION]...]
#
# Builds FOLDER (default build-pgo) with counters, runs each workload of tests/bench/workloads/ for six simulated
# seconds, and builds it again with what was counted. Results are those of any other build, and that is checked.
# OPTIONs are meson's, for both builds, in place of -O3 and LTO.
set -eu

root=$(dirname "$(readlink -f "$0")")/../..
cd "$root"
out=${1:-build-pgo}
[ $# = 0 ] || shift
[ $# != 0 ] || set -- -Dbuildtype=release -Db_lto=true

meson setup --wipe "$out" "$@" -Db_pgo=generate 2>/dev/null || meson setup "$out" "$@" -Db_pgo=generate
ninja -C "$out" wlanq
mkdir -p "$out/results"
for file in tests/bench/workloads/*.yaml; do
	"$out/wlanq" run "$file" --json --set duration=6s --set warmup=2s >"$out/results/$(basename "$file").counted"
done
meson configure "$out" -Db_pgo=use
ninja -C "$out" wlanq
for file in tests/bench/workloads/*.yaml; do
	"$out/wlanq" run "$file" --json --set duration=6s --set warmup=2s |
		cmp - "$out/results/$(basename "$file").counted"
done
echo "$out/wlanq is ready, with the results of the build that counted"
