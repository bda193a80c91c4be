#!/bin/sh
# Changes the reference PMU's model by chance, one place at a time, and boots each mutant: do the tests notice? Works in
# a copy of the sources under build/mutate. A mutant is killed if the run does not pass; one that does not build is drawn
# again. Prints each survivor, and last the sum:
#
#     mutate: N mutants, K killed, S survived (P %), I did not build; seed SEED, reference PROFILE
#
# usage: [N=500] [SEED=1] [VARIABLE=VALUE ...] tools/mutate.sh
set -u
cd "$(dirname "$0")/.." || exit 99
N=${N:-500}                             ## how many mutants make mutate tries
SEED=${SEED:-1}                         ## which ones: the same number, the same mutants
mkdir -p "${BUILD:-build}/mutate/logs"
BUILD=$(cd "${BUILD:-build}" && pwd)
REFERENCE=${REFERENCE:-skylake}
WORK=$BUILD/mutate
export BUILD REFERENCE SUMMARY=0 CPUS="${CPUS:-2}" TIMEOUT="${TIMEOUT:-60}" OPTIONS="${OPTIONS-quick}"
export IMAGE="$WORK/build/pmucheck.iso" LOG="$WORK/logs/run.log"

stop() {
    echo "mutate: $1" >&2
    exit 99
}

# Without warnings: what is skipped may leave a variable unused.
build() {
    "${MAKE:-make}" --no-print-directory -C "$WORK/tree" BUILD="$WORK/build" CFLAGS="-O2 -g -w" iso \
        >"$WORK/logs/build.log" 2>&1
}

boot() {
    tools/run.sh >"$WORK/logs/boot.log" 2>&1
}

# The mutant's file as it was. Its object goes, so that the next build makes another, whatever the times.
restore() {
    [ -s "$WORK/changed" ] || return
    file=$(cat "$WORK/changed")
    tar -xf "$WORK/tree.tar" -C "$WORK/tree" "$file" && rm -f "$WORK/build/obj/$file.o" "$WORK/changed"
}

# Times are kept, so that only what has changed since the last run is built; what that one left changed, too.
copy() {
    rm -rf "$WORK/tree"
    mkdir -p "$WORK/tree"
    tar -cf "$WORK/tree.tar" Makefile boot kernel pmu tests tools iso || stop "the sources cannot be copied"
    tar -xf "$WORK/tree.tar" -C "$WORK/tree" || stop "the sources cannot be copied"
    restore
}

[ "$N" -gt 0 ] || stop "N must be a number above 0"
copy
trap restore EXIT
trap 'exit 130' HUP INT TERM
files=$(find pmu/reference/model -name '*.c' ! -name '*deviat*' | LC_ALL=C sort)
build || stop "the unchanged sources do not build: $WORK/logs/build.log"
boot || stop "the unchanged image does not pass: $LOG"

draw=0 killed=0 survived=0 invalid=0
while [ $((killed + survived)) -lt "$N" ]; do
    draw=$((draw + 1))
    # shellcheck disable=SC2086 # the files are words
    (cd "$WORK/tree" && "$BUILD/tools/mutate" "$SEED" "$draw" $files) >"$WORK/mutant.txt" || stop "no mutant"
    sed -n '1s/:[0-9]*$//p' "$WORK/mutant.txt" >"$WORK/changed"
    if build; then
        boot
        status=$?
        case $status in
        0) survived=$((survived + 1)) word=survived ;;
        130) exit 130 ;;
        *) killed=$((killed + 1)) word="killed ($status)" ;;
        esac
        echo "$word $(head -n 1 "$WORK/mutant.txt")"
        [ "$word" != survived ] || sed 1d "$WORK/mutant.txt"
    else
        invalid=$((invalid + 1))
    fi
    restore
done
echo "mutate: $N mutants, $killed killed, $survived survived ($((survived * 100 / N)) %), $invalid did not build;" \
    "seed $SEED, reference $REFERENCE"
