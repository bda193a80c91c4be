#!/bin/sh
# A normal run of a profile: all tests, with all their repeats, on two CPUs, where nearly everything else that is booted is
# quick. What goes wrong one time in ten shows here. JOBS at a time; each takes one to three minutes on an idle core.
# Would catch a false alarm that comes one time in ten.
#
# usage: tools/check/boot/normal.sh             every profile
#        tools/check/boot/normal.sh PROFILE     one of them
#        tools/check/boot/normal.sh K/N         lists each N-th, from the K-th on, for who runs them
set -u
cd "$(dirname "$0")/../../.." || exit 1
export BUILD="${BUILD:-build}"
JOBS=${JOBS:-2}

case ${1-} in
'') ;;
*/*)
    tools/check/boot/self.sh "$1"
    exit
    ;;
*)
    REFERENCE=$1 CPUS=2 OPTIONS=after=exit TIMEOUT=1200 SUMMARY=0 LOG=$BUILD/logs/normal-$1.log exec tools/run.sh
    ;;
esac

export RESULTS="$BUILD/logs/normal.txt"
mkdir -p "$BUILD/logs"
: >"$RESULTS"
started=$(date +%s)
tools/check/boot/self.sh 1/1 | xargs -P "$JOBS" -I '{}' tools/check/step.sh "normal: {}" tools/check/boot/normal.sh '{}'
tools/check/sum.sh "$started"
