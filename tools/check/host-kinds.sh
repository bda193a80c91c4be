#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Each host test runs as many assertions on a machine of another kind as on this one: as an ordinary user, whose stack
# pointers must be canonical, without 32-bit code, with another language, time zone and terminal. Tests that do not are
# listed, with the reason.
# Would catch a host test that leaves itself out on some machines, and so passes only where it is not run.
#
# usage: tools/check/host-kinds.sh [NAME]...      all that are built, or these
set -u
cd "$(dirname "$0")/../.." || exit 1
BUILD=${BUILD:-build}
unset WHOLE # what it asks for would reach only one of the two machines
list=tests/host/kinds.txt
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' HUP INT TERM
become=
[ "$(id -u)" != 0 ] || {
    chmod 711 "$work"
    become="setpriv --reuid=nobody --regid=nogroup --clear-groups"
}
mkdir -m 1777 "$work/tmp"
# shellcheck disable=SC2046 # no name has a blank
[ $# -gt 0 ] || set -- $(find "$BUILD/host" -maxdepth 1 -name 'test_*' -type f -executable -printf '%f\n' | LC_ALL=C sort)

# Prints how the test ended, and how much it ran.
here() {
    ASSERTIONS=1 "$BUILD/host/$1" 2>/dev/null </dev/null
    echo "status $?"
}
elsewhere() {
    # shellcheck disable=SC2086 # words
    $become env -i PATH=/usr/bin:/bin HOME=/nonexistent TMPDIR="$work/tmp" LC_ALL=C.UTF-8 LANGUAGE=tr TZ=Pacific/Chatham \
        TERM=dumb CANONICAL_STACK=1 NO_COMPATIBILITY_MODE=1 ASSERTIONS=1 "$BUILD/host/$1" 2>/dev/null </dev/null
    echo "status $?"
}
ran() {
    sed -nE 's/^(assertions|status) ([0-9]+)$/\1=\2/p; s/^\[  SKIPPED \] ([a-z0-9_]+)$/skipped=\1/p' | tr '\n' ' '
}

bad=0
for name; do
    one=$(here "$name" | ran) other=$(elsewhere "$name" | ran)
    listed=$(sed -n "s/^$name  *//p" "$list")
    case $one in
    *status=0*) ;;
    *) echo "$name: $one" && bad=1 ;;
    esac
    if [ "$one" = "$other" ]; then
        [ -z "$listed" ] || { echo "$list: $name runs the same everywhere" && bad=1; }
    elif [ -z "$listed" ] || [ "${other##*status=}" != "0 " ]; then
        echo "$name: here $one, on a machine of another kind $other" && bad=1
    fi
done
[ $bad = 0 ] && echo "$# host tests run the same on both kinds of machine, but for those of $list"
exit $bad
