#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# A reader of the serial line that pauses in the middle of the run must get the whole log once it reads on, END
# included. The line is a pipe, which QEMU cannot write to meanwhile; the log is twice as long as the pipe's buffer.
# Would catch lines that are dropped when nobody reads.
set -eu
cd "$(dirname "$0")/../../.."
BUILD=${BUILD:-build}
log=$BUILD/logs/stall.log
options="after=exit quick reference=skylake,,haswell,,lunar-lake,,nehalem" # QEMU takes two commas for one
slow_reader() {
    dd bs=1 count=4000 2>/dev/null
    sleep 6
    cat
}
mkdir -p "$BUILD/logs"
# shellcheck disable=SC2094 # it only reads the log's length
tools/check/silence.sh "$log" 300 qemu-system-x86_64 -machine pc -cpu max -m 128 -smp 1 -display none -no-reboot \
    -cdrom "$BUILD/pmucheck.iso" -boot d -chardev stdio,id=line,signal=off -serial chardev:line -device isa-debug-exit,iobase=0xf4,iosize=4 \
    -fw_cfg name=opt/org.pmucheck/options,string="$options" </dev/null | slow_reader >"$log"
"$BUILD/tools/pmucheck" report "$log" >"$log.report" || {
    tail -n 5 "$log" "$log.report"
    exit 1
}
grep -a "^# end" "$log"
