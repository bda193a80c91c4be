#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Runs one fuzz target for a while, starting from its inputs in tests/fuzz/corpus.tar.xz. Inputs with new coverage are
# kept in the build directory for the next run; --keep puts the smallest inputs with the same coverage into the archive.
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
archive=$PWD/tests/fuzz/corpus.tar.xz   # a folder for each target, in it a file for each input
MOST=18432                              # bytes of all inputs of a target
mkdir -p "$corpus"

# Writes the smallest inputs with the same coverage as files 1, 2, ... of a folder, small ones first, up to MOST bytes:
# the largest inputs, each of which adds least, are left out.
smallest() {
    least=$(mktemp -d)
    "$directory/$1" -merge=1 -max_len=1024 -timeout=10 "$least" "$corpus" 2>"$directory/$1-merge.txt"
    find "$least" -type f -size +0 -printf '%s %p\n' | LC_ALL=C sort -n |
        awk -v most="$MOST" '{ used += $1 } used <= most { print $2, NR }' | while read -r path number; do
        mv "$path" "$2/$number"
    done
    rm -rf "$least"
}

# Packs the archive so that the same inputs give the same bytes on every machine.
pack() {
    all=$(mktemp -d)
    trap 'rm -rf "$all"' EXIT
    tar -xJf "$archive" -C "$all"
    rm -rf "${all:?}/$1"
    mkdir "$all/$1"
    smallest "$1" "$all/$1"
    tar -C "$all" --sort=name --format=ustar --mtime=@0 --owner=0 --group=0 --numeric-owner --mode=a+rX,u+w,go-w \
        -cf - . | xz -9e >"$archive.new"
    mv "$archive.new" "$archive"
    echo "$archive: $(find "$all/$1" -type f | wc -l) inputs of $1, $(wc -c <"$archive") bytes in all"
}

[ -z "$keep" ] || {
    pack "$1"
    exit
}
! tar -tf "$archive" "./$1/" >/dev/null 2>&1 || tar -xJf "$archive" -C "$directory/corpus" "./$1/"
"$directory/$1" -max_total_time="${FUZZ_SECONDS:-300}" -runs="${FUZZ_RUNS:--1}" -timeout=10 -rss_limit_mb=2048 \
    -max_len=8192 -print_final_stats=1 -error_exitcode=1 -artifact_prefix="$directory/$1-" "$corpus"
