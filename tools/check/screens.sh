#!/bin/sh
# Boots one case of tests/boot/screens.txt, reads the screen back as text and compares it with tests/screens/NAME.txt; what
# differs from boot to boot, as times and the commit, is left out on both sides. Without a name: lists them.
#
# usage: [WRITE=1] tools/check/screens.sh [NAME]      WRITE=1: the text is taken as the reference
set -u
cd "$(dirname "$0")/../.." || exit 1
BUILD=${BUILD:-build}

[ $# -gt 0 ] || exec tools/check/case-row.sh tests/boot/screens.txt
row=$(tools/check/case-row.sh tests/boot/screens.txt "$1") || exit 1
IFS='|' read -r name size cpus options pattern pause at change <<ROW
$row
ROW
screen=$BUILD/logs/screen-$name
tools/check/screen.sh "$screen" "$size" "$cpus" "$options" "$pattern" "$pause" "$at" "$change" || exit 1

# What lasts from boot to boot.
lasting() {
    sed -E 's/\([0-9a-f]{12}(-dirty)?\) */(COMMIT)  /; s/, [0-9]+ s +/, N s  /; s/ +$//
        s/[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9:]{5} */DATE TIME  /; s/ +$//
        s/(page [0-9]+) of [0-9]+$/\1 of N/; s/code [0-9A-Z]{4}-[0-9A-Z]{4}/code CODE/
        s/commit=[^ ]* sum=[0-9a-f]+/commit=COMMIT sum=SUM/
        /^# (sync|heartbeat|bits|took) /d'
}

[ "$size" = text ] && form=bin || form=ppm
"$BUILD/tools/screen-text" "$BUILD/gen/font.psf" "$screen.$form" >"$screen.txt" || exit 1
reference=tests/screens/$name.txt
if [ "${WRITE:-0}" = 1 ]; then
    lasting <"$screen.txt" >"$reference"
else
    lasting <"$screen.txt" | diff -u "$reference" - && rm -f "$screen.ppm"
fi
