#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The properties of a PMU that the tests cover, by tests/coverage.txt: the table, and at the end how much is judged,
# measured and left out. Each label in it must be permanent and proven, each measurement must exist, and a row that is
# judged only with dangerous= must say so.
#
# usage: reference/proof/coverage.sh             the table
#        reference/proof/coverage.sh --check     the sum only
#        reference/proof/coverage.sh --page      as Markdown, for docs/promises.md
#        reference/proof/coverage.sh --relied    what a failure is where there is no log, for that page
set -eu
cd "$(dirname "$0")/../.."
LC_ALL=C
export LC_ALL
relied() {
    awk -v how="$1" -f tools/build/relied.awk tests/labels.txt pmu/cpu/class.h tests/relied.txt
}
[ "${1-}" != --relied ] || { relied page; exit; }
answers=$(mktemp)
trap 'rm -f "$answers"' EXIT
relied answers >"$answers"
find tests/*/ -name '*.c' ! -path 'tests/host/*' ! -path 'tests/fuzz/*' \
    ! -path 'tests/harness/*/*' -print | sort |
    xargs awk -f tools/build/declared.awk -f reference/proof/coverage.awk -v how="${1-}" -v answers="$answers" \
        "$answers" tests/coverage.txt tests/labels.txt
