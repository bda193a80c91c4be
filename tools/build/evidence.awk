# SPDX-License-Identifier: BSD-2-Clause
# Makes the image's table of evidence from tests/evidence/*.txt: EVIDENCE(class, log, test, labels) with the labels that
# no earlier line has shown for the class. Lines with counts=no are left out. The rows are C code: a name with any other
# character than those of names is an error.
#
# usage: awk -f evidence.awk FILE...

function field(name,    at, text) {
    at = index(" " $0, " " name "=")
    if (!at)
        refuse("there is no " name "=")
    text = substr($0, at + length(name) + 1)
    sub(/ .*/, "", text)
    return text
}

# The last field of the line, whatever the texts before it hold.
function held_field(    text) {
    text = $0
    if (!sub(/^.* held=/, "", text))
        refuse("there is no held=")
    return text
}

function refuse(why) {
    print FILENAME ":" FNR ": " why >"/dev/stderr"
    failed = 1
    exit 1
}

function checked(name, text) {
    if (text !~ /^[a-z0-9][a-z0-9._-]*$/)
        refuse("\"" text "\" is no " name ": small letters, digits, dots, dashes and underscores")
    return text
}

!/^#/ && field("counts") == "yes" {
    signature = checked("signature", field("signature"))
    if (signature !~ /^[0-9a-f]*$/ || length(signature) != 8)
        refuse("\"" signature "\" is no signature: eight hexadecimal digits")
    machine = checked("machine", field("machine"))
    class = "0" substr(signature, 2, 3) "0" substr(signature, 6, 2) "0" # CPUID.1:EAX without the stepping
    tests = split(held_field(), held, ";")
    for (i = 1; i <= tests; i++) {
        if (split(held[i], part, ":") != 2)
            refuse("\"" held[i] "\" is no test and its labels: TEST:LABEL,...")
        checked("test", part[1])
        labels = split(part[2], label, ",")
        new = ""
        for (k = 1; k <= labels; k++)
            if (!seen[class, part[1], checked("label", label[k])]++)
                new = new (new ? "," : "") label[k]
        if (new)
            printf "EVIDENCE(0x%s, \"%s\", \"%s\", \"%s\")\n", class, machine, part[1], new
    }
}

END { exit failed }
