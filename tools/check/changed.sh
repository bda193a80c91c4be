#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Runs a command on the files of the tree that have changed since the command last passed; on all files the first time,
# and with WHOLE=1.
#
# usage: [WHOLE=1] tools/check/changed.sh NAME PATTERN COMMAND...      PATTERN: an extended regular expression over paths
set -u
cd "$(dirname "$0")/../.." || exit 1
stamp=${BUILD:-build}/passed/$1 pattern=$2
shift 2

mkdir -p "$(dirname "$stamp")"
touch "$stamp.new"
newer=''
[ ! -e "$stamp" ] || [ "${WHOLE-}" = 1 ] || newer="-newer $stamp"
# shellcheck disable=SC2086 # an option and its word
files=$(find .ci boot kernel pmu reference hosting tests tools iso -type f $newer | grep -E -e "$pattern" | LC_ALL=C sort)
[ -z "$files" ] || echo "$files" | xargs "$@" || exit 1
mv "$stamp.new" "$stamp"
