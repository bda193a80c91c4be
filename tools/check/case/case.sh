#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The common part of the scripts beside it, which each boot one case of a table and compare the outcome with the
# table's. Sets `row`, the case without blanks around the columns, whose first is the name; LOG; and `work`, a folder.
# A script whose table is in another folder than tests/boot sets TABLES before.
#
# usage: [CASES=TABLE] [LOG=FILE] SCRIPT [CASE]      TABLE: another one with the same columns; without CASE: lists them
set -u
BUILD=${BUILD:-build}
kind=$(basename "$0" .sh)
TABLES=${TABLES:-tests/boot}
CASES=${CASES:-$TABLES/$kind.txt}
[ -e "$CASES" ] || CASES=$TABLES/${kind}s.txt

rows() {
    sed -e '/^#/d' -e '/^[[:blank:]]*$/d' -e 's/[[:blank:]]*|[[:blank:]]*/|/g' "$CASES"
}
[ $# -gt 0 ] || {
    rows | cut -d '|' -f 1
    exit
}
name=$1
row=$(rows | awk -F '|' -v name="$name" '$1 == name')
[ -n "$row" ] || {
    echo "$name: no such case in $CASES"
    exit 1
}
LOG=${LOG:-$BUILD/logs/$kind-$name.log}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' HUP INT TERM
mkdir -p "$BUILD/logs"
rm -f "$LOG"
result=0

wrong() {
    echo "$name: $1"
    result=1
}

finish() {
    exit "$result"
}

output() {
    tr -d '\r' <"$LOG"
}

# expect WHAT GOT WANT
expect() {
    [ "$2" = "$3" ] || wrong "$1 $2, expected $3"
}

# A line of `output` must match an extended regular expression; after "!", no line may.
expect_line() {
    case $1 in
    !*) ! output | grep -aE -e "${1#!}" || wrong "a line of the log matches: ${1#!}" ;;
    *) output | grep -aqE -e "$1" || wrong "no line of the log matches: $1" ;;
    esac
}

# start SECONDS FIRMWARE OPTIONS AT CHANGE [ARGUMENT OF QEMU]...: boots the ISO, as process `qemu`. With AT, a function,
# a debugger runs the commands of CHANGE, separated by ";", when the image first reaches AT.
start() {
    seconds=$1 loader=$2 line=$(echo "$3" | sed 's/,/,,/g') stop=$4 commands=$5 # QEMU takes two commas for one
    shift 5
    [ "$loader" = bios ] || set -- "$@" -drive if=pflash,format=raw,readonly=on,file=/usr/share/OVMF/OVMF_CODE_4M.fd
    [ -z "$stop" ] || set -- "$@" -S -chardev "socket,path=$work/gdb,server=on,wait=off,id=debugger" -gdb chardev:debugger
    timeout "$seconds" qemu-system-x86_64 -cpu max -m 128 -smp 2 -nic none -display none -monitor none \
        -cdrom "$BUILD/pmucheck.iso" -boot d -serial "file:$LOG" -device isa-debug-exit,iobase=0xf4,iosize=4 \
        -fw_cfg "name=opt/org.pmucheck/options,string=after=exit $line" "$@" </dev/null 2>"$work/qemu" &
    # shellcheck disable=SC2034 # the scripts wait for it
    qemu=$!
    [ -z "$stop" ] || {
        echo "$commands" | sed 's/; */\n/g' | tools/check/debugger.sh "$work/gdb" "$stop" >"$LOG.gdb"
        grep -q "^came to its end" "$LOG.gdb" || wrong "the debugger did not come to its end: $(tail -n 1 "$LOG.gdb")"
    }
}
