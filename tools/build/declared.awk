# SPDX-License-Identifier: BSD-2-Clause
# The declarations of tests, from their sources: declared[id] is the text of TEST(...), file[id] its source, and
# locked[id] says that on hardware it needs an option. To be read before the program that uses it.

# The quoted text that follows ".key = ".
function value(text, key) {
    if (!match(text, "\\." key " *= *\""))
        return ""
    text = substr(text, RSTART + RLENGTH)
    return substr(text, 1, index(text, "\"") - 1)
}

# A text may be on two lines.
function declare(text,    id) {
    gsub(/" +"/, "", text)
    match(text, /TEST\("[^"]+"/)
    id = substr(text, RSTART + 6, RLENGTH - 7)
    file[id] = FILENAME
    declared[id] = text
    locked[id] = unlocks + (text ~ /\.probe = true/)
    tests++
}

function link(id) {
    return "[" id "](../" file[id] ")"
}

FNR == 1 {
    declaration = ""
    unlocks = 0
    id_of_file = substr(FILENAME, 7, length(FILENAME) - 8)
    sub("/", ".", id_of_file)
}
/need_unlocked/ && before !~ /^ *if \(/ { unlocks = 1 } # this one only skips some CPUs: elsewhere the test runs
{ before = $0 }
/^TEST\(/ { declaration = " " }
declaration != "" {
    declaration = declaration " " $0
    if (/\);[ ]*$/) {
        declare(declaration)
        declaration = ""
    }
}
