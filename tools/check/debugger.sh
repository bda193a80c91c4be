#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# A debugger for a QEMU that was started with -S and a socket for gdb: lets the image run to FUNCTION, runs the commands
# of standard input (gdb's and those of tools/check/machine.gdb) there, and detaches. The last line of output is "came
# to its end" unless a command failed. An image that moves itself is at FUNCTION restart() on its way into its copy: the
# command `moved` takes all names for those of the copy from then on.
#
# usage: [DEBUGGED=KERNEL.elf] tools/check/debugger.sh SOCKET FUNCTION <COMMANDS
set -u
file=${DEBUGGED:-${BUILD:-build}/pmucheck.elf}
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
    # shellcheck disable=SC2016 # gdb's own
    printf 'define moved\nadd-symbol-file %s -o $rdi-(long)&entry\nend\n' "$file"
    printf 'target remote %s\nhbreak %s\ncontinue\ndelete\n' "$1" "$2"
    cat
    printf 'echo came to its end\\n\ndetach\n' # it detaches after an error, too
} >"$commands"
timeout 500 gdb -q -batch -x tools/check/machine.gdb -x "$commands" "$file" 2>&1
