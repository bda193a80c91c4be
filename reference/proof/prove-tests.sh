#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Does the proof notice tests that have grown weak: by a bound that is far off, a loop that ends early, a check that is
# gone? SEED draws TESTS of all tests, and of each up to EACH changes that mutate.awk knows. The changed copies of a test
# are linked into a kernel beside it, as TEST~1, TEST~2 and so on, and an unchanged one as TEST~0. One boot shows all of
# them the defects that are said to fail the test's labels (tests/labels.txt), in each of their places.
#
# A copy is noticed if it fails without a defect on any profile, or on a legal variation; or if it misses a defect, or
# loses a register or bit of a label, that the test and its unchanged copy find. What does not compile is drawn anew, and what compiles to
# the same code is not counted. build/logs/prove-tests.txt gets a line for each: source, change, line, and what noticed
# it. One that is not noticed is wrong, unless tests/unnoticed.txt has its reason: "SOURCE | CHANGE | LINE | why", as for
# what is the same test in other words.
#
# What is drawn depends on the changes and their lines alone: it stays when other lines and other tests change. SHARE=K/N
# takes every N-th of the drawn tests from the K-th on. BEFORE=FILE, the list that a whole proof leaves
# (build/prove-labels.txt), has all defects that fail a label, and takes longer.
#
# usage: [SEED=TEXT] [TESTS=N] [EACH=N] [SHARE=K/N] [ONLY=GLOB] [BEFORE=FILE] [VARIATIONS=0]
#        [SECONDS_EACH=N] reference/proof/prove-tests.sh
set -u
cd "$(dirname "$0")/../.." || exit 1
export BUILD="${BUILD:-build}"
export SEED="${SEED:-1}"                ## any text; the same one draws the same changes of the same lines
TESTS=${TESTS:-24}                      ## how many tests are drawn
export EACH="${EACH:-5}"                ## how many changes of each, at most
SHARE=${SHARE:-1/1}                     ## K/N: only this share of the tests that are drawn
ONLY=${ONLY:-*}                         ## only tests of these sources, as a pattern: tests/gp/*
BEFORE=${BEFORE:-tests/labels.txt}      ## where the defects for each label stand
VARIATIONS=${VARIATIONS:-1}             ## 0: copies that no defect shows weak are not shown good PMUs and variations
SECONDS_EACH=${SECONDS_EACH:-120}       ## how long the copies of one test are shown some defects, at most
SECONDS_GOOD=${SECONDS_GOOD:-900}       ## how long what is left of all copies is shown each of good PMUs and variations
JOBS=${JOBS:-2}
LINKED=210                              # copies that one kernel has room for, beside all tests
work=$BUILD/mutated
result=$BUILD/logs/prove-tests.txt
mutate=reference/proof/mutate.awk
reasons=tests/unnoticed.txt

# shuffled NAME: standard input's lines in an order in which each has a place of its own, by the seed, the name and what
# stands before its first tab.
shuffled() {
    echo "$SEED $1" | sha1sum >"$work/random-$1"
    LC_ALL=C sort -t "$(printf '\t')" -k 1,1 -R --random-source="$work/random-$1"
    rm "$work/random-$1"
}

id_of() {
    echo "$1" | sed 's,^tests/,,; s,\.c$,,; s,/,.,g'
}

# Tests that no defect can fail, by their own reason, are left out.
sources() {
    find tests/*/ -name '*.c' -path "$ONLY" ! -path 'tests/host/*' ! -path 'tests/fuzz/*' ! -path 'tests/harness/*' |
        LC_ALL=C sort | xargs grep -L '\.unproven'
}

share() {
    awk -v k="${SHARE%/*}" -v n="${SHARE#*/}" '(NR - k) % n == 0'
}

# compiled OBJECT: standard input, without debugging information, so that the same code is the same file.
compiled() {
    # shellcheck disable=SC2046 # a list of flags
    $(cat "$work/compiler") -g0 -w -x c -c -o "$1" - 2>/dev/null
}

# renamed TEST COPY: standard input as the copy of that test.
renamed() {
    sed "s/\"$1\"/\"$1~$2\"/"
}

