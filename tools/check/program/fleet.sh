#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The host program with many logs: verdicts are counted, and memory does not grow with the fleet. Fleets are made from
# the runs of the given logs (tools/check/program/fleet.c): 12 machines of one model of which two fail, one machine of
# each model, 300 machines, and MANY. A comparison of 10,000 takes 50 MB, and 10 s of processor time on an idle machine.
# Memory does not depend on the machine. Time does, and on the load, so that its bound is wide; `make bench` measures
# it.
# Would catch memory or time that grows with the square of the fleet, and a wrong count of verdicts.
#
# usage: [MANY=10000] tools/check/program/fleet.sh GOOD.log FAILING.log
set -eu
cd "$(dirname "$0")/../../.."
BUILD=${BUILD:-build}
MANY=${MANY:-10000}
MEMORY_KIB=100000
CPU_SECONDS=60
good=$1
failing=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' HUP INT TERM
bad=0

fleet() {
    mkdir -p "$work/$1"
    where=$work/$1
    shift
    "$BUILD/tools/fleet" "$where" "$@"
}

# measured NAME STATUS ARGUMENT...: runs pmucheck ARGUMENT..., checks its exit status and its cost
measured() {
    name=$1 wanted=$2
    shift 2
    status=0
    /usr/bin/env time -o "$work/cost" -f '%U %S %M' "$BUILD/tools/pmucheck" "$@" >"$work/out" 2>"$work/errors" ||
        status=$?
    awk -v name="$name" -v memory=$MEMORY_KIB -v seconds=$CPU_SECONDS 'END {
        printf "%-24s %6.1f s of processor time, %4d MB\n", name, $1 + $2, $3 / 1000
        exit $1 + $2 > seconds || $3 > memory }' "$work/cost" || { echo "$name: more time or memory than allowed"; bad=1; }
    [ "$status" = "$wanted" ] || { echo "$name: exit status $status, expected $wanted"; tail -3 "$work/errors"; bad=1; }
}

says() {
    grep -qF -e "$1" "$work/out" || { echo "it does not say: $1"; head -3 "$work/out"; bad=1; }
}

# The logs of a fleet that is small enough for one command line.
logs() {
    find "$work/$1" -name '*.log' | LC_ALL=C sort
}

models=$(grep -ac "^ *# run pmu=reference" "$good")
fleet twelve 12 0 "$failing" "$failing" "$failing" "$failing" "$failing" "$failing"
fleet models "$models" 0 "$good"
fleet hundreds 300 7 "$good" "$failing"
fleet many "$MANY" 50 "$good" "$failing"

# shellcheck disable=SC2046 # names without blanks
{
    measured "compare 12" 0 compare $(logs twelve)
    says "12 machines, 1 model: 12 fail (m00000, m00001,"
    measured "compare models" 0 compare $(logs models)
    says "$models machines, $models models: $models pass"
    measured "compare 300" 0 compare $(logs hundreds)
    says "300 machines, $models models: "
    says "WHAT DID NOT PASS"
    says "BY MODEL, FIRMWARE AND MICROCODE"
    says "THE PMUS AT A GLANCE"
    for format in text html; do
        measured "compare $MANY, $format" 0 compare --format=$format $(logs many)
    done
    measured "report $MANY" 1 report $(logs many)
    measured "baseline of $models" 0 baseline --accept --why=fleet "$work/baseline" $(logs models)
    measured "compare 300 by that" 0 compare --baseline="$work/baseline" $(logs hundreds)
    says " worse than accepted: "
    measured "baseline $MANY" 1 baseline "$work/baseline" $(logs many)
    says " worse, "
    measured "export $MANY" 0 export --output="$work/many.sqlite" $(logs many)
    measured "export $MANY again" 0 export --output="$work/many.sqlite" $(logs many)
}
grep -q "^pmucheck export: 0 logs written, $MANY were there" "$work/errors" || { cat "$work/errors"; bad=1; }
exit $bad
