#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# run.sh ROOT CACHE WLANQ compare PROGRAM CALLS: our qdiscs and those of Linux 6.1's own files, call by call.
# run.sh ROOT CACHE WLANQ compare-cong PROGRAM CALLS: our congestion controls and those.
# run.sh ROOT CACHE WLANQ compare-rate PROGRAM CALLS: our minstrel_ht and that.
# run.sh ROOT CACHE WLANQ scenario FILE: what a scenario expects, core: tree.
# run.sh ROOT CACHE WLANQ conform PROGRAM: the rules of all qdiscs, over those files.
set -eu -o pipefail

root=$1 cache=$2 wlanq=$3 what=$4
shift 4
core=$("$root/tests/kernel-files/core.sh" "$root" "$cache" "$wlanq")

case $what in
compare) "$1" "$core" "$2" ;;
compare-cong) "$1" "${core%.so}.d/cong.so" "$2" ;;
compare-rate) "$1" "${core%.so}.d/rate.so" "$2" ;;
scenario) "$wlanq" check "$1" --core "tree=$core" ;;
conform) WLANQ_TEST_CORE=$core "$1" ;;
esac