# changes SOURCE: each that there is, "PLACE.CHANGE SOURCE | CHANGE | LINE", in the order in which they are drawn, and
# one of each place.
changes() {
    awk -v of=tests -f "$mutate" "$1" | awk -v file="$1" '
        BEGIN {
            while ((getline text <file) > 0)
                line[++lines] = text
        }
        {
            number = substr($1, length(file) + 2) + 0
            place = $2
            text = line[number]
            sub(/^[^ ]+ [^ ]+ /, "")
            sub(/^ +/, "", text)
            print file " | " $0 " | " text "\t" place
        }' | shuffled "$(id_of "$1")" |
        awk -F '\t' '{ place = $2; sub(/\..*/, "", place) } !met[place]++ { print $2, $1 }'
}

# make_copies SOURCE: the objects of its copies, and a line for each in $work/list/TEST: "SOURCE | CHANGE | LINE".
make_copies() {
    id=$(id_of "$1")
    object=$work/obj/${1%.c}
    list=$work/list/$id
    mkdir -p "$(dirname "$object")"
    compiled "$work/$id.o" <"$1" || exit 255
    changes "$1" >"$work/$id.drawn"
    copies=0
    drawn=0
    : >"$list"
    while [ "$drawn" -lt "$EACH" ] && read -r change what; do
        awk -v of=tests -v change="$change" -f "$mutate" "$1" >"$work/$id.c"
        compiled "$work/$id~.o" <"$work/$id.c" || continue
        drawn=$((drawn + 1))
        cmp -s "$work/$id.o" "$work/$id~.o" && continue
        copies=$((copies + 1))
        renamed "$id" $copies <"$work/$id.c" | compiled "$object~$copies.c.o"
        printf '%s\n' "$what" >>"$list"
    done <"$work/$id.drawn"
    renamed "$id" 0 <"$1" | compiled "${object}~0.c.o"
}

# boot OPTIONS LOG SECONDS: with the clocks of a proof. False if the image did not come to its end, nor to the end of
# its time.
boot() {
    REFERENCE='' CPUS=2 MEDIUM=kernel IMAGE=$BUILD/pmucheck-mutated.elf SUMMARY=0 SILENCE=${SILENCE:-60} TIMEOUT=$3 \
        STEADY=1 LOG=$2 OPTIONS="reference=$1" nice -n 5 reference/proof/run.sh >"$2.run" 2>&1
    case $? in
    124)
        grep -q 'no line for' "$2.run" && return 1
        ! running "$2" | grep -q stuck || return 1
        cut=yes
        ;;
    *) tr -d '\r' <"$2" | grep -q '^# end ' ;;
    esac
}

# Those of the tests that nothing has noticed, as "TEST~COPY".
unnoticed() {
    for test in "$@"; do
        for copy in $(seq "$(wc -l <"$work/list/$test")"); do
            grep -q "^$copy " "$work/noticed/$test" || echo "$test~$copy"
        done
    done
}

# The test in which a full log ends, "TEST stuck" if it ran for half a minute; nothing if it ends between two.
running() {
    tr -d '\r' <"$1" | awk '/^ +# begin / { test = $3; beats = 0 } /^ +(not )?ok / { test = "" } / heartbeat / { beats++ }
        END { print test (test != "" && beats >= 4 ? " stuck" : "") }'
}

# show TEST DEFECTS LOG: shows them to what nothing has noticed of the test's copies, beside the test and its unchanged
# copy. One that ends the boot, or hangs in it, is noticed, and the others are shown the defects without it.
show() {
    while left=$(unnoticed "$1") && [ -n "$left" ]; do
        ended=yes
        boot "skylake log=full prove run=$1,$1~0,$(echo "$left" | paste -sd , -) defect=$2" "$3" "$SECONDS_EACH" || ended=
        awk -v test="$1" -f reference/proof/weaker.awk "$3" >>"$work/noticed/$1"
        last=$(running "$3")
        case $ended$last in
        "$1~0" | "$1~0 stuck" | "$1" | "$1 stuck" | '') cut=yes ;;
        "$1~"*) # nothing came from it for long, or the image is gone
            last=${last#"$1~"}
            echo "${last% stuck} ends the boot" >>"$work/noticed/$1"
            continue
            ;;
        esac
        return 0
    done
}

