#!/bin/bash
# SPDX-License-Identifier: GPL-3.0-or-later
# boot.sh CACHE KVER FOLDER: boots Debian's kernel KVER in QEMU with the files of FOLDER over a busybox root, runs
# FOLDER/test there as root and prints what it wrote. Modules that FOLDER/modules names are put into /lib. Guest time is counted in instructions, so the same files give the
# same output. Exit 77: something that is needed is not installed.
set -eu -o pipefail

cache=$1 kver=$2 folder=$3
for tool in qemu-system-x86_64 cpio gzip dpkg; do
	command -v $tool >/dev/null || { echo "no $tool: install qemu-system-x86, cpio" >&2; exit 77; }
done
[ -x /bin/busybox ] || { echo "no /bin/busybox: install busybox-static" >&2; exit 77; }

# the image, unpacked once; it is not installed
mkdir -p "$cache"
exec 9>"$cache/.lock"
flock 9
if [ ! -f "$cache/$kver/done" ]; then
	rm -rf "${cache:?}/$kver"
	mkdir "$cache/$kver"
	(cd "$cache/$kver" && apt-get -q download "linux-image-$kver" >/dev/null 2>&1) ||
		{ echo "linux-image-$kver cannot be downloaded" >&2; exit 77; }
	dpkg -x "$cache/$kver"/linux-image-*.deb "$cache/$kver"
	rm "$cache/$kver"/linux-image-*.deb
	touch "$cache/$kver/done"
fi

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/root"/{bin,dev,proc,sys,lib,tmp}
cp /bin/busybox "$work/root/bin"
ln -s busybox "$work/root/bin/sh"
cp -r "$folder/." "$work/root"
if [ -f "$folder/modules" ]; then
	while read -r module; do
		find "$cache/$kver/lib/modules" -name "$module.ko" -exec cp {} "$work/root/lib" \;
	done <"$folder/modules"
fi
cat >"$work/root/init" <<'END'
#!/bin/sh
/bin/busybox --install -s /bin
mount -t proc none /proc
mount -t sysfs none /sys
mount -t devtmpfs none /dev
echo "=== test"
sh /test 2>&1
echo "=== end"
poweroff -f
END
chmod +x "$work/root/init"
(cd "$work/root" && find . -exec touch -h -d @0 {} + &&
	find . | LC_ALL=C sort | cpio -o -H newc --reproducible --quiet | gzip -n -1) >"$work/initrd"
timeout 600 qemu-system-x86_64 -M q35 -accel tcg -cpu max -m 256 -smp 1 -icount shift=1,sleep=off \
	-rtc base=2026-01-01,clock=vm -seed 1 -kernel "$cache/$kver/boot/vmlinuz-$kver" -initrd "$work/initrd" \
	-append "console=ttyS0 quiet panic=-1 random.trust_cpu=on" -nographic -no-reboot -nodefaults -serial stdio \
	-monitor none </dev/null >"$work/serial"
tr -d '\r' <"$work/serial" | sed -n '/=== test$/,/^=== end$/p' | sed '1d;$d'
tr -d '\r' <"$work/serial" | grep -q '^=== end$' || { tail -n 30 "$work/serial" >&2; exit 1; }
