#!/bin/sh
# Boots one case of tests/boot/boots.txt, or of another table with its columns, and compares what comes of it with what is
# expected. Without a name: lists them.
#
# usage: [CASES=TABLE] tools/check/boot-case.sh [NAME]
set -u
cd "$(dirname "$0")/../.." || exit 1
CASES=${CASES:-tests/boot/boots.txt}

[ $# -gt 0 ] || exec tools/check/case-row.sh "$CASES"
row=$(tools/check/case-row.sh "$CASES" "$1") || exit 1
IFS='|' read -r name FIRMWARE MEDIUM MACHINE CPU CPUS MEMORY OPTIONS want pattern <<ROW
$row
ROW
SERIAL=isa
case $MACHINE in
*+*) SERIAL=${MACHINE#*+} MACHINE=${MACHINE%+*} ;;
esac
LOG=${LOG:-${BUILD:-build}/logs/boot-$name.log}
SILENCE=${SILENCE:-300}
# What one deviation does is asked without chance; plain boots have a thread for each CPU.
case $OPTIONS in
*defect=*) STEADY=1 ;;
*) STEADY=${STEADY:-0} ;;
esac
export FIRMWARE MEDIUM MACHINE SERIAL CPU CPUS MEMORY OPTIONS LOG SILENCE STEADY
REFERENCE='' SUMMARY=0 tools/run.sh
status=$?

result=0
[ "$status" = "$want" ] || {
    echo "$name: exit status $status, expected $want"
    result=1
}
tr -d '\r' <"$LOG" | grep -aqE -e "$pattern" || {
    echo "$name: no line of the log matches: $pattern"
    result=1
}
exit $result
