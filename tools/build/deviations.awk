# SPDX-License-Identifier: BSD-2-Clause
# The list of all deviations, as DEVIATION(identifier) lines for C, from the rows that declare them: defects and hazards,
# then variations, each in the order of the files. That is the order of the proofs, too.
#
# With rows=1: for each deviation its name, which is its identifier with dashes, and the stand-ins that are functions.
#
# usage: awk [-v rows=1] -f tools/build/deviations.awk reference/deviations/*.c

/^(DEFECT|HAZARD|VARIATION|STAND_IN)\($/ { kind = $0; next }
kind { take(kind $1 $2) }
/^(DEFECT|HAZARD|VARIATION|STAND_IN)\([a-z]/ { take($0) }
END {
    if (failed)
        exit 1
    if (!rows)
        printf "%s%s", first, last
    for (i = 1; rows && i <= count; i++) {
        name = order[i]
        gsub(/_/, "-", name)
        printf "#define NAME_%s \"%s\"\n", order[i], name
        if (order[i] in functions)
            printf "#define STAND_INS_%s%s\n", order[i], functions[order[i]]
    }
}

function take(text,    what, id, rule) {
    what = text
    sub(/\(.*/, "", what)
    sub(/^[A-Z_]*[(][ ]?/, "", text)
    id = text
    sub(/[,)].*/, "", id)
    rule = text
    sub(/^[^,]*,[ ]?/, "", rule)
    sub(/\).*/, "", rule)
    kind = ""
    if (id !~ /^[a-z][a-z0-9_]*$/) {
        print FILENAME ":" FNR ": \"" id "\" is no identifier in lower case" >"/dev/stderr"
        failed = 1
        exit 1
    }
    if (what == "STAND_IN")
        add(id, rule)
    if (what !~ /^(DEFECT|HAZARD|VARIATION)$/)
        return
    order[++count] = id
    if (what == "VARIATION")
        last = last "DEVIATION(" id ")\n"
    else
        first = first "DEVIATION(" id ")\n"
}

function add(id, rule) {
    functions[id] = functions[id] " FOR(" rule ", " id "_" rule "),"
}
