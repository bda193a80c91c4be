#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Waits until a line of a log matches PATTERN, an extended regular expression. Fails when the log has not grown for
# SECONDS.
#
# usage: tools/check/await.sh LOG SECONDS PATTERN
set -u
size=none quiet=0
until tr -d '\r' 2>/dev/null <"$1" | grep -aqE -e "$3"; do
    was=$size
    size=$(stat -c %s "$1" 2>/dev/null)
    [ "$size" = "$was" ] && quiet=$((quiet + 1)) || quiet=0
    [ "$quiet" -lt $(($2 * 5)) ] || {
        echo "$1: no line matches $3, and none came for $2 s" >&2
        exit 1
    }
    sleep 0.2
done
