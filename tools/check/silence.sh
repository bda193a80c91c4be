#!/bin/sh
# Runs a command, and ends it when its log has not grown for so many seconds: a bound that a busy machine does not shake, as
# one of the whole time would be. Exit status: the command's, or 124.
#
# usage: tools/check/silence.sh LOG SECONDS COMMAND [ARGUMENT]...
set -u
log=$1 bound=$(($2 * 5)) # looks of a fifth of a second
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
