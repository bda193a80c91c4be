#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Takes the hosted image's log out of the serial output of a machine that hosts this image: from the last "KTAP version
# 1" on, without the lines in which the monitor reports that its guest is silent, and the sums over these.
#
# usage: hosting/test/check/hosted-log.sh <LOG
exec awk '/^# host cpu=[0-9]+ silent-seconds=/ { own = 1; next } own && /^# sync / { next } { own = 0 } /^KTAP version 1/ { hosted = "" } { hosted = hosted $0 "\n" } END { printf "%s", hosted }'
