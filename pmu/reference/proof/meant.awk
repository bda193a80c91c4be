# The defects that are meant for a test, by name, with commas between them.
#
# usage: awk -v test=CHAPTER.TEST -f pmu/reference/proof/meant.awk pmu/reference/deviations/*.c

function quoted(text) {
    match(text, /"[^"]*"/)
    return substr(text, RSTART + 1, RLENGTH - 2)
}

function fits(globs) {
    gsub(/[.]/, "[.]", globs)
    gsub(/[*]/, ".*", globs)
    gsub(/,/, "|", globs)
    return test ~ "^(" globs ")$"
}

function finish() {
    if (name != "" && fits(meant))
        list = list (list == "" ? "" : ",") name
    name = ""
}

FNR == 1 { finish(); chapters = "*"; pending = 0 }
/^#define CHAPTERS "/ { chapters = quoted($0) }
/^(DEFECT|HAZARD|VARIATION)\(/ {
    finish()
    pending = /^DEFECT/
    meant = chapters
}
pending && /"/ { name = quoted($0); pending = 0 }
name != "" && match($0, /MEANT_FOR\("[^"]*"/) { meant = quoted(substr($0, RSTART, RLENGTH)) }
END { finish(); print list }
