#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# A machine that hangs and is reset must tell at its next start what it was doing: an access never returns, the debugger
# resets the machine, and the image starts again. On a BIOS and, with --uefi, under OVMF.
# Would catch a hang that the next start does not report.
#
# usage: tools/check/boot/previous.sh [--uefi]
set -eu
cd "$(dirname "$0")/../../.."
BUILD=${BUILD:-build}
work=$(mktemp -d)
log=$BUILD/logs/previous${1-}.log
mkdir -p "$BUILD/logs"
rm -f "$log"
qemu=
trap '[ -z "$qemu" ] || kill "$qemu" 2>/dev/null; rm -rf "$work"' EXIT
set -- ${1:+-machine q35 -drive "if=pflash,format=raw,readonly=on,file=/usr/share/OVMF/OVMF_CODE_4M.fd"}

tools/check/silence.sh "$log" 300 qemu-system-x86_64 "$@" -cpu max -m 256 -smp 1 -display none \
    -cdrom "$BUILD/pmucheck.iso" -boot d -serial "file:$log" \
    -chardev "socket,path=$work/gdb,server=on,wait=off,id=debugger" -gdb chardev:debugger \
    -fw_cfg name=opt/org.pmucheck/options,string="reference=skylake run=access.gp-counters defect=rdmsr-hangs" &
qemu=$!

tools/check/await.sh "$log" 300 '^# access read reg=IA32_PMC3'
tools/check/silence.sh "$log" 300 gdb -q -batch -ex "target remote $work/gdb" -ex "monitor system_reset" -ex detach \
    >"$log.gdb" 2>&1
tools/check/await.sh "$log" 300 '^# previous-run ended=no running=access.gp-counters'
tools/check/await.sh "$log" 300 '^# previous-run | # access read reg=IA32_PMC3'
grep -a '^# previous-run' "$log" | tail -n 3
