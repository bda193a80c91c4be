#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Do walks and tests notice mutants of the model's source? SEED draws MUTANTS of all changes that mutate.awk knows. A
# mutant plays the CPU and the good model retells (mutant.c). Those that no walk notices get an image each, whose tests
# run on several profiles in one boot, up to the first that fails. build/logs/mutants.txt gets a line for each mutant:
# its place and change, what noticed it, and the line of the source. Those that nothing notices are for a reader: such a
# mutant has no visible effect, or it changes what no manual promises, or it shows a gap.
#
# What does not compile, or to the same object code, is drawn anew and not counted.
#
# usage: [MUTANTS=N] [SEED=TEXT] [WALKS=N] [CHAPTERS=0] reference/proof/mutants.sh
set -u
cd "$(dirname "$0")/../.." || exit 1
export BUILD="${BUILD:-build}"
MUTANTS=${MUTANTS:-300}                 ## how many are drawn
export SEED="${SEED:-$(git rev-parse HEAD)}" ## any text; the same one draws the same mutants of the same source
export WALKS="${WALKS:-200}"            ## on each kind of CPU of each profile
CHAPTERS=${CHAPTERS:-1}                 ## 0: no tests, only walks
JOBS=${JOBS:-2}
export HOST_CC="${HOST_CC:-gcc}"
mutate=reference/proof/mutate.awk
plain=$BUILD/plain
work=$BUILD/mutants
tree=$BUILD/mutants-tree
result=$BUILD/logs/mutants.txt

# Left out is what kernels need that are hosted, and no PMU: the local APIC's other registers, frequencies, profiles of
# guests; and what finds a profile by its name.
sources() {
    find reference/model -name '*.c' ! -name profiles.c ! -name virtual.c ! -name lapic.c ! -name clock.c |
        LC_ALL=C sort
}

# shuffled TEXT: standard input's lines in an order that they, the seed and the text decide alone.
shuffled() {
    echo "$SEED $1" | sha1sum >"$work/random-$1"
    LC_ALL=C sort -R --random-source="$work/random-$1"
}

# All places, each with one of its changes, in the order in which they are drawn.
draw() {
    sources | xargs -n 1 awk -f "$mutate" | shuffled changes |
        awk '{ place = $1 " " $2; sub(/\.[0-9]*$/, "", place) } !met[place]++' | shuffled places
}

# compiled SOURCE OBJECT: without debugging information, so that the same code is the same file.
compiled() {
    "$HOST_CC" -std=gnu17 -O2 -w -I. -Itests -I"$plain/gen" -x c -c -o "$2" - <"$1" 2>/dev/null
}

# The copy of the code that plays the CPU: the model, and the players of walks. Its names begin with mutated_.
copy() {
    rm -rf "$work"
    mkdir -p "$work/same" "$work/copy" "$BUILD/logs"
    make -s -j "$JOBS" BUILD="$plain" SANITIZE= "$plain/host/libpure.a" \
        "$plain/host/obj/reference/test/lockstep/mutant.c.o" >"$BUILD/logs/mutants-make.log" || exit 1
    for source in $(sources) reference/lockstep/oracle_pure.c reference/lockstep/promises_pure.c; do
        compiled "$source" "$work/same/$(basename "$source").o" || exit 1
    done
    nm --defined-only -g "$work"/same/*.o | awk 'NF == 3 { print $3, "mutated_" $3 }' >"$work/names"
    for object in "$work"/same/*.o; do
        objcopy --redefine-syms="$work/names" "$object" "$work/copy/${object##*/}"
    done
}

# row N: the words of the N-th change that was drawn: FILE:LINE PLACE.CHANGE WHAT.
row() {
    sed -n "$1p" "$work/drawn.txt"
}

# make_mutant N: $work/N with its source and object, if it changes the object code.
make_mutant() {
    row "$1" | {
        read -r place change _
        to=$work/$1/${place%:*}
        mkdir -p "$(dirname "$to")"
        awk -v change="$change" -f "$mutate" "${place%:*}" >"$to"
        if ! compiled "$to" "$to.o" || cmp -s "$to.o" "$work/same/${to##*/}.o"; then
            rm -r "${work:?}/$1"
        fi
    }
}

# walk N: leaves what noticed it in $work/N/noticed.
walk() {
    object=$(find "$work/$1" -name '*.o')
    objcopy --redefine-syms="$work/names" "$object"
    # shellcheck disable=SC2046 # a list of files
    "$HOST_CC" -o "$work/$1/mutant" "$plain/host/obj/reference/test/lockstep/mutant.c.o" "$object" \
        $(find "$work/copy" -name '*.o' ! -name "${object##*/}") "$plain/host/libpure.a" || exit 255
    "$work/$1/mutant" -w "$WALKS" >"$work/$1/noticed" 2>&1
    case $? in
    0 | 1) ;;
    142) echo "walks hang" >"$work/$1/noticed" ;;
    *) echo "walks crash" >"$work/$1/noticed" ;;
    esac
    rm "$work/$1/mutant"
}

