#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The machine's own PMU after a proof on the same CPU: in Bochs, whose CPUs are "hardware" for the image, the log of a
# boot with prove-here= must be the same as one without, but for the proof's own lines, times and dates. Status 77 if
# there is no Bochs here.
# Would catch a stepper that leaves something behind: a gate, a site, capabilities of the model, a register.
#
# usage: tools/check/boot/proven.sh
set -u
cd "$(dirname "$0")/../../.." || exit 1
BUILD=${BUILD:-build}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' HUP INT TERM
command -v bochs >/dev/null || { echo "there is no Bochs here; 'make dependencies' installs it" && exit 77; }

for how in on off; do
    echo "proven-$how | corei7_skylake_x | 2 | zero | quick prove-here=$how | 77 | ^# untested code=firmware.perfmon"
done >"$work/cases"
for how in on off; do
    CASES=$work/cases LOG=$BUILD/logs/proven-$how.log tools/check/case/bochs.sh "proven-$how" || exit 1
    tr -d '\r' <"$BUILD/logs/proven-$how.log" |
        grep -Ev '^# (took|sync|heartbeat|clock|options|date|proven-here|result|end) ' >"$work/$how"
done
grep -aEq '^# proven-here profile=50654 own=yes defects=([1-9][0-9]*) caught=\1 ' "$BUILD/logs/proven-on.log" || {
    echo "a defect was not noticed, or none was shown: $(grep -a '^# proven-here' "$BUILD/logs/proven-on.log")"
    exit 1
}
diff "$work/off" "$work/on"
