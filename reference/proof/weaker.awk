# SPDX-License-Identifier: BSD-2-Clause
# What a proof noticed of a test's changed copies, TEST~1 and so on, beside the test and its unchanged copy, TEST~0:
# "COPY WHAT", at most one line for each.
#
# usage: awk -v test=TEST -f reference/proof/weaker.awk LOG...

function field(name,    at, rest) {
    at = index($0, " " name "=")
    rest = substr($0, at + length(name) + 2)
    sub(/ .*/, "", rest)
    return rest
}

# The number of a copy; "" for the test itself.
function copy_of(id) {
    return id == test ? "" : substr(id, length(test) + 2)
}

function notice(copy, what) {
    if (copy != "" && copy != "0" && !(copy in noticed))
        noticed[copy] = what
}

# What a copy found: a label that failed under a defect, or a register or bit of a label that a defect proved.
function find(copy, what) {
    found[copy, what] = 1
    copies[copy]
    if (copy == "" && !(what in all)) {
        all[what]
        order[++finds] = what
    }
}

{ sub(/\r$/, "") }
# A copy that is left out on all PMUs finds nothing.
/^ *# begin / && ($3 == test || index($3, test "~") == 1) { copies[copy_of($3)] }
# A run on another good PMU.
/^ *# run pmu=/ { pmu = field("pmu") }
/^ *not ok / && $4 ~ /~[0-9]+$/ && index($4, test "~") == 1 && pmu !~ /[+]/ {
    notice(copy_of($4), "good: not passed on " pmu)
}
# A letter for each test, in their order: what it came to under a legal variation.
/^# vector tests=/ {
    n = split(field("tests"), id, ",")
    for (i = 1; i <= n; i++)
        column[++columns] = id[i]
}
/^# vector variation=/ {
    for (i = 1; i <= columns; i++)
        if (substr(field("results"), i, 1) ~ /[rfe]/ && index(column[i], test "~") == 1)
            notice(copy_of(column[i]), "legal: a false alarm under " field("variation"))
}
/^# matrix / && field("outcome") ~ /^(fail|review)$/ {
    n = split(field("labels"), label, ",")
    for (i = 1; i <= n; i++)
        find(copy_of(field("test")), "defect " field("defect") " fails " label[i])
}
/^# label / {
    n = split(field("keys"), key, ",")
    for (i = 1; i <= n; i++)
        if (sub(/[+]$/, "", key[i]))
            find(copy_of(field("test")), "proof of " field("label") " for " key[i])
    copies[copy_of(field("test"))]
}
/^not ok .* without a defect: / {
    profile = $4 ~ /@/ ? substr($4, index($4, "@") + 1) : "the proof's own profile"
    n = split($NF, failed, ",")
    for (i = 1; i <= n; i++) {
        outcome = failed[i]
        sub(/.*=/, "", outcome)
        sub(/=.*/, "", failed[i])
        if (index(failed[i], test "~") == 1)
            notice(copy_of(failed[i]), "good: " outcome " on " profile)
    }
}
END {
    for (copy in copies)
        for (i = 1; i <= finds; i++)
            if (("0", order[i]) in found && !((copy, order[i]) in found))
                notice(copy, "lost: " order[i])
    for (copy in noticed)
        print copy, noticed[copy]
}
