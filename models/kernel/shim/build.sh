#!/bin/bash
# SPDX-License-Identifier: GPL-2.0 OR BSD-2-Clause
# build.sh SHIM TREE CACHE OUT HZ: files of a Linux tree as libraries OUT/FAMILY.so.
# (For `wlanq core build`, which carries it; it also runs by itself.)
#
# The tree is only read. What its headers need is copied to a folder of CACHE, configured there as user-mode Linux,
# the one architecture whose headers are made for code that runs as a process, and kept: next time only what has
# changed is compiled. Every .c is compiled where it lies in the tree, as it is.
#
# SHIM holds this file, seam.h, fragment.config and the shim's own files. Prints what it has built; on stderr why not.
# Status 2: the tree is no whole one; 3: something of it does not compile; 4: something is missing on this machine, or
# the tree is too old.
# WLANQ_CORE_FAMILIES: of the families only these. WLANQ_CORE_CFLAGS: more arguments for the compiler.
set -u -o pipefail
export LC_ALL=C
unset MAKEFLAGS KBUILD_OUTPUT ARCH CROSS_COMPILE

shim=$(readlink -f "$1")
tree=$(readlink -f "$2")
store=$(readlink -f "$3")
out=$4
hz=$5
cc=${CC:-gcc}
jobs=$(nproc)
[ "$jobs" -le 4 ] || jobs=4

die()
{
	local status=$1

	shift
	echo "$*" >&2
	exit "$status"
}

# ---- what is built --------------------------------------------------------------------------------

# The files under test; those that are not in the tree are left out. The seam is in the file of the family's name.
tested_qdisc='net/sched/sch_codel.c net/sched/sch_fq_codel.c net/sched/sch_pie.c net/sched/sch_sfq.c
	net/sched/sch_cake.c net/sched/sch_fq.c net/sched/sch_tbf.c net/sched/sch_htb.c net/sched/sch_prio.c
	net/sched/sch_red.c net/sched/sch_netem.c'
# Files of the tree that they call; only functions that are reached are kept.
support_qdisc='net/core/flow_dissector.c net/sched/sch_fifo.c net/sched/sch_generic.c net/sched/sch_api.c
	net/core/gen_stats.c lib/nlattr.c lib/rbtree.c lib/siphash.c lib/math/reciprocal_div.c lib/math/div64.c
	lib/find_bit.c lib/once.c lib/string.c lib/hweight.c lib/random32.c kernel/time/time.c'
shim_qdisc='sym.c time.c skb.c qdisc.c options.c stats.c'
wrap_qdisc='qdisc_tree_reduce_backlog'

tested_cong='net/ipv4/tcp_cubic.c net/ipv4/tcp_bbr.c net/ipv4/tcp_bic.c net/ipv4/tcp_westwood.c
	net/ipv4/tcp_htcp.c net/ipv4/tcp_highspeed.c net/ipv4/tcp_hybla.c net/ipv4/tcp_vegas.c net/ipv4/tcp_nv.c
	net/ipv4/tcp_scalable.c net/ipv4/tcp_lp.c net/ipv4/tcp_veno.c net/ipv4/tcp_yeah.c net/ipv4/tcp_illinois.c
	net/ipv4/tcp_dctcp.c net/ipv4/tcp_cdg.c'
# Reno is in tcp_cong.c.
support_cong='net/ipv4/tcp_cong.c net/ipv4/tcp_plb.c lib/win_minmax.c lib/math/int_sqrt.c lib/math/div64.c
	lib/find_bit.c lib/string.c lib/hweight.c kernel/time/time.c'
shim_cong='sym.c time.c cong.c cong-boot.c'
wrap_cong=

tested_rate='net/mac80211/rc80211_minstrel_ht.c'
# For the duration of a frame.
support_rate='net/mac80211/util.c lib/find_bit.c lib/string.c lib/hweight.c lib/math/div64.c kernel/time/time.c'
shim_rate='sym.c time.c rate.c rate-boot.c'
wrap_rate=

families=${WLANQ_CORE_FAMILIES:-qdisc cong rate}

# ---- the tree -------------------------------------------------------------------------------------

version_part()
{
	sed -n "s/^$1 = *//p" "$tree/Makefile" | head -n 1
}

[ -f "$tree/Makefile" ] && [ -d "$tree/include/linux" ] || die 2 "$2 is not a Linux tree"
major=$(version_part VERSION)
minor=$(version_part PATCHLEVEL)
version=$major.$minor.$(version_part SUBLEVEL)$(version_part EXTRAVERSION)
for file in Kbuild scripts/kconfig/Makefile arch/um/Makefile arch/x86/um/Makefile net/sched/Makefile; do
	[ -f "$tree/$file" ] || die 2 "$2 is not complete, $file is missing"
