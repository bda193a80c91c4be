# SPDX-License-Identifier: BSD-2-Clause
# Makes a row of tests/boot/purposes.txt for each run of a log: the profile, the class of its first CPU, for which uses
# it is good, and the tests that did not pass, "trace.*" if none of a chapter did.
#
# usage: awk -f tools/check/boot/purposes.awk IDS LOG        IDS: the ids of all tests, sorted, one on each line

function value(key,    at, rest) {
    at = index($0, " " key "=")
    rest = substr($0, at + length(key) + 2)
    sub(/ .*/, "", rest)
    return at ? rest : ""
}

# "p12s3" becomes a letter for each test.
function spread(list,    letters, count) {
    letters = ""
    while (match(list, /^[a-z-][0-9]*/)) {
        count = substr(list, 2, RLENGTH - 1)
        for (count = count == "" ? 1 : count; count > 0; count--)
            letters = letters substr(list, 1, 1)
        list = substr(list, RLENGTH + 1)
    }
    return letters
}

function left_out(letters,    i, n, text, here) {
    text = ""
    for (i = 1; i <= ids; i++) {
        if (chapter[i] != chapter[i - 1]) {
            here = 0
            for (n = i; chapter[n] == chapter[i]; n++)
                here += substr(letters, n, 1) == "p"
            if (!here)
                text = text " " chapter[i] ".*"
        }
        if (here && substr(letters, i, 1) != "p")
            text = text " " id[i]
    }
    return substr(text, 2)
}

{ sub(/\r$/, "") }
FILENAME == ARGV[1] {
    id[++ids] = chapter[ids] = $0
    sub(/\..*/, "", chapter[ids])
    next
}
/^ *# run pmu=/ { name = value("pmu"); sub(/^reference:/, "", name); answers = "" }
/^ *# core-type id=0 / { class = value("class") }
/^ *# outcomes / { letters = spread(value("list")) }
/^ *# good-for / { answers = answers (answers == "" ? "" : " ") $3 "=" value("answer") }
/^ *# good-for guests / { print name " | " class " | " answers " | " left_out(letters) }
