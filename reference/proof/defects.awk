# SPDX-License-Identifier: BSD-2-Clause
# The defects that are said to fail a test's labels, in two lines: first, few of them that fail each label, rather those
# that are shown once than for each counter; then the others, if there are any.
#
# usage: awk -v test=TEST -f reference/proof/defects.awk reference/deviations/*.c tests/labels.txt

# How many of the labels that no chosen defect fails yet does this one fail? 1000 more if it is shown once.
function gains(defect,    n, i, label, gain) {
    n = split(fails[defect], label, " ")
    for (i = 1; i <= n; i++)
        gain += label[i] in open
    return gain + (gain && !(defect in for_each_counter) ? 1000 : 0)
}

function choose(defect,    n, i, label) {
    first = first "," defect
    chosen[defect]
    n = split(fails[defect], label, " ")
    for (i = 1; i <= n; i++)
        delete open[label[i]]
}

function best(    i, most) {
    most = order[1]
    for (i = 2; i <= defects; i++)
        if (gains(order[i]) > gains(most))
            most = order[i]
    return most
}

/^DEFECT[(]/ {
    declared = substr($0, index($0, "(") + 1)
    sub(/,.*/, "", declared)
    gsub(/_/, "-", declared)
}
/EACH_COUNTER/ { for_each_counter[declared] }

$1 == test && sub(/^by=/, "", $3) {
    n = split($3, name, ",")
    for (i = 1; i <= n; i++) {
        if (!(name[i] in fails))
            order[++defects] = name[i]
        fails[name[i]] = fails[name[i]] $2 " "
    }
    open[$2]
}

END {
    while (gains(defect = best()))
        choose(defect)
    for (i = 1; i <= defects; i++)
        if (!(order[i] in chosen))
            others = others "," order[i]
    print substr(first, 2)
    if (others != "")
        print substr(others, 2)
}
