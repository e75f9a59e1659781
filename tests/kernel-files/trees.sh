#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# trees.sh ROOT CACHE WLANQ COMPARE
# Claim: several trees can be loaded at once; what a developer changes is what changes; nothing is done that sanitizers
# find.
# Set-up: Linux 6.1 as it is; a copy with another CoDel law (half of every interval between drops); a copy whose codel
# leaves what it drops in dequeue on a list of the qdisc, as Linux does from 6.19 on; a copy under ASan and UBSan.
# Each linux.* qdisc gets 20,000 calls.
# Expected: each core answers the same alone, again, and while the others are called between; the law changes codel and
# fq_codel and nothing else, the list and the sanitizers change nothing and report nothing; the delay behind CoDel is
# another one in a plot and in `wlanq check`. Tolerance: none, but 3 % of the mean delay in the expectation.
set -eu -o pipefail

root=$1 cache=$2 wlanq=$3 compare=$4
core=$("$root/tests/kernel-files/core.sh" "$root" "$cache" "$wlanq")
tree=$("$root/tests/linux-tree.sh" "$cache" whole)
out=$cache/trees
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$out"
export WLANQ_CORE_FAMILIES=qdisc

fail() { echo "FAILED: $*"; exit 1; }
# Hard links: what sed -i changes is a new file.
copy() { rm -rf "$out/tree-$1"; cp -al "$tree" "$out/tree-$1"; }
build() { "$wlanq" core build --tree "$out/tree-$1" -n "$1" -o "$out/$1.so"; }

copy law
sed -i '/^static codel_time_t codel_control_law/,/^}/s/reciprocal_scale(interval,/reciprocal_scale(interval \/ 2,/' \
	"$out/tree-law/include/net/codel_impl.h"
! cmp -s "$tree/include/net/codel_impl.h" "$out/tree-law/include/net/codel_impl.h" || fail "the law is the old one"
build law

copy list
sed -i 's|^\tstruct sk_buff_head\tgso_skb.*|\tstruct sk_buff\t\t*to_free;\n&|' "$out/tree-list/include/net/sch_generic.h"
sed -i '/^static void drop_func/,/^}/s|kfree_skb(skb);|if (sch->parent != TC_H_ROOT) {\n\t\tkfree_skb(skb);\n\t} else {\n\t\tskb->next = sch->to_free;\n\t\tsch->to_free = skb;\n\t}|' \
	"$out/tree-list/net/sched/sch_codel.c"
grep -q 'to_free = skb' "$out/tree-list/net/sched/sch_codel.c" || fail "no list"
build list

"$compare" trees 20000 "$core" "$out/law.so" "$out/list.so" | tee "$work/trees"
awk 'NF < 4 || /DIFFERS/ { print "FAILED: " $0; bad = 1 }
	($2 != $3) != ($1 ~ /codel/) { print "FAILED: the law and " $1; bad = 1 }
	$2 != $4 { print "FAILED: the list and " $1; bad = 1 }
	END { exit bad }' "$work/trees"

# ---- the law in a plot, and in an expectation
base=$root/tests/kernel-files/codel.yaml
{ cat "$base"; cat <<END; } >"$work/law.yaml"
sweep: {core: [tree, law]}
plots: [{cdf: ping.rtt_ms, by: core}]
expect:
  - {metric: ping.rtt_ms.mean, where: {core: law}, versus: {where: {core: tree}}, as: ratio, between: [0.97, 1.03]}
END
sed 's/\[tree, law\]/[tree, list]/; s/core: law/core: list/' "$work/law.yaml" >"$work/list.yaml"
given=(--core "tree=$core" --core "law=$out/law.so" --core "list=$out/list.so")
"$wlanq" check "$work/list.yaml" "${given[@]}" || fail "the same law is not as expected"
status=0
"$wlanq" check "$work/law.yaml" "${given[@]}" || status=$?
[ $status = 1 ] || fail "another law went unseen, status $status"
"$wlanq" sweep "$work/law.yaml" "${given[@]}" --quiet -o "$work/law" >/dev/null
"$wlanq" plot "$work/law" --cdf ping.rtt_ms --by core -o "$work/law.png" >/dev/null
[ "$(find "$work" -name '*.png' -size +4k | wc -l)" -ge 1 ] || fail "no plot"

# ---- sanitizers
asan=$(${CC:-gcc} -print-file-name=libasan.so)
if [ ! -f "$asan" ]; then
	echo "no sanitizers here"
	exit 0
fi
copy san
# Not by core build: the program that loads it must have the sanitizers' runtime.
WLANQ_CORE_CFLAGS='-fsanitize=address,undefined -fno-sanitize=shift,alignment' \
	bash "$root/models/kernel/shim/build.sh" "$root/models/kernel/shim" "$out/tree-san" \
	"$(dirname "$wlanq")/cores/cache" "$out/san.d" 250
cp "$core" "$out/san.so"
ASAN_OPTIONS=detect_leaks=0 LD_PRELOAD=$asan "$compare" trees 20000 "$out/san.so" "$out/list.so" 2>&1 | tee "$work/san"
! grep -E 'runtime error|AddressSanitizer' "$work/san" || fail "the sanitizers report"
diff <(awk '{ print $1, $2 }' "$work/trees") <(awk '{ print $1, $2 }' "$work/san") || fail "other answers under sanitizers"
