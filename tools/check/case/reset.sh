#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Boots one machine that the chipset's timer resets, and follows all its starts; the last one gives the status. Would
# catch a start that does not report the hang before it, or that hangs again.
#
# usage: [CASES=TABLE] tools/check/case/reset.sh [NAME]
set -u
cd "$(dirname "$0")/../../.." || exit 1
. tools/check/case/case.sh
IFS='|' read -r name firmware machine cpus options at change want starts first last <<ROW
$row
ROW

begins() {
    tr -d '\r' <"$LOG" | grep -an '^# pmucheck version=[^ ]* commit=[^ ]* sum=' | cut -d : -f 1
}

start 400 "$firmware" "$options" "$at" "$change" -machine "$machine" -m 256 -smp "$cpus" -global ICH9-LPC.noreboot=off
wait "$qemu"
status=$?
[ $((status % 2)) = 0 ] || [ $status -lt 33 ] || status=$(echo "0 1 77 99 2" | cut -d ' ' -f $((status / 2 - 15)))
expect status "$status" "$want"
expect starts "$(begins | wc -l)" "$starts"
expect_line "$first"
output() {
    tr -d '\r' <"$LOG" | tail -n "+$(begins | tail -n 1)"
}
expect_line "$last"

# A series that the image made itself is a whole log, and each way of its resets is reported.
expect_series() {
    "$BUILD/tools/pmucheck" report "$LOG" >"$LOG.report"
    expect "report: status" $? "$want"
    [ "$(grep -cE "^resets     (acpi|keyboard|chipset): " "$LOG.report")" = 3 ] || wrong "the report lacks a way of resets"
}
case $options in resets=*) expect_series ;; esac
finish
