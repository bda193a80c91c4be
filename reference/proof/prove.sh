#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Proves the tests against the reference PMU in several QEMUs at once, each with a part of the deviations, and joins the
# parts: every defect must be caught, and every check label must be failed by a defect of some part. The results become a
# matrix, as text and as a page for a browser, and a list of what was proven for each register and bit. prove-excuses: a
# table of the defects that the errata of a CPU hide, in both forms, too.
#
# QEMU's clocks go by the number of executed instructions, and its CPUs take turns, so that the load of the machine changes
# no result (tools/run.sh). STEADY=0: they go by the machine's clock, and each CPU has a thread of its own.
#
# SHARE=K/N: only every N-th deviation from the K-th on, each up to the first check that catches it, as in make test; labels
# that no defect fails are not asked for then.
#
# A proof of all deviations leaves what failed each label in build/prove-labels.txt. BEFORE=FILE is such a list of an
# earlier proof, as of a release: no label may have lost a defect, a register or a bit. A share takes it for what is proven
# elsewhere.
#
# usage: [STEADY=0] [PARTS=N] [SHARE=K/N] [BEFORE=FILE] reference/proof/prove.sh prove|prove-benign|prove-excuses
set -u
cd "$(dirname "$0")/../.." || exit 99
what=$1
BUILD=${BUILD:-build}
logs=$BUILD/logs
results=$BUILD/logs/$what-results.txt
# Two CPUs suffice for tests that need another CPU; more only cost time. However slow the machine is, the image prints
# at least every ten seconds that it goes on; each of its tests has a time limit of its own.
export BUILD SILENCE="${SILENCE:-300}" CPUS="${CPUS:-2}" SUMMARY=0 STEADY="${STEADY:-1}"
mkdir -p "$logs"

# CPUs that take turns need one core for all of them. Each part also runs every profile of the proof without a
# deviation, so more than eight parts are hardly faster.
cores=$(nproc)
[ "$STEADY" = 1 ] || cores=$((cores / 2))
PARTS=${PARTS:-$((cores < 2 ? 2 : cores > 8 ? 8 : cores))}
SHARE=${SHARE:-1/1}                     ## K/N: only this share of the deviations
shares=${SHARE#*/}
BEFORE=${BEFORE-}                       ## prove-labels.txt of an earlier proof
parts=$(seq "$PARTS")
all_logs=$(for part in $parts; do echo "$logs/$what-$part.log"; done)

# Boots one part, shows its results as they come, and saves its exit status in a file. A share has the same deviations
# for any number of parts.
boot() {
    {
        part="$what=$((${SHARE%/*} + shares * ($1 - 1)))/$((shares * PARTS))"
        [ "$shares" = 1 ] || part="$part failfast"
        LOG=$logs/$what-$1.log OPTIONS="$part${OPTIONS:+ $OPTIONS}" reference/proof/run.sh
        echo $? >"$logs/$what-$1.status"
    } | grep -aE --line-buffered '^(not )?ok |^[^ #]+:[0-9]+: '
}

# The lines of one part's log that match.
lines() {
    tr -d '\r' <"$logs/$what-$1.log" | grep -aE -e "$2"
}

for part in $parts; do
    boot "$part" &
done
wait

for part in $parts; do
    lines "$part" '^(not )?ok '
done | sed 's/ok [0-9]* /ok  /' | grep -v '^ok  labels # SKIP' | LC_ALL=C sort -u >"$results"

# Each part has asked all labels; a label that is unproven in each part is failed by no defect.
unproven=$(for part in $parts; do lines "$part" '^# unproven ' | LC_ALL=C sort -u; done | LC_ALL=C sort | uniq -c |
    sed -n "s/^ *$PARTS //p")
[ "$shares" = 1 ] || unproven=
[ -z "$unproven" ] || echo "$unproven"
lines 1 '^# (unprovable|untried) '
grep '^not ok' "$results"
echo "$what: $(grep -c '^ok' "$results") ok, $(grep -c '^not ok' "$results") not ok," \
    "$(printf '%s' "$unproven" | grep -c .) labels unproven"
# Keys that no defect meant for their test fails; and the labels against their permanent list.
gone=0
# shellcheck disable=SC2086 # a list of files
if [ "$what" = prove ]; then
    awk -f reference/proof/keys.awk tests/unproven.txt $all_logs >"$BUILD/$what-keys.txt"
    echo "$what: $(tail -n 1 "$BUILD/$what-keys.txt"): $BUILD/$what-keys.txt"
    # A share can only be asked for less.
    [ "$shares" = 1 ] && checks="--proven --asked${BEFORE:+ --lost}" || checks="--new${BEFORE:+ --open}"
    [ -z "${OPTIONS-}" ] || checks=
    for check in $checks; do
        case $check in
        --lost | --open) reference/proof/labels.sh "$check" "$BEFORE" $all_logs ;;
        *) reference/proof/labels.sh "$check" $all_logs ;;
        esac || gone=1
    done
    [ "$shares:${OPTIONS-}" != 1: ] || reference/proof/labels.sh --found $all_logs >"$BUILD/prove-labels.txt"
fi
# shellcheck disable=SC2086 # a list of files
if "$BUILD/tools/matrix" "$what" "$BUILD/$what" $all_logs; then
    echo "$what: $(sed -n 2p "$BUILD/$what.txt"): $BUILD/$what.txt, $BUILD/$what.html"
fi

status_of() {
    cat "$logs/$what-$1.status"
}
for part in $parts; do
    case $(status_of "$part") in
    0 | 1) ;;
    *) echo "part $part ended with status $(status_of "$part"), log: $logs/$what-$part.log" ;;
    esac
done
for status in 1 99 2 124 130 77; do
    for part in $parts; do
        [ "$(status_of "$part")" != $status ] || exit $status
    done
done
[ -z "$unproven" ] && [ $gone = 0 ]
