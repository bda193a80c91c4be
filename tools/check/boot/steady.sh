#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# With QEMU's clocks driven by its count of instructions, a run's log must not depend on the machine's load: all tests
# run twice on the reference PMU, the second time beside two busy processes for each core, and all lines must be the
# same but for times.
# Would catch a result that depends on how busy the machine is.
#
# usage: [OPTIONS=...] tools/check/boot/steady.sh
set -u
cd "$(dirname "$0")/../../.." || exit 1
BUILD=${BUILD:-build}
export SUMMARY=0 STEADY=1 CPUS=2 SILENCE=300 OPTIONS="${OPTIONS-quick}"
busy=
trap '[ -z "$busy" ] || kill $busy 2>/dev/null' EXIT
trap 'exit 130' HUP INT TERM

boot() {
    LOG=$BUILD/logs/steady-$1.log
    export LOG
    reference/proof/run.sh >/dev/null
    echo "$1: status $?, $(tr -d '\r' <"$LOG" | grep -ac .) lines"
    tools/check/boot/lasting.sh "$LOG" >"$LOG.lasting"
}

boot alone
for _ in $(seq $((2 * $(nproc)))); do
    while :; do :; done &
    busy="$busy $!"
done
boot beside-load
grep -aq '^# end ' "$BUILD/logs/steady-alone.log.lasting" || {
    echo "the run did not end"
    exit 1
}
diff "$BUILD/logs/steady-alone.log.lasting" "$BUILD/logs/steady-beside-load.log.lasting"
