#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The image hosted by itself: the upper one takes the lower one's reference PMU for an Intel CPU's, and every test that
# applies must pass, as on a good machine. Without PROFILE on each, JOBS profiles at a time.
# Would catch an instrument that works only on a reference PMU that it runs itself.
#
# usage: hosting/test/check/self.sh [PROFILE]
set -u
cd "$(dirname "$0")/../../.." || exit 1
export BUILD="${BUILD:-build}"
[ $# -gt 0 ] || {
    export RESULTS="$BUILD/logs/self.txt"
    mkdir -p "$BUILD/logs"
    : >"$RESULTS"
    started=$(date +%s)
    tools/check/boot/each.sh 1/1 |
        xargs -P "${JOBS:-2}" -I '{}' tools/check/step.sh 'self: {}' hosting/test/check/self.sh '{}'
    exec tools/check/sum.sh "$started"
}

# A row like those of hosting/test/hosts.txt.
rows=$(mktemp)
trap 'rm -f "$rows"' EXIT
trap 'exit 130' HUP INT TERM
echo "self-all-$1 | ../pmucheck | bios | pc | 1 | 512 | $1 | | quick prove-here=off after=poweroff | 0 |" \
    "^# end verdict=pass pass=[1-9][0-9]* fail=0 known=0 review=0 skip=[0-9]+ error=0 " >"$rows"
CASES=$rows hosting/test/check/host.sh "self-all-$1"
