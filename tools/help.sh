#!/bin/sh
# Lists the targets of the Makefile and the variables of Makefile and tools, from the ## comments beside them.
set -eu
cd "$(dirname "$0")/.."

echo "Targets"
sed -n 's/^\([a-z][a-z%-]*\):.*## *\(.*\)/\1|\2/p' Makefile | while IFS='|' read -r name text; do
    printf '  %-16s %s\n' "$name" "$text"
done
echo
echo "Variables (make TARGET NAME=VALUE ...)"
sed -n -e 's/^\([A-Z_]*\) [?:]*= *\(.*[^ ]\)* *## *\(.*\)/\1|\2|\3/p' \
    -e 's/^\([A-Z_]*\)=${[A-Z_]*:*-\(.*\)} *## *\(.*\)/\1|\2|\3/p' Makefile tools/*.sh |
    while IFS='|' read -r name value text; do
        printf '  %-16s %s [%s]\n' "$name" "$text" "$value"
    done