done
[ "$major" -gt 6 ] 2>/dev/null || { [ "$major" -eq 6 ] && [ "$minor" -ge 1 ]; } 2>/dev/null ||
	die 4 "$2 is Linux $version, and whole files can be run from 6.1 on"
lacking=
for tool in make ${cc%% *} flex bison bc objcopy objdump nm sha256sum; do
	command -v "$tool" >/dev/null || lacking+=" $tool"
done
[ -z "$lacking" ] || die 4 "not installed, and needed for whole files:$lacking"

# ---- configuring ------------------------------------------------------------------------------------

# A configuration serves every tree with the same Kconfig files, Makefiles and scripts; objects are one tree's.
cache=$store/$(printf '%s\n' "$tree" "$hz" "$cc" | sha256sum | cut -c 1-16)
obj=$cache/obj
work=$store/part

# Paths in the tree of all that configuring reads, and of all headers; nothing that a build has made.
selection()
{
	cd "$tree" || exit 1
	find . -name .git -prune -o -type f -name 'Kconfig*' -print
	find Makefile Kbuild scripts include arch/um arch/x86/include arch/x86/um arch/x86/entry/syscalls \
		arch/x86/Makefile* kernel/bounds.c kernel/time/timeconst.bc tools/include tools/build tools/scripts \
		net/sched/sch_fifo.c \
		\( -path include/config -o -path include/generated -o -path 'arch/*/include/generated' \) -prune -o \
		-type f \( -name '*.o' -o -name '*.a' -o -name '*.so' -o -name '*.ko' -o -name '*.cmd' -o -name '*.mod' \
		-o -name '*.order' -o -name '*.tab.[ch]' -o -name '*.lex.c' \) -prune -o -type f -print 2>/dev/null
	find Makefile net lib kernel mm block arch drivers/base init fs security -maxdepth 2 -name Makefile
	find net lib kernel -name '*.h'
	true # not every tree has all of them
}

# What decides the configuration, with the sums of the files.
inputs()
{
	cd "$tree" || exit 1
	{
		find . -name .git -prune -o -type f -name 'Kconfig*' -print
		ls Makefile Kbuild arch/um/Makefile* arch/x86/Makefile* scripts/Makefile* scripts/Kbuild* \
			include/asm-generic/Kbuild arch/um/include/asm/Kbuild arch/x86/include/asm/Kbuild
		find arch/x86/entry/syscalls -name '*.tbl'
	} 2>/dev/null | sort -u | tr '\n' '\0' | xargs -0 sha256sum 2>/dev/null
	echo "$hz $cc"
	$cc --version 2>/dev/null | head -n 1
	cat "$shim/fragment.config"
	declare -f selection run_make configure
}

run_make()
{
	make -s -j"$jobs" -C "$work/src" ARCH=um SUBARCH=x86_64 CC="$cc" HOSTCC="$cc" O="$work/out" "$@" \
		>"$work/log" 2>&1 </dev/null
}

