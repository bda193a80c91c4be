#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Boots one machine that QEMU's arguments or a debugger have broken. It must end with the table's verdict, reset or
# hang: would catch trust in wrong firmware and memory. tests/boot/faults.txt has cases in the same columns.
#
# usage: [CASES=TABLE] tools/check/case/torture.sh [NAME]
set -u
cd "$(dirname "$0")/../../.." || exit 1
. tools/check/case/case.sh
IFS='|' read -r name firmware arguments options at change end pattern <<ROW
$row
ROW

# Turns bytes of two hexadecimal digits each into a format of printf.
bytes() {
    echo "$1" | awk '{
        for (i = 1; i < length($0); i += 2)
            printf "\\%03o", 16 * index("123456789abcdef", substr($0, i, 1)) + index("123456789abcdef", substr($0, i + 1, 1))
    }'
}

# The arguments, with a file in place of "hex:BYTES", and "built:FILE" in the build's directory.
words() {
    for word in $arguments; do
        case $word in
        built:*) word=$BUILD/${word#built:} ;;
        *hex:*)
            # shellcheck disable=SC2059 # the format is the bytes
            printf "$(bytes "${word##*hex:}")" >"$work/bytes"
            word=${word%%hex:*}$work/bytes
            ;;
        esac
        echo "$word"
    done
}

# Without ACPI or SMBIOS the image does not recognise QEMU, and cannot end it: it stops after its END line.
await_end() {
    stopped=
    while kill -0 "$qemu" 2>/dev/null; do
        if grep -aq '^# end ' "$LOG" 2>/dev/null || { [ "$end" = hangs ] && grep -aqE -e "$pattern" "$LOG" 2>/dev/null; }; then
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
}

# The log, then QEMU's own output, such as its traces.
output() {
    cat "$LOG" "$work/qemu" 2>/dev/null | tr -d '\r' | tr -c '\n -~' '?'
}

# The debugger reads the file that is started.
case $arguments in
*"-kernel built:"*)
    DEBUGGED=${arguments##*-kernel built:}
    export DEBUGGED="$BUILD/${DEBUGGED%% *}"
    ;;
esac
# shellcheck disable=SC2046 # words; of QEMU's arguments the last one wins
start 600 "$firmware" "${options:-reference=skylake quick run=pmi.mask-set,pmi.own-cpu}" "$at" "$change" -no-reboot $(words)
await_end
got=$(output | sed -n 's/^# end .*verdict=\([a-z]*\).*/\1/p' | tail -n 1)
[ -n "$got" ] || got=$([ "$stopped$status" = 0 ] && echo resets || echo hangs)
echo "$name|$got|$(output | grep -E -m 1 -e "$pattern" || output | grep '^# start' | tail -n 1)" >"${LOG%.log}.end"
expect "it ends in" "$got" "$end"
expect_line "$pattern"
finish
