#!/bin/sh
# What the tests cover of what can be asked of a PMU, by tests/coverage.txt: the table, and last how much is judged,
# measured and left out. Each label that it names must be permanent and proven, each measurement be there, and what is
# judged only behind dangerous= say so.
#
# usage: pmu/reference/proof/coverage.sh             the table
#        pmu/reference/proof/coverage.sh --check     the sum only
#        pmu/reference/proof/coverage.sh --page      as Markdown, docs/promises.md: make readme-options calls it
set -eu
cd "$(dirname "$0")/../../.."
LC_ALL=C
export LC_ALL
find tests/*/ -name '*.c' ! -path 'tests/host/*' ! -path 'tests/fuzz/*' \
    ! -path 'tests/harness/*/*' -print | sort |
    xargs awk -f pmu/reference/proof/coverage.awk -v how="${1-}" tests/coverage.txt tests/labels.txt
