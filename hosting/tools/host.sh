#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Runs another kernel on the reference PMU in QEMU and shows its serial output. Exit status: QEMU's, which the kernel
# sets by writing to isa-debug-exit; 124: no line for too long.
#
# usage: KERNEL=FILE [VARIABLE=VALUE ...] hosting/tools/host.sh
set -u
cd "$(dirname "$0")/../.." || exit 99

BUILD=${BUILD:-build}
KERNEL=${KERNEL:?which kernel? KERNEL=file.elf (multiboot, multiboot2, or a Linux bzImage)}
ARGS=${ARGS-}                           ## with KERNEL: its command line
MODULE=${MODULE-}                       ## with KERNEL: a module for it; for Linux its initial RAM disk
FLIP=${FLIP-}                           ## with KERNEL: this bit of its file is flipped on the medium
BOARD=${BOARD-}                         ## with KERNEL: the maker of board and firmware in SMBIOS; empty: QEMU's
MONITOR=${MONITOR:-none}                ## with KERNEL: QEMU's -monitor
# The same variables as tools/run.sh has; REFERENCE, too, may be the file of a profile.
REFERENCE=${REFERENCE:-skylake}
CPUS=${CPUS:-1}
MACHINE=${MACHINE:-pc}
FIRMWARE=${FIRMWARE:-bios}
CPU=${CPU:-max}
MEMORY=${MEMORY:-512}
OPTIONS=${OPTIONS-}
SILENCE=${SILENCE:-600}                 ## seconds from one line of its output to the next
LOG=${LOG:-$BUILD/logs/host.log}

refuse() {
    echo "$1" >&2
    exit 99
}
case $CPUS in '' | *[!0-9]* | 0* | ????*) wrong=1 ;; *) wrong=$((CPUS > 255)) ;; esac
[ "$wrong" = 0 ] || refuse "CPUS=$CPUS: it must be a number from 1 to 255"
case $FIRMWARE in bios | uefi) ;; *) refuse "FIRMWARE=$FIRMWARE: it must be one of bios, uefi" ;; esac
[ -r "$KERNEL" ] || refuse "KERNEL=$KERNEL: there is no such file"
case $REFERENCE in */* | *.profile) profile=$REFERENCE ;; *) profile= ;; esac
[ -z "$MODULE" ] || [ -r "$MODULE" ] || refuse "MODULE=$MODULE: there is no such file"
mkdir -p "$(dirname "$LOG")" || exit 99

# A second disk with the kernel and guest.cfg, for which GRUB searches if guest_search is set.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' HUP INT TERM
mkdir -p "$work/disk/guest"
cp "$KERNEL" "$work/disk/guest/kernel" || exit 99
[ -z "$MODULE" ] || cp "$MODULE" "$work/disk/guest/module" || exit 99
[ -z "$profile" ] || "$BUILD/tools/pmucheck" profile --packed -o "$work/profile" "$profile" || exit 99
[ -z "$profile" ] || REFERENCE=$(sed -n 's/^name  *//p' "$profile" | sed 's/ .*//')
quoted() {
    printf '%s' "$1" | sed "s/'/'\\\\''/g"
}
# The CRC-32 that each file must have when it is loaded.
sum() {
    gzip -1n <"$1" | tail -c 8 | head -c 4 | od -An -tx4 | tr -d " \n"
}
sums=$(sum "$KERNEL")${MODULE:+,$(sum "$MODULE")}
[ -z "$FLIP" ] || tools/check/flip-bit.sh "$work/disk/guest/kernel" "$FLIP"
{
    echo "set default=host"
    echo "set guest_kernel=kernel"
    [ -z "$MODULE" ] || echo "set guest_module=module"
    echo "set guest_sums=$sums"
    echo "set guest_reference='$(quoted "$REFERENCE")'"
    echo "set guest_options='$(quoted "after=exit $OPTIONS")'" # for runs in which the image ends before the kernel
    echo "set guest_arguments='$(quoted "$ARGS")'"
} >"$work/disk/guest/guest.cfg"
xorriso -as mkisofs -quiet -r -J -o "$work/disk.img" "$work/disk" 2>/dev/null || refuse "xorriso could not make the disk"
truncate -s %64M "$work/disk.img" # firmware sees no disk that is smaller than a cylinder
echo "set guest_search=y" | tools/iso-settings.sh "$work/image.iso" || refuse "guest_search could not be set in the image"

# QEMU splits the values of options at commas; a doubled comma is a comma.
value() {
    printf '%s' "$1" | sed 's/,/,,/g'
}
board=$(value "$BOARD")
set -- -accel tcg -machine "$MACHINE" -cpu "$CPU" -smp "$CPUS" -m "$MEMORY" -nic none -display none -no-reboot \
    -chardev "stdio,id=serial,signal=on,logfile=$(value "$LOG")" -serial chardev:serial -monitor "$MONITOR" \
    -device isa-debug-exit,iobase=0xf4,iosize=4
[ -z "$profile" ] || set -- "$@" -fw_cfg "name=opt/org.pmucheck/profile,file=$(value "$work/profile")"
[ -z "$BOARD" ] || set -- "$@" -smbios "type=0,vendor=$board,version=1.0" -smbios "type=1,manufacturer=$board,product=One" \
    -smbios "type=2,manufacturer=$board,product=One"
if [ "$FIRMWARE" = uefi ]; then
    ovmf=/usr/share/OVMF
    set -- "$@" -drive "if=pflash,format=raw,readonly=on,file=$ovmf/OVMF_CODE_4M.fd" \
        -drive "if=pflash,format=raw,snapshot=on,file=$ovmf/OVMF_VARS_4M.fd"
fi
rm -f "$LOG"
# UEFI firmware connects only disks with a bootindex.
tools/check/silence.sh "$LOG" "$SILENCE" qemu-system-x86_64 "$@" \
    -drive "if=none,id=image,format=raw,readonly=on,media=cdrom,file=$(value "$work/image.iso")" \
    -device ide-cd,drive=image,bus=ide.1,bootindex=0 \
    -drive "if=none,id=guest,format=raw,snapshot=on,file=$(value "$work/disk.img")" \
    -device ide-hd,drive=guest,bus=ide.0,bootindex=1 </dev/null
