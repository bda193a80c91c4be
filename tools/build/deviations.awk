# SPDX-License-Identifier: BSD-2-Clause
# The list of all deviations, as DEVIATION(identifier) lines for C, from the rows that declare them: defects and hazards,
# then variations, each in the order of the files. That is the order of the proofs, too.
#
# usage: awk -f tools/build/deviations.awk pmu/reference/deviations/*.c

/^(DEFECT|HAZARD|VARIATION)\($/ { kind = $0; next }
kind { take(kind $1) }
/^(DEFECT|HAZARD|VARIATION)\([A-Z]/ { take($0) }
END { printf "%s%s", first, last }

function take(row,    id) {
    id = row
    sub(/^[A-Z]*\(/, "", id)
    sub(/,.*/, "", id)
    if (row ~ /^VARIATION/)
        last = last "DEVIATION(" id ")\n"
    else
        first = first "DEVIATION(" id ")\n"
    kind = ""
}
