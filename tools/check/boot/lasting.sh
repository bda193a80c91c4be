#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Prints a log without the parts that depend on time. Heartbeats come by time, and change the log's check sums. Firmware
# and GRUB wait for a disk, so that the image reads its clocks and the date at another moment. A heartbeat within a
# repeat has the repeat made again, and a test makes as many repeats as its time allows: results of measurements are
# compared, not their number. The reference PMU's skid depends on the number of PMIs before, and so does the number of
# PMIs of a small period; its cache and branch misses depend on the number of instructions. A random walk that a wake-up
# interrupts is begun anew.
#
# usage: tools/check/boot/lasting.sh LOG
tr -d '\r' <"$1" | sed -E -e '/^ *# (date|heartbeat|sync|took|tsc) /d' \
    -e '/^ *# measure .* unit=(ticks|us|permille-of-tsc|pmis) /d' \
    -e "/^ *# measure (pmi.skid|pmi.latency name=skid|gp.provoked) /d" \
    -e '/^ *# lockstep seed=/s/ steps=.* differences=/ differences=/' \
    -e '/^ *# measure /s/ n=[0-9]+//' -e '/^ *# measure /s/ hist=[^ ]*$//' \
    -e 's/ crc32=[0-9a-f]*$//' -e 's/ disagreement-ppm=[0-9]*$//'
