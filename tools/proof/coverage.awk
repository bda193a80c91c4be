# Reads tests/coverage.txt, then the tests' sources; prints what each test covers, the totals, and the rows left.

function value(text, key,    at) {
    at = match(text, "\\." key " *= *")
    if (!at)
        return ""
    text = substr(text, at + RLENGTH)
    if (substr(text, 1, 1) == "\"")
        return substr(text, 2, index(substr(text, 2), "\"") - 1)
    if (substr(text, 1, 1) == "{")
        return substr(text, 2, index(text, "}") - 2)
    match(text, /[,)]+/)
    # NEEDS_VERSION(4) holds a bracket of its own.
    return match(text, /^[A-Za-z_]+\([0-9]+\)/) ? substr(text, 1, RLENGTH) : substr(text, 1, index(text, ",") - 1)
}

function needs(text,    n) {
    n = value(text, "needs")
    sub(/NEEDS_VERSION\(/, ".version = ", n)
    gsub(/[).]| = true/, "", n)
    gsub(/ = /, " ", n)
    return n == "" ? "-" : n
}

function declare(text, checks,    id, list, n, i) {
    match(text, /TEST\("[^"]+"/)
    id = substr(text, RSTART + 6, RLENGTH - 7)
    tests++
    measured += measures = text ~ /\.measures *= *true/
    judged += checks > 0
    printf "%-28s %-24s %-22s %-58s %s\n", id, needs(text), \
        (checks ? "judged" : "") (checks && measures ? "+" : "") (measures ? "measured" : ""), value(text, "spec"), \
        value(text, "covers")
    n = split(value(text, "covers"), list, /,/)
    for (i = 1; i <= n; i++) {
        if (!(list[i] in topic)) {
            print "coverage: " id " names " list[i] ", which is no row" >"/dev/stderr"
            bad = 1
        }
        covered[list[i]] = covered[list[i]] " " id
    }
}

BEGIN {
    FS = " *\\| *"
    printf "%-28s %-24s %-22s %-58s %s\n", "id", "needs", "kind", "spec", "covers"
}
FILENAME ~ /coverage\.txt$/ {
    if (/^[ABS]-/) {
        order[++rows] = $1
        topic[$1] = $2
        reason[$1] = $3
    }
    next
}
FNR == 1 { declaration = ""; checks = 0 }
/check_[a-z_]+\(|agents_arrive\(/ { checks++ }
/^TEST\(/ { declaration = " " }
declaration != "" {
    declaration = declaration " " $0
    if (/\);[ ]*$/) {
        gsub(/" +"/, "", declaration) # a text over two lines
        declare(declaration, checks)
        declaration = ""
    }
}
END {
    for (i = 1; i <= rows; i++) {
        id = order[i]
        if (covered[id] != "")
            done++
        else if (reason[id] != "")
            elsewhere++
        else
            left++
    }
    printf "\n%d tests, %d judged, %d measured\n", tests, judged, measured
    printf "%d rows: %d covered, %d not for a test here, %d left\n", rows, done, elsewhere, left
    for (kind = 0; kind < 2; kind++) {
        print kind ? "\nLeft:" : "\nNot for a test here:"
        for (i = 1; i <= rows; i++) {
            id = order[i]
            if (covered[id] == "" && (reason[id] == "") == kind)
                printf "    %s %s%s\n", id, topic[id], reason[id] == "" ? "" : ": " reason[id]
        }
    }
    exit bad
}
