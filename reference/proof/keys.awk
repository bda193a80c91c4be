# SPDX-License-Identifier: BSD-2-Clause
# Joins the results of all parts of a proof for each label's registers and bits (keys). A key is marked "+" if a defect
# that is meant for the test failed the label there, "~" if only other defects did, "-" if none did. Prints a line for
# each label, and last the sum.
#
# usage: awk -f reference/proof/keys.awk tests/unproven.txt LOG...
#
# tests/unproven.txt: TEST LABEL KEY REASON, the first three as patterns with "*" and "[45]".

function pattern(glob) {
    gsub(/[.]/, "[.]", glob)
    gsub(/[*]/, ".*", glob)
    return "^" glob "$"
}

function value(name,    at, rest) {
    at = index($0, " " name "=")
    rest = substr($0, at + length(name) + 2)
    sub(/ .*/, "", rest)
    return rest
}

function excused(test, label, key,    i) {
    for (i = 1; i <= reasons; i++)
        if (test ~ of_test[i] && label ~ of_label[i] && key ~ of_key[i]) {
            used[i] = 1
            return 1
        }
    return 0
}

# Without full-width aliases IA32_PMCn is asked for instead of IA32_A_PMCn: the latter's proof counts for both.
function proven_by_name(row, key) {
    return sub(/^IA32_PMC/, "IA32_A_PMC", key) && best[row, key] == "+"
}

function add(list, key) {
    return list == "" ? key : list "," key
}

FNR == 1 { file++ }
file == 1 && NF > 3 && !/^#/ {
    of_test[++reasons] = pattern($1)
    of_label[reasons] = pattern($2)
    of_key[reasons] = pattern($3)
    next
}
{ sub(/\r$/, "") }
/^# label / {
    name = value("test") " " value("label")
    if (!(name in keys)) {
        keys[name] = ""
        order[++names] = name
    }
    count = split(value("keys"), item, ",")
    for (i = 1; i <= count; i++) {
        sign = substr(item[i], length(item[i]))
        key = substr(item[i], 1, length(item[i]) - 1)
        if (!((name, key) in best)) {
            best[name, key] = "-"
            keys[name] = add(keys[name], key)
        }
        if (sign == "+" || (sign == "~" && best[name, key] == "-"))
            best[name, key] = sign
    }
}
END {
    for (n = 1; n <= names; n++) {
        split(order[n], part, " ")
        proven = others = never = reason = ""
        count = split(keys[order[n]], named, ",")
        for (i = 1; i <= count; i++) {
            sign = best[order[n], named[i]]
            all++
            if (sign == "+") { plus++; proven = add(proven, named[i]) }
            else if (proven_by_name(order[n], named[i]) || excused(part[1], part[2], named[i])) { told++; reason = add(reason, named[i]) }
            else if (sign == "~") { tilde++; others = add(others, named[i]) }
            else { minus++; never = add(never, named[i]) }
        }
        printf "%s%s%s%s%s\n", order[n], proven == "" ? "" : " proven=" proven, others == "" ? "" : " by-others=" others,
            never == "" ? "" : " never=" never, reason == "" ? "" : " reason=" reason
    }
    printf "keys: %d, %d proven, %d with a reason why not, %d only by defects of something else, %d never\n", all, plus, told, tilde,
        minus
}
