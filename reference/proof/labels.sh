#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The permanent list of check labels, tests/labels.txt: a line for each test and label, with defects that fail it (by=),
# and the registers and bits for which some defect does (proven=). Labels are permanent, as a lab's filters and baselines
# name them. A label on the list that is no longer asked is an error; a new one is entered. A check that turned out to be
# wrong keeps its line, with "- retired:" and the reason after it, and its label is not used again.
#
# usage: reference/proof/labels.sh --check          each label on the list is in its test or in the harness
#        reference/proof/labels.sh --asked LOG...   a proof of all tests asked each label on the list, and no other
#        reference/proof/labels.sh --new LOG...     a share of a proof asked no label that is not on the list
#        reference/proof/labels.sh --proven LOG...  each register and bit that was proven once still is, and each
#                                                  other one has its reason (tests/unproven.txt)
#        reference/proof/labels.sh --open LOG...    a share: each was proven once, or is now, or has its reason
#        reference/proof/labels.sh --write LOG...   enters the labels that were asked and what was proven, and
#                                                  drops what was entered before
#        reference/proof/labels.sh --more LOG...    enters what a part of a proof proved, and by which defects, in
#                                                  addition to what is there
set -eu
cd "$(dirname "$0")/../.."
how=${1-}
[ $# = 0 ] || shift
list=tests/labels.txt

living() {
    grep -v ' - retired: ' "$list" | cut -d ' ' -f 1,2
}

# All that was proven once, as "TEST LABEL KEY".
once() {
    awk '{
        for (field = 3; field <= NF; field++)
            if (sub(/^proven=/, "", $field)) {
                count = split($field, key, ",")
                for (i = 1; i <= count; i++)
                    print $1, $2, key[i]
            }
    }' "$list" | LC_ALL=C sort -u
}

# What the harness itself enters is asked only where it fails, and not in each proof: stray-pmi for PMIs that no test
# awaited, changed-unasked for what an access changed beside the register that it names, and what random walks find,
# which a proof does not make.
by_harness=' (stray-pmi|changed-unasked)$|^lockstep '

asked() {
    cat "$@" | tr -d '\r' | sed -n 's/^# label test=\([^ ]*\) label=\([^ ]*\) .*/\1 \2/p' | LC_ALL=C sort -u
}

# The keys that keys.awk lists under this pattern, as "TEST LABEL KEY".
told() {
    told=$1
    shift
    awk -f reference/proof/keys.awk tests/unproven.txt "$@" | awk -v told="^($told)=" '{
        for (field = 3; field <= NF && $1 != "keys:"; field++)
            if ($field ~ told) {
                count = split(substr($field, index($field, "=") + 1), key, ",")
                for (i = 1; i <= count; i++)
                    print $1, $2, key[i]
            }
    }' | LC_ALL=C sort -u
}

# Keys that a defect meant for the test failed; and keys that none failed and that have no reason.
proven() {
    told proven "$@"
}
unproven() {
    told 'by-others|never' "$@"
}

# Enters the results of a proof.
renew() {
    new=$(mktemp -d)
    asked "$@" >"$new/asked"
    awk -f reference/proof/provers.awk reference/deviations/*.c "$@" >"$new/provers"
    proven "$@" >"$new/proven"
    awk -v how="$how" -f reference/proof/ledger.awk "$list" "$new/asked" "$new/provers" "$new/proven" |
        LC_ALL=C sort >"$new/list"
    cat "$new/list" >"$list"
    rm -r "$new"
}

words() {
    find tests/*/ reference/mode/walk_check_pure.c -name '*.c' ! -path 'tests/host/*' ! -path 'tests/fuzz/*' -print0 |
        xargs -0 grep -oE '"[a-z0-9]+(-[a-z0-9]+)*"' | tr -d '"'
}

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
    status=0
    found=$(mktemp)
    asked "$@" >"$found"
    if [ "$how" = --asked ]; then
        living | grep -vE "$by_harness" | LC_ALL=C comm -23 - "$found" | sed 's/^/never asked, though labels are permanent: /' | grep . && status=1
    fi
    living | LC_ALL=C comm -13 - "$found" | grep -vE "$by_harness" | sed 's/^/not in the list yet, reference\/proof\/labels.sh --write enters it: /' |
        grep . && status=1
    rm "$found"
    exit $status
    ;;
--proven)
    status=0
    found=$(mktemp)
    proven "$@" >"$found"
    once | LC_ALL=C comm -23 - "$found" | sed 's/^/proven no more: /' | grep . && status=1
    rm "$found"
    unproven "$@" | sed 's/^/neither proven nor in tests\/unproven.txt: /' | grep . && status=1
    exit $status
    ;;
# Accepts what was proven once, by either name of a counter.
--open)
    known=$(mktemp)
    once >"$known"
    status=0
    unproven "$@" | awk 'NR == FNR { once[$0] = 1; next }
        { other = $0; sub(/ IA32_PMC/, " IA32_A_PMC", other) }
        !($0 in once) && !(other in once)' "$known" - |
        sed 's/^/neither proven nor in tests\/unproven.txt: /' | grep . && status=1
    rm "$known"
    exit $status
    ;;
--write | --more)
    renew "$@"
    ;;
*)
    sed -n 's/^# usage: //p; s/^#        /       /p' "$0" >&2
    exit 99
    ;;
esac
