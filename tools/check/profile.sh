#!/bin/sh
# The way from a log to a profile and back: logs of reference PMUs become profiles, an image is built with them, and each
# copy must behave as what it was made from: the same capabilities, results, bits and hand-off. Measurements have noise.
#
# usage: tools/check/profile.sh PROFILE...
set -eu
cd "$(dirname "$0")/../.."
BUILD=${BUILD:-build}
program=$BUILD/tools/pmucheck
work=$BUILD/round-trip
rm -rf "$work/profiles"
mkdir -p "$work/profiles"
cp pmu/reference/model/profiles/*.profile "$work/profiles"

# A verdict of fail or review is as good as pass here: the copy has to earn the same.
run() {
    "$program" run --cpus=2 --timeout=3600 --silence=200 --quiet --image="$1" --reference="$2" --options=quick --log="$3" >"$3.txt" ||
        [ $? -le 2 ]
}

for profile in "$@"; do
    run "$BUILD/pmucheck.iso" "$profile" "$work/$profile.log" || { tail -n 3 "$work/$profile.log.txt"; exit 1; }
    "$program" profile "$work/$profile.log" --name="$profile-copy" --output="$work/profiles/$profile-copy.profile"
done
make --no-print-directory -j "${JOBS:-2}" iso BUILD="$work" PROFILES="$work/profiles" >"$work/make.txt" ||
    { cat "$work/make.txt"; exit 1; }

bad=0
for profile in "$@"; do
    run "$work/pmucheck.iso" "$profile-copy" "$work/$profile-copy.log" || { tail -n 3 "$work/$profile-copy.log.txt"; exit 1; }
    for chapter in capabilities results bits hand-off; do
        "$program" compare "$work/$profile.log" "$work/$profile-copy.log" --chapter=$chapter >"$work/compare.txt"
        grep -q '^    ' "$work/compare.txt" || continue
        cat "$work/compare.txt"
        bad=1
    done
done
[ "$bad" = 0 ] && echo "behave as what they were made from: $*"
exit $bad
