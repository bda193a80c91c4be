#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Boots broken machines, damaged images and faults: every case of tests/boot/torture.txt and faults.txt, and images with
# a flipped bit, JOBS at a time. Prints a table of how each ended, then the unexpected ends.
# Would catch a failure outside the sample that `make test` draws.
#
# usage: [FLIPS=N] tools/check/boot/torture.sh [K/N]       K/N: each N-th case of torture.txt alone, from the K-th on
set -u
cd "$(dirname "$0")/../../.." || exit 1
BUILD=${BUILD:-build}
JOBS=${JOBS:-2}
FLIPS=${FLIPS:-100}                     ## of make torture: how many images with a flipped bit, with GRUB's look and without
RESULTS=$BUILD/logs/torture.txt
export BUILD JOBS RESULTS

cases() {
    tools/check/case/torture.sh | awk -v k="${1%/*}" -v n="${1#*/}" 'NR % n == k % n'
}

# A sample: prints the names of its cases only.
[ $# = 0 ] || {
    cases "$1"
    exit
}

mkdir -p "$BUILD/logs"
rm -f "$BUILD"/logs/torture-*.end
: >"$RESULTS"
started=$(date +%s)
cases 1/1 | xargs -P "$JOBS" -I '{}' tools/check/step.sh "torture: {}" tools/check/case/torture.sh '{}'
export CASES=tests/boot/faults.txt
tools/check/case/torture.sh | xargs -P "$JOBS" -I '{}' tools/check/step.sh "fault: {}" tools/check/case/torture.sh '{}'
tools/check/step.sh "flips that GRUB looks for" tools/check/boot/flip.sh "$FLIPS"
GRUB_LOOKS=0 tools/check/step.sh "flips that it lets through" tools/check/boot/flip.sh "$FLIPS"

echo
cat "$BUILD"/logs/torture-*.end | awk -F '|' '{ printf "%-24s %-9s %.90s\n", $1, $2, $3; ends[$2]++ }
    END { for (end in ends) printf "%6u %s\n", ends[end], end }'
tools/check/sum.sh "$started"
