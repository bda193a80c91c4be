# SPDX-License-Identifier: BSD-2-Clause
# The registers of the PMU that software writes, as rows for C: MEMBER(name, index of the first, how many, apart), from
# the table of registers. Defects of registers exist for each of these. A number that two classes share has one row.
#
# usage: awk -f tools/build/members.awk pmu/registers.def

/^\/\* ---- Identity/ { exit } # from there on they are not of the PMU
/^REGISTER\(/ { row = "" }
/^REGISTER\(/ || row != "" {
    line = $0
    sub(/ *\/\*.*/, "", line)
    row = row " " line
    text = row
    if (gsub(/\(/, "", text) != gsub(/\)/, "", text))
        next
    sub(/^ /, "", row)
    if (row ~ /\.rule = /)
        member(row)
    row = ""
}

function member(row,    column, part, name, index_of, how_many, apart) {
    sub(/^REGISTER\(/, "", row)
    split(row, column, /, +/)
    name = column[1]
    index_of = column[2]
    if (index_of in seen)
        return
    seen[index_of] = 1
    how_many = apart = 1
    if (match(row, /(FAMILY|NUMBERED)\([^)]*\)/)) {
        split(substr(row, RSTART, RLENGTH), part, /[(),] */)
        how_many = part[2]
        apart = part[3]
        if (row ~ /NUMBERED/)
            apart = 1
    }
    gsub(/GP_COUNTERS_MAX/, "GP_MAX", how_many)
    gsub(/FIXED_COUNTERS_MAX/, "FIXED_MAX", how_many)
    gsub(/LBR_DEPTH_MAX/, "LBR_MAX", how_many)
    gsub(/_/, "-", name)
    printf "MEMBER(\"%s\", %s, %s, %s)\n", name, index_of, how_many, apart
}
