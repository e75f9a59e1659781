#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# bad.sh ROOT CACHE WLANQ
# Claim: what keeps whole files of a tree from being built or run is told in one message that says what it is and where;
# nothing is left behind, and what was built before stays.
# Set-up: copies of Linux 6.1's tree (hard links; a changed file is a new one) with one thing wrong in each, a program
# whose folder holds no core yet, and only the family qdisc. What needs no build is tried first.
# Expected: the message and exit status 2, or 3 where a run ends; the tree is as it was. Tolerance: none.
set -eu -o pipefail

root=$1 cache=$2
tree=$("$root/tests/linux-tree.sh" "$cache" whole)
for tool in flex bison bc; do
	command -v $tool >/dev/null || { echo "no $tool" >&2; exit 77; }
done
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# Its cores and their cache are its own; links to the trees keep their names from run to run.
mkdir -p "$work/bin" "$cache/bad/cache"
cp "$3" "$work/bin/wlanq"
wlanq=$work/bin/wlanq
export WLANQ_CORE_FAMILIES=qdisc

fail() { echo "FAILED: $*"; exit 1; }

# refused STATUS PATTERN COMMAND...: nothing on stdout, PATTERN in one message on stderr, no core
refused()
{
	local want=$1 pattern=$2 status=0

	shift 2
	"$@" >"$work/stdout" 2>"$work/stderr" || status=$?
	head -n 6 "$work/stderr"
	[ $status = "$want" ] || fail "exit status $status, not $want, of $*"
	[ ! -s "$work/stdout" ] || fail "output of $*: $(head -n 3 "$work/stdout")"
	grep -q -- "$pattern" "$work/stderr" || fail "not '$pattern'"
	[ "$(grep -cE '^(wlanq|--set|[^ ]*\.yaml)' "$work/stderr")" = 1 ] || fail "not one message"
	[ -z "$(find "$work/bin" "$cache/bad" -name 'bad*.so' -o -name '*.part' -o -name part)" ] || fail "something is left"
}

copy() { rm -rf "$cache/bad/tree-$1"; cp -al "$tree" "$cache/bad/tree-$1"; echo "$cache/bad/tree-$1"; }
build() { "$wlanq" core build --tree "$1" -n "$2"; }

# ---- no build begins
mkdir "$work/none"
refused 2 "not a Linux tree" build "$work/none" bad
t=$(copy old)
sed -i 's/^VERSION = 6/VERSION = 5/; s/^PATCHLEVEL = 1$/PATCHLEVEL = 10/' "$t/Makefile"
refused 2 "is Linux 5.10.*, and whole files can be run from 6.1 on; --inlined" build "$t" bad
mkdir "$work/path"
for tool in bash sh gcc cc ld as ccache make objcopy objdump nm sha256sum readlink nproc sed head awk tr cut grep; do
	! command -v $tool >/dev/null || ln -s "$(command -v $tool)" "$work/path/$tool"
done
refused 2 "not installed, and needed for whole files: flex bison bc; --inlined" env PATH="$work/path" \
	"$wlanq" core build --tree "$tree" -n bad
rm -rf "$work/bin/cores/cache"
touch "$work/bin/cores/cache"
refused 2 "cores/cache" build "$tree" bad
rm "$work/bin/cores/cache"

# ---- no room: a file system of 24 MB, where one may be mounted
if unshare -rm true 2>/dev/null; then
	# shellcheck disable=SC2016 # for the other shell
	refused 2 "No space left on device" unshare -rm sh -c \
		'mkdir -p "$1" && mount -t tmpfs -o size=24m none "$1" && exec "$2" core build --tree "$3" -n bad' \
		sh "$work/bin/cores/cache" "$wlanq" "$tree"
else
	echo "nothing may be mounted here: a full disk was not tried"
fi

# ---- from here on with a cache that stays
rmdir "$work/bin/cores/cache" 2>/dev/null || rm -rf "$work/bin/cores/cache"
ln -s "$cache/bad/cache" "$work/bin/cores/cache"
codel=net/sched/sch_codel.c

t=$(copy patch)
build "$t" trap >/dev/null
kept=$(sha256sum "$work"/bin/cores/trap.d/*.so)
sed -i '/^static int codel_qdisc_enqueue/,/^}/s/likely(/likly(/' "$t/$codel"
refused 2 "$codel:[0-9]*:[0-9]*: error: implicit declaration of function .likly" build "$t" bad
refused 2 "there is no core 'bad'" "$wlanq" run "$root/tests/kernel-files/codel.yaml" --set core=bad

cp --remove-destination "$tree/$codel" "$t/$codel"
sed -i '/^static int codel_qdisc_enqueue/,/^}/s/^{/{\n\tif (test_thread_flag(TIF_NEED_RESCHED))\n\t\treturn NET_XMIT_DROP;/' "$t/$codel"
refused 2 "$codel of .* cannot be run in a process: .*masks the stack pointer" build "$t" bad

[ "$(sha256sum "$work"/bin/cores/trap.d/*.so)" = "$kept" ] || fail "what was built before is gone"

# ---- a function that is not there, called in a run; a file that is not there
cp --remove-destination "$tree/$codel" "$t/$codel"
sed -i '/^static int codel_qdisc_enqueue/,/^}/s/^{/{\n\tdev_get_by_index(\&init_net, 1);/' "$t/$codel"
rm "$t/net/sched/sch_pie.c"
status=0
build "$t" trap >"$work/told" 2>&1 || status=$?
grep -q 'not supplied.* dev_get_by_index' "$work/told" || fail "the trap is not told: $(cat "$work/told")"
[ $status = 1 ] || fail "the self-test let it through"
grep -q "self-test of linux.codel FAILED.*$codel called dev_get_by_index()" "$work/told" || fail "not told by the self-test"
run() { "$wlanq" run "$root/tests/kernel-files/codel.yaml" --set core="$1" --set r.eth1.qdisc="$2"; }
refused 3 "Linux 6.1.*$codel called dev_get_by_index(), which wlanq does not supply" run trap '{model: linux.codel}'
refused 2 "linux.pie is net/sched/sch_pie.c of a Linux tree, and core trap has none" run trap '{model: linux.pie}'

# ---- changes are seen, whatever the time of the file says
cp --remove-destination "$tree/$codel" "$t/$codel"
cp --remove-destination "$tree/net/sched/sch_pie.c" "$t/net/sched/sch_pie.c"
build "$t" trap | tee "$work/told"
grep -q "compiled anew:.*$codel" "$work/told" || fail "a changed .c was not compiled"
sum() { sha256sum "$work/bin/cores/trap.d/qdisc.so"; }
before=$(sum)
sed -i 's/^\tparams->target = MS2TIME(5);/\tparams->target = MS2TIME(6);/' "$t/include/net/codel_impl.h"
touch -d '2001-01-01' "$t/include/net/codel_impl.h"
build "$t" trap | tee "$work/told"
grep -q "compiled anew:.*sch_fq_codel.c" "$work/told" || fail "a changed header was not seen"
[ "$(sum)" != "$before" ] || fail "the library is the old one"
build "$t" trap | tee "$work/told"
! grep -q "compiled anew" "$work/told" || fail "compiled though nothing had changed"

# ---- the tree was only read
[ -z "$(find "$tree" -newer "$work/bin/wlanq" -type f)" ] || fail "the tree was written to"
