#!/bin/sh
# Runs one fuzz target for a while, from the inputs that tests/fuzz/corpus has of it. What it finds to be new is kept in
# the build directory for the next time; --keep puts the smallest inputs that cover the same into tests/fuzz/corpus.
#
# usage: FUZZ_SECONDS=N [FUZZ_RUNS=N] tools/fuzz.sh [--keep] TARGET
set -eu
cd "$(dirname "$0")/.."
keep=
[ "$1" != --keep ] || {
    keep=1
    shift
}
directory=${BUILD:-build}/fuzz
corpus=$directory/corpus/$1
packed=tests/fuzz/corpus/$1.txt         # an input a line, in base64
MOST=24576                              # bytes of that file
mkdir -p "$corpus"

unpack() {
    [ -f "$packed" ] || return 0
    number=0
    while read -r line; do
        number=$((number + 1))
        echo "$line" | base64 -d >"$corpus/kept-$number"
    done <"$packed"
}

# A merge takes small inputs first: what does not fit any more adds least.
pack() {
    least=$(mktemp -d)
    trap 'rm -rf "$least"' EXIT
    "$directory/$1" -merge=1 -max_len=1024 -timeout=10 "$least" "$corpus" 2>"$directory/$1-merge.txt"
    mkdir -p "$(dirname "$packed")"
    find "$least" -type f -printf '%s %p\n' | LC_ALL=C sort -n | while read -r size path; do
        [ "$size" = 0 ] || { base64 -w 0 "$path" && echo; }
    done | awk -v most="$MOST" '{ used += length($0) + 1 } used <= most' >"$packed"
    echo "$packed: $(wc -l <"$packed") inputs, $(wc -c <"$packed") bytes"
}

[ -z "$keep" ] || {
    pack "$1"
    exit
}
unpack
"$directory/$1" -max_total_time="${FUZZ_SECONDS:-300}" -runs="${FUZZ_RUNS:--1}" -timeout=10 -rss_limit_mb=2048 \
    -max_len=8192 -print_final_stats=1 -artifact_prefix="$directory/$1-" "$corpus"
