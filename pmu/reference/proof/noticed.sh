#!/bin/sh
# Which defects do random walks notice, without any chapter of tests? Natively: a model with the defect plays the CPU, in
# a program without sanitizers. build/logs/noticed.txt gets a line for each defect, and the reason if none noticed it.
# Would show a grammar of walks that leaves out what the PMU can do.
#
# usage: [JOBS=N] [WALKS=N] pmu/reference/proof/noticed.sh
set -u
cd "$(dirname "$0")/../../.." || exit 1
BUILD=${BUILD:-build}
JOBS=${JOBS:-2}
WALKS=${WALKS:-2500}                    ## for each defect; 2,500: five seconds at 500 walks a second
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
