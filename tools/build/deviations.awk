# SPDX-License-Identifier: BSD-2-Clause
# The list of all deviations, as DEVIATION(identifier) lines for C, from the rows that declare them: defects and hazards,
# then variations, each in the order of the files. That is the order of the proofs, too.
#
# usage: awk -f tools/build/deviations.awk reference/deviations/*.c

/^(DEFECT|HAZARD|VARIATION)\($/ { kind = $0; next }
kind { take(kind $1) }
/^(DEFECT|HAZARD|VARIATION)\([A-Z]/ { take($0) }
END {
    if (failed)
        exit 1
    printf "%s%s", first, last
}

function take(row,    id) {
    id = row
    sub(/^[A-Z]*\(/, "", id)
    sub(/,.*/, "", id)
    if (id !~ /^[A-Za-z_][A-Za-z0-9_]*$/) {
        print FILENAME ":" FNR ": \"" id "\" is no identifier" >"/dev/stderr"
        failed = 1
        exit 1
    }
    if (row ~ /^VARIATION/)
        last = last "DEVIATION(" id ")\n"
    else
        first = first "DEVIATION(" id ")\n"
    kind = ""
}
