#!/bin/sh
# Hosts one case of tests/boot/hosts.txt and compares what comes of it with what is expected. Without a name: lists them.
#
# usage: [ROWS=TABLE] tools/check/host-case.sh [NAME]
set -u
cd "$(dirname "$0")/../.." || exit 1
BUILD=${BUILD:-build}

[ $# -gt 0 ] || exec tools/check/case-row.sh tests/boot/hosts.txt
row=$(tools/check/case-row.sh "${ROWS:-tests/boot/hosts.txt}" "$1") || exit 1
IFS='|' read -r name KERNEL FIRMWARE MACHINE CPUS MEMORY REFERENCE OPTIONS ARGS want pattern <<ROW
$row
ROW
FLIP=
match=${KERNEL#*+}
[ "$match" = "$KERNEL" ] || FLIP=$match
kernel=${KERNEL%+*}
case $kernel in
../*) KERNEL=$BUILD/${kernel#../}.elf ;; # which may be there before there is a build/foreign
*) KERNEL=$BUILD/foreign/$kernel.elf ;;
esac
LOG=${LOG:-$BUILD/logs/host-$name.log}
SILENCE=${SILENCE:-900}
export KERNEL FLIP FIRMWARE MACHINE CPUS MEMORY REFERENCE OPTIONS ARGS LOG SILENCE
# Bounded by the processor's time as well, whatever else the machine does.
# shellcheck disable=SC3045 # dash has it
(ulimit -t "${PROCESSOR_SECONDS:-300}" && exec tools/host.sh)
status=$?

result=0
[ "$status" = "$want" ] || {
    echo "$name: exit status $status, expected $want"
    result=1
}
output() {
    tr -d '\r' <"$LOG"
}
case $pattern in
!*)
    if output | grep -aE -e "${pattern#!}"; then
        echo "$name: a line of the output matches: ${pattern#!}"
        result=1
    fi
    ;;
*)
    output | grep -aqE -e "$pattern" || {
        echo "$name: no line of the output matches: $pattern"
        result=1
    }
    ;;
esac

# This image's log says by itself whether it is whole: sums of its lines, and the result code, which a QR code shows.
whole() {
    output | tools/check/hosted-log.sh >"$LOG.hosted"
    "$BUILD/tools/pmucheck" report "$LOG.hosted" >"$LOG.report"
    [ $? -lt 99 ]
}
case $kernel in
../pmucheck)
    whole || {
        echo "$name: the hosted image's own log is not whole:"
        sed -n 's/^log  *//p' "$LOG.report"
        result=1
    }
    ;;
esac
exit $result
