#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Hosts one kernel of build/foreign, or the image itself, whose log must also be whole: would catch a monitor that
# disturbs its guest. The bound is processor time, so that the machine's load does not matter.
#
# usage: [CASES=TABLE] hosting/test/check/host.sh [NAME]
set -u
cd "$(dirname "$0")/../../.." || exit 1
TABLES=hosting/test
. tools/check/case/case.sh
IFS='|' read -r name kernel FIRMWARE MACHINE CPUS MEMORY REFERENCE OPTIONS ARGS want pattern <<ROW
$row
ROW

# The image's log shows whether it is whole: by the sums of its lines, and by the result code, which a QR code shows.
expect_whole() {
    output | hosting/test/check/hosted-log.sh >"$LOG.hosted"
    "$BUILD/tools/pmucheck" report "$LOG.hosted" >"$LOG.report"
    [ $? -lt 99 ] || wrong "the hosted image's own log is not whole: $(sed -n 's/^log  *//p' "$LOG.report")"
}

SILENCE=${SILENCE:-900} FLIP=
case $kernel in
*+*) FLIP=${kernel#*+} kernel=${kernel%+*} ;;
esac
case $kernel in
../*) KERNEL=$BUILD/${kernel#../}.elf ;; # works without build/foreign
*) KERNEL=$BUILD/foreign/$kernel.elf ;;
esac
export KERNEL FLIP FIRMWARE MACHINE CPUS MEMORY REFERENCE OPTIONS ARGS LOG SILENCE
# shellcheck disable=SC3045 # dash has it
(ulimit -t "${PROCESSOR_SECONDS:-300}" && exec hosting/tools/host.sh)
expect status $? "$want"
expect_line "$pattern"
[ "$kernel" != ../pmucheck ] || expect_whole
finish
