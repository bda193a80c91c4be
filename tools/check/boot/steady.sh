#!/bin/sh
# With QEMU's clocks by its instructions a run's log is the same whatever else the machine does: all tests run
# twice on the reference PMU, the second time beside two busy processes for each core, and each line must be the same but
# for what tells of time.
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

# Heartbeats come by time, and with them the sums of the log differ; firmware and GRUB wait for a disk, and the image's
# first look at its clocks and at the date is at another moment. A heartbeat that falls into a repeat has it made again, and
# as many repeats are made as a test's time has room for: what a measure found is compared, not how often. The skid of the
# reference PMU goes by how many PMIs there were before, and with it how many PMIs a small period brings; what its caches and
# predictors miss goes by how many instructions. Walks into which a wake-up came are begun anew.
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
    pmu/reference/proof/run.sh >/dev/null
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
    echo "the run came to no end"
    exit 1
}
diff "$BUILD/logs/steady-alone.log.lasting" "$BUILD/logs/steady-beside-load.log.lasting"
