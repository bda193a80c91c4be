# SPDX-License-Identifier: BSD-2-Clause
# Reads tests/labels.txt, the list of classes in pmu/cpu/class.h and tests/relied.txt, and makes of them
#     the table of the image and of the program: RELIED(line, kind, classes, test, label, sentence), globs in the table's order
#     how=page: the same as Markdown
#     how=answers: "test label: what becomes of a failure on hardware without a log", a line for each living label
# Each label must have an answer for every class, each name of the table must name one, and what fails must have its
# sources. The rows are C code: no text has a quotation mark.
#
# usage: awk [-v how=page|answers] -f relied.awk tests/labels.txt pmu/cpu/class.h tests/relied.txt

function wrong(why) {
    print FILENAME ":" FNR ": " why >"/dev/stderr"
    bad = 1
}

# ---- Classes of CPUs

# "a..b" or "a" as an expression in C.
function span(text,    end, n, name) {
    n = split(text, end, /\.\./)
    for (name = 1; name <= n; name++)
        if (!(end[name] in class))
            wrong("there is no class " end[name])
    return n == 1 ? "BIT(" class[end[1]] ")" : "MASK(" class[end[2]] ", " class[end[1]] ")"
}

function classes_of(text,    part, n, i, list) {
    if (text == "all")
        return "MASK(CLASSES - 1, CLASS_UNKNOWN)"
    n = split(text, part, " ")
    for (i = 1; i <= n; i++)
        list = list (i > 1 ? " | " : "") span(part[i])
    return list
}

# ---- Labels

function pattern(glob) {
    gsub(/\./, "[.]", glob)
    gsub(/\*/, ".*", glob)
    return "^" glob "$"
}

# Adds what the row says of a label to what earlier rows said of other classes.
function say(label, row,    text) {
    text = means(row) (group[row] == "any" && label in said ? " elsewhere" : " on " words[group[row]])
    said[label] = said[label] (said[label] == "" ? "" : "; ") text
}

function means(row) {
    return kind[row] == "review" ? "review" : kind[row] == "measured" ? "told" : "fails"
}

# Does "TEST/LABEL" with its globs name a living label? A row for every class is the last that such a label needs.
function name_labels(glob, row,    part, label, found) {
    split(glob, part, "/")
    for (label in living)
        if (label ~ pattern(part[1] "/" part[2])) {
            found = 1
            if (!(label in last))
                say(label, row)
            if (group[row] == "any")
                last[label] = row
        }
    if (!found)
        wrong("no check is called " glob)
}

# ---- Sentences

function joined(list, n,    i, text) {
    for (i = 1; i <= n; i++)
        text = text (i == 1 ? "" : i == n ? " and " : ", ") list[i]
    return text
}

function who_relies(row,    id, n, i, list, count, manual, text) {
    n = split(source[row], id, " ")
    for (i = 1; i <= n; i++)
        if (id[i] == "manual")
            manual = 1
        else if (id[i] in who)
            list[++count] = who[id[i]] " since " since[id[i]]
        else
            wrong("there is no source " id[i])
    if (count + manual < 2)
        wrong("two sources, or one and the manual")
    text = joined(list, count) (count > 1 ? " rely" : " relies") " on this on " words[group[row]]
    return text (manual ? ", and the manual says it" : "")
}

function sentence(row) {
    if (kind[row] == "relied")
        return who_relies(row)
    return kind[row] == "formula" ? "the manual prints it: " what[row] : what[row]
}

# ---- Output

function table(    row, glob, n, i, part) {
    for (row = 1; row <= rows; row++) {
        n = split(checks[row], glob, " ")
        for (i = 1; i <= n; i++) {
            split(glob[i], part, "/")
            printf "RELIED(%d, %s, %s, \"%s\", \"%s\", \"%s\")\n", line[row], toupper(kind[row]), classes[group[row]],
                part[1], part[2], sentence(row)
        }
    }
}

function cell_of(text) {
    gsub(/ /, "`, `", text)
    return "`" text "`"
}

function files(row,    id, n, i, list) {
    if (kind[row] == "formula")
        return "SDM 3B, " source[row]
    n = split(source[row], id, " ")
    for (i = 1; i <= n; i++)
        list = list (i > 1 ? "; " : "") (id[i] == "manual" ? "SDM 3B" : who[id[i]] " " since[id[i]] ", `" file[id[i]] "`")
    return list
}

function page(    row) {
    print "| checks | on | a failure | because | source |\n|---|---|---|---|---|"
    for (row = 1; row <= rows; row++)
        printf "| %s | %s | %s | %s | %s |\n", cell_of(checks[row]), words[group[row]], means(row), what[row], files(row)
}

function answers(    label) {
    for (label in said)
        print label ": " said[label]
}

BEGIN { FS = " *[|] *" }
FILENAME == "tests/labels.txt" {
    if ($0 !~ / - retired: / && split($0, word, " ") > 1)
        living[word[1] "/" word[2]] = 1
    next
}
FILENAME == "pmu/cpu/class.h" {
    if (match($0, /^    CLASS_[A-Z0-9_]+/)) {
        name = tolower(substr($0, RSTART + 10, RLENGTH - 10))
        gsub("_", "-", name)
        class[name] = substr($0, RSTART + 4, RLENGTH - 4)
    }
    next
}
/^#/ || /^$/ { next }
/"/ { wrong("a quotation mark") }
/^source / {
    id = substr($1, 8)
    who[id] = $2
    since[id] = $3
    file[id] = $4
    next
}
/^group / {
    id = substr($1, 7)
    words[id] = $2
    classes[id] = classes_of($3)
    next
}
/^(formula|relied|review|measured) / {
    kind[++rows] = $1
    line[rows] = FNR
    group[rows] = $2
    source[rows] = $3
    checks[rows] = $4
    what[rows] = $5
    if (!($2 in words))
        wrong("there is no group " $2)
    if ($5 == "")
        wrong("no reason")
    if ($1 == "relied")
        who_relies(rows)
    n = split($4, glob, " ")
    for (i = 1; i <= n; i++)
        name_labels(glob[i], rows)
    next
}
{ wrong("neither a source, a group nor a kind of row") }
END {
    for (label in living)
        if (!(label in last))
            wrong(label " has no answer for every class")
    if (bad)
        exit 1
    if (how == "page")
        page()
    else if (how == "answers")
        answers()
    else
        table()
}
