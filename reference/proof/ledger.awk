# SPDX-License-Identifier: BSD-2-Clause
# tests/labels.txt, renewed by a proof: a row for each label, "TEST LABEL by=DEFECT,... proven=KEY,..."; rows that end in
# "- retired: WHY" stay.
#
# usage: awk -v how=--write|--more -f reference/proof/ledger.awk tests/labels.txt ASKED PROVERS PROVEN
#
# ASKED: "TEST LABEL"; PROVERS: "TEST LABEL DEFECT ..."; PROVEN: "TEST LABEL KEY". --write: the results
# of a whole proof replace what was known; --more: the results of a part are added to it.

{ name = $1 " " $2 }
FILENAME == ARGV[1] {
    row[name] = "-"
    if ($3 == "-") {
        row[name] = $0
        next
    }
    for (field = 3; field <= NF; field++)
        if (sub(/^by=/, "", $field))
            by[name] = $field
        else if (how == "--more" && sub(/^proven=/, "", $field))
            keys[name] = $field
    next
}
!(name in row) { row[name] = "-" }
FILENAME == ARGV[3] && !(how == "--more" && name in by) {
    gsub(/ /, ",", $0)
    by[name] = substr($0, length(name) + 2)
}
FILENAME == ARGV[4] && index("," keys[name] ",", "," $3 ",") == 0 { keys[name] = keys[name] (name in keys && keys[name] != "" ? "," : "") $3 }
END {
    for (name in row)
        print row[name] != "-" ? row[name] : name (by[name] == "" ? "" : " by=" by[name]) (keys[name] == "" ? "" : " proven=" keys[name])
}
