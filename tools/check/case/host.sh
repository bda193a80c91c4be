#!/bin/sh
# Hosts one kernel of build/foreign, or the image itself, whose log must be whole besides: would catch what the monitor does
# to a guest. Bounded by the processor's time, whatever else the machine does.
#
# usage: [CASES=TABLE] tools/check/case/host.sh [NAME]
set -u
cd "$(dirname "$0")/../../.." || exit 1
. tools/check/case/case.sh
IFS='|' read -r name kernel FIRMWARE MACHINE CPUS MEMORY REFERENCE OPTIONS ARGS want pattern <<ROW
$row
ROW

# This image's log says by itself whether it is whole: sums of its lines, and the result code, which a QR code shows.
expect_whole() {
    output | tools/check/hosted-log.sh >"$LOG.hosted"
    "$BUILD/tools/pmucheck" report "$LOG.hosted" >"$LOG.report"
    [ $? -lt 99 ] || wrong "the hosted image's own log is not whole: $(sed -n 's/^log  *//p' "$LOG.report")"
}

SILENCE=${SILENCE:-900} FLIP=
case $kernel in
*+*) FLIP=${kernel#*+} kernel=${kernel%+*} ;;
esac
case $kernel in
../*) KERNEL=$BUILD/${kernel#../}.elf ;; # which may be there before there is a build/foreign
*) KERNEL=$BUILD/foreign/$kernel.elf ;;
esac
export KERNEL FLIP FIRMWARE MACHINE CPUS MEMORY REFERENCE OPTIONS ARGS LOG SILENCE
# shellcheck disable=SC3045 # dash has it
(ulimit -t "${PROCESSOR_SECONDS:-300}" && exec tools/host.sh)
expect status $? "$want"
expect_line "$pattern"
[ "$kernel" != ../pmucheck ] || expect_whole
finish
