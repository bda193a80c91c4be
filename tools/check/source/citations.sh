#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Each test's .spec names a volume and a section title that tests/citations.txt lists, with a column for whether the
# title was found in the manual; and a test cites each line of the list.
# Would catch a title that the manual does not have, as far as it was looked up.
set -eu
cd "$(dirname "$0")/../../.."
list=tests/citations.txt
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

# "PMU Sharing Guide, Sharing Guidelines": the title follows the first comma; a text may continue on a second line.
# shellcheck disable=SC2016 # awk's own fields
find tests reference/mode -path tests/host -prune -o -path tests/fuzz -prune -o -name '*.c' -print | LC_ALL=C sort | xargs awk '
    function cited() {
        gsub(/" *"/, "", text)
        if (match(text, /\.spec *= *"[^"]*"/)) {
            title = substr(text, RSTART, RLENGTH - 1)
            sub(/^[^"]*"/, "", title)
            print title "\t" file
        }
        text = ""
    }
    FNR == 1 { cited(); file = FILENAME }
    { text = text " " $0 }
    END { cited() }' >"$work/cited"
grep -v '^#' "$list" | awk -F ' *[|] *' '
    NF != 4 || ($3 != "yes" && $3 != "no") || $4 == "" { print FILENAME ": no line of four parts: " $0 >"/dev/stderr"; bad = 1 }
    { print $1 ", " $2 }
    END { exit bad }' >"$work/listed"

bad=0
awk -F '\t' 'NR == FNR { listed[$1] = 1; next }
    !($1 in listed) { print $2 ": cites \"" $1 "\", which is no line of tests/citations.txt"; bad = 1 }
    END { exit bad }' "$work/listed" "$work/cited" || bad=1
awk -F '\t' 'NR == FNR { cited[$1] = 1; next }
    !($1 in cited) { print "tests/citations.txt: nothing cites \"" $1 "\""; bad = 1 }
    END { exit bad }' "$work/cited" "$work/listed" || bad=1
[ "$bad" = 0 ] && echo "$(wc -l <"$work/listed") titles, $(grep -c '| yes |' "$list") of them found in the manual"
