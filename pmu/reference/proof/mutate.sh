#!/bin/sh
# Changes sources by chance, one place at a time, and asks whether that is noticed. Works on copies under build/mutate;
# what is drawn depends on SEED and N alone.
#
# Without an option: the reference PMU's model, but for what it simulates and no manual promises (pmu/reference/proof/
# simulated.txt). Each mutant boots with the tests of the chapters that ask for its file, on 2 CPUs and then, with the
# other profiles that reach it, on 4; then so with all other tests. What counts is what the image kills: what only the
# model's own unit tests notice, ends in an error or does not end is counted apart.
#
# --judgement: tests, harness and what they measure with: a check deleted, a range widened, a loop that ends early, a
# value compared with itself, an expectation off by one, a condition negated. Noticed is what does not build, loses a
# label, fails a host test or a plain run, or leaves a check unproven or a defect uncaught in a proof of the tests
# concerned; "keys" is what only shows in the list of registers and bits that a proof has shown, by
# which make prove fails.
#
# A change that survived once, and why it may, stands in pmu/reference/proof/survivors.txt and is not tried again.
#
# usage: [N=300] [SEED=1] [FIRST=1] [JOBS=4] [VARIABLE=VALUE ...] pmu/reference/proof/mutate.sh [--judgement]
set -u
cd "$(dirname "$0")/../../.." || exit 99
N=${N:-300}                             ## how many mutants make mutate tries
SEED=${SEED:-1}                         ## which ones: the same number, the same mutants
FIRST=${FIRST:-1}                       ## number of the first, to go on where another run ended
NUMBERS=${NUMBERS-}                     ## these draws alone, to try survivors again: NUMBERS="3 17"
BUILD=${BUILD:-build}
JOBS=${JOBS:-4}
ONLY=${ONLY-}                         ## an extended regular expression: only files that match are changed
PROFILES=${PROFILES:-99}               ## at most so many profiles for each mutant
REST=${REST:-1}                       ## 0: only the tests of the chapters that ask for the file, and no host tests
BASE=${BASE-}                         ## of mutate-tests: where logs of the unchanged proofs are, to save their time
SUBJECT=model
[ "${1-}" != --judgement ] || SUBJECT=judgement
mkdir -p "$BUILD/mutate/$SUBJECT"
WORK=$(cd "$BUILD/mutate/$SUBJECT" && pwd)
export SUBJECT WORK SEED PROFILES REST

stop() {
    echo "mutate: $1" >&2
    exit 99
}

variable() {
    "${MAKE:-make}" --no-print-directory BUILD="$BUILD" "print-$1" 2>/dev/null
}

flags() {
    for name in CC LD IMAGE_CFLAGS IMAGE_LDFLAGS HOST_CC HOST_CFLAGS HOST_LIBRARIES SANITIZE; do
        echo "$name='$(variable $name)'"
    done
    echo "GENERATED='$BUILD/gen'"
    if [ $SUBJECT = model ]; then
        # Without warnings: what is skipped may leave a variable unused.
        echo "LENIENT=-w DRAW=--except=pmu/reference/proof/simulated.txt"
    else
        echo "LENIENT='-Wno-parentheses -Wno-dangling-else -Wno-misleading-indentation' DRAW=--judgement"
    fi
}

# What is drawn from. Not what only a deviation brings to life, SMIs, nor the list of profiles.
files() {
    if [ $SUBJECT = model ]; then
        find pmu/reference/model -name '*.c' ! -name smi.c ! -name profiles.c
    else
        find tests pmu -name '*.c' ! -path 'tests/host/*' ! -path 'tests/fuzz/*' \
            ! -path 'tests/harness/mode/*' ! -path 'tests/harness/report/*' ! -path 'pmu/reference/*' ! -path 'pmu/gate/*'
    fi | grep -E -- "$ONLY" | LC_ALL=C sort
}

