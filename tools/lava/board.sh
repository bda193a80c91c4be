#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# A stand-in for a board with a power switch and a serial line: a QEMU that starts from the stick's image.
#
# usage: tools/lava/board.sh IMAGE OPTIONS DIRECTORY on|off|reset|connect          DIRECTORY: for its state
set -eu
image=$1 options=$2 state=$3
serial=$state/serial

off() {
    [ ! -s "$state/pid" ] || kill "$(cat "$state/pid")" 2>/dev/null || true
    rm -f "$state/pid"
}

# QEMU splits the values of options at commas; a doubled comma is a comma.
value() {
    printf '%s' "$1" | sed 's/,/,,/g'
}

on() {
    off
    qemu-system-x86_64 -daemonize -pidfile "$state/pid" -accel tcg -cpu max -smp 2 -m 256 -nic none -display none \
        -monitor none -chardev "file,id=serial,append=on,path=$(value "$serial")" -serial chardev:serial \
        -device qemu-xhci -drive "if=none,id=stick,format=raw,snapshot=on,file=$(value "$image")" \
        -device usb-storage,drive=stick,removable=on,bootindex=0 \
        -fw_cfg "name=opt/org.pmucheck/options,string=$(value "$options")"
}

case $4 in
on | reset) on ;;
off) off ;;
connect)
    # Like a serial line, passes on only output that comes while LAVA listens.
    : >"$serial"
    exec tail -n +1 -f "$serial"
    ;;
esac