# prove TEST: leaves in $work/noticed/TEST what noticed its copies: "COPY WHAT". Each profile is first, with a defect for
# each label; only copies that pass there are shown the others.
prove() {
    log=$BUILD/logs/prove-tests-$1.log
    cut=
    : >"$work/noticed/$1"
    awk -v test="$1" -f reference/proof/defects.awk reference/deviations/*.c "$BEFORE" >"$work/defects"
    while read -r defects; do
        show "$1" "$defects" "$log" </dev/null
    done <"$work/defects"
    [ -z "$cut" ] || # not all defects were shown
        unnoticed "$1" | sed "s/.*~\([0-9]*\)$/\1 cut: not shown all defects in $SECONDS_EACH s/" >>"$work/noticed/$1"
}

# Of what nothing has noticed, those that have no reason, as "TEST~COPY".
unexplained() {
    for copy in $(unnoticed "$@"); do
        what=$(sed -n "${copy#*~}p" "$work/list/${copy%~*}")
        grep -qF "$what | " "$reasons" || echo "$copy"
    done
}

# vary TEST...: shows all profiles, and then the legal variations, to what is left of their copies without a reason.
vary() {
    for options in "all quick lockstep=off" "skylake prove-benign"; do
        left=$(unexplained "$@" | paste -sd , -)
        [ -n "$left" ] || return
        log=$BUILD/logs/prove-tests-${options##* }.log
        cut=
        boot "$options run=$left" "$log" "$SECONDS_GOOD" || cut=yes
        for test in "$@"; do
            awk -v test="$test" -f reference/proof/weaker.awk "$log" >>"$work/noticed/$test"
        done
        [ -z "$cut" ] || echo "not all was shown to $left: $log" >&2
    done
}

# batch SOURCE...: links the copies of these tests, and proves them.
batch() {
    rm -rf "$work/obj"
    printf '%s\n' "$@" | xargs -P "$JOBS" -n 1 "$0" --make || exit 1
    make -s -j "$JOBS" "$BUILD/pmucheck-mutated.elf" >"$BUILD/logs/prove-tests-make.log" 2>&1 || {
        cat "$BUILD/logs/prove-tests-make.log"
        exit 1
    }
    of=
    for source in "$@"; do
        of="$of $(id_of "$source")"
    done
    for test in $of; do
        prove "$test"
    done
    # shellcheck disable=SC2086 # a list of words
    [ "$VARIATIONS" = 0 ] || vary $of
}

# "SOURCE | CHANGE | LINE | what noticed it", or the reason why nothing does, or "unnoticed".
lines() {
    while read -r source; do
        test=$(id_of "$source")
        copy=0
        while read -r what; do
            copy=$((copy + 1))
            noticed=$(sed -n "s/^$copy //p" "$work/noticed/$test" | head -n 1)
            reason=$(grep -F "$what | " "$reasons" | head -n 1 | sed 's/.* | /same: /')
            printf '%s | %s\n' "$what" "${noticed:-${reason:-unnoticed}}"
        done <"$work/list/$test"
    done <"$work/drawn"
}

case ${1-} in
--make)
    make_copies "$2"
    exit
    ;;
esac
rm -rf "$work"
mkdir -p "$work/list" "$work/noticed" "$BUILD/logs"
make -s -j "$JOBS" iso tools || exit 1
make -s print-CC print-IMAGE_CFLAGS | tr '\n' ' ' >"$work/compiler"
sources | shuffled tests | head -n "$TESTS" | share >"$work/drawn"
# shellcheck disable=SC2046 # a list of files
set -- $(cat "$work/drawn")
while [ $# -gt 0 ]; do
    now=
    copies=0
    while [ $# -gt 0 ] && [ $((copies += EACH + 1)) -le $LINKED ]; do
        now="$now $1"
        shift
    done
    # shellcheck disable=SC2086 # a list of files
    batch $now
done
lines >"$result"
awk '{ how = $0; sub(/.* [|] /, "", how); sub(/[ :].*/, "", how); count[how]++ }
    END {
        printf "%d changed copies of tests, seed %s", NR, seed
        for (how in count)
            printf ", %d %s", count[how], how
        print ": " result
    }' seed="$SEED" result="$result" "$result"
! grep ' | unnoticed$' "$result"
