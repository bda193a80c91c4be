#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Boots the image in QEMU and keeps a picture of the screen, taken some seconds after a line of the log matches PATTERN:
# OUTPUT.ppm and OUTPUT.png, for a text screen also OUTPUT.bin, its memory. A size is GRUB's gfxpayload, under UEFI;
# text is the 80x25 of a BIOS. With AT the machine has no serial port, PATTERN is ignored, and a debugger stops the
# machine for good at that function, or runs the command CHANGE there, which may be a reset.
#
# usage: tools/check/screen.sh OUTPUT text|WIDTHxHEIGHT CPUS OPTIONS PATTERN SECONDS [AT [CHANGE]]
set -u
cd "$(dirname "$0")/../.." || exit 1
BUILD=${BUILD:-build}
SILENCE=300 # seconds from one line to the next
output=$1 size=$2 cpus=$3 options=$4 pattern=$5 pause=$6 at=${7-} change=${8-}
log=$output.log
image=$output.iso
mkdir -p "$(dirname "$output")"
rm -f "$output.ppm" "$output.png" "$output.bin"
: >"$log"
trap 'rm -f "$image" "$output.gdb"' EXIT
trap 'exit 130' HUP INT TERM

# pmucheck.cfg sets the size, as a user would.
if [ "$size" = text ]; then
    cp "$BUILD/pmucheck.iso" "$image" || exit 1
    set --
else
    echo "set gfxpayload=$size" | tools/iso-settings.sh "$image" || exit 1
    set -- -drive if=pflash,format=raw,readonly=on,file=/usr/share/OVMF/OVMF_CODE_4M.fd \
        -drive if=pflash,format=raw,snapshot=on,file=/usr/share/OVMF/OVMF_VARS_4M.fd
fi

[ -n "$change" ] || set -- "$@" -no-reboot
[ -z "$at" ] || set -- "$@" -S -chardev "socket,path=$output.gdb,server=on,wait=off,id=debugger" -gdb chardev:debugger

# Lets the machine run to that function, and no further.
stop_there() {
    echo "${change:-set var *(unsigned short *)$at = 0xfeeb}" | tools/check/debugger.sh "$output.gdb" "$at" >"$log"
}

# The commands for QEMU's monitor, after the wait.
tell() {
    if [ -n "$at" ]; then stop_there; else tools/check/await.sh "$log" "$SILENCE" "$pattern" || exit; fi
    sleep "$pause"
    echo "screendump $output.ppm"
    echo "screendump $output.png -f png"
    [ "$size" != text ] || echo "pmemsave 0xb8000 4000 \"$output.bin\""
    echo quit
}
tell | tools/check/silence.sh "$log" "$((SILENCE + pause))" qemu-system-x86_64 -accel tcg -nic none -display none \
    -monitor stdio -serial "$([ -n "$at" ] && echo none || echo "file:$log")" -cpu max -smp "$cpus" -m 256 -vga none -device VGA,vgamem_mb=64 \
    -fw_cfg "name=opt/org.pmucheck/options,string=$(echo "$options" | sed 's/,/,,/g')" "$@" \
    -drive "if=none,id=medium,format=raw,snapshot=on,file=$image" -device qemu-xhci \
    -device usb-storage,drive=medium,removable=on,bootindex=0 >/dev/null
[ -f "$output.png" ] || {
    echo "$output: the log never showed $pattern"
    exit 1
}