prepare() {
    rm -rf "$WORK"
    mkdir -p "$WORK/tree" "$WORK/gen" "$WORK/host" "$WORK/base" "$WORK/logs"
    tar -cf - Makefile boot kernel pmu tests tools iso docs | tar -xf - -C "$WORK/tree" || stop "no room for a copy"
    { cp -r "$BUILD/obj" "$BUILD/tools" "$WORK" && cp -r "$BUILD/host/obj" "$WORK/host" && cp "$BUILD"/gen/*.o "$WORK/gen" &&
        cp "$BUILD/gen/links.mk" "$BUILD/pmucheck.iso" "$WORK"; } || stop "no room for a copy"
    variable OBJECTS | tr ' ' '\n' | grep . | sed "s,^$BUILD/,$WORK/," >"$WORK/objects"
    echo "$WORK/gen/no-symbols.c.o" >>"$WORK/objects"
    flags >"$WORK/flags.sh"
    files >"$WORK/files"
    # shellcheck disable=SC1091,SC2086 # made just now; flags are words
    (. "$WORK/flags.sh" && cd "$WORK/tree" && $LD $IMAGE_LDFLAGS -T boot/linker.ld -o "$WORK/unchanged.elf" "@$WORK/objects") ||
        stop "the unchanged objects do not link: make iso host-tests first"
    [ -z "$BASE" ] || cp "$BASE"/*.log "$WORK/base"
}

# How often a kind of result came, by the word before the first colon.
count() {
    grep -c "^$1[: ]" "$WORK/results.txt"
}

sum_of_model() {
    explained=$(count explained)
    tried=$((N - $(count build) - explained))
    image=$(count image)
    survived=$(count survived)
    echo "mutate: $tried mutants, $image killed by the image ($((tried ? image * 100 / tried : 0)) %," \
        "$(count image:review) of them for review only)," \
        "$(count host) by host tests alone, $(count error) ended in an error, $(count time) by time, $survived survived;" \
        "$explained are known to survive, and why; $(count build) did not build; seed $SEED, draws $DRAWS"
}

sum_of_judgement() {
    explained=$(count explained)
    tried=$((N - explained))
    unnoticed=$(count unnoticed)
    awk '{
            split($1, how, ":")
            kind = $3
            for (i = 4; i <= NF; i++)
                kind = kind " " $i
            n[kind, how[1]]++
            all[kind]++
        }
        END {
            printf "%-24s %6s %6s %6s %6s %6s %6s %6s %6s\n", "", "all", "build", "labels", "host", "boot", "proof", "keys", "none"
            for (kind in all)
                printf "%-24s %6d %6d %6d %6d %6d %6d %6d %6d\n", kind, all[kind], n[kind, "build"], n[kind, "labels"],
                    n[kind, "host"], n[kind, "boot"], n[kind, "proof"], n[kind, "keys"], n[kind, "unnoticed"]
        }' "$WORK/results.txt"
    echo "mutate-tests: $tried mutants, $((tried - unnoticed)) noticed ($((tried ? (tried - unnoticed) * 100 / tried : 0)) %)," \
        "$(count keys) of them only by registers or bits that are proven no more, $unnoticed not at all;" \
        "$explained are known not to be, and why; seed $SEED, draws $DRAWS"
}

[ "$N" -gt 0 ] || stop "N must be a number above 0"
DRAWS=${NUMBERS:-$FIRST to $((FIRST + N - 1))}
NUMBERS=${NUMBERS:-$(seq "$FIRST" $((FIRST + N - 1)))}
N=$(echo "$NUMBERS" | wc -w)
prepare
started=$(date +%s)
: >"$WORK/results.txt"
echo "$NUMBERS" | xargs -n 1 -P "$JOBS" "$WORK/tree/pmu/reference/proof/mutant.sh" | tee -a "$WORK/results.txt"
[ "$(grep -c . "$WORK/results.txt")" = "$N" ] || stop "some mutants were not tried: $WORK/mutants"
echo
for result in "$WORK"/mutants/*/result; do
    grep -qE '^(survived|host|error|time|unnoticed|keys)' "$result" && cat "$result"
done
echo
sum_of_$SUBJECT
times >"$WORK/times" # of this shell, and not of one for a pipe
echo "$(($(date +%s) - started)) seconds; processors, user and system: $(sed -n 2p "$WORK/times")"
