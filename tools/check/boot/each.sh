#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Checks that take minutes for each profile of the reference PMU, JOBS profiles at a time:
#
#   normal    all tests, with all their repeats, on two CPUs; nearly all other checks boot with `quick`. Would catch a
#             false alarm that comes one time in ten.
#   lockstep  WALKS random walks on two CPUs together, from SEED on; the log has each difference as a small program.
#             Would catch a difference that shows in one walk of a hundred thousand.
#
# usage: tools/check/boot/each.sh normal|lockstep [PROFILE]      every profile, or one of them
#        tools/check/boot/each.sh K/N                            lists each N-th profile, from the K-th on
set -u
cd "$(dirname "$0")/../../.." || exit 1
JOBS=${JOBS:-2}
WALKS=${WALKS:-100000}                  ## walks a profile, on two CPUs together
SEED=${SEED:-$(date +%s)}               ## of the first one
export BUILD="${BUILD:-build}" WALKS SEED SUMMARY=0
logs=$BUILD/logs
mkdir -p "$logs"

profiles() {
    for file in reference/model/profiles/*.profile; do
        basename "$file" .profile
    done | awk -v k="${1%/*}" -v n="${1#*/}" 'NR % n == k % n'
}

normal() {
    REFERENCE=$1 CPUS=2 OPTIONS=after=exit TIMEOUT=1200 LOG=$logs/normal-$1.log tools/run.sh
}

# Prints "skylake        walks=20000 steps=... differences=0". Status 1: a walk differed, or the run did not end.
lockstep() {
    log=$logs/lockstep-$1.log
    REFERENCE=$1 CPUS=2 OPTIONS="lockstep=$SEED:$((WALKS / 2)) after=exit" SILENCE=600 LOG=$log tools/run.sh >/dev/null 2>&1
    status=$?
    lines=$(tr -d '\r' <"$log" | grep -a '^# lockstep ')
    found=$(echo "$lines" | sed -n 's/^# lockstep seed=[0-9]* //p')
    choices=$(echo "$lines" | sed -n 's/.* choice=\([^ ]*\) .*/ choice=\1/p' | tr -d '\n')
    [ $status != 77 ] || found="no walks: $(tr -d '\r' <"$log" | sed -n 's/^ok 1 lockstep # SKIP //p')"
    printf '%-16s %s%s\n' "$1" "${found:-no end, status $status: $log}" "$choices"
    [ $status = 0 ] || [ $status = 77 ]
}

what=${1:?usage: each.sh normal|lockstep [PROFILE], or each.sh K/N}
case $what in
*/*)
    profiles "$what"
    exit
    ;;
normal | lockstep) ;;
*)
    echo "each.sh: expected normal or lockstep, not $what"
    exit 2
    ;;
esac
[ $# = 1 ] || {
    "$what" "$2"
    exit
}

[ "$what" != lockstep ] || {
    echo "seed $SEED"
    profiles 1/1 | xargs -P "$JOBS" -n 1 tools/check/boot/each.sh lockstep
    exit
}
export RESULTS="$logs/$what.txt"
: >"$RESULTS"
started=$(date +%s)
profiles 1/1 | xargs -P "$JOBS" -I '{}' tools/check/step.sh "$what: {}" tools/check/boot/each.sh "$what" '{}'
tools/check/sum.sh "$started"
