#!/bin/sh
# Puts what the programs tell of themselves into the texts, or checks that it stands there: the kernel's list of options
# and the host program's commands between the markers of README.md, the commands' pages into tools/pmucheck/README.md.
#
# usage: tools/readme-options.sh [--check]
set -eu
cd "$(dirname "$0")/.."
BUILD=${BUILD:-build}
new=$(mktemp)
list=$(mktemp)
trap 'rm -f "$new" "$list"' EXIT

# Puts the text of `list` between the markers of this name.
between() {
    awk -v list="$list" -v name="$1" '
        $0 == "<!-- " name " end -->" { inside = 0 }
        !inside { print }
        $0 == "<!-- " name " begin -->" { inside = 1; while ((getline line <list) > 0) print line }' "$new" >"$new.next"
    mv "$new.next" "$new"
}

# Compares or renews one file.
settle() {
    if cmp -s "$1" "$new"; then
        return
    fi
    [ "$check" = 0 ] || { diff -u "$1" "$new" || echo "$1 is old; 'make readme-options' renews it" >&2; exit 1; }
    cat "$new" >"$1"
    echo "$1: renewed"
}

check=0
[ "${1-}" != --check ] || check=1
cp README.md "$new"
"$BUILD/tools/option-list" "$BUILD/pmucheck.elf" >"$list"
between options
"$BUILD/tools/pmucheck" help --table >"$list"
between commands
settle README.md
"$BUILD/tools/pmucheck" help --manual >"$new"
settle tools/pmucheck/README.md
