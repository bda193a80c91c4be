#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Hosts the image with a file of updates as its module, the tests before and after it: would catch an update that is not
# loaded, or not reported, where the PMU is taken for hardware.
#
# usage: [CASES=TABLE] hosting/test/check/microcode.sh [NAME]
set -u
cd "$(dirname "$0")/../../.." || exit 1
TABLES=hosting/test
. tools/check/case/case.sh
IFS='|' read -r name CPUS updates REFERENCE OPTIONS ARGS want told found <<ROW
$row
ROW

# shellcheck disable=SC2154 # `work` is the runner's
export CPUS REFERENCE OPTIONS LOG SILENCE=300 KERNEL="$BUILD/pmucheck.elf" MODULE="$work/updates"
# shellcheck disable=SC2086 # several updates
tools/check/microcode-file.sh $updates >"$MODULE"
ARGS="prove-here=off microcode after=poweroff $ARGS" hosting/tools/host.sh
expect status $? "$want"
expect_line "$told"
expect_line "$found"
finish
