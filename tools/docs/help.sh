#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Lists the targets of the Makefile and its parts, and the variables of these and the tools, from the ## comments
# beside them.
#
# usage: tools/docs/help.sh [--table TARGET...]      --table: these targets, as a Markdown table
set -eu
cd "$(dirname "$0")/../.."

targets() {
    # shellcheck disable=SC2046 # names without blanks
    cat Makefile $(sed -n 's/^include \([a-z].*\)/\1/p' Makefile) hosting/hosting.mk 2>/dev/null | sed -n 's/^\([a-z][a-z%-]*\):.*## *\(.*\)/\1|\2/p'
}

if [ "${1-}" = --table ]; then
    shift
    printf '| command | what it makes |\n|---|---|\n'
    for name; do
        targets | sed -n "s/^\($name\)|\(.*\)/| \`make \1\` | \2 |/p"
    done
    exit
fi
echo "Targets"
targets | while IFS='|' read -r name text; do
    printf '  %-16s %s\n' "$name" "$text"
done
echo
echo "Variables (make TARGET NAME=VALUE ...)"
{
    sed -n '/^## /{ s/^## //; h; n; s/^\([A-Z_]*\) [?:]*= *\(.*\)/\1|\2/; G; s/\n/|/; p; }' Makefile
    cat tools/*.sh tools/*/*.sh hosting/tools/*.sh 2>/dev/null |
        sed -n 's/^\([A-Z_]*\)=${[A-Z_]*:*-\(.*\)} *## *\(.*\)/\1|\2|\3/p'
} |
    while IFS='|' read -r name value text; do
        # shellcheck disable=SC2016 # make's own
        case $value in '$(shell nproc)') value='as many as CPUs' ;; esac
        printf '  %-16s %s [%s]\n' "$name" "$text" "$value"
    done
