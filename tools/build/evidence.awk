# SPDX-License-Identifier: BSD-2-Clause
# Makes the image's table of evidence from tests/evidence/*.txt: EVIDENCE(class, log, test, labels) with the labels that
# no earlier line has shown for the class. Lines with counts=no are left out.
#
# usage: awk -f evidence.awk FILE...

function field(name,    at, text) {
    at = index(" " $0, " " name "=")
    if (!at) {
        print FILENAME ":" FNR ": there is no " name "=" >"/dev/stderr"
        failed = 1
        exit 1
    }
    text = substr($0, at + length(name) + 1)
    sub(/ .*/, "", text)
    return text
}

!/^#/ && field("counts") == "yes" {
    signature = field("signature")
    class = "0" substr(signature, 2, 3) "0" substr(signature, 6, 2) "0" # CPUID.1:EAX without the stepping
    tests = split(field("held"), held, ";")
    for (i = 1; i <= tests; i++) {
        split(held[i], part, ":")
        labels = split(part[2], label, ",")
        new = ""
        for (k = 1; k <= labels; k++)
            if (!seen[class, part[1], label[k]]++)
                new = new (new ? "," : "") label[k]
        if (new)
            printf "EVIDENCE(0x%s, \"%s\", \"%s\", \"%s\")\n", class, field("machine"), part[1], new
    }
}

END { exit failed }
