#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Boots one case, reads the screen back as text and compares it with tests/screens/NAME.txt: would catch faults that
# only a person at the machine sees. Parts that differ from boot to boot, such as times and the version, are left out on
# both sides.
#
# usage: [WRITE=1] tools/check/case/screen.sh [NAME]      WRITE=1: the text is taken as the reference
set -u
cd "$(dirname "$0")/../../.." || exit 1
. tools/check/case/case.sh
IFS='|' read -r name size cpus options pattern pause at change <<ROW
$row
ROW

# Prints the parts that stay the same from boot to boot.
lasting() {
    sed -E 's/^pmucheck [0-9]+\.[^ ]+ */pmucheck VERSION  /; s/, [0-9]+ s +/, N s  /; s/ +$//
        s/[0-9]{4}-[0-9]{2}-[0-9]{2} [0-9:]{5} */DATE TIME  /; s/ +$//
        s/(page [0-9]+) of [0-9]+$/\1 of N/; s/code [0-9A-Z]{4}-[0-9A-Z]{4}/code CODE/
        s/version=[^ ]* commit=[^ ]* sum=[0-9a-f]+/version=VERSION commit=COMMIT sum=SUM/
        /^# (sync|heartbeat|bits|took) /d'
}

screen=${LOG%.log} reference=tests/screens/$name.txt
tools/check/screen.sh "$screen" "$size" "$cpus" "$options" "$pattern" "$pause" "$at" "$change" || exit 1
[ "$size" = text ] && form=bin || form=ppm
"$BUILD/tools/screen-text" "$BUILD/gen/font.psf" "$screen.$form" >"$screen.txt" || exit 1
[ "${WRITE:-0}" != 1 ] || lasting <"$screen.txt" >"$reference"
if lasting <"$screen.txt" | diff -u "$reference" -; then rm -f "$screen.ppm"; else wrong "the screen differs from $reference"; fi
finish
