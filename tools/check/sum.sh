#!/bin/sh
# The last lines of `make test` and `make check`: what failed or was skipped, how long it took, and the count. Fails if a
# step did.
#
# usage: RESULTS=FILE tools/check/sum.sh STARTED      STARTED: seconds, of date +%s
set -u
count() {
    grep -c "^$1" "$RESULTS"
}
failed=$(count FAIL)
echo
grep -E '^(FAIL|skip)' "$RESULTS"
echo "$(count skip) skipped; $(($(date +%s) - $1)) s; logs: ${BUILD:-build}/logs"
echo "$(count ok) passed, $failed failed"
[ "$failed" = 0 ]
