#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Runs one step of `make test`: its output goes to a log, one line shows the result, and the result is counted. Exit
# status 77 means that the step could not be tried here; its last line says why. The line also names single cases that a
# host test skipped. After a failed step come its lines of failures, nested runs included, or else its last lines: the
# output may be all that is kept of a run. Always succeeds, so that the other steps follow.
#
# usage: RESULTS=FILE tools/check/step.sh NAME COMMAND...
set -u
name=$1
shift
log=${BUILD:-build}/logs/$(printf '%s' "$name" | tr -c 'A-Za-z0-9.-' '_').txt
mkdir -p "$(dirname "$log")"
start=$(date +%s)
"$@" >"$log" 2>&1 </dev/null
status=$?
line=$(printf '%-44s %3d s' "$name" $(($(date +%s) - start)))
skipped=$(sed -n 's/^\[  SKIPPED \] //p' "$log" | LC_ALL=C sort -u | grep -v 'test(s)' | tr '\n' ' ')
[ -z "$skipped" ] || line="$line  skipped: $skipped"
case $status in
0) echo "ok    $line" | tee -a "$RESULTS" ;;
77) echo "skip  $line  $(tail -n 1 "$log")" | tee -a "$RESULTS" ;;
*)
    echo "FAIL  $line  $log" | tee -a "$RESULTS"
    { grep -aE '^ *(not ok |FAIL|# (fail|error) )' "$log" || tail -n 15 "$log"; } | cut -c 1-240 | head -n 15 |
        sed 's/^/      > /'
    ;;
esac
