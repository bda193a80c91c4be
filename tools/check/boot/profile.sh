#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# From a log to a profile and back: logs of reference PMUs become profiles, which are handed to the image. Each must
# behave as the PMU of its log: the same capabilities, results, bits and hand-off, but not measurements, which have
# noise.
# Would catch a fact of a CPU that is lost between log and profile.
#
# usage: tools/check/boot/profile.sh PROFILE...
set -eu
cd "$(dirname "$0")/../../.."
BUILD=${BUILD:-build}
program=$BUILD/tools/pmucheck
work=$BUILD/round-trip
mkdir -p "$work"

# A verdict of fail or review is allowed: the copy only has to get the same one.
run() {
    "$program" run --cpus=2 --timeout=3600 --silence=200 --quiet --image="$BUILD/pmucheck.iso" --reference="$1" --options=quick --log="$2" >"$2.txt" ||
        [ $? -le 2 ]
}

for profile in "$@"; do
    run "$profile" "$work/$profile.log" || { tail -n 3 "$work/$profile.log.txt"; exit 1; }
    "$program" profile "$work/$profile.log" --name="$profile-copy" --output="$work/$profile-copy.profile"
done

bad=0
for profile in "$@"; do
    run "$work/$profile-copy.profile" "$work/$profile-copy.log" || { tail -n 3 "$work/$profile-copy.log.txt"; exit 1; }
    for chapter in capabilities results bits hand-off; do
        "$program" compare "$work/$profile.log" "$work/$profile-copy.log" --chapter=$chapter >"$work/compare.txt"
        grep -q '^    ' "$work/compare.txt" || continue
        cat "$work/compare.txt"
        bad=1
    done
done
[ "$bad" = 0 ] && echo "profiles that behave as the PMUs of their logs: $*"
exit $bad
