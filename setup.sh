#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# One door to everything: installs what is missing, builds, shows, tests. Run it from anywhere, as
# often as you like; what is there is not done again.
set -u
export LC_ALL=C.UTF-8

root=$(dirname "$(readlink -f "$0")")
cd "$root" || exit 1

usage()
{
	cat <<-END
	usage: setup.sh build              optimised program, build/wlanq
	       setup.sh build pgo          the same laid out by what workloads do, build-pgo/wlanq: faster, takes minutes
	       setup.sh demo               builds, sweeps the iwl3945 ring, draws its CDF
	       setup.sh test [quick|all]   builds with warnings as errors and runs the tests

	test        every normal suite, then unit, conformance and quick ones under sanitizers
	test quick  the quick suite alone
	test all    the slow, kernel, fuzz and oracle suites too

	Missing Debian packages are installed (as root or with sudo).
	END
	exit 2
}

say() { echo "setup.sh: $*" >&2; }

# A package, and what shows that it is there: a command, a pkg-config module or a file.
base_packages='
gcc              cmd  gcc
libc6-dev        file /usr/include/stdio.h
meson            cmd  meson
ninja-build      cmd  ninja
pkg-config       cmd  pkg-config
libglib2.0-dev   pc   glib-2.0
libgsl-dev       pc   gsl
libyaml-dev      pc   yaml-0.1
libjansson-dev   pc   jansson
libxxhash-dev    pc   libxxhash
libpcap-dev      pc   libpcap
zlib1g-dev       pc   zlib
check            pc   check
gnuplot-nox      cmd  gnuplot
fonts-dejavu-core file /usr/share/fonts/truetype/dejavu/DejaVuSans.ttf
'
# Tests that miss one of these are skipped, and counted so.
test_packages='
clang              cmd  clang
clang-format       cmd  clang-format
flent              cmd  flent
libclang-rt-14-dev file /usr/lib/llvm-14/lib/clang/14*/lib/linux/libclang_rt.asan-*.a
git                cmd  git
make               cmd  make
patch              cmd  patch
python3-matplotlib file /usr/lib/python3/dist-packages/matplotlib/__init__.py
python3-scipy      file /usr/lib/python3/dist-packages/scipy/__init__.py
tshark             cmd  tshark
valgrind           cmd  valgrind
xz-utils           cmd  xz
flex               cmd  flex
bison              cmd  bison
bc                 cmd  bc
binutils           cmd  objcopy
linux-source-6.1   file /usr/src/linux-source-6.1.tar.xz
'
# And what `test all` needs beyond them: a kernel to build for, and a machine to boot it in.
lab_packages='
linux-headers-amd64 file /usr/share/doc/linux-headers-amd64
qemu-system-x86     cmd  qemu-system-x86_64
busybox-static      file /bin/busybox
cpio                cmd  cpio
iproute2            cmd  tc
kmod                cmd  modinfo
iperf3              cmd  iperf3
ethtool             cmd  ethtool
iputils-ping        cmd  ping
'

present()
{
	case $1 in
	cmd) command -v "$2" ;;
	pc) pkg-config --exists "$2" ;;
	file) compgen -G "$2" ;;
	esac >/dev/null 2>&1
}

# Prints the packages of the table $1 that are not there.
missing()
{
	while read -r package kind what; do
		[ -z "$package" ] || present "$kind" "$what" || echo "$package"
	done <<<"$1"
}

apt()
{
	local as_root=()

	if [ "$(id -u)" != 0 ]; then
		as_root=(sudo)
		[ -t 0 ] || as_root+=(-n)
		as_root+=(env)
	else
		as_root=(env)
	fi
	"${as_root[@]}" DEBIAN_FRONTEND=noninteractive apt-get -qq -o DPkg::Lock::Timeout=300 \
		-o Acquire::Retries=3 -o Dpkg::Use-Pty=0 "$@" </dev/null
}

# Installs what the table $1 misses; fails when something is still missing after that.
packages()
{
	local want

	want=$(missing "$1")
	[ -n "$want" ] || return 0
	want=$(echo "$want" | tr '\n' ' ')
	if ! command -v apt-get >/dev/null; then
		say "not a Debian system: please install what corresponds to $want"
		return 1
	fi
	# shellcheck disable=SC2086 # one word a package
	step "install $want" install_log $want
	want=$(missing "$1" | tr '\n' ' ')
	[ -z "$want" ] || { say "still missing: $want"; return 1; }
}

install_log()
{
	apt update && apt install -y --no-install-recommends "$@"
}

# step NAME COMMAND...: runs it quietly, tells the time that it took; its output only when it fails.
step()
{
	local name=$1 log start=$SECONDS status

	shift
	log=$(mktemp) || exit 1
	printf 'setup.sh: %s ... ' "$name" >&2
	"$@" >"$log" 2>&1 </dev/null
	status=$?
	if [ $status = 0 ]; then
		echo "$((SECONDS - start)) s" >&2
	else
		echo "failed" >&2
		tail -n 60 "$log" >&2
	fi
	rm -f "$log"
	return $status
}

