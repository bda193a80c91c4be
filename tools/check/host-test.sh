#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Runs a host test, and remembers that it passed. Without a name: lists the tests that were built after they last
# passed.
#
# usage: tools/check/host-test.sh [NAME]
set -u
cd "$(dirname "$0")/../.." || exit 1
BUILD=${BUILD:-build}
passed=$BUILD/passed/host
mkdir -p "$passed"

if [ $# -gt 0 ]; then
    "$BUILD/host/$1" && touch "$passed/$1"
    exit
fi
for test in "$BUILD"/host/test_*; do
    name=$(basename "$test")
    [ -n "$(find "$passed" -name "$name" -newer "$test")" ] || echo "$name"
done
