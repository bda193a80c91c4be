#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Places of the sources and of the build: what make cannot work with it refuses in one sentence and touches nothing; and
# `make clean` removes only what the build made. An ordinary path that is not ASCII works (tools/check/program/ordinary.sh).
# Would catch a build that fails half-way because of its path, a `BUILD=$HOME make clean` that empties somebody's home.
#
# usage: tools/check/program/place.sh
set -u
cd "$(dirname "$0")/../../.." || exit 1
work=$(realpath "$(mktemp -d)")
trap 'rm -rf "$work"' EXIT
trap 'exit 130' HUP INT TERM
bad=0
unset MAKEFLAGS MFLAGS MAKEOVERRIDES BUILD
small=gen/rule_heads.h # a file that only takes awk

fail() {
    echo "$1"
    cat "$work/out"
    bad=1
}

# try DIRECTORY ARGUMENT...: make there
try() {
    make -s -C "$@" >"$work/out" 2>&1
}

# refuses TEXT DIRECTORY ARGUMENT...: make must fail, with one sentence that has the text.
refuses() {
    text=$1
    shift
    ! try "$@" || fail "make $*: did not fail"
    grep -qF -e "$text" "$work/out" || fail "make $*: does not say: $text"
    [ "$(grep -c '' "$work/out")" -le 2 ] || fail "make $*: more than a sentence"
}

# shellcheck disable=SC2016 # a dollar in a name
for name in 'a blank' 'a$dollar' "a'quote" 'a:colon' 'a#hash' 'a,comma'; do
    mkdir -p "$work/$name/tools/build"
    cp Makefile "$work/$name"
    cp tools/build/place.sh "$work/$name/tools/build"
    refuses 'make cannot work with' "$work/$name" iso
    [ ! -e "$work/$name/build" ] || fail "$name: something was built"
done

home=$work/home
mkdir -p "$home/gen" "$home/docs"
echo precious >"$home/docs/letter"
for goal in iso clean; do
    refuses 'no build made' "$PWD" BUILD="$home" "$goal"
done
refuses 'make cannot work with' "$PWD" BUILD="$work/a blank" iso
refuses 'no build made' "$PWD" BUILD="$home/new/.." iso # before new is there
for goal in iso clean help; do
    refuses 'make cannot work with' "$PWD" BUILD=-x "$goal"
    refuses 'make cannot work with' "$PWD" BUILD="\`touch $work/run\`" "$goal"
    [ ! -e "$work/run" ] || fail "make $goal: the shell ran a directory's name"
done
refuses 'can have no blank' "$PWD" PREFIX="$work/a blank" install-files
[ "$(cat "$home/docs/letter")" = precious ] || fail "a file of somebody's is gone"
[ -z "$(ls -A "$home/gen")" ] || fail "something was built between somebody's files"

mkdir "$work/empty"
for build in "$work/empty" "$work/new"; do
    try "$PWD" BUILD="$build" "$build/$small" || fail "cannot build in $build"
    [ -s "$build/$small" ] || fail "nothing was built in $build"
    try "$PWD" BUILD="$build" "$build/$small" || fail "cannot build in $build again"
    try "$PWD" BUILD="$build" clean || fail "cannot clean $build"
    [ ! -e "$build" ] || fail "$build is left"
done

# A link to a directory of the user's is built in and cleaned, and stays.
mkdir "$work/disk"
ln -s disk "$work/link"
try "$PWD" BUILD="$work/link" "$work/link/$small" || fail "cannot build through a link"
try "$PWD" BUILD="$work/link" clean || fail "cannot clean through a link"
try "$PWD" BUILD="$work/link" clean || fail "cannot clean twice through a link"
[ -L "$work/link" ] || fail "clean removed a link of the user's"
[ -z "$(ls -A "$work/disk")" ] || fail "cleaning through a link leaves files"

# A mark from before the sources were put there, or from a mistake, does not give them away.
for room in boot kernel pmu reference hosting tests/harness tools/build; do mkdir -p "$work/around/sources/$room"; done
cp Makefile "$work/around/sources"
cp tools/build/place.sh tools/build/*.mk "$work/around/sources/tools/build"
touch "$work/around/.pmucheck-build"
refuses 'no build made' "$work/around/sources" BUILD="$work/around" clean
[ -e "$work/around/sources/Makefile" ] || fail "clean removed the sources"
try "$PWD" BUILD="$work/new" clean || fail "cleaning what is not there fails"
exit $bad
