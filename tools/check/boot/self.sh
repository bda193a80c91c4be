#!/bin/sh
# The image hosted by itself: what the lower one puts under it is to the upper one the PMU of an Intel CPU, of each profile,
# and every test that there is for it must pass, as on a good machine. JOBS at a time.
# Would catch an instrument that works only on PMUs that it runs by itself.
#
# usage: tools/check/boot/self.sh             every profile
#        tools/check/boot/self.sh PROFILE     one of them
#        tools/check/boot/self.sh K/N         lists each N-th, from the K-th on, for who runs them
set -u
cd "$(dirname "$0")/../../.." || exit 1
export BUILD="${BUILD:-build}"
JOBS=${JOBS:-2}

profiles() {
    for file in pmu/reference/model/profiles/*.profile; do
        basename "$file" .profile
    done | awk -v k="${1%/*}" -v n="${1#*/}" 'NR % n == k % n'
}

# A row as those of tests/boot/hosts.txt.
host() {
    rows=$(mktemp)
    trap 'rm -f "$rows"' EXIT
    trap 'exit 130' HUP INT TERM
    echo "self-all-$1 | ../pmucheck | bios | pc | 1 | 512 | $1 | | quick after=poweroff | 0 |" \
        "^# end verdict=pass pass=[1-9][0-9]* fail=0 known=0 review=0 skip=[0-9]+ error=0 " >"$rows"
    CASES=$rows tools/check/case/host.sh "self-all-$1"
}

case ${1-} in
'') ;;
*/*)
    profiles "$1"
    exit
    ;;
*)
    host "$1"
    exit
    ;;
esac

export RESULTS="$BUILD/logs/self.txt"
mkdir -p "$BUILD/logs"
: >"$RESULTS"
started=$(date +%s)
profiles 1/1 | xargs -P "$JOBS" -I '{}' tools/check/step.sh "self: {}" tools/check/boot/self.sh '{}'
tools/check/sum.sh "$started"
