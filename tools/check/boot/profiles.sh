#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# A quick run of every profile in one boot with three CPUs, or of each N-th profile from the K-th on and Skylake: all
# tests must pass, and it must be good for the uses that tests/boot/purposes.txt says. Would catch a false alarm on a
# CPU model, and a use that a CPU model is said not to be good for.
#
# usage: tools/check/boot/profiles.sh [K/N]         --table: only prints the rows of the last log, for that file
set -u
cd "$(dirname "$0")/../../.." || exit 1
export BUILD="${BUILD:-build}"
part=${1:-1/1}
log=$BUILD/logs/profiles.log
mkdir -p "$BUILD/logs"

# The rows of the log's runs, as in tests/boot/purposes.txt.
rows() {
    find tests -mindepth 2 -maxdepth 2 -name '*.c' ! -path 'tests/harness/*' ! -path 'tests/host/*' ! -path 'tests/fuzz/*' |
        sed 's,^tests/,,; s,\.c$,,; s,/,.,' | LC_ALL=C sort >"$BUILD/logs/profiles-ids.txt"
    awk -f tools/check/boot/purposes.awk "$BUILD/logs/profiles-ids.txt" "$log" | LC_ALL=C sort
}

[ "$part" != --table ] || {
    rows
    exit 0
}

# tools/check/program/fleet.sh makes fleets of this log and of a failing one, which is a Skylake.
tools/check/boot/each.sh "$part" | grep -qx skylake && first='' || first=skylake,
REFERENCE='' CPUS=3 OPTIONS="reference=${first}all:$part quick after=exit" SILENCE=300 SUMMARY=0 LOG=$log tools/run.sh
status=$?
rows | while IFS= read -r row; do
    grep -qxF "$row" tests/boot/purposes.txt || {
        echo "tests/boot/purposes.txt has no such row: $row" # look at it before it is entered
        exit 1
    }
done || status=1
exit $status
