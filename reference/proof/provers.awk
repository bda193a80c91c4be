# SPDX-License-Identifier: BSD-2-Clause
# The defects that are meant for a test and failed its labels in the parts of a proof: "TEST LABEL by=DEFECT,...", at most
# so many each, and first those that fail the fewest labels.
#
# usage: awk -v most=N -f reference/proof/provers.awk reference/deviations/*.c LOG...

function pattern(glob) {
    gsub(/[.]/, "[.]", glob)
    gsub(/[*]/, ".*", glob)
    gsub(/,/, "|", glob)
    return "^(" glob ")$"
}

function quoted(text) {
    match(text, /"[^"]*"/)
    return substr(text, RSTART + 1, RLENGTH - 2)
}

function field(name,    at, rest) {
    at = index($0, " " name "=")
    rest = substr($0, at + length(name) + 2)
    sub(/ .*/, "", rest)
    return rest
}

FILENAME ~ /deviations/ {
    if (FNR == 1)
        chapters = "*"
    if (/^#define CHAPTERS "/)
        chapters = quoted($0)
    if (match($0, /^(DEFECT|HAZARD|VARIATION)\([a-z0-9_]+/)) {
        name = substr($0, RSTART, RLENGTH)
        sub(/.*\(/, "", name)
        gsub(/_/, "-", name)
        meant[name] = pattern(chapters)
    }
    if (match($0, /MEANT_FOR\("[^"]*"/))
        meant[name] = pattern(quoted(substr($0, RSTART, RLENGTH)))
    next
}
{ sub(/\r$/, "") }
/^# matrix defect=/ {
    defect = field("defect")
    sub(/[@(].*/, "", defect)
    if (!(defect in meant) || field("test") !~ meant[defect] || field("outcome") !~ /^(fail|review)$/)
        next
    n = split(field("labels"), label, ",")
    for (i = 1; i <= n; i++) {
        key = field("test") " " label[i]
        if (((key, defect) in seen))
            continue
        seen[key, defect] = 1
        by[key] = by[key] " " defect
        fails[defect]++
    }
}
END {
    for (key in by) {
        line = key " by="
        n = split(by[key], list, " ")
        for (taken = 0; taken < n && taken < most; taken++) {
            best = 0
            for (i = 1; i <= n; i++)
                if (list[i] != "" && (!best || fails[list[i]] < fails[list[best]] ||
                    (fails[list[i]] == fails[list[best]] && list[i] < list[best])))
                    best = i
            line = line (taken ? "," : "") list[best]
            list[best] = ""
        }
        print line
    }
}
