#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Builds the image without the reference PMU (make REFERENCE=no) and boots it: on QEMU's own CPU, which has no PMU, it
# skips all tests and says what it lacks; asked for a profile, it says in one line that it has none; hosted on a PMU as
# if that were hardware, it judges it.
# Would catch an instrument that needs its wing, and an option that is gone without a word.
#
# usage: tools/check/boot/without.sh
set -u
cd "$(dirname "$0")/../../.." || exit 1
BUILD=${BUILD:-build}
logs=$BUILD/logs
mkdir -p "$logs"

fail() {
    echo "$1"
    exit 1
}

# boots NAME OPTIONS STATUS: boots it on QEMU's own CPUs. Its log is in NAME.log.
boots() {
    REFERENCE=no IMAGE=$BUILD/without-reference/pmucheck.iso CPUS=2 SUMMARY=0 SILENCE=60 TIMEOUT=240 OPTIONS=$2 \
        LOG=$logs/$1.log tools/run.sh >"$logs/$1.txt" 2>&1
    status=$?
    [ "$status" = "$3" ] || fail "$1: exit status $status instead of $3: $logs/$1.log"
}

# says NAME PATTERN
says() {
    grep -aqE -e "$2" "$logs/$1.log" || fail "$1: no line matches $2: $logs/$1.log"
}

"${MAKE:-make}" --no-print-directory -j "${JOBS:-2}" REFERENCE=no BUILD="$BUILD" iso >"$logs/without-build.txt" 2>&1 ||
    fail "the build failed: $logs/without-build.txt"
# What the linker's map names, of ld and of lld; and what the sources of that include.
map=$BUILD/without-reference/gen/pmucheck.elf.map
! grep -E 'obj/(reference|hosting)/|gen/(profiles|dumps|[a-z]*\.sites)\.' "$map" || fail "these objects are of the reference PMU"
! grep -oE '[^ :()]+\.o\b' "$map" | LC_ALL=C sort -u | sed 's/o$/d/' | xargs grep -lE '(^| )(reference|hosting)/' ||
    fail "these objects include a file of the reference PMU"

boots without quick 77
says without '^# without part=reference-pmu options=.*reference'
says without '^# end verdict=untested '
says without '^# advice guest\.tcg .*take an image with the reference PMU'

# Each option that it lacks.
for option in $(sed -n 's/^# without .* options=\([^ \r]*\).*/\1/p' "$logs/without.log" | tr ',' ' '); do
    boots without-option "$option=skylake" 99
    says without-option "^not ok 1 start # ERROR option $option: this image was built without the reference PMU"
done

if [ -e hosting/tools/host.sh ]; then
    LOG=$logs/without-hosted.log KERNEL=$BUILD/without-reference/pmucheck.elf MEMORY=256 BOARD=Acme \
        ARGS="after=poweroff quick run=enum.*,gp.*" hosting/tools/host.sh >"$logs/without-hosted.txt" 2>&1 ||
        fail "hosted: it did not end: $logs/without-hosted.log"
    says without-hosted 'run pmu=hardware'
    says without-hosted '# end verdict=pass '
fi
echo "builds, boots, judges a PMU, and says of each option that it lacks the reference PMU"
