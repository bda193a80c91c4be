#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Boots one case with a file of updates as a module, the tests before and after it: would catch an update that is loaded
# where it must not be, one that is not loaded where it fits, and changes that are not reported.
#
# usage: tools/check/case/microcode.sh [NAME]
set -u
cd "$(dirname "$0")/../../.." || exit 1
. tools/check/case/case.sh
IFS='|' read -r name MEDIUM CPUS updates OPTIONS want told found <<ROW
$row
ROW

# shellcheck disable=SC2086,SC2154 # several updates; `work` is the runner's
[ "$updates" = none ] || tools/check/microcode-file.sh $updates >"$work/updates"
export MEDIUM CPUS OPTIONS LOG
export REFERENCE='' SUMMARY=0 SILENCE=300 STEADY=1
set --
if [ "$MEDIUM" = kernel ]; then
    OPTIONS="microcode $OPTIONS"
    set -- -- -smp "$CPUS"
    CPUS=${CPUS%%,*}
    [ "$updates" = none ] || set -- "$@" -initrd "$work/updates"
else
    [ "$updates" = none ] || set -- "$work/updates"
    echo 'set microcode=updates' | tools/iso-settings.sh "$work/image.iso" pmucheck.cfg "$@" || exit 1
    export IMAGE="$work/image.iso"
    set --
fi
tools/run.sh "$@"
expect status $? "$want"
expect_line "$told"
expect_line "$found"
finish
