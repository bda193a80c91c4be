#!/bin/sh
# Of all that came over the serial line of a machine which hosts this image, the hosted one's log: from the last
# beginning on.
#
# usage: tools/check/hosted-log.sh <LOG
exec awk '/^KTAP version 1/ { hosted = "" } { hosted = hosted $0 "\n" } END { printf "%s", hosted }'
