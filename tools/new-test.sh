#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Writes the skeleton of a test, tests/CHAPTER/NAME.c, and a defect that makes it fail, in reference/deviations: both
# build and run without changes. Prints the rows that a person fills in.
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
defects=reference/deviations/${chapter}_$(echo "$name" | tr - _).c
defect=$name-broken
for there in "$file" "$defects"; do
    [ "$print" = 1 ] || [ ! -e "$there" ] || { echo "$there is there already" >&2; exit 1; }
done
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
    /* A stopped counter keeps what is written to it: a first check to replace. */
    struct counter counter = gp_counter(t->caps, 0);
    counter_write(counter, 1);
    check_equal(t, "value-lost", counter_read(counter), 1, counter.msr);
    return true;
}

TEST("$id", .title = "one sentence that is true of good hardware",
     .spec = "SDM 3B, Architectural Performance Monitoring", .needs = NEEDS_VERSION(1), .scope = EACH_CPU,
     .repeat = $function);
SKELETON
}

identifier=${function}_broken
defect_skeleton() {
    cat <<SKELETON
/* SPDX-License-Identifier: BSD-2-Clause */
/* Deviations of what $id asks. */
#define CHAPTERS "$id"
#include "reference/deviations/stand_in.h"

/* A rule of reference/model/rules.def, and how it deviates: to replace. */
DEFECT($identifier, INSTEAD(gp_shown, true, 0), "what a broken PMU does: here each general-purpose counter reads 0",
       "class: or who shipped it");
SKELETON
}

[ "$print" = 0 ] || { skeleton; exit 0; }
mkdir -p "tests/$chapter"
skeleton >"$file"
defect_skeleton >"$defects"
# The length of the names decides where its lines end.
! command -v clang-format >/dev/null || clang-format -i "$defects"
cat <<ROWS
$file, $defects: written; docs/tests.md has the rest. A defect of a chapter that has a file in
reference/deviations moves there. They fail together:
    make run OPTIONS="run=$id defect=$defect"

Rows to fill in, each in its place of the order:
    tests/labels.txt, for each label and a defect that was made to fail it:
$id value-lost by=$defect
    tests/coverage.txt, for the promise, or the label in the row that is there:
B-000 | what is promised | $id/value-lost |
    tests/relied.txt, unless a row there has the test: what a failure is where no log has shown it passing
    tests/citations.txt, if .spec cites a section that is not there yet:
SDM 3B | title of the section | no | by what words it was found
ROWS
