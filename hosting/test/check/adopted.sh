#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Follows a lab from its first good machine to its first bad one. The image, hosted on a good reference PMU as if that
# were hardware, gives a log. `pmucheck adopt` takes the log into a copy of the sources as evidence. The image built
# from that copy is hosted on a PMU with a defect, and the check that asked for review without the evidence fails now.
# Would catch evidence that is taken in but never turns a review into a failure, and a disk without room that leaves half
# of it in the tree.
#
# usage: hosting/test/check/adopted.sh
set -u
cd "$(dirname "$0")/../../.." || exit 1
BUILD=${BUILD:-build}
CHECK=pmi.mask-set
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' HUP INT TERM

fail() {
    echo "$1"
    exit 1
}

# hosted NAME KERNEL OPTIONS: hosts KERNEL on the reference PMU with these OPTIONS and leaves its log in
# NAME.log.hosted. The board's name is not a virtual machine's.
hosted() {
    LOG=$BUILD/logs/$1.log KERNEL=$2 OPTIONS=$3 ARGS="quick prove-here=off after=poweroff run=$CHECK" MEMORY=256 BOARD=Acme \
        hosting/tools/host.sh >"$work/$1" || fail "$1 did not end: $BUILD/logs/$1.log"
    tr -d '\r' <"$BUILD/logs/$1.log" | hosting/test/check/hosted-log.sh >"$BUILD/logs/$1.log.hosted"
}

# says NAME PATTERN
says() {
    grep -aqE -e "$2" "$BUILD/logs/$1.log.hosted" || fail "$1: no line matches $2"
}

hosted adopted-bad-before "$BUILD/pmucheck.elf" defect=lvtpc-not-masked
says adopted-bad-before "^# end verdict=review"
hosted adopted-good "$BUILD/pmucheck.elf" ""
says adopted-good "^# end verdict=pass"

mkdir "$work/tree"
tools/check/copy-tree.sh "$work/tree" || fail "the tree could not be copied"
cp -R "$work/tree/tests/evidence" "$work/before"
(
    trap '' XFSZ
    ulimit -f 10 # blocks of 512 bytes: the profile fits, a line of evidence at the end of its file does not
    exec "$BUILD/tools/pmucheck" adopt --tree="$work/tree" --name=acme-1 "$BUILD/logs/adopted-good.log.hosted"
) >/dev/null 2>&1 && fail "adopt says that it wrote what did not fit"
diff -r "$work/before" "$work/tree/tests/evidence" || fail "adopt left half a line of evidence"
[ ! -e "$work/tree/reference/model/profiles/acme-1.profile" ] || fail "adopt left a profile without evidence"
"$BUILD/tools/pmucheck" adopt --tree="$work/tree" --name=acme-1 "$BUILD/logs/adopted-good.log.hosted" >"$work/adopt" ||
    fail "adopt refuses the log"
grep -q "^machine=acme-1 counts=yes .*$CHECK:" "$work"/tree/tests/evidence/*.txt || fail "adopt wrote no line"
(
    unset BUILD MAKEFLAGS MAKEOVERRIDES MFLAGS
    make -s -j 2 -C "$work/tree" kernel BUILD=out COMMIT=unknown >/dev/null
) || fail "the image with evidence does not build"

hosted adopted-bad "$work/tree/out/pmucheck.elf" defect=lvtpc-not-masked
says adopted-bad "^not ok [0-9]+ $CHECK\$"
says adopted-bad "^# end verdict=fail .*fail=1 "
"$BUILD/tools/pmucheck" report "$BUILD/logs/adopted-bad.log.hosted" >"$work/report"
[ $? = 1 ] || fail "report does not take it for a failure: $BUILD/logs/adopted-bad.log.hosted"
hosted adopted-good-again "$work/tree/out/pmucheck.elf" ""
says adopted-good-again "^# end verdict=pass"
echo "$(grep -c '^EVIDENCE' "$work/tree/out/gen/evidence.def") rows of evidence: $CHECK accuses"