# Makes $config: the headers that configuring makes, the compiler's flags, and the sums of the headers that those
# depend on.
configure()
{
	local src=$work/src out=$work/out why

	rm -rf "$work" "$config"
	mkdir -p "$src" || die 4 "$work cannot be made"
	# 1: a file changed meanwhile, if only in its links.
	why=$(selection | sort -u | { tar -C "$tree" -cf - --no-recursion -T - 2>/dev/null || [ $? -eq 1 ]; } |
		tar -C "$src" -xf - 2>&1) ||
		die 4 "the headers of $tree cannot be copied to $src: ${why%%$'\n'*}"
	# Programs that a build has left among the scripts.
	find "$src/scripts" -type f -perm /111 -exec sh -c 'head -c 4 "$1" | grep -q ELF && rm "$1"' - {} \;
	mkdir -p "$src/Documentation"
	touch "$src/Documentation/Kconfig"
	sed -i "/^config HZ\$/,/default/s/default 100/default $hz/" "$src/arch/um/Kconfig"
	run_make KCONFIG_ALLCONFIG="$shim/fragment.config" allnoconfig && run_make prepare &&
		run_make net/sched/sch_fifo.o ||
		die 3 "$(printf '%s: Linux %s cannot be configured:\n%s' "$tree" "$version" "$(tail -n 5 "$work/log")")"
	grep -q "^CONFIG_HZ=$hz\$" "$out/.config" || die 3 "Linux $version has no HZ of $hz"
	# The compiler's arguments as kbuild has them, without those of one file and of one kind of code. What was
	# made comes before what lies in the tree, where a build of the developer's may have left the same.
	sed -n '1s/^[^=]*:= *//p' "$out/net/sched/.sch_fifo.o.cmd" | sed "s|^$cc ||" |
		sed -E 's/-Wp,-MMD,[^ ]*//; s/ -c -o .*//; s/-DKBUILD_[A-Z]*=[^ ]*//g; s/-D__KBUILD_MODNAME=[^ ]*//;
			s/-mcmodel=large//; s/-fno-PIE//; s/ -I [^ ]*//g; s/-pg //; s/-mrecord-mcount//; s/-Wframe[^ ]*//' |
		sed "s|$src|@TREE@|g" >"$work/flags"
	cat "$out"/kernel/.bounds.s.cmd "$out"/arch/*/kernel/.asm-offsets.s.cmd 2>/dev/null | tr ' \\' '\n\n' |
		sed -n "s|^$src/\(.*\.h\)\$|\1|p" | sort -u | (cd "$tree" && xargs -d '\n' sha256sum) >"$work/headers"
	find "$out" -type f ! -name '*.h' ! -name .config -delete
	rm -rf "$src" "$work/log"
	mv "$work" "$config" || die 4 "$config cannot be made"
}

{ mkdir -p "$store" && : >>"$store/lock"; } 2>/dev/null || die 4 "$3 cannot be written"
exec 9>"$store/lock"
flock 9
trap 'rm -rf "$work" "$cache/read.part"' EXIT
config=$store/config-$(inputs | sha256sum | cut -c 1-16)
[ -f "$config/headers" ] && (cd "$tree" && sha256sum --status -c "$config/headers" 2>/dev/null) || configure
mkdir -p "$obj" || die 4 "$obj cannot be made"

# From 6.19 on (net/sched: qdisc_dequeue_drop()) a qdisc leaves what it drops in dequeue on a list of its own.
shim_flags=
! sed -n '/^struct Qdisc {/,/^}/p' "$tree/include/net/sch_generic.h" | grep -q 'to_free;' ||
	shim_flags=-DSEAM_QDISC_TO_FREE

# ---- compiling ---------------------------------------------------------------------------------------

read -r -d '' -a flags < <(grep -oE -- '-I\./[^ ]*' "$config/flags"; sed "s|@TREE@|$tree|g; s|-I\./[^ ]*||g" "$config/flags")
flags+=(-fPIC -fno-builtin -ffunction-sections -fdata-sections -fno-strict-aliasing -fwrapv -fno-common -g
	-fdiagnostics-color=never -I"$shim")
# shellcheck disable=SC2206 # words
flags+=(${WLANQ_CORE_CFLAGS:-})
# The overlay comes before the tree's own headers.
flags=(-I"$shim/tree" "${flags[@]}")

# Of the files that were read by the last build: which are others by now.
touch "$cache/begun"
: >"$cache/compiled"
changed=$cache/changed
sha256sum -c --quiet "$cache/read" 2>/dev/null | sed -n 's/: FAILED.*//p' >"$changed"
# Objects made of them are none.
outdate()
{
	[ ! -s "$changed" ] || grep -lxFf "$changed" "$obj"/*.read 2>/dev/null | tr '\n' '\0' | xargs -0r rm -f
}
outdate

# The files that dependency file $1 names, of which some compilers write relative ones.
read_files()
{
	tr ' \\' '\n\n' <"$1" | sed '/:$/d; /^$/d' | (cd "$config/out" && xargs -d '\n' realpath -s) | sort -u
}

# compile FILE OBJECT FLAG...: unless nothing has changed since OBJECT was made; the log is OBJECT.log.
compile()
{
	local file=$1 object=$2 base

	shift 2
	base=$(basename "$file" .c)
	if [ -f "$object.read" ] && [ -f "$cache/read" ] && [ "$(cat "$object.flags")" = "${flags[*]} $*" ]; then
		return 0
	fi
	rm -f "$object.read"
	echo "${file#"$tree/"}" >>"$cache/compiled"
	# shellcheck disable=SC2086 # CC may be several words
	(cd "$config/out" && $cc "${flags[@]}" -I"$(dirname "$file")" -DKBUILD_MODFILE="\"$base\"" \
		-DKBUILD_BASENAME="\"$base\"" -DKBUILD_MODNAME="\"$base\"" -D__KBUILD_MODNAME="kmod_${base//[^a-z0-9_]/_}" \
		"$@" -Wp,-MD,"$object.d" -c -o "$object" "$file") >"$object.log" 2>&1 || return 1
	echo "${flags[*]} $*" >"$object.flags"
	read_files "$object.d" >"$object.read"
}

# The words of the compiler about the developer's file.
tell_errors()
{
	{ grep -E 'error: |fatal' "$1" || tail -n 12 "$1"; } | sed "s|$tree/||" | head -n 12 >&2
}

# ---- objects that cannot be run in a process -------------------------------------------------------------

forbidden()
{
	objdump -d --no-show-raw-insn "$1" | awk '
		/^[0-9a-f]+ </ { fn = $2 }
		/mov +%rsp,%r|lea +.*\(%rsp\),%r/ { reg = $NF; sub(/.*,/, "", reg); since = NR }
		/and +\$0xf+[0-9a-f]*000,%r/ && NR - since < 6 { print fn " masks the stack pointer"; exit }
		/%(gs|fs):/ { print fn " uses a segment register"; exit }
		/\t(cli|sti|hlt|swapgs|rdmsr|wrmsr|syscall|sysenter|int +\$)/ { print fn " has the instruction " $2; exit }'
}

# ---- one family ---------------------------------------------------------------------------------------------

c_string()
{
	sed 's/\\/\\\\/g; s/"/\\"/g; s/.*/\t"&\\n"/'
}

family()
{
	local name=$1 tested support own wrap file base objects=() pids=() list manifest undefined lib

	eval "tested=\$tested_$name support=\$support_$name own=\$shim_$name wrap=\$wrap_$name"
	list=$obj/$name.files
	: >"$list"
	for file in $support $tested; do
		[ -f "$tree/$file" ] || continue
		echo "$file" >>"$list"
	done
	for file in $tested; do
		[ -f "$tree/$file" ] && break
	done
	[ -f "$tree/$file" ] || { echo "family $name: none of its files is in the tree"; return; }

	# In the order of the list, so that what is initialised first is first.
	while read -r file; do
		compile "$tree/$file" "$obj/${file//\//-}.o" &
		pids+=($!)
		[ $((${#pids[@]} % jobs)) -ne 0 ] || wait
	done <"$list"
	wait
	for file in $own; do
		# shellcheck disable=SC2086 # words
		compile "$shim/tree/$file" "$obj/$name-$file.o" "-DSEAM_FAMILY_$name" $shim_flags || {
			tell_errors "$obj/$name-$file.o.log"
			die 3 "the shim does not fit Linux $version (family $name): its API is another one"
		}
	done
	while read -r file; do
		base=$obj/${file//\//-}.o
		[ -f "$base.read" ] || {
			tell_errors "$base.log"
			die 3 "$file of $tree does not compile"
		}
		[ ! "$base.w" -nt "$base" ] || continue
		file_problem=$(forbidden "$base")
		[ -z "$file_problem" ] || die 3 "$file of $tree cannot be run in a process: $file_problem"
		adapt "$file" "$base"
	done <"$list"

	for file in $support $tested; do
		[ ! -f "$tree/$file" ] || objects+=("$obj/${file//\//-}.o.w")
	done
	for file in $own; do
		objects+=("$obj/$name-$file.o")
	done

	manifest=$( (cd "$tree" && xargs -d '\n' sha256sum <"$list") &&
		sha256sum <"$config/out/.config" | sed 's/-$/.config/' && sha256sum "$shim"/tree/*.[ch] "$shim/seam.h" |
		sha256sum | sed 's/-$/shim/')
	link "$name" "$manifest" "$wrap" "${objects[@]}"
}

# Initialisation that a support file needs.
initcall_rename()
{
	case $1 in
	net/core/flow_dissector.c) echo "--rename-section .initcall1.init=seam_initcalls" ;;
	esac
}

# Makes $2.w of object $2, of file $1. Functions of the shim and of the files under test stand before the support's.
adapt()
{
	local rename weak=()

	if [[ " $tested " == *[[:space:]]"$1"[[:space:]]* ]]; then
		rename="--rename-section .initcall6.init=seam_initcalls --rename-section .initcall7.init=seam_initcalls"
	else
		rename=$(initcall_rename "$1")
		# What it defines; weak references would end in nothing.
		nm --defined-only -g "$2" | awk '{ print $3 }' >"$2.weak"
		weak=("--weaken-symbols=$2.weak")
	fi
	# shellcheck disable=SC2086 # words
	objcopy "${weak[@]}" $rename "$2" "$2.w.part" && mv "$2.w.part" "$2.w" || die 4 "objcopy failed"
}

# link_library OUTPUT OBJECT...: one exported symbol, unused functions left out.
link_library()
{
	local to=$1

	shift
	# shellcheck disable=SC2086 # CC and the flags may be several words
	$cc -shared -Wl,--version-script="$obj/map" -Wl,-Bsymbolic -Wl,--gc-sections -Wl,-z,nostart-stop-gc \
		${WLANQ_CORE_CFLAGS:-} -o "$to" "$@" >"$obj/link.log" 2>&1 || {
		head -n 12 "$obj/link.log" >&2
		die 3 "the files of $tree do not link"
	}
}

# The files that call function $1; no path here has a dash.
callers()
{
	sed -n "s|^$obj/\(.*\)\.o: *U $1\$|\1|p" "$list.calls" | tr - / | paste -sd, | sed 's/,/, /g'
}

link()
{
	local name=$1 manifest=$2 wrap=$3 undefined wraps=() w

	shift 3
	for w in $wrap; do
		wraps+=("-Wl,--wrap=$w")
	done
	echo '{ global: wlanq_linux; local: *; };' >"$obj/map"
	link_library "$obj/$name.partial.so" -Wl,--unresolved-symbols=ignore-all "${wraps[@]}" "$@"
	undefined=$(nm -D -u "$obj/$name.partial.so" | awk '$1 == "U" { sub(/@.*/, "", $2); print $2 }' |
		grep -vxE "$supplied")
	sed "s|/|-|g; s|.*|$obj/&.o|" "$list" | xargs -d '\n' nm -A -u >"$list.calls"
	# shellcheck disable=SC2086 # words
	{
		echo 'extern void seam_trap(const char *symbol, const char *files) __attribute__((noreturn));'
		echo "const char seam_version[] = \"$version\";"
		echo "const char seam_files[] ="
		c_string <<<"$manifest"
		echo ';'
		echo "const char seam_traps[] = \"$(echo $undefined)\";"
		for w in $undefined; do
			echo "void $w(void) { seam_trap(\"$w\", \"$(callers "$w")\"); }"
		done
	} >"$obj/$name.info.c"
	# shellcheck disable=SC2086
	$cc -O1 -fPIC -w -fno-builtin -c -o "$obj/$name.info.o" "$obj/$name.info.c" || die 4 "$cc failed"
	link_library "$obj/$name.so" -Wl,-z,defs "${wraps[@]}" "$@" "$obj/$name.info.o"
	mkdir -p "$out"
	cp "$obj/$name.so" "$out/$name.so.part" && mv "$out/$name.so.part" "$out/$name.so"
	# shellcheck disable=SC2086
	{
		echo "family $name: $(basename -s .c -a $tested | tr '\n' ' ')"
		[ -z "$undefined" ] || echo "  not supplied, and told when it is called: $(echo $undefined)"
	}
}

# From the C library, and from the file that is made for the link.
supplied='aligned_alloc|free|memcpy|memmove|memset|memcmp|memchr|strlen|strcmp|strncmp|strchr|strrchr|strstr|strncpy|strcpy|strncat|snprintf|vsnprintf|sprintf|seam_(version|files|traps)|__(start|stop)_seam_initcalls|_GLOBAL_OFFSET_TABLE_|__(asan|ubsan)_.*'

for f in $families; do
	family "$f"
done
n=$(grep -c '\.c$' "$cache/compiled")
[ "$n" -gt 8 ] || [ "$n" -eq 0 ] || echo "  compiled anew: $(grep -v '^/' "$cache/compiled" | tr '\n' ' ')"

# Files that are no more, of objects that were made earlier.
sort -u "$obj"/*.read | while read -r file; do
	[ -f "$file" ] || echo "$file"
done >"$changed"
outdate
# A file that was written meanwhile may not be what was compiled.
sort -u "$obj"/*.read >"$cache/names"
tr '\n' '\0' <"$cache/names" | xargs -0 sha256sum >"$cache/read.part" || die 4 "$cache cannot be written"
while read -r file; do
	[ ! "$file" -nt "$cache/begun" ] || sed -i "s|^[0-9a-f]*  $file\$|$(printf '0%.0s' {1..64})  $file|" "$cache/read.part"
done <"$cache/names"
mv "$cache/read.part" "$cache/read"
