#!/bin/sh
# Changes the reference PMU's model by chance, one place at a time, and boots each mutant: do the tests notice? Works in
# a copy of the sources under build/mutate. A mutant is killed if the image's run does not pass, or else if one of the
# model's own tests on the build machine does not; one that does not build is drawn again. Prints each survivor, and last
# the sum:
#
#     mutate: N mutants, K killed by the image, H by host tests, S survived (P %), I did not build; seed SEED
#
# usage: [N=500] [SEED=1] [VARIABLE=VALUE ...] tools/proof/mutate.sh
set -u
cd "$(dirname "$0")/../.." || exit 99
N=${N:-500}                             ## how many mutants make mutate tries
SEED=${SEED:-1}                         ## which ones: the same number, the same mutants
mkdir -p "${BUILD:-build}/mutate/logs"
BUILD=$(cd "${BUILD:-build}" && pwd)
REFERENCE=${REFERENCE:-skylake,sapphire-rapids,prescott,conroe,lunar-lake,alder-lake}  ## profiles of a mutant
WORK=$BUILD/mutate
export BUILD REFERENCE SUMMARY=0 CPUS="${CPUS:-2}" TIMEOUT="${TIMEOUT:-1800}" SILENCE="${SILENCE:-120}" \
    OPTIONS="${OPTIONS-quick failfast}"
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

# The model's own tests, without sanitizers, which take longer to build than to run.
build_host() {
    tests=$(cd "$WORK/tree/tests/host" && echo test_model*.c)
    set --
    for test in $tests; do
        set -- "$@" "$WORK/build/host/${test%.c}"
    done
    "${MAKE:-make}" --no-print-directory -C "$WORK/tree" BUILD="$WORK/build" SANITIZE= \
        HOST_CFLAGS="-std=gnu17 -O1 -w -I. -Itests" "$@" >"$WORK/logs/build.log" 2>&1
}

host_tests() {
    build_host || return 1
    for test in "$WORK"/build/host/test_model*; do
        timeout 200 "$test" >"$WORK/logs/host.log" 2>&1 || return 1
    done
}

# The mutant's file as it was. Its object goes, so that the next build makes another, whatever the times.
restore() {
    [ -s "$WORK/changed" ] || return
    file=$(cat "$WORK/changed")
    tar -xf "$WORK/tree.tar" -C "$WORK/tree" "$file" && rm -f "$WORK/build/obj/$file.o" "$WORK/build/host/obj/$file.o" \
        "$WORK/changed"
}

# Times are kept, so that only what has changed since the last run is built; what that one left changed, too.
copy() {
    rm -rf "$WORK/tree"
    mkdir -p "$WORK/tree"
    tar -cf "$WORK/tree.tar" Makefile boot kernel pmu tests tools iso docs || stop "the sources cannot be copied"
    tar -xf "$WORK/tree.tar" -C "$WORK/tree" || stop "the sources cannot be copied"
    restore
}

[ "$N" -gt 0 ] || stop "N must be a number above 0"
copy
trap restore EXIT
trap 'exit 130' HUP INT TERM
# Not what only a deviation brings to life: SMIs.
files=$(find pmu/reference/model -name '*.c' ! -name 'smi.c' | LC_ALL=C sort)
build || stop "the unchanged sources do not build: $WORK/logs/build.log"
boot || stop "the unchanged image does not pass: $LOG"

host_tests || stop "the unchanged sources fail their host tests: $WORK/logs/host.log"

draw=0 killed=0 hosted=0 survived=0 invalid=0
while [ $((killed + hosted + survived)) -lt "$N" ]; do
    draw=$((draw + 1))
    # shellcheck disable=SC2086 # the files are words
    (cd "$WORK/tree" && "$BUILD/tools/mutate" "$SEED" "$draw" $files) >"$WORK/mutant.txt" || stop "no mutant"
    sed -n '1s/:[0-9]*$//p' "$WORK/mutant.txt" >"$WORK/changed"
    if build; then
        boot
        status=$?
        case $status in
        130) exit 130 ;;
        0)
            if host_tests; then
                survived=$((survived + 1)) word=survived
            else
                hosted=$((hosted + 1)) word="killed (by a host test)"
            fi
            ;;
        *) killed=$((killed + 1)) word="killed ($status)" ;;
        esac
        echo "$word $(head -n 1 "$WORK/mutant.txt")"
        [ "${word% (1)}" = killed ] || sed 1d "$WORK/mutant.txt"
    else
        invalid=$((invalid + 1))
    fi
    restore
done
echo "mutate: $N mutants, $killed killed by the image, $hosted by host tests, $survived survived" \
    "($((survived * 100 / N)) %), $invalid did not build; seed $SEED"
