#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# run.sh ROOT CACHE WLANQ
# Claim: a core built from Linux 6.1's own files does in whole scenarios what the built-in one does, a changed CoDel does
# not, and every wrong tree, file or name is one clear error before anything runs.
# Set-up: the tree of Debian's linux-source-6.1; a copy whose CoDel takes interval / count in place of the root; the
# scenario beside this file, swept over the three cores.
# Expected: identical models call by call (core test); summary.csv rows of builtin and linux equal but for the core's
# column, run files too but for core and key; other figures with the third. Instructions (callgrind): at most 10 % more
# with a loaded core.
set -eu -o pipefail

root=$1 cache=$2 wlanq=$3
tree=$("$root/tests/linux-tree.sh" "$cache")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
scenario=$root/tests/core/cores.yaml

fail() { echo "FAILED: $*"; exit 1; }

"$wlanq" core build --tree "$tree" -n linux -o "$work/linux.so"
cp -r "$tree" "$work/changed"
sed -i 's/return t + reciprocal_scale(interval, rec_inv_sqrt << REC_INV_SQRT_SHIFT);/return t + interval \/ (2 * (0x10000 \/ (rec_inv_sqrt + 1)) * (0x10000 \/ (rec_inv_sqrt + 1)));/' \
	"$work/changed/include/net/codel_impl.h"
! cmp -s "$tree/include/net/codel_impl.h" "$work/changed/include/net/codel_impl.h" || fail "nothing was changed"
"$wlanq" core build --tree "$work/changed" -n changed -o "$work/changed.so"
cores=(--core "linux=$work/linux.so" --core "changed=$work/changed.so")

# call by call
"$wlanq" core test linux changed "${cores[@]}" | tee "$work/test"
[ "$(grep -c 'identical to the built-in core in [1-9][0-9]* calls' "$work/test")" = 5 ] || fail "core test"
[ "$(grep -c 'differs from the built-in core' "$work/test")" = 3 ] || fail "the change was not seen"

# our own files, once they are in a tree, make a core that is named as the built-in one is
cp -r "$tree" "$work/ours"
cp -r "$root/models/kernel/include" "$root/models/kernel/lib" "$work/ours"
"$wlanq" core build --tree "$work/ours" -n ours -o "$work/ours.so" | tee "$work/made"
sum=$(cd "$root/models/kernel" && find include lib -type f | LC_ALL=C sort | xargs sha256sum | sha256sum)
grep -q "files ${sum:0:12}," "$work/made" || fail "not ${sum:0:12}"
"$wlanq" core test ours --core "ours=$work/ours.so" | grep -c "identical to the built-in" | grep -qx 4 || fail "ours"

# whole scenarios
cat "$scenario" - >"$work/cores.yaml" <<END
sweep:
  core: [builtin, linux, changed]
END
"$wlanq" sweep "$work/cores.yaml" -q -o "$work/out" "${cores[@]}" >/dev/null
rows() { grep "^,[0-9]*,ok,$1," "$work/out/summary.csv" | sed "s/,$1,/,/"; }
[ "$(rows builtin | wc -l)" = 2 ] || fail "no rows"
[ "$(rows builtin)" = "$(rows linux)" ] || fail "linux and builtin differ: $(diff <(rows builtin) <(rows linux))"
[ "$(rows builtin)" != "$(rows changed)" ] || fail "the changed core gives the same figures"
column() { sed -n 1p "$work/out/summary.csv" | tr , '\n' | grep -nx "$1" | cut -d: -f1; }
figure() { rows builtin | sed -n 1p | cut -d, -f"$(($(column "$1") - 1))"; }
for key in router.wan0.qdisc.codel_drops ap.wlan0.drops.txq.codel; do
	drops=$(figure "$key")
	[ "${drops:-0}" -gt 20 ] || fail "CoDel had nothing to do: $key is ${drops:-absent}"
	echo "scenario: $key $drops, rows equal"
done
[ -n "$(figure router.wan0.bql.limit.mean)" ] || fail "no byte queue limit"

# instructions
if command -v valgrind >/dev/null; then
	count()
	{
		valgrind --tool=callgrind --callgrind-out-file=/dev/null "$wlanq" run "$scenario" --set duration=5s \
			--set "core=$1" "${cores[@]}" 2>&1 >/dev/null | sed -n 's/.*Collected : //p'
	}
	own=$(count builtin) loaded=$(count linux)
	echo "instructions: builtin $own, loaded $loaded ($(((loaded - own) * 1000 / own)) per mille more)"
	[ "$((loaded * 10))" -le "$((own * 11))" ] || fail "a loaded core costs more than 10 %"
fi

# refused PATTERN COMMAND...: exit status 2, the pattern in its words, nothing on stdout
refused()
{
	local pattern=$1 status=0

	shift
	"$@" >"$work/stdout" 2>"$work/stderr" || status=$?
	cat "$work/stderr"
	[ $status = 2 ] || fail "exit status $status of $*"
	[ ! -s "$work/stdout" ] || fail "output of $*"
	grep -q "$pattern" "$work/stderr" || fail "not '$pattern'"
}

run=("$wlanq" run "$scenario")
refused "not a Linux tree" "$wlanq" core build --tree "$work" -n mine
cp -r "$tree" "$work/lacking"
rm "$work/lacking/include/net/fq.h"
refused "has no readable include/net/fq.h" "$wlanq" core build --tree "$work/lacking" -n mine
sed -i 's/\bfirst_above_time\b/above_since/' "$work/changed/include/net/codel.h"
refused "codel_impl.h:[0-9]*:[0-9]*: error: .*first_above_time" "$wlanq" core build --tree "$work/changed" -n mine
refused "cannot be a core's name" "$wlanq" core build --tree "$tree" -n ../mine
refused "there is no core 'nonesuch'" "${run[@]}" --set core=nonesuch
refused "expected a name" "${run[@]}" --set core=/tmp/mine.so
refused "cannot be loaded: cannot open" "${run[@]}" --set core=mine --core "mine=$work/none.so"
echo "no library" >"$work/text.so"
refused "cannot be loaded" "${run[@]}" --set core=mine --core "mine=$work/text.so"
echo "int x;" | ${CC:-cc} -xc -shared -fPIC - -o "$work/other.so"
refused "is a library, but no core" "${run[@]}" --set core=mine --core "mine=$work/other.so"
cat >"$work/old.c" <<END
#include <stdint.h>
const struct { uint32_t abi, layout; const char *p[4]; } wlanq_core = {1, 0x12345678, {"", "", "", 0}};
END
${CC:-cc} -shared -fPIC "$work/old.c" -o "$work/old.so"
refused "built by another version" "${run[@]}" --set core=mine --core "mine=$work/old.so"
