#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The permanent list of check labels, tests/labels.txt, which people write: a line for each test and label, with one to
# four defects that were made to fail it (by=). Labels are permanent, as a lab's filters and baselines name them. A label
# on the list that is no longer asked is an error, and so is one that is not on it. A check that turned out to be wrong
# keeps its line, with "- retired:" and the reason after it, and its label is not used again.
#
# All defects that fail a label, and the registers and bits for which some defect does, are what a proof finds: --found.
#
# usage: reference/proof/labels.sh --check          each label on the list is in its test or in the harness
#        reference/proof/labels.sh --asked LOG...   a proof of all tests asked each label on the list, and no other
#        reference/proof/labels.sh --new LOG...     a share of a proof asked no label that is not on the list; the rows
#                                                  that are missing, with defects that failed them
#        reference/proof/labels.sh --proven LOG...  each defect of the list failed its label, and each register and bit
#                                                  was proven or has its reason (tests/unproven.txt)
#        reference/proof/labels.sh --found LOG...   what a proof found: whose it is, and "TEST LABEL by=DEFECT,... proven=KEY,..."
#        reference/proof/labels.sh --lost BEFORE LOG...   a whole proof found all that an earlier one had found
#        reference/proof/labels.sh --open BEFORE LOG...   a share: each register and bit is proven by it, was in the
#                                                  earlier proof, or has its reason
set -eu
cd "$(dirname "$0")/../.."
how=${1-}
[ $# = 0 ] || shift
list=tests/labels.txt

living() {
    grep -v ' - retired: ' "$list" | cut -d ' ' -f 1,2
}

# one_each FIELD: the parts of that field of standard input's rows, as "TEST LABEL PART".
one_each() {
    awk -v field="^$1=" '{
        for (n = 3; n <= NF; n++)
            if (sub(field, "", $n)) {
                count = split($n, part, ",")
                for (i = 1; i <= count; i++)
                    print $1, $2, part[i]
            }
    }' | LC_ALL=C sort -u
}

# What the harness itself enters is asked only where it fails, and not in each proof: stray-pmi for PMIs that no test
# awaited, changed-unasked for what an access changed beside the register that it names, and what random walks find,
# which a proof does not make.
by_harness=' (stray-pmi|changed-unasked)$|^lockstep '

asked() {
    cat "$@" | tr -d '\r' | sed -n 's/^# label test=\([^ ]*\) label=\([^ ]*\) .*/\1 \2/p' | LC_ALL=C sort -u
}

keys() {
    awk -f reference/proof/keys.awk tests/unproven.txt "$@" | grep -v '^keys: '
}

# failing MOST LOG...: "TEST LABEL by=DEFECT,...", with at most so many defects that are meant for the test.
failing() {
    most=$1
    shift
    awk -v most="$most" -f reference/proof/provers.awk reference/deviations/*.c "$@"
}

found() {
    cat "$@" | tr -d '\r' | grep -am 1 '^# pmucheck ' || true
    { failing 9999 "$@" && keys "$@" | sed 's/ \(by-others\|never\|reason\)=[^ ]*//g'; } | LC_ALL=C sort |
        awk 'NF < 3 { next }
            { name = $1 " " $2; rest = substr($0, length(name) + 1) }
            name != last { printf "%s%s", last == "" ? "" : "\n", last = name }
            { printf "%s", rest }
            END { print "" }'
}

# Keys that no defect meant for the test failed, and that have no reason.
unproven() {
    keys "$@" | sed 's/ \(by-others\|never\)=/ open=/g' | one_each open
}

# complain WHAT: says so of each line of standard input; false if there is one.
complain() {
    ! sed "s|^|$1: |" | grep .
}

# A label that the harness enters for any test has no row until a defect makes it.
rows_missing() {
    asked "$@" >"$work/asked"
    failing 3 "$@" >"$work/failing"
    living | LC_ALL=C comm -13 - "$work/asked" | grep -vE "$by_harness" |
        awk 'NR == FNR { row[$1 " " $2] = $0; next } { print $0 in row ? row[$0] : $0 " by=(no defect failed it)" }' \
            "$work/failing" -
}

words() {
    find tests/*/ reference/mode/walk_check_pure.c -name '*.c' ! -path 'tests/host/*' ! -path 'tests/fuzz/*' -print0 |
        xargs -0 grep -oE '"[a-z0-9]+(-[a-z0-9]+)*"' | tr -d '"'
}

work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
status=0
case $how in
--check)
    words | awk -v list="$list" -F ':' '
        { if ($1 ~ /^(tests\/harness|reference\/mode)\//) { harness[$2] = 1 } else {
            test = substr($1, 7, length($1) - 8); gsub("/", ".", test); own[test, $2] = 1 } }
        END {
            while ((getline line <list) > 0) {
                if (split(line, pair, " ") > 2 && pair[3] == "-")
                    continue
                if ((pair[1], pair[2]) in own || pair[2] in harness)
                    continue
                print list ": " line ": the label is gone; labels are permanent"
                gone = 1
            }
            exit gone
        }'
    ;;
--asked | --new)
    rows_missing "$@" | complain "$list lacks this row" || status=1
    if [ "$how" = --asked ]; then
        living | grep -vE "$by_harness" | LC_ALL=C comm -23 - "$work/asked" |
            complain "never asked, though labels are permanent" || status=1
    fi
    ;;
--proven)
    failing 9999 "$@" | one_each by >"$work/failing"
    grep -v ' - retired: ' "$list" | one_each by | LC_ALL=C comm -23 - "$work/failing" |
        complain "$list names a defect that did not fail the label" || status=1
    unproven "$@" | complain "neither proven nor in tests/unproven.txt" || status=1
    ;;
--found)
    found "$@"
    ;;
--lost)
    before=$1
    shift
    found "$@" >"$work/found"
    for field in by proven; do
        one_each $field <"$work/found" >"$work/now"
        one_each $field <"$before" | LC_ALL=C comm -23 - "$work/now" | complain "$before has it, $field= no more" || status=1
    done
    ;;
# By either name of a counter.
--open)
    before=$1
    shift
    one_each proven <"$before" >"$work/before"
    unproven "$@" | awk 'NR == FNR { once[$0] = 1; next }
        { other = $0; sub(/ IA32_PMC/, " IA32_A_PMC", other) }
        !($0 in once) && !(other in once)' "$work/before" - |
        complain "neither proven nor in tests/unproven.txt" || status=1
    ;;
*)
    sed -n 's/^# usage: //p; s/^#        /       /p' "$0" >&2
    exit 99
    ;;
esac
exit $status
