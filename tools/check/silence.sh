#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Runs a command, and ends it when its log has not grown for SECONDS: on a busy machine a safer bound than one on the
# whole time. Exit status: the command's, or 124.
#
# usage: tools/check/silence.sh LOG SECONDS COMMAND [ARGUMENT]...
set -u
log=$1 bound=$(($2 * 5)) # in fifths of a second, one look each
shift 2
exec 3<&0
"$@" <&3 3<&- &
command=$!
exec 3<&-
trap 'kill "$command" 2>/dev/null' EXIT
trap 'exit 130' HUP INT TERM

size=none quiet=0
while kill -0 "$command" 2>/dev/null; do
    was=$size
    size=$(stat -c %s "$log" 2>/dev/null)
    [ "$size" = "$was" ] && quiet=$((quiet + 1)) || quiet=0
    [ "$quiet" -lt "$bound" ] || {
        echo "$log: no line for $((bound / 5)) s" >&2
        exit 124
    }
    sleep 0.2
done
wait "$command"
