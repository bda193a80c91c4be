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

# Prints a log without the parts that depend on time. Heartbeats come by time, and change the log's check sums. Firmware
# and GRUB wait for a disk, so that the image reads its clocks and the date at another moment. A heartbeat within a
# repeat has the repeat made again, and a test makes as many repeats as its time allows: results of measurements are
# compared, not their number. The reference PMU's skid depends on the number of PMIs before, and so does the number of
# PMIs of a small period; its cache and branch misses depend on the number of instructions. A random walk that a wake-up
# interrupts is begun anew.
lasting() {
    tr -d '\r' <"$1" | sed -E -e '/^ *# (date|heartbeat|sync|took|tsc) /d' \
        -e '/^ *# measure .* unit=(ticks|us|permille-of-tsc|pmis) /d' \
        -e "/^ *# measure (pmi.skid|pmi.latency name=skid|gp.provoked) /d" \
        -e '/^ *# lockstep seed=/s/ steps=.* differences=/ differences=/' \
        -e '/^ *# measure /s/ n=[0-9]+//' -e '/^ *# measure /s/ hist=[^ ]*$//' \
        -e 's/ crc32=[0-9a-f]*$//' -e 's/ disagreement-ppm=[0-9]*$//'
}

boot() {
    LOG=$BUILD/logs/steady-$1.log
    export LOG
    reference/proof/run.sh >/dev/null
    echo "$1: status $?, $(tr -d '\r' <"$LOG" | grep -ac .) lines"
    lasting "$LOG" >"$LOG.lasting"
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
