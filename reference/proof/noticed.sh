#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Which defects do random walks notice, without any chapter of tests? Natively: a model with the defect plays the CPU, in
# a program without sanitizers. build/logs/noticed.txt gets a line for each defect, and the reason if none noticed it.
# Would show a grammar of walks that leaves out what the PMU can do.
#
# With BOOTS=yes defects that no walk noticed are put under the image, too: there two CPUs make walks at the same time.
#
# usage: [JOBS=N] [WALKS=N] [BOOTS=yes] reference/proof/noticed.sh
set -u
cd "$(dirname "$0")/../.." || exit 1
BUILD=${BUILD:-build}
JOBS=${JOBS:-2}
WALKS=${WALKS:-2500}                    ## for each defect; 2,500: five seconds at 500 walks a second
BOOTS=${BOOTS:-no}                     ## yes: boots the image for defects that no walk has noticed
logs=$BUILD/logs
program=$BUILD/plain/host/noticed
mkdir -p "$logs"
make -s BUILD="$BUILD/plain" SANITIZE= "$program" || exit 1
for k in $(seq "$JOBS"); do
    "$program" -w "$WALKS" -s "$k/$JOBS" >"$logs/noticed-$k.txt" &
done
wait
for k in $(seq "$JOBS"); do
    cat "$logs/noticed-$k.txt"
done | LC_ALL=C sort >"$logs/noticed.txt"

# Prints a line as it is, or that the defect was noticed beside another CPU.
boot() {
    name=${1%%:*}
    REFERENCE=${1##*on=} LOG=$logs/noticed-$name.log OPTIONS="lockstep=1:1000 defect=$name after=exit" CPUS=2 SUMMARY=0 \
        IMAGE=$BUILD/pmucheck.iso timeout 60 tools/run.sh </dev/null >"$logs/noticed-run.txt" 2>&1
    if grep -aq '^# lockstep .*differences=[1-9]' "$logs/noticed-$name.log"; then
        echo "$name: noticed beside another CPU"
    else
        echo "$1"
    fi
}
if [ "$BOOTS" = yes ]; then
    mv "$logs/noticed.txt" "$logs/noticed-native.txt"
    while read -r line; do
        case $line in
        *": unnoticed "*) boot "$line" ;;
        *) echo "$line" ;;
        esac
    done <"$logs/noticed-native.txt" >"$logs/noticed.txt"
fi
awk '{
    fate = $2 == "noticed" ? $2 : $0
    sub(/^[^ ]*: /, "", fate)
    sub(/:.*/, "", fate)
    count[fate]++
} END {
    printf "%d defects, %.1f %% noticed\n", NR, 100 * count["noticed"] / NR
    for (fate in count)
        printf "%5d %s\n", count[fate], fate
}' "$logs/noticed.txt" | LC_ALL=C sort -rn
