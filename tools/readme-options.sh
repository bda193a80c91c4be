#!/bin/sh
# Puts the kernel's own list of options between the markers of README.md, or checks that it stands there.
#
# usage: tools/readme-options.sh [--check]
set -eu
cd "$(dirname "$0")/.."
BUILD=${BUILD:-build}
new=$(mktemp)
list=$(mktemp)
trap 'rm -f "$new" "$list"' EXIT

"$BUILD/tools/option-list" "$BUILD/pmucheck.elf" >"$list"
awk -v list="$list" '
    /<!-- options end -->/ { inside = 0 }
    !inside { print }
    /<!-- options begin -->/ { inside = 1; while ((getline line <list) > 0) print line }' README.md >"$new"
if [ "${1-}" = --check ]; then
    diff -u README.md "$new" || { echo "README.md: the list of options is old; 'make readme-options' renews it" >&2; exit 1; }
elif ! cmp -s README.md "$new"; then
    cat "$new" >README.md
    echo "README.md: options renewed"
fi
