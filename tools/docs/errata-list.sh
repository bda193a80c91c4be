#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Prints the table of errata as Markdown, with the promises that they break and the tests that ask for these.
#
# usage: tools/docs/errata-list.sh        (make docs puts it into docs/errata.md)
set -eu
cd "$(dirname "$0")/../.."
BUILD=${BUILD:-build}

# A pattern for tests that ask for a promise: by the promise's name, through a helper, or by the register that they
# check.
asks() {
    case $1 in
    INSTRUCTIONS) where='check_(counted|exact|slope|count|filters?)\(' ;;
    BRANCHES) where='check_exact\(.*BRANCHES' ;;
    ALL_AT_ONCE) where='CELL_NEIGHBOURS|setup_all\(|run_block\(t, mask' ;;
    USR_ALONE) where='check_filters\(' ;;
    STAYS_FROZEN) where='check_stopped\(' ;;
    STATUS_BIT) where='check_(equal|bits?)\(t, .*MSR_PERF_GLOBAL_STATUS\b' ;;
    IN_USE) where='check_(equal|bits?)\(t, .*MSR_PERF_GLOBAL_INUSE\b' ;;
    *) where="ASPECT_$1\\b" ;;
    esac
    printf '%s\n' "$where"
}

files=$(find tests -mindepth 2 -name '*.c' ! -path 'tests/harness/*' ! -path 'tests/host/*' ! -path 'tests/fuzz/*' |
    LC_ALL=C sort)

# Makes lines: the promise's name and the ids of tests.
sed -n 's/^ASPECT(\([A-Z0-9_]*\),.*/\1/p' tests/harness/core/aspect.def |
    while read -r name; do
        # shellcheck disable=SC2086 # a list of files
        tests=$(grep -lE -e "ASPECT_$name\b" -e "$(asks "$name")" $files | sed 's,^tests/\(.*\)/\(.*\)\.c$,\1.\2,' |
            tr '\n' ' ')
        printf '%s\t%s\n' "$name" "${tests% }"
    done | "$BUILD/tools/errata-list"
