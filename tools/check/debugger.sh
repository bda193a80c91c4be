#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# A debugger for a QEMU that was started with -S and a socket for gdb: lets the image run to FUNCTION, runs the commands
# of standard input (gdb's and those of tools/check/machine.gdb) there, and detaches. The last line of output is "came
# to its end" unless a command failed.
#
# usage: tools/check/debugger.sh SOCKET FUNCTION <COMMANDS
set -u
tries=0
while [ ! -S "$1" ]; do
    tries=$((tries + 1))
    [ $tries -lt 300 ] || {
        echo "$1: QEMU did not open this socket within 30 s"
        exit 1
    }
    sleep 0.1
done
commands=$(mktemp)
trap 'rm -f "$commands"' EXIT
trap 'exit 130' HUP INT TERM
{
    printf 'target remote %s\nhbreak %s\ncontinue\ndelete\n' "$1" "$2"
    cat
    printf 'echo came to its end\\n\ndetach\n' # it detaches after an error, too
} >"$commands"
timeout 500 gdb -q -batch -x tools/check/machine.gdb -x "$commands" "${BUILD:-build}/pmucheck.elf" 2>&1
