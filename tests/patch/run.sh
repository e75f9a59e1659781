#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# run.sh ROOT CACHE EXPORT
# Claim: the exported series applies to Linux 6.1 and makes its files ours, byte for byte.
# Set-up: the tree of Debian's linux-source-6.1, put under git in a folder of the test.
# Expected: `git apply --check` and `git am` take it; each file is then equal to ours; a second export finds nothing to
# do; a tree that is none, lacks a file or has another API is refused with one line that names it, and nothing is written.
set -eu -o pipefail

root=$1 cache=$2 export=$3
source=$("$root/tests/linux-tree.sh" "$cache")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export GIT_CONFIG_GLOBAL=/dev/null GIT_CONFIG_NOSYSTEM=1

fail() { echo "FAILED: $*"; exit 1; }

tree=$work/linux
cp -r "$source" "$tree"
git -C "$tree" init -q
git -C "$tree" config user.name "A Developer"
git -C "$tree" config user.email dev@example.org
git -C "$tree" add .
git -C "$tree" commit -qm "Linux 6.1"

"$export" "$tree" "$work/series"
git -C "$tree" apply --check "$work"/series/*.patch
git -C "$tree" am -q "$work"/series/*.patch
git -C "$tree" log --format='%an: %s'
n=0
for f in $(cd "$root/models/kernel" && find include lib net -type f 2>/dev/null); do
	cmp "$root/models/kernel/$f" "$tree/$f"
	n=$((n + 1))
done
[ "$(git -C "$tree" diff --name-only HEAD~3 | wc -l)" = $n ] || fail "the series changes other files"
[ "$(git -C "$tree" log -1 --format=%an)" = "A Developer" ] || fail "author"
git -C "$tree" diff --check HEAD~3 || fail "white space"
echo "$n files equal"

# again: the tree is ours now, and the old series goes
[ "$("$export" "$tree" "$work/series")" = "0 patches" ] || fail "second export"
! ls "$work"/series/*.patch 2>/dev/null || fail "an old series was left"

# the same tree gives the same bytes
git -C "$tree" checkout -q HEAD~3
"$export" "$tree" "$work/one" >/dev/null
"$export" "$tree" "$work/two" >/dev/null
diff -r "$work/one" "$work/two" || fail "not repeatable"

# refused TREE PATTERN: one line of error that matches, and no output
refused()
{
	! "$export" "$1" "$work/none" 2>"$work/error" || fail "took $1"
	[ "$(wc -l <"$work/error")" = 1 ] || fail "more than one line"
	grep -q "$2" "$work/error" || fail "$(cat "$work/error"), not $2"
	[ ! -e "$work/none" ] || fail "wrote something"
	cat "$work/error"
}

refused "$work/nowhere" "nowhere: not a Linux tree"
cp -r "$tree" "$work/lacking"
rm "$work/lacking/include/net/codel_impl.h"
refused "$work/lacking" "6.1.*no readable include/net/codel_impl.h"
cp -r "$tree" "$work/newer"
sed -i 's/^\tunsigned int\tslack_hold_time;.*/&\n\tunsigned short stall_thrs;/' "$work/newer/include/linux/dynamic_queue_limits.h"
refused "$work/newer" "dynamic_queue_limits.h: .*dql.stall_thrs"
