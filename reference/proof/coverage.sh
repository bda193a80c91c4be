#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The properties of a PMU that the tests cover, by tests/coverage.txt: the table, and at the end how much is judged,
# measured and left out. Each label in it must be permanent and proven, each measurement must exist, and a row that is
# judged only with dangerous= must say so.
#
# usage: reference/proof/coverage.sh             the table
#        reference/proof/coverage.sh --check     the sum only
#        reference/proof/coverage.sh --page      as Markdown, docs/promises.md: make docs calls it
set -eu
cd "$(dirname "$0")/../.."
LC_ALL=C
export LC_ALL
relied() {
    awk -v how="$1" -f tools/build/relied.awk tests/labels.txt pmu/cpu/class.h tests/relied.txt
}
answers=$(mktemp)
trap 'rm -f "$answers"' EXIT
relied answers >"$answers"
find tests/*/ -name '*.c' ! -path 'tests/host/*' ! -path 'tests/fuzz/*' \
    ! -path 'tests/harness/*/*' -print | sort |
    xargs awk -f tools/build/declared.awk -f reference/proof/coverage.awk -v how="${1-}" -v answers="$answers" \
        "$answers" tests/coverage.txt tests/labels.txt
if [ "${1-}" = --page ]; then
    cat <<END

## Without a log

What a failure is on hardware of a class of which [no log](evidence.md) has shown the check passing, if it comes each
time and with nothing around it. The first row that names the check and the CPU decides
([relied.txt](../tests/relied.txt)).

- *fails*: the manual prints it as a formula or a layout, and no source shows a CPU that differs; or programs that ship
  rely on it there, two of them or one and the manual.
- *review*: a doubt remains, so that a person has to look.
- *told*: no second source confirms it, and it is not judged until a log carries it.

END
    relied page
fi
