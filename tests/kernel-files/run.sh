#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# run.sh ROOT CACHE WLANQ compare PROGRAM CALLS: our qdiscs and those of Linux 6.1's own files, call by call.
# run.sh ROOT CACHE WLANQ conform PROGRAM: the rules of all qdiscs, over those files.
set -eu -o pipefail

root=$1 cache=$2 wlanq=$3 what=$4
shift 4
core=$("$root/tests/kernel-files/core.sh" "$root" "$cache" "$wlanq")

case $what in
compare) "$1" "$core" "$2" ;;
conform) WLANQ_TEST_CORE=$core "$1" ;;
esac
