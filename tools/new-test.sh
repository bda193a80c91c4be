#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Writes the skeleton of a test: tests/CHAPTER/NAME.c, which builds and runs without changes.
#
# usage: tools/new-test.sh [--print] CHAPTER.NAME      --print: to standard output
set -eu
cd "$(dirname "$0")/.."
print=0
[ "${1-}" != --print ] || { print=1; shift; }
id=${1-}
echo "$id" | grep -qE '^[a-z][a-z0-9]*\.[a-z0-9]+(-[a-z0-9]+)*$' || {
    echo "usage: make new-test ID=chapter.what-holds      (lower-case letters, digits, dashes)" >&2
    exit 1
}
chapter=${id%%.*}
name=${id#*.}
case $chapter in
harness | host | fuzz) echo "$chapter is no chapter of tests" >&2; exit 1 ;;
esac
file=tests/$chapter/$name.c
[ "$print" = 1 ] || [ ! -e "$file" ] || { echo "$file is there already" >&2; exit 1; }
function=$(echo "$name" | tr - _)
case $function in
[0-9]*) function=test_$function ;;
esac
skeleton() {
    cat <<SKELETON
/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the hardware promises, in one or two sentences of your own.
 *
 * How it is provoked, and what each outcome means: what a CPU would have to get wrong for this to fail.
 */
#include "harness/test.h"

static bool $function(struct test *t)
{
    /* The general-purpose counters of leaf 0AH are enumerated: a first check to replace. */
    check_range(t, "counters", t->caps->gp_count, 1, 32, 0);
    return true;
}

TEST("$id", .title = "one sentence that is true of good hardware",
     .spec = "SDM 3B, Architectural Performance Monitoring", .needs = NEEDS_VERSION(1), .scope = EACH_CPU,
     .repeat = $function);
SKELETON
}

[ "$print" = 0 ] || { skeleton; exit 0; }
mkdir -p "tests/$chapter"
skeleton >"$file"
echo "$file: written; see docs/tests.md"
