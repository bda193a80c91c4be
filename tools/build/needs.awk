# SPDX-License-Identifier: BSD-2-Clause
# What each test needs of a CPU, from its declaration: TEST_NEEDS("id", ...) with the text of its .needs, {0} without.
#
# usage: awk -f tools/build/declared.awk -f tools/build/needs.awk SOURCE...

# The text from here to the bracket that closes its first one.
function bracketed(text,    at, depth, c) {
    for (at = 1; at <= length(text); at++) {
        c = substr(text, at, 1)
        depth += (c == "{" || c == "(") - (c == "}" || c == ")")
        if (!depth && (c == "}" || c == ")"))
            return substr(text, 1, at)
    }
}

function needs(text) {
    if (!match(text, /\.needs = /))
        return "{0}"
    return bracketed(substr(text, RSTART + RLENGTH))
}

END {
    print "/* Generated. */"
    for (id in declared)
        print "TEST_NEEDS(\"" id "\", " needs(declared[id]) ")" | "LC_ALL=C sort"
}
