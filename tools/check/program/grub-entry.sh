#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The entry in GRUB's menu that the installed package makes, in a clean root: not there until /etc/default/pmucheck
# turns it on, with the options given there, gone when the package is removed; and QEMU starts it, by BIOS and UEFI,
# from a file system that holds what the root has in /boot. Only grub-probe is a stand-in: a root has no disk to probe.
# Would catch an entry that nobody asked for, a path that GRUB does not find, an option that GRUB takes for its own.
#
# usage: tools/check/program/grub-entry.sh ROOT         the package is installed there
set -eu
cd "$(dirname "$0")/../../.."
BUILD=${BUILD:-build}
root=$1
. tools/check/program/in-root.sh
UUID=0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' HUP INT TERM

fail() {
    echo "$1"
    exit 1
}

# set_default NAME VALUE: edits the package's file, as a user would.
set_default() {
    sed -i "s/^$1=.*/$1=$2/" "$root/etc/default/pmucheck"
}

entries() {
    grep -c "^menuentry 'PMU test" "$root/boot/grub/grub.cfg" || true
}

renew() {
    in_root update-grub >"$work/update" 2>&1 || { cat "$work/update"; exit 1; }
    in_root grub-script-check /boot/grub/grub.cfg || fail "GRUB does not understand its configuration"
}

in_root apt-get install -y -qq --no-install-recommends grub2-common grub-common >"$work/install" 2>&1 || fail "$(tail -n 3 "$work/install")"
# Answers as for a disk whose one file system, ext4, is all of it and has the root in it.
cat >"$root/usr/sbin/grub-probe" <<PROBE
#!/bin/sh
case "\$*" in
*target=device*) echo /dev/sda ;;
*target=fs_uuid*) echo $UUID ;;
*target=fs*) echo ext2 ;;
esac
PROBE
mkdir -p "$root/boot/grub"

renew
[ "$(entries)" = 0 ] || fail "there is an entry, though it is off"
set_default GRUB_ENTRY maybe
renew
[ "$(entries)" = 0 ] || fail "there is an entry for GRUB_ENTRY=maybe"
grep -q "GRUB_ENTRY=maybe is neither yes nor no" "$work/update" || fail "update-grub does not say what is wrong"

set_default GRUB_ENTRY yes
set_default GRUB_OPTIONS 'quick bench' # without quotes
renew
[ "$(entries)" = 0 ] || fail "there is an entry with half of the options"
grep -q "the shell does not understand it" "$work/update" || fail "update-grub does not say what is wrong"
set_default GRUB_OPTIONS '"quick reference=skylake run=gp.*,enum.leaf-0a skip=gp.halt after=exit machine=it;s|{here}"'
in_root dpkg-reconfigure pmucheck >"$work/update" 2>&1 || fail "$(cat "$work/update")"
[ "$(entries)" = 1 ] || fail "there is no entry after the package was configured anew"
renew
[ "$(entries)" = 1 ] || fail "there is no entry, though it is on"
path=$(sed -n "s/^	multiboot2 \([^ ]*\).*/\1/p" "$root/boot/grub/grub.cfg")
[ -s "$root$path" ] || fail "the entry starts $path, which is not there"

# ---- Starting it: a file system of /boot, and beside it a GRUB with its modules on a medium of its own, which reads the
# root's configuration.

mkdir "$work/disk" "$work/medium"
cp -R "$root/boot" "$work/disk"
truncate -s 64M "$work/disk.img"
PATH=$PATH:/sbin mke2fs -q -t ext4 -U "$UUID" -d "$work/disk" "$work/disk.img"
mkdir -p "$work/medium/boot/grub"
cat >"$work/medium/boot/grub/grub.cfg" <<CFG
search --no-floppy --fs-uuid --set=root $UUID
configfile /boot/grub/grub.cfg
CFG
grub-mkrescue -o "$work/medium.iso" "$work/medium" >"$work/mkrescue" 2>&1 || fail "$(tail -n 3 "$work/mkrescue")"

# start FIRMWARE [QEMU-ARGUMENT]...: chooses the entry by its name, as the first of a root without kernels.
start() {
    firmware=$1
    shift
    timeout 120 qemu-system-x86_64 -accel tcg -cpu max -smp 2 -m 512 -nic none -display none -no-reboot -boot d \
        -serial "file:$work/$firmware.log" -device isa-debug-exit,iobase=0xf4,iosize=4 "$@" \
        -cdrom "$work/medium.iso" -drive "format=raw,snapshot=on,file=$work/disk.img" >"$work/out" 2>&1 || true
    tr -d '\r' <"$work/$firmware.log" >"$work/log"
    grep '^# options ' "$work/log" || { tail -n 3 "$work/log"; fail "$firmware: the image was not started"; }
    grep -qF 'machine=it;s|{here}' "$work/log" || fail "$firmware: GRUB changed the options"
    "$BUILD/tools/pmucheck" report "$work/log" >"$work/report" || { cat "$work/report"; fail "$firmware: no pass"; }
    echo "$firmware: $(grep '^# end ' "$work/log")"
}
start bios
start uefi -drive if=pflash,format=raw,readonly=on,file=/usr/share/OVMF/OVMF_CODE_4M.fd \
    -drive if=pflash,format=raw,snapshot=on,file=/usr/share/OVMF/OVMF_VARS_4M.fd
