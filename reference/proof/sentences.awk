# SPDX-License-Identifier: BSD-2-Clause
# Reads tests/sentences.txt and the sources of tests; with declared.awk before it. `how`: --page prints a page, else the
# sum. Exit status 1 if a row is wrong, or a declaration has a name that has no words here.

function wrong(what) {
    print "tests/sentences.txt: " what >"/dev/stderr"
    bad = 1
}

function add(list, word) {
    return word == "" || index(", " list ",", ", " word ",") ? list : list == "" ? word : list ", " word
}

# What follows ".key = " in a declaration, up to the comma or the end.
function field(text, key) {
    if (!match(text, "[.]" key " = [^,]*"))
        return ""
    return substr(text, RSTART + length(key) + 4, RLENGTH - length(key) - 4)
}

# The words of each name in an expression like "CELL_RINGS | CELL_COUNTERS".
function in_words(id, text, words,    name, list) {
    gsub(/ASIDE\(/, "", text)
    while (match(text, /[A-Z_][A-Z_]+/)) {
        name = substr(text, RSTART, RLENGTH)
        text = substr(text, RSTART + RLENGTH)
        if (!(name in words))
            wrong(id " has " name ", for which reference/proof/sentences.awk has no words")
        list = add(list, words[name])
    }
    return list
}

# Of the needs only what the CPU must have, and what unlocks the test.
function needs(id,    text, version, i, list) {
    text = declared[id]
    version = match(text, /NEEDS_VERSION\([0-9]+/) ? substr(text, RSTART + 14, RLENGTH - 14) : field(text, "version") + 0
    list = version ? "version " version : ""
    for (i = 1; i <= features; i++)
        if (text ~ shown_by[i])
            list = add(list, feature[i])
    return add(list, locked[id] ? "an option" : "")
}

function places(id) {
    return in_words(id, field(declared[id], "cells"), axis)
}

# As parts_for() in tests/harness/run/surround.c.
function around(id,    text, list) {
    text = declared[id]
    if (text ~ /[.]alone = /)
        return "nothing: " value(text, "alone")
    if (text ~ /ALL_TOGETHER|[.]no_pmu|[.]no_counter|[.]netburst/)
        return "nothing"
    list = text ~ /[.](sampling|pebs|apebs|adaptive|pebs_format) = / ? "other counters, counting and sampling" : ""
    list = add(text ~ /[.]apic/ ? "STATUS of other features" : "STATUS, LVTPC", list)
    return add(list, in_words(id, field(text, "aside"), aside))
}

function name_feature(regular, words) {
    shown_by[++features] = regular
    feature[features] = words
}

function state(row) {
    if (tests_of[row] == "" || left[row] ~ /^not judged: /)
        return "not asked"
    return left[row] == "" ? "asserted" : "in part"
}

function check(row,    n, i, id, checked) {
    n = split(tests_of[row], id, " ")
    for (i = 1; i <= n; i++)
        if (!(id[i] in file))
            wrong("there is no test " id[i] ": " sentence[row])
        else
            checked = places(id[i]) around(id[i])
    if (!n && left[row] == "")
        wrong("neither a test nor a reason: " sentence[row])
    if (parts[row] != 3)
        wrong("no row of three parts: " sentence[row])
    count[state(row)]++
    gaps += left[row] ~ /^no test yet: /
}

function sum() {
    return rows " sentences: " count["asserted"] " asserted, " count["in part"] " in part, " count["not asked"] \
        " not asked (" gaps + 0 " for want of a test), each with its reason"
}

# A line for each test; the sentence and what is left out stand in the first.
function page_row(row,    n, i, id, first) {
    n = split(tests_of[row], id, " ")
    first = left[row]
    first = state(row) (first == "" ? "" : sub(/^not judged: /, "", first) ? ", only told: " first : ": " first)
    if (!n)
        printf "| %s | %s | | | | |\n", sentence[row], first
    for (i = 1; i <= n; i++)
        printf "| %s | %s | %s | %s | %s | %s |\n", i == 1 ? sentence[row] : "", i == 1 ? first : "", link(id[i]),
            places(id[i]), around(id[i]), needs(id[i])
}

function page(    i) {
    print sum() "."
    for (i = 1; i <= rows; i++) {
        if (text_of[i] != text_of[i - 1]) {
            printf "\n## %s\n\n", text_of[i]
            print "| sentence | what becomes of it | test | places | around it | needs |\n|---|---|---|---|---|---|"
        }
        page_row(i)
    }
}

BEGIN {
    FS = " *[|] *"
    axis["CELL_RINGS"] = "CPL 0 and 3"
    axis["CELL_DELIVERIES"] = "fixed vector and NMI"
    axis["CELL_COUNTERS"] = "each counter"
    axis["CELL_NEIGHBOURS"] = "other counters on and off"
    aside["ASIDE_COUNTERS"] = "other counters, a trace"
    aside["ASIDE_OTHERS"] = "other counters"
    aside["ASIDE_FIELDS"] = "its event, rings, PMI bit"
    aside["ASIDE_SAMPLING"] = ""
    aside["ASIDE_ACTIVITY"] = "CTR_FRZ, the freezing bits, IA32_PERF_GLOBAL_CTRL"
    aside["AROUND_SAMPLED"] = "enabled for sampling"
    aside["AROUND_FREEZING"] = "the freezing bits"
    aside["AROUND_FROZEN"] = "CTR_FRZ"
    aside["AROUND_RECORDING"] = "branch records"
    aside["AROUND_EVENT"] = "its event"
    aside["AROUND_RINGS"] = "its rings"
    aside["AROUND_INT"] = "its PMI bit"
    name_feature("[.](sampling|pebs|apebs|adaptive) = ", "PEBS")
    name_feature("[.]netburst = ", "NetBurst")
    name_feature("[.]smm_freeze = ", "the freeze in SMM")
    name_feature("need_(lbr_|legacy_)?freeze|need_both", "IA32_DEBUGCTL[12]")
    name_feature("need_trace", "Processor Trace")
    name_feature("[.]cpus = ", "2 CPUs")
}
FILENAME == "tests/sentences.txt" && !/^(#|$)/ {
    if (sub(/^= /, "")) {
        text = $0
        next
    }
    text_of[++rows] = text
    parts[rows] = NF
    sentence[rows] = $1
    tests_of[rows] = $2
    left[rows] = $3
}
END {
    for (i = 1; i <= rows; i++)
        check(i)
    if (how == "--page")
        page()
    else
        print sum()
    exit bad
}
