#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Tests the LAVA jobs of tools/lava with lava-run and without a server: the job for LAVA's QEMU, then the job for a
# board, for which tools/lava/board.sh stands in. Each must pass, the serial log that LAVA kept must be whole, and
# LAVA's test cases must be those that `pmucheck report --format=lava` makes of that log.
#
# usage: tools/lava.sh [--if-there] [qemu | board]          --if-there: does not install LAVA
set -eu
cd "$(dirname "$0")/.."
if [ "${1-}" = --if-there ]; then
    shift
    command -v lava-run >/dev/null || {
        echo "lava-dispatcher is not installed; make lava installs it"
        exit 77
    }
    [ -w /var/lib/lava/dispatcher/tmp ] || {
        echo "lava-run needs the right to write to /var/lib/lava"
        exit 77
    }
fi
tools/dependencies.sh lava
BUILD=$(realpath "${BUILD:-build}")
OPTIONS=${OPTIONS:-run=enum.*}
REFERENCE=${REFERENCE-skylake}
# In QEMU's arguments a comma is doubled.
options=$(echo "${REFERENCE:+reference=$REFERENCE }$OPTIONS" | sed 's/,/,,/g')
program=$BUILD/tools/pmucheck
work=$(mktemp -d)
trap 'tools/lava/board.sh - - "$work" off; rm -rf "$work"' EXIT
trap 'exit 130' HUP INT TERM

fill_in() {
    sed -e "s|@ISO@|file://$BUILD/pmucheck.iso|" -e "s|@OPTIONS@|$options|" \
        -e "s|@BOARD@|$work/board|" "$1"
}

# The command that LAVA calls for the board, with the action as its argument.
cat >"$work/board" <<BOARD
#!/bin/sh
exec "$PWD/tools/lava/board.sh" "$BUILD/pmucheck.img" "$options" "$work" "\$1"
BOARD
chmod +x "$work/board"

# Prints "id result" of each case, with ids in LAVA's spelling, and without LAVA's own cases.
cases_of_lava() {
    sed -n 's/^.*"lvl": "results", "msg": {"case": "\([^"]*\)", "definition": "pmucheck".*"result": "\([a-z]*\)".*$/\1 \2/p'
}

cases_of_report() {
    sed -n '/ MEASUREMENT=/d; s/^<LAVA_SIGNAL_TESTCASE TEST_CASE_ID=\([^ ]*\) RESULT=\([a-z]*\)>$/\1 \2/p' "$work/signals" |
        grep -v '^log-complete ' | while read -r id result; do
        echo "$(echo "$id" | sed 's/[^A-Za-z0-9_]\{1,\}/_/g') $result"
    done
}

# job NAME: runs tools/lava/NAME-job.yaml on the device of tools/lava/NAME-device.yaml.
job() {
    log=$BUILD/logs/lava-$1
    mkdir -p "$BUILD/logs"
    fill_in "tools/lava/$1-job.yaml" >"$work/job.yaml"
    fill_in "tools/lava/$1-device.yaml" >"$work/device.yaml"
    timeout --foreground 600 lava-run --job-id "pmucheck-$1" --output-dir "$work/output" --device "$work/device.yaml" \
        "$work/job.yaml" >"$log.yaml" 2>&1 || { tail -n 5 "$log.yaml"; return 1; }
    tools/lava/serial-log.sh <"$log.yaml" >"$log.log"
    "$program" report "$log.log" || echo "(the verdict does not matter here)"
    "$program" report --format=lava "$log.log" >"$work/signals" || true
    grep -q '^<LAVA_SIGNAL_TESTCASE TEST_CASE_ID=log-complete RESULT=pass>' "$work/signals"
    cases_of_lava <"$log.yaml" >"$work/lava"
    cases_of_report >"$work/report"
    [ -s "$work/lava" ]
    diff -u "$work/report" "$work/lava"
    echo "$1: LAVA has $(wc -l <"$work/lava") test cases, the same as the report"
}

for name in ${1:-qemu board}; do
    job "$name"
done
