#!/bin/sh
# Random walks in millions: WALKS of them over each profile of the reference PMU, from SEED on, JOBS boots at a time. A
# table of how many there were, and of what was different; each difference is in its log as a small program.
# Would catch what makes a walk differ one time in a hundred thousand.
#
# usage: [WALKS=N] [SEED=N] tools/check/boot/lockstep.sh             every profile
#        [WALKS=N] [SEED=N] tools/check/boot/lockstep.sh PROFILE     one of them
set -u
cd "$(dirname "$0")/../../.." || exit 1
JOBS=${JOBS:-2}
WALKS=${WALKS:-100000}                  ## walks a profile, on two CPUs together
SEED=${SEED:-$(date +%s)}               ## of the first one
export BUILD="${BUILD:-build}" WALKS SEED
logs=$BUILD/logs/lockstep

# "skylake        walks=20000 steps=... differences=0"; status 1: something was different, or it came to no end.
walk() {
    log=$logs/$1.log
    REFERENCE=$1 CPUS=2 OPTIONS="lockstep=$SEED:$((WALKS / 2)) after=exit" SILENCE=600 SUMMARY=0 LOG=$log tools/run.sh \
        >/dev/null 2>"$logs/$1.txt"
    status=$?
    lines=$(tr -d '\r' <"$log" | grep -a '^# lockstep ')
    found=$(echo "$lines" | sed -n 's/^# lockstep seed=[0-9]* //p')
    choices=$(echo "$lines" | sed -n 's/.* choice=\([^ ]*\) .*/ choice=\1/p' | tr -d '\n')
    [ $status != 77 ] || found="no walks: $(tr -d '\r' <"$log" | sed -n 's/^ok 1 lockstep # SKIP //p')"
    printf '%-16s %s%s\n' "$1" "${found:-no end, status $status: $log}" "$choices"
    [ $status = 0 ] || [ $status = 77 ]
}

mkdir -p "$logs"
[ $# = 0 ] || {
    walk "$1"
    exit
}
echo "seed $SEED"
tools/check/boot/self.sh 1/1 | xargs -P "$JOBS" -n 1 tools/check/boot/lockstep.sh
