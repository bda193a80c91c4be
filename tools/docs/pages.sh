#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Writes lists that programs and sources generate into README.md and the guides, between the markers "<!-- NAME begin
# -->" and "<!-- NAME end -->", and the commands' pages into a file of their own; or checks that they are up to date.
#
# usage: tools/docs/pages.sh [--check]
set -eu
cd "$(dirname "$0")/../.."
BUILD=${BUILD:-build}
new=$(mktemp)
list=$(mktemp)
trap 'rm -f "$new" "$list"' EXIT
trap 'exit 130' HUP INT TERM

# Puts the text of `list` between the markers of this name.
between() {
    awk -v list="$list" -v name="$1" '
        $0 == "<!-- " name " end -->" { inside = 0 }
        !inside { print }
        $0 == "<!-- " name " begin -->" { inside = 1; while ((getline line <list) > 0) print line }' "$new" >"$new.next"
    mv "$new.next" "$new"
}

# Of a table of options those that hosting declares.
of_hosting() {
    names=$(sed -n 's/^OPTION(\([a-z]*\),.*/\1/p' hosting/*.c | paste -sd '|' -)
    # shellcheck disable=SC2016 # no command
    sed -nE -e 1,2p -e '/^\| `('"$names"')[`=]/p'
}

# Generates the text between the markers of this name.
tell() {
    case $1 in
    options) "$BUILD/tools/option-list" "$BUILD/pmucheck.elf" ;;
    commands) "$BUILD/tools/pmucheck" help --table ;;
    advice) "$BUILD/tools/advice-list" ;;
    errata) tools/docs/errata-list.sh ;;
    schema) "$BUILD/tools/pmucheck" export --schema ;;
    targets) tools/docs/help.sh --table all usb stick iso netboot signed dist lava ;;
    hostings) tools/docs/help.sh --table host linux self foreign ;;
    hosted) "$BUILD/tools/option-list" "$BUILD/pmucheck-host.elf" | of_hosting ;;
    skeleton) echo '```c'; tools/new-test.sh --print chapter.what-holds; echo '```' ;;
    forms)
        echo '```c'
        awk '/ ---- Checks\./ { print "/*"; on = 1 }
            / ---- The judging/ { exit }
            on { if (blank) print ""; blank = $0 == ""; if (!blank) print }' tests/harness/test.h |
            sed 's/^__attribute__((nonnull)) //'
        echo '```' ;;
    example)
        echo '```c'; sed '1,/^ \*\//d' reference/test/model/example.c; echo '```'
        echo; echo 'It prints'; echo; echo '```'; cat reference/test/model/example.txt; echo '```' ;;
    registers | promises) tools/docs/rules.sh "$1" ;;
    keys) "$BUILD/tools/profile-compile" --keys ;;
    events) "$BUILD/tools/profile-compile" --events ;;
    profiles)
        for file in reference/model/profiles/*.profile; do
            brand=$(sed -n 's/^brand *\(.*[^ ]\) *#.*/\1/p' "$file" | head -n 1)
            echo "- [$(basename "$file" .profile)](../$file): $brand"
        done ;;
    rules) tools/check/static.py texts.list_of_rules ;;
    *) echo "tools/docs/pages.sh: there is no list named $1" >&2; exit 1 ;;
    esac
}

# Checks or renews one file.
settle() {
    if cmp -s "$1" "$new"; then
        return
    fi
    [ "$check" = 0 ] || { diff -u "$1" "$new" || echo "$1 is old; 'make docs' renews it" >&2; exit 1; }
    cat "$new" >"$1"
    echo "$1: renewed"
}

check=0
[ "${1-}" != --check ] || check=1
for text in README.md docs/*.md hosting/README.md; do
    cp "$text" "$new"
    sed -n 's/^<!-- \([a-z]*\) begin -->$/\1/p' "$text" | while read -r name; do
        tell "$name" >"$list"
        between "$name"
    done
    settle "$text"
done
"$BUILD/tools/pmucheck" help --manual >"$new"
settle tools/pmucheck/README.md
reference/proof/coverage.sh --page >"$new"
settle docs/promises.md
reference/proof/sentences.sh --page >"$new"
settle docs/sentences.md
find tests -mindepth 2 -name '*.c' ! -path 'tests/harness/*' ! -path 'tests/host/*' ! -path 'tests/fuzz/*' |
    cut -d/ -f2 | LC_ALL=C sort -u >"$list"
awk -f tools/docs/evidence-page.awk "$list" tests/evidence/*.txt >"$new"
settle docs/evidence.md

# Every file that the texts link to must exist; ../../actions is a page of the public host.
for text in README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md docs/*.md hosting/README.md tools/lava/README.md; do
    folder=.
    [ "${text%/*}" = "$text" ] || folder=${text%/*}
    grep -oE '\]\([^)#]+|src="[^"]+' "$text" | sed 's/^](//; s/^src="//' | grep -vE '^https?:|^\.\./\.\./actions/' | while read -r target; do
        [ -e "$folder/$target" ] || { echo "$text: there is no $target" >&2; exit 1; }
    done
done
