#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Prints the last lines of `make test` and `make check`: the failed and skipped steps, the time, and the count. Fails if
# a step failed.
#
# usage: RESULTS=FILE tools/check/sum.sh STARTED      STARTED: seconds, of date +%s
set -u
count() {
    grep -c "^$1" "$RESULTS"
}
# Steps that could not be tried here, and cases of host tests.
skipped() {
    sed -n 's/^ok .*  skipped: //p' "$RESULTS" | awk -v steps="$(count skip)" '{ steps += NF } END { print steps }'
}
failed=$(count FAIL)
echo
grep -E '^(FAIL|skip)|  skipped: ' "$RESULTS"
echo "$(($(date +%s) - $1)) s; logs: ${BUILD:-build}/logs"
echo "$(count ok) passed, $failed failed, $(skipped) skipped"
[ "$failed" = 0 ]
