# SPDX-License-Identifier: BSD-2-Clause
# Reads tests/coverage.txt, the list of labels, and the sources of tests and harness; with declared.awk before it.
# `how`: --check prints the sum, --page a page, else the table. Exit status 1 if a row is wrong.

function wrong(what) {
    print "tests/coverage.txt: " what >"/dev/stderr"
    bad = 1
}

# Each quoted word of a test may be the name of a measurement in it, and each of the harness in any test.
function remember_words(line) {
    while (match(line, /"[a-z0-9-]+"/)) {
        quoted[FILENAME ~ /^tests\/harness/ ? "" : id_of_file, substr(line, RSTART + 1, RLENGTH - 2)] = 1
        line = substr(line, RSTART + RLENGTH)
    }
}

function spec(id) {
    return value(declared[id], "spec")
}

function split_name(name, part) {
    split(name, part, "/")
    return (part[1] in file)
}

# Does the remark begin with the option without which all of its tests are skipped on hardware?
function behind_option(row) {
    return remark[row] ~ /^(dangerous=|errata=probe)/
}

# A row that is judged: checks that its labels are on the list and proven, and whether it must name an option.
function judge(row,    n, i, name, part, open) {
    n = split(judges[row], name, " ")
    for (i = 1; i <= n; i++) {
        if (!split_name(name[i], part))
            wrong(row ": there is no test " part[1])
        else if (!((part[1], part[2]) in listed))
            wrong(row ": " name[i] " is not in tests/labels.txt")
        else if (!((part[1], part[2]) in proven))
            wrong(row ": " name[i] " is not proven")
        open += !locked[part[1]]
    }
    if (!open != behind_option(row))
        wrong(row ": " (open ? "some of its tests need no" : "all of its tests need an") " option")
    return "judged"
}

function measure(row,    text, n, i, name, part) {
    text = remark[row]
    sub(/^measured /, "", text)
    if (!sub(/:.*/, "", text))
        wrong(row ": no reason behind what is measured")
    n = split(text, name, " ")
    for (i = 1; i <= n; i++)
        if (!split_name(name[i], part))
            wrong(row ": there is no test " part[1])
        else if (!((part[1], part[2]) in quoted) && !(("", part[2]) in quoted))
            wrong(row ": " part[1] " measures no " part[2])
    return "measured"
}

function kind_of(row) {
    if (judges[row] != "")
        return judge(row)
    if (remark[row] ~ /^measured /)
        return measure(row)
    if (remark[row] == "")
        wrong(row ": neither judged nor measured, and no reason")
    return remark[row] ~ /^no test yet: / ? "no test yet" : "left out"
}

# ---- As a page

function by_tests(names,    n, i, name, part, last, list) {
    n = split(names, name, " ")
    for (i = 1; i <= n; i++) {
        split_name(name[i], part)
        if (part[1] != last)
            list = list (list == "" ? "" : "<br>") link(part[1]) ":"
        list = list (part[1] == last ? ", " : " ") "`" part[2] "`"
        last = part[1]
    }
    return list
}

function sections(names,    n, i, name, part, seen, list) {
    n = split(names, name, " ")
    for (i = 1; i <= n; i++) {
        split_name(name[i], part)
        if (!(spec(part[1]) in seen))
            list = list (list == "" ? "" : "; ") spec(part[1])
        seen[spec(part[1])] = 1
    }
    return list
}

# What a failure of these checks is on hardware without a log, each once.
function without_log(names,    n, i, said, list) {
    n = split(names, name, " ")
    for (i = 1; i <= n; i++) {
        said = answer[name[i]]
        if (!((names, said) in told))
            list = list (list == "" ? "" : "; ") said
        told[names, said] = 1
    }
    return list
}

function page_row(row,    text, names) {
    text = remark[row]
    if (kind[row] == "measured") {
        names = text
        sub(/^measured /, "", names)
        sub(/:.*/, "", names)
        sub(/^measured [^:]*: /, "", text)
    } else {
        names = judges[row]
        sub(/^no test yet: /, "", text)
    }
    printf "| <a id=\"%s\"></a>%s | %s | %s%s | %s | %s | %s |\n", tolower(row), row, topic[row], kind[row],
        text == "" ? "" : ": " text, by_tests(names), kind[row] == "judged" ? without_log(names) : "", sections(names)
}

function page(    i, last, chapter) {
    chapter["A"] = "What other programs test"
    chapter["B"] = "What none of them does"
    chapter["S"] = "What the sharing guide and the manual promise besides"
    print sum() "."
    for (i = 1; i <= rows; i++) {
        if (substr(order[i], 1, 1) != last) {
            last = substr(order[i], 1, 1)
            printf "\n## %s\n\n", chapter[last]
            print "| | promise | what becomes of it | test and label | a failure [without a log](#without-a-log) | manual |"
            print "|---|---|---|---|---|---|"
        }
        page_row(order[i])
    }
}

function sum() {
    return rows " promises: " count["judged"] " judged (" in_part " of them in part, " dangerous \
        " only behind an option), " count["measured"] " measured, " count["left out"] " left out, " \
        count["no test yet"] + 0 " without a test yet"
}

BEGIN { FS = " *[|] *" }
FILENAME == answers {
    split($0, word, ": ")
    answer[word[1]] = word[2]
    next
}
FILENAME == "tests/coverage.txt" {
    if (/^[ABS]-/) {
        if ($1 in topic)
            wrong($1 ": twice")
        order[++rows] = $1
        topic[$1] = $2
        judges[$1] = $3
        remark[$1] = $4
    }
    next
}
FILENAME == "tests/labels.txt" {
    if (split($0, word, " ") > 1 && word[3] != "-") {
        listed[word[1], word[2]] = 1
        if (/ by=/)
            proven[word[1], word[2]] = 1
    }
    next
}
{ remember_words($0) }
END {
    for (i = 1; i <= rows; i++) {
        row = order[i]
        count[kind[row] = kind_of(row)]++
        in_part += judges[row] != "" && remark[row] ~ /in part:/
        dangerous += judges[row] != "" && behind_option(row)
    }
    for (id in declared) {
        n = split(value(declared[id], "covers"), item, ",")
        for (i = 1; i <= n; i++)
            if (!(item[i] in topic))
                wrong(id " names " item[i] ", which is no row")
    }
    if (how == "--page")
        page()
    else if (how != "--check")
        for (i = 1; i <= rows; i++)
            printf "%s  %-11s  %s%s%s\n", order[i], kind[order[i]], topic[order[i]],
                judges[order[i]] == "" ? "" : "  [" judges[order[i]] "]",
                remark[order[i]] == "" ? "" : "  (" remark[order[i]] ")"
    if (how != "--page")
        print "coverage: " tests " tests, " sum()
    exit bad
}
