#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Real CPUs have intermittent defects. Each defect that is intermittent on them (INTERMITTENT in its row) acts once in
# RATE times, and a soak of MINUTES must fail or ask for a review: first of the tests that it failed in a proof, and if
# these do not notice it, of all tests that it is meant for. Without a name: all such defects, JOBS at a time.
#
# usage: [MINUTES=N] [RATE=N] [JOBS=N] reference/proof/soak.sh [NAME]
set -u
cd "$(dirname "$0")/../.." || exit 99
BUILD=${BUILD:-build}
MINUTES=${MINUTES:-20}                  ## of make soak: for each defect, by QEMU's clock
RATE=${RATE:-1000}                      ## of make soak: a defect acts one time in RATE
JOBS=${JOBS:-2}
logs=$BUILD/logs
export BUILD MINUTES RATE SUMMARY=0 STEADY=1 CPUS="${CPUS:-2}" SILENCE="${SILENCE:-300}"

# The value of a key in the line of `list` for a defect.
told() {
    tr -d '\r' <"$logs/soak-list.log" | grep -a "^# deviation $1 " | sed -nE "s/.* $2=\"?([^\" ]*)\"?( .*)?$/\1/p"
}

if [ $# = 0 ]; then
    REFERENCE='' OPTIONS=list LOG=$logs/soak-list.log tools/run.sh >/dev/null
    names=$(tr -d '\r' <"$logs/soak-list.log" | sed -n 's/^# deviation \([^ ]*\) .* intermittent=.*/\1/p')
    [ -n "$names" ] || exit 99
    missed=$(echo "$names" | xargs -P "$JOBS" -n 1 reference/proof/soak.sh | tee /dev/stderr | grep -vc '^ok ')
    echo "soak: $(echo "$names" | wc -w) defects one time in $RATE, $missed not noticed"
    [ "$missed" = 0 ]
    exit
fi

name=$1
profile=$(told "$name" profile)

# The tests that it failed in a whole proof, by tests/labels.txt. If all tests that it is meant for took turns, each
# would run too seldom to notice a defect that acts once in a thousand times.
known() {
    awk -v name="$name" '$3 ~ "^by=(.*,)?" name "(,|$)" { print $1 }' tests/labels.txt | LC_ALL=C sort -u |
        paste -sd , -
}

# Soaks these tests. Prints which test noticed the defect; true if one did.
soak() {
    REFERENCE=${profile:-skylake} LOG=$logs/soak-$name.log OPTIONS="soak=$MINUTES run=$1 defect=$name:$RATE" \
        tools/run.sh >/dev/null
    status=$?
    found=$(tr -d '\r' <"$logs/soak-$name.log" | sed -nE 's/^# soak test=([^ ]*) .* failures=[1-9].*/\1/p' | head -n 3 | tr '\n' ' ')
    # An error, if a test could not restore the machine; yet its failures were noticed.
    case $status:$found in
    [12]:?* | 99:?*) echo "ok $name:$RATE noticed by $found" ;;
    *) return 1 ;;
    esac
}

first=$(known)
{ [ -n "$first" ] && soak "$first"; } || soak "$(told "$name" intermittent)" ||
    echo "not ok $name:$RATE not noticed in $MINUTES minutes, exit status $status"