# The profiles whose rules the code of a source is for, among others.
profiles_for() {
    case $1 in
    */netburst* | */core.c) echo prescott ;;
    */memory.c) echo prescott,skylake,sandy-bridge ;;
    */apebs*) echo panther-lake,nova-lake,clearwater-forest ;;
    */trace.c) echo skylake,lunar-lake,broadwell ;;
    */topdown.c) echo ice-lake,sapphire-rapids,lunar-lake ;;
    */alias.c) echo lunar-lake,panther-lake,haswell ;;
    */pebs*) echo nehalem,skylake,ice-lake,sandy-bridge,lunar-lake,penryn ;;
    *) echo skylake,panther-lake,lunar-lake,nehalem,sapphire-rapids,penryn ;;
    esac
}

# A copy of the tree, in which the kernel is built with mutants. What was built is kept but for the model's objects,
# which may be older mutants'.
copy_tree() {
    mkdir -p "$tree/build/obj/reference/model"
    tools/check/copy-tree.sh "$tree"
    rm -r "$tree/build/obj/reference/model"
}

kernel() {
    nice -n 5 make -s -C "$tree" -j "$JOBS" BUILD=build CFLAGS="-O2 -w" build/pmucheck.elf >"$BUILD/logs/mutants-make.log" 2>&1
}

# failed_tests PROFILES: what a boot of that kernel fails: "PROFILE TEST", or how the boot ended.
failed_tests() {
    REFERENCE='' CPUS=2 MEDIUM=kernel IMAGE=$tree/build/pmucheck.elf SUMMARY=0 SILENCE=60 TIMEOUT=600 \
        LOG=$BUILD/logs/mutants-boot.log OPTIONS="reference=$1 quick failfast lockstep=off after=exit" \
        nice -n 5 reference/proof/run.sh >"$BUILD/logs/mutants-run.log" 2>&1
    status=$?
    [ $status = 0 ] || tr -d '\r' <"$BUILD/logs/mutants-boot.log" | awk -v status=$status '
        /# run pmu=reference:/ { profile = $0; sub(/.*reference:/, "", profile); sub(/ .*/, "", profile) }
        /^ *not ok/ { print profile, $4; told = 1; exit }
        END { if (!told) print profile, "ends with status", status }'
}

# test_mutant N: as walk().
test_mutant() {
    source=$(cd "$work/$1" && find . -name '*.c')
    cp "$work/$1/$source" "$tree/$source"
    if kernel; then
        failed_tests "$(profiles_for "$source")" >"$work/$1/noticed"
    else # by a check of the link, such as that of instructions
        echo "the build" >"$work/$1/noticed"
    fi
    cp "$source" "$tree/$source"
    touch "$tree/$source"
}

# line N: of the result.
line() {
    row "$1" | {
        read -r place change what
        noticed=$(cat "$work/$1/noticed")
        source=$(sed -n "${place#*:}s/^ *//p" "${place%:*}")
        echo "$place $change: ${noticed:-unnoticed} | $what | $source"
    }
}

# Writes the result, and prints how many are noticed.
tell() {
    for n in $chosen; do
        line "$n"
    done >"$result"
    awk '!/: unnoticed \|/ { noticed++ } END { printf "%d mutants, %.1f %% noticed\n", NR, 100 * noticed / NR }' "$result"
}

unnoticed() {
    for n in $chosen; do
        [ -s "$work/$n/noticed" ] || echo "$n"
    done
}

case ${1-} in
--make)
    make_mutant "$2"
    exit
    ;;
--walk)
    walk "$2"
    exit
    ;;
esac
echo "seed $SEED"
copy
draw | head -n $((2 * MUTANTS)) >"$work/drawn.txt"
seq "$(wc -l <"$work/drawn.txt")" | xargs -P "$JOBS" -n 1 "$0" --make
chosen=$(find "$work" -maxdepth 1 -name '[0-9]*' -printf '%f\n' | sort -n | head -n "$MUTANTS")
echo "$chosen" | xargs -P "$JOBS" -n 1 nice -n 5 "$0" --walk || exit 1
echo "by walks: $(tell)"
[ "$CHAPTERS" = 0 ] || {
    copy_tree
    kernel || exit 1
    failed=$(failed_tests skylake,prescott)
    [ -z "$failed" ] || {
        echo "the model itself fails: $failed"
        exit 1
    }
    for n in $(unnoticed); do
        test_mutant "$n"
    done
    echo "by walks and tests: $(tell)"
}
grep ': unnoticed |' "$result"
