#!/bin/sh
# Proves the tests against the reference PMU in two QEMUs at once, one half of the deviations each, and joins the
# halves: every defect must be caught, and every check label be failed by some defect of either half.
#
# usage: tools/prove.sh prove|prove-benign
set -u
cd "$(dirname "$0")/.." || exit 99
what=$1
BUILD=${BUILD:-build}
logs=$BUILD/logs
matrix=$BUILD/$what.txt
# Two CPUs show what needs another CPU; more only cost time.
export BUILD TIMEOUT="${TIMEOUT:-900}" CPUS="${CPUS:-2}" SUMMARY=0
mkdir -p "$logs"

half() {
    LOG=$logs/$what-$1.log OPTIONS="$what=$1/2${OPTIONS:+ $OPTIONS}" tools/run.sh >/dev/null
}

# Does a line with this text stand in the first half's log, and in the second's?
lines() {
    tr -d '\r' <"$logs/$what-$1.log" | grep -aE -e "$2"
}

half 1 &
first=$!
trap 'kill "$first" 2>/dev/null' INT TERM HUP
half 2
status2=$?
wait "$first"
status1=$?
trap - INT TERM HUP

{
    lines 1 '^(not )?ok '
    lines 2 '^(not )?ok '
} | sed 's/ok [0-9]* /ok  /' | grep -v '^ok  labels # SKIP' | LC_ALL=C sort -u >"$matrix"
cat "$matrix"

lines 1 '^# unproven ' | LC_ALL=C sort >"$logs/unproven-1.txt"
lines 2 '^# unproven ' | LC_ALL=C sort >"$logs/unproven-2.txt"
unproven=$(comm -12 "$logs/unproven-1.txt" "$logs/unproven-2.txt")
[ -z "$unproven" ] || echo "$unproven"
lines 1 '^# (unprovable|untried) '
echo "$what: $(grep -c '^ok' "$matrix") ok, $(grep -c '^not ok' "$matrix") not ok," \
    "$(printf '%s' "$unproven" | grep -c .) labels unproven ($matrix)"

for status in 1 99 2 124 130; do
    [ "$status1" = $status ] || [ "$status2" = $status ] || continue
    exit $status
done
[ -z "$unproven" ] || exit 1
exit "$status1"
