#!/bin/sh
# Boots one case of tests/boot/resets.txt, with all starts that the machine makes, and compares what comes of it with what
# is expected. Without a name: lists them.
#
# usage: tools/check/reset-case.sh [NAME]
set -u
cd "$(dirname "$0")/../.." || exit 1
BUILD=${BUILD:-build}
CASES=tests/boot/resets.txt

[ $# -gt 0 ] || exec tools/check/case-row.sh "$CASES"
row=$(tools/check/case-row.sh "$CASES" "$1") || exit 1
IFS='|' read -r name firmware machine cpus options at change want starts first last <<ROW
$row
ROW
mkdir -p "$BUILD/logs"
log=$BUILD/logs/reset-$name.log
rm -f "$log"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
set --
[ "$firmware" = bios ] || set -- -drive if=pflash,format=raw,readonly=on,file=/usr/share/OVMF/OVMF_CODE_4M.fd

timeout 400 qemu-system-x86_64 -machine "$machine" "$@" -cpu max -m 256 -smp "$cpus" -display none \
    -global ICH9-LPC.noreboot=off -cdrom "$BUILD/pmucheck.iso" -boot d -serial "file:$log" \
    -device isa-debug-exit,iobase=0xf4,iosize=4 \
    -chardev "socket,path=$work/gdb,server=on,wait=off,id=debugger" -gdb chardev:debugger \
    -fw_cfg "name=opt/org.pmucheck/options,string=after=exit $(echo "$options" | sed 's/,/,,/g')" ${at:+-S} </dev/null &
qemu=$!
[ -z "$at" ] || echo "$change" | tools/check/debugger.sh "$work/gdb" "$at" >"$log.gdb"
wait "$qemu"
status=$?
[ $((status % 2)) = 0 ] || [ $status -lt 33 ] || status=$(echo "0 1 77 99 2" | cut -d ' ' -f $((status / 2 - 15)))

# From line NUMBER of the log on, is there one that matches?
has() {
    tr -d '\r' <"$log" | tail -n "+$1" | grep -aqE -e "$2"
}
begins=$(tr -d '\r' <"$log" | grep -an '^# pmucheck version=[^ ]* commit=[^ ]* sum=' | cut -d : -f 1)
result=0
[ "$status" = "$want" ] || {
    echo "$name: status $status, expected $want"
    result=1
}
[ "$(echo "$begins" | wc -l)" = "$starts" ] || {
    echo "$name: $(echo "$begins" | wc -l) starts, expected $starts"
    result=1
}
has 1 "$first" || {
    echo "$name: no line of the log matches: $first"
    result=1
}
has "$(echo "$begins" | tail -n 1)" "$last" || {
    echo "$name: no line of the last start matches: $last"
    result=1
}
exit $result
