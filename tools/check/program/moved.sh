#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# `pmucheck run --migrate`: a guest with the reference PMU is stopped, saved, and loaded by another QEMU in the middle of
# its test, three times in a run. The PMU's state is in the guest's memory, so nothing is lost, unless a defect loses it
# at that moment. Without a move the test ends in an error, and asks for none where nobody makes one.
# Would catch a guest that is not moved, or told too early, a log with a gap, a test that misses what a move loses.
set -eu
cd "$(dirname "$0")/../../.."
BUILD=${BUILD:-build}
log=$BUILD/logs/moved.log
bad=0

# moved STATUS PATTERN OPTIONS...: a run with these options of the image; its status, and a line of its log
moved() {
    want=$1 pattern=$2 status=0
    shift 2
    rm -f "$log"
    "$BUILD/tools/pmucheck" run --quiet --timeout=240 --cpus=2 --image="$BUILD/pmucheck.iso" --log="$log" \
        --reference=skylake "$@" >"$log.said" 2>&1 || status=$?
    if [ "$status" != "$want" ] || ! grep -Eq "$pattern" "$log"; then
        echo "$*: status $status, not $want, or no line $pattern"
        cat "$log.said"
        bad=1
    fi
}
tests="quick lockstep=off run=access.migrated"
moved 0 '^# end verdict=pass pass=3' --migrate --options="$tests repeat=3"
[ "$(grep -c '^# migrate seconds=60 ' "$log")" = 3 ] || { echo "$log: not moved three times" && bad=1; }
moved 1 'label=status-changed' --migrate --options="$tests defect=move-loses-status"
moved 1 'label=ran-back' --migrate --options="$tests defect=move-loses-counters"
moved 99 '^# error access[.]migrated .*no byte came' --options="$tests migrate=2"
moved 0 '^ok 1 access[.]migrated' --options="$tests"
if grep -q '^# migrate ' "$log"; then
    echo "$log: asked for a move that nobody makes"
    bad=1
fi
exit $bad
