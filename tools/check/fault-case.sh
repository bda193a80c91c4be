#!/bin/sh
# Boots one case of tests/boot/faults.txt with a debugger that puts its fault in, and compares what comes of it with what is
# expected. Without a name: lists them.
#
# usage: tools/check/fault-case.sh [NAME]
set -u
cd "$(dirname "$0")/../.." || exit 1
BUILD=${BUILD:-build}
CASES=tests/boot/faults.txt

[ $# -gt 0 ] || exec tools/check/case-row.sh "$CASES"
row=$(tools/check/case-row.sh "$CASES" "$1") || exit 1
IFS='|' read -r name cpus options at change pattern <<ROW
$row
ROW
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$BUILD/logs"
log=$BUILD/logs/fault-$name.log
rm -f "$log"

tools/check/silence.sh "$log" 300 qemu-system-x86_64 -machine pc -cpu max -m 128 -smp "$cpus" -display none \
    -no-reboot -S -cdrom "$BUILD/pmucheck.iso" -boot d -serial "file:$log" -device isa-debug-exit,iobase=0xf4,iosize=4 \
    -chardev "socket,path=$work/gdb,server=on,wait=off,id=debugger" -gdb chardev:debugger \
    -fw_cfg "name=opt/org.pmucheck/options,string=after=exit $options" &
qemu=$!
tries=0
while [ ! -S "$work/gdb" ] && [ $tries -lt 3000 ]; do
    sleep 0.1
    tries=$((tries + 1))
done
tools/check/silence.sh "$log" 300 gdb -q -batch -ex "target remote $work/gdb" -ex "hbreak $at" -ex continue \
    -ex "$change" -ex detach "$BUILD/pmucheck.elf" >"$BUILD/logs/fault-$name.gdb" 2>&1
wait "$qemu"

result=0
for line in "$pattern" "^# end verdict=error"; do
    tr -d '\r' <"$log" | grep -aqE -e "$line" || {
        echo "$name: no line of the log matches: $line"
        result=1
    }
done
exit $result
