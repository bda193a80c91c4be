#!/bin/sh
# Boots one case of tests/boot/torture.txt, on a machine that is broken by QEMU's arguments or by a debugger, and compares
# what comes of it with what is expected. Without a name: lists them.
#
# usage: tools/check/torture-case.sh [NAME]
set -u
cd "$(dirname "$0")/../.." || exit 1
BUILD=${BUILD:-build}
CASES=${CASES:-tests/boot/torture.txt}

[ $# -gt 0 ] || exec tools/check/case-row.sh "$CASES"
row=$(tools/check/case-row.sh "$CASES" "$1") || exit 1
IFS='|' read -r name firmware arguments options at change end pattern <<ROW
$row
ROW
[ -n "$options" ] || options="reference=skylake quick run=pmi.mask-set,pmi.own-cpu"
options=$(echo "$options" | sed 's/,/,,/g') # QEMU takes two commas for one
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$BUILD/logs"
log=$BUILD/logs/torture-$name.log
rm -f "$log"

# As printf wants bytes that are two hexadecimal digits each.
bytes() {
    echo "$1" | awk '{
        for (i = 1; i < length($0); i += 2)
            printf "\\%03o", 16 * index("123456789abcdef", substr($0, i, 1)) + index("123456789abcdef", substr($0, i + 1, 1))
    }'
}

# "hex:BYTES" is a file that has them.
words=
for word in $arguments; do
    case $word in
    *hex:*)
        # shellcheck disable=SC2059 # the format is the bytes
        printf "$(bytes "${word##*hex:}")" >"$work/bytes"
        word=${word%%hex:*}$work/bytes
        ;;
    esac
    words="$words $word"
done
[ "$firmware" = bios ] || words="$words -drive if=pflash,format=raw,readonly=on,file=/usr/share/OVMF/OVMF_CODE_4M.fd"
[ -z "$at" ] || words="$words -S -chardev socket,path=$work/gdb,server=on,wait=off,id=debugger -gdb chardev:debugger"

# shellcheck disable=SC2086 # arguments are words; a later one of QEMU's wins
timeout 600 qemu-system-x86_64 -cpu max -m 128 -smp 2 -nic none -display none -no-reboot -monitor none \
    -cdrom "$BUILD/pmucheck.iso" -boot d -serial "file:$log" -device isa-debug-exit,iobase=0xf4,iosize=4 \
    -fw_cfg "name=opt/org.pmucheck/options,string=after=exit $options" $words 2>"$work/qemu" &
qemu=$!
[ -z "$at" ] || echo "$change" | sed 's/; */\n/g' | tools/check/debugger.sh "$work/gdb" "$at" >"$BUILD/logs/torture-$name.gdb"
# Without ACPI or SMBIOS the image cannot know QEMU, nor how to leave it: it stands still after its END line.
stopped=
while kill -0 "$qemu" 2>/dev/null; do
    if grep -aq '^# end ' "$log" 2>/dev/null || { [ "$end" = hangs ] && grep -aqE -e "$pattern" "$log" 2>/dev/null; }; then
        stopped=1
        sleep 2
        kill "$qemu" 2>/dev/null
        break
    fi
    sleep 0.3
done
wait "$qemu"
status=$?
grep -v memory_region_ops "$work/qemu"

# The verdict; or that there is none, and the machine reset or hung. What QEMU says, such as its traces, comes after the log.
lines=$(cat "$log" "$work/qemu" 2>/dev/null | tr -d '\r' | tr -c '\n -~' '?')
got=$(echo "$lines" | sed -n 's/^# end .*verdict=\([a-z]*\).*/\1/p' | tail -n 1)
[ -n "$got" ] || got=$([ "$stopped$status" = 0 ] && echo resets || echo hangs)
echo "$name|$got|$(echo "$lines" | grep -E -m 1 -e "$pattern" || echo "$lines" | grep '^# start' | tail -n 1)" \
    >"$BUILD/logs/torture-$name.end"
result=0
[ "$got" = "$end" ] || {
    echo "$name: it ends in \"$got\", not in \"$end\""
    result=1
}
case $pattern in
!*)
    if echo "$lines" | grep -E -e "${pattern#!}"; then
        echo "$name: a line of the log matches: ${pattern#!}"
        result=1
    fi
    ;;
*)
    echo "$lines" | grep -qE -e "$pattern" || {
        echo "$name: no line of the log matches: $pattern"
        result=1
    }
    ;;
esac
[ -z "$at" ] || grep -q "^came to its end" "$BUILD/logs/torture-$name.gdb" || {
    echo "$name: the debugger did not come to its end: $(tail -n 1 "$BUILD/logs/torture-$name.gdb")"
    result=1
}
exit $result
