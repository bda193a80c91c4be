#!/bin/sh
# Of all that came over the serial line of a machine which hosts this image, the hosted one's log: from the last
# beginning on, without what the monitor under it tells when it is silent.
#
# usage: tools/check/hosted-log.sh <LOG
exec awk '/^# host cpu=[0-9]+ silent-seconds=/ { next } /^KTAP version 1/ { hosted = "" } { hosted = hosted $0 "\n" } END { printf "%s", hosted }'
