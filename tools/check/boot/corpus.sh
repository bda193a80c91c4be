#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Every CPU that somebody has dumped (reference/dumps/cpus.txt), each as a reference PMU of the profile most like
# it: all tests must pass on each. JOBS boots at a time, each of a part of them.
# Would catch a false alarm on a CPU that has no profile of its own.
#
# usage: [PARTS=N] [SILENCE=SECONDS] tools/check/boot/corpus.sh [PART]       PART: only this one's boot
set -u
cd "$(dirname "$0")/../../.." || exit 1
BUILD=${BUILD:-build}
JOBS=${JOBS:-2}
PARTS=${PARTS:-12}                      ## of make corpus: in how many boots
SILENCE=${SILENCE:-300}                 ## seconds from one line of a log to the next
export BUILD PARTS SILENCE
logs=$BUILD/logs/corpus
mkdir -p "$logs"

# Three CPUs: hybrids have up to three kinds of core.
[ $# = 0 ] || {
    # The host program would take a name with a slash for a file.
    CPUS=3 OPTIONS="reference=corpus:$1/$PARTS quick after=exit" REFERENCE='' SUMMARY=0 LOG=$logs/$1.log tools/run.sh >"$logs/$1.txt" 2>&1
    echo $? >"$logs/$1.status"
    exit 0
}

rm -f "$logs"/*
seq "$PARTS" | xargs -P "$JOBS" -n 1 tools/check/boot/corpus.sh

passed=$(cat "$logs"/*.log | tr -d '\r' | grep -ac '^ok [0-9]* reference:')
failed=$(cat "$logs"/*.log | tr -d '\r' | grep -a '^not ok [0-9]* reference:' | sed 's/^not ok [0-9]* reference:/    /')
unfinished=$(cat "$logs"/*.status | grep -cvx '[012]')
[ -z "$failed" ] || printf 'failed:\n%s\n' "$failed"
[ "$unfinished" = 0 ] || echo "$unfinished of $PARTS boots did not come to an end or to a verdict: $logs"
echo "$passed dumped CPUs passed"
[ -z "$failed" ] && [ "$unfinished" = 0 ] && [ "$passed" -gt 0 ]
