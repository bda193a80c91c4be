#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Hosts the image on several CPUs of one model, and compares their logs: would catch an erratum in a wrong state, and a
# comparison that does not say what differs between steppings and revisions of microcode.
#
# usage: [CASES=TABLE] hosting/test/check/errata.sh [NAME]
set -u
cd "$(dirname "$0")/../../.." || exit 1
TABLES=hosting/test
. tools/check/case/case.sh
IFS='|' read -r name profile tests cpus erratum states text <<ROW
$row
ROW

base=reference/model/profiles/$profile.profile
folder=${LOG%.log}
# shellcheck disable=SC2154 # `work` is the runner's
mkdir -p "$folder" "$work/profile"
rm -f "$folder"/*

# host SIGNATURE MICROCODE DEFECT: the profile with another identity, and the hosted image's log in $folder.
host() {
    sed -e "s/^\(signature  *\)[0-9a-f]*/\1$(printf %08x "0x$1")/" -e "s/^\(microcode  *\)[0-9a-f]*/\1$(printf %08x "0x$2")/" \
        "$base" >"$work/profile/$profile.profile"
    KERNEL=$BUILD/pmucheck.elf REFERENCE=$work/profile/$profile.profile OPTIONS=${3:+defect=$3} LOG=$LOG SILENCE=300 CPUS=1 \
        ARGS="quick prove-here=off lockstep=off after=poweroff machine=$1-$2 run=$tests" hosting/tools/host.sh >"$work/output"
    expect "$1:$2: status" $? 0
    hosting/test/check/hosted-log.sh <"$LOG" | tr -d '\r' >"$folder/$1-$2.log"
}

# The state of the erratum in the log of a CPU; "none": no line is about it.
expect_state() {
    line=$(grep -a "^# erratum $erratum " "$folder/$1.log")
    [ "$2" != none ] || [ -z "$line" ] || wrong "$1: $line"
    [ "$2" = none ] || echo "$line" | grep -aqE "state=$2" || wrong "$1: ${line:-no line about $erratum}, expected $2"
    grep -aqE "^# run pmu=hardware" "$folder/$1.log" || wrong "$1: its PMU is no hardware"
}

logs=
for cpu in $cpus; do
    defect=$(echo "$cpu" | cut -d : -f 3)
    signature=${cpu%%:*} microcode=$(echo "$cpu" | cut -d : -f 2)
    host "$signature" "$microcode" "$defect"
    state=${states%% *} states=${states#* }
    expect_state "$signature-$microcode" "$state"
    logs="$logs $folder/$signature-$microcode.log"
done

# The sentence stands before everything else but the machines, in the text and on the page.
output() {
    sed -n '/^WHAT DIFFERS BETWEEN STEPPINGS/,/^$/p' "$folder/compare.txt"
}
# shellcheck disable=SC2086 # several logs
for form in text html; do
    "$BUILD/tools/pmucheck" compare --format="$form" -o "$folder/compare.${form%text}" $logs || wrong "compare --format=$form"
done
mv "$folder/compare." "$folder/compare.txt"
expect_line "$text"
grep -q "What differs between steppings and microcodes" "$folder/compare.html" || wrong "the page lacks the sentence"
# shellcheck disable=SC2086 # several logs
"$BUILD/tools/pmucheck" compare --chapter=errata $logs | grep -q "^  $erratum" || wrong "compare --chapter=errata lacks $erratum"
finish