# configure DIR OPTION...: a build folder with these options; left alone when it has them already.
configure()
{
	local dir=$1 want

	want="$root $(meson --version) $*"
	shift
	if [ -f "$dir/build.ninja" ]; then
		[ "$(cat "$dir/.setup-options" 2>/dev/null)" != "$want" ] || return 0
		meson configure --clearcache "$dir" >/dev/null 2>&1 # meson keeps the libraries that it found before
		step "configure $dir" meson setup --reconfigure "$dir" "$@" ||
			step "configure $dir anew" meson setup --wipe "$dir" "$@" || return 1
	else
		rm -rf "$dir/meson-private" # of a configuration that was broken off
		step "configure $dir" meson setup "$dir" "$@" || return 1
	fi
	echo "$want" >"$dir/.setup-options"
}

# For both of meson's builds when there are two.
release=(-Dbuildtype=release -Db_lto=true -Dwerror=false -Dprefer_static=true)

build()
{
	packages "$base_packages" &&
		configure build "${release[@]}" &&
		step "build" ninja -C build wlanq
}

build_pgo()
{
	packages "$base_packages" &&
		step "build, count what workloads do, build again" \
			tests/bench/pgo.sh build-pgo "${release[@]}" &&
		say "build-pgo/wlanq is ready; its results were found equal to those of the build that counted"
}

demo()
{
	local out=results/iwl3945-ring

	build || return 1
	build/wlanq sweep scenarios/threads/iwl3945-ring.yaml -o $out || return
	build/wlanq plot $out --cdf ping.rtt_ms --by case --only 'ring224-q1000,ring224-q0,ring8-q0,idle' \
		-o $out/ping-rtt-cdf.png >/dev/null || return
	finding $out/summary.csv
	echo "The ping's round trip as a CDF: $root/$out/ping-rtt-cdf.png"
	echo "All runs and metrics:           $root/$out/summary.csv"
	echo "Against the thread's numbers:   build/wlanq check iwl3945-ring"
}

# What the thread found, from the rows of summary.csv.
finding()
{
	awk -F, '
		NR == 1 {
			for (i = 1; i <= NF; i++)
				column[$i] = i
			next
		}
		{
			runs[$1]++
			rtt[$1] += $column["ping.rtt_ms.mean"]
			rate[$1] += $column["bulk.goodput_mbit"]
		}
		function row(name) {
			printf "%-34s ping %7.1f ms, bulk %.2f Mbit/s\n", name,
				rtt[name] / runs[name], rate[name] / runs[name]
		}
		END {
			long = "ring224-q1000"
			short = "ring8-q0"
			print ""
			row(long)
			row(short)
			printf "A ring of 8 in place of 224 cuts the ping under load by a factor of %.0f.\n\n",
				rtt[long] / runs[long] / (rtt[short] / runs[short])
		}' "$1"
}

# The names of the tests' logs, and builds that failed.
logs=()
broken=()

# suites LABEL DIR OPTION...: meson's tests in DIR; the log is read at the end.
suites()
{
	local label=$1 dir=$2 start=$SECONDS log

	shift 2
	log=$dir/meson-logs/$label.json
	rm -f "$log"
	say "test $label ..."
	meson test -C "$dir" --no-rebuild --logbase "$label" "$@" </dev/null 2>&1 | progress
	say "test $label ... $((SECONDS - start)) s"
	logs+=("$label=$log")
}

# On a terminal, meson's count of tests in one line; elsewhere nothing.
progress()
{
	if [ ! -t 2 ]; then
		cat >/dev/null
		return
	fi
	while IFS= read -r line; do
		[[ $line =~ ^\ *[0-9]+/[0-9]+\  ]] && printf '\r\033[K%.78s' "$line" >&2
	done
	printf '\r\033[K' >&2
}

tests()
{
	local which=$1 out=()

	packages "$base_packages" || { say "nothing was tested"; return 1; }
	[ "$which" = quick ] || packages "$test_packages" || say "tests without them are skipped"
	[ "$which" != all ] || packages "$lab_packages" || say "tests without them are skipped"

	if configure build-test -Dbuildtype=debugoptimized -Dwerror=true &&
		step "build build-test" ninja -C build-test; then
		if [ "$which" = quick ]; then
			suites quick build-test --suite quick
		else
			[ "$which" = all ] || for s in slow kernel-lab kernel-module fuzz oracle bench; do
				out+=(--no-suite "$s")
			done
			suites "$which" build-test "${out[@]}"
		fi
	else
		broken+=(build-test)
	fi

	if [ "$which" != quick ]; then
		if configure build-san -Dbuildtype=debugoptimized -Db_lundef=false \
			-Db_sanitize=address,undefined &&
			step "build build-san" ninja -C build-san; then
			ASAN_OPTIONS=detect_leaks=1:abort_on_error=0 \
				UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1 \
				suites sanitized build-san --suite quick --suite unit --suite conformance \
				--no-suite checks --no-suite slow --timeout-multiplier 4
		else
			broken+=(build-san)
		fi
	fi
	python3 tests/checks/testlog.py "${broken[@]/#/--broken=}" "${logs[@]}"
}

case "${1:-}:${2:-}:$#" in
build::1) build ;;
build:pgo:2) build_pgo ;;
demo::1) demo ;;
test::1) tests normal ;;
test:quick:2 | test:all:2) tests "$2" ;;
*) usage ;;
esac
