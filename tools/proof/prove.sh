#!/bin/sh
# Proves the tests against the reference PMU in two QEMUs at once, one half of the deviations each, and joins the
# halves: every defect must be caught, and every check label be failed by some defect of either half. What they found
# becomes a matrix, as text and as a page for a browser; a list tells what was proven for which register and bit.
#
# STEADY=1: QEMU's clocks go by the instructions that it has executed, and its CPUs take turns, so that what else the
# machine does changes no result. It takes about half as long again.
#
# SHARE=K/N: only every N-th deviation from the K-th on, as in make test; what no defect fails is not asked then.
#
# usage: [STEADY=1] [SHARE=K/N] tools/proof/prove.sh prove|prove-benign
set -u
cd "$(dirname "$0")/../.." || exit 99
what=$1
BUILD=${BUILD:-build}
logs=$BUILD/logs
results=$BUILD/logs/$what-results.txt
# Two CPUs show what needs another CPU; more only cost time. However slow the machine is, the image tells at least every
# ten seconds that it goes on; each test of its has a bound of its own.
export BUILD TIMEOUT="${TIMEOUT:-36000}" SILENCE="${SILENCE:-300}" CPUS="${CPUS:-2}" SUMMARY=0
mkdir -p "$logs"

# 16 ns an instruction; while all CPUs wait time goes on at once, and the clock that the image reads at its start is fixed.
STEADY=${STEADY:-0}                     ## 1: the clock of a proof goes by instructions, whatever load the machine has
if [ "$STEADY" = 1 ]; then
    set -- -- -icount shift=4,sleep=off -rtc base=2020-01-01T00:00:00,clock=vm
else
    set --
fi

SHARE=${SHARE:-1/1}                     ## K/N: only this share of the deviations
shares=${SHARE#*/}
first=$((2 * ${SHARE%/*} - 1))

# Boots one half, shows its results as they come, and leaves its exit status in a file.
half() {
    {
        part=$1
        shift
        LOG=$logs/$what-$part.log OPTIONS="$what=$((first + part - 1))/$((2 * shares))${OPTIONS:+ $OPTIONS}" tools/run.sh "$@"
        echo $? >"$logs/$what-$part.status"
    } | grep -aE --line-buffered '^(not )?ok |^[^ #]+:[0-9]+: '
}

# The lines of one half's log that match.
lines() {
    tr -d '\r' <"$logs/$what-$1.log" | grep -aE -e "$2"
}

half 1 "$@" &
half 2 "$@"
wait

for part in 1 2; do
    lines $part '^(not )?ok '
    lines $part '^# unproven ' | LC_ALL=C sort >"$logs/unproven-$part.txt"
done | sed 's/ok [0-9]* /ok  /' | grep -v '^ok  labels # SKIP' | LC_ALL=C sort -u >"$results"

# Each half has asked all labels; one that neither has failed is failed by no defect.
unproven=$(LC_ALL=C comm -12 "$logs/unproven-1.txt" "$logs/unproven-2.txt")
[ "$shares" = 1 ] || unproven=
[ -z "$unproven" ] || echo "$unproven"
lines 1 '^# (unprovable|untried) '
grep '^not ok' "$results"
echo "$what: $(grep -c '^ok' "$results") ok, $(grep -c '^not ok' "$results") not ok," \
    "$(printf '%s' "$unproven" | grep -c .) labels unproven"
# What no defect that is meant for it can fail, by register and bit; and labels, which are permanent, against their list.
gone=0
if [ "$what" = prove ]; then
    awk -f tools/proof/keys.awk tests/unproven.txt "$logs/$what-1.log" "$logs/$what-2.log" >"$BUILD/$what-keys.txt"
    echo "$what: $(tail -n 1 "$BUILD/$what-keys.txt"): $BUILD/$what-keys.txt"
    [ -n "${OPTIONS-}" ] || [ "$shares" -gt 1 ] || tools/proof/labels.sh --proven "$logs/$what-1.log" "$logs/$what-2.log" || :
    [ -n "${OPTIONS-}" ] || tools/proof/labels.sh --asked "$logs/$what-1.log" "$logs/$what-2.log" || gone=1
fi
"$BUILD/tools/matrix" "$what" "$BUILD/$what" "$logs/$what-1.log" "$logs/$what-2.log" &&
    echo "$what: $BUILD/$what.txt, $BUILD/$what.html"

for part in 1 2; do
    grep -qxE '0|1' "$logs/$what-$part.status" ||
        echo "half $part ended with status $(cat "$logs/$what-$part.status"), log: $logs/$what-$part.log"
done
for status in 1 99 2 124 130 77; do
    grep -qx $status "$logs/$what-1.status" "$logs/$what-2.status" && exit $status
done
[ -z "$unproven" ] && [ $gone = 0 ]
