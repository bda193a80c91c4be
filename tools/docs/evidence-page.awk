# SPDX-License-Identifier: BSD-2-Clause
# Makes the tables of evidence from tests/evidence/*.txt: a row for each CPU model, a column for each chapter, and in each
# cell the number of the chapter's tests that held on some machine of the model.
#
# usage: awk -f evidence-page.awk CHAPTERS FILE...      CHAPTERS: a file with a chapter's name on each line

function field(name, text) {
    text = substr($0, index(" " $0, " " name "=") + length(name) + 1)
    if (text ~ /^"/)
        return substr(text, 2, index(substr(text, 2), "\"") - 1)
    sub(/ .*/, "", text)
    return text
}

NR == FNR { chapter[++chapters] = $1; next }
/^#/ { next }
{
    hosted = field("counts") != "yes"
    class = "0" substr(field("signature"), 2, 3) "0" substr(field("signature"), 6, 2) "0"
    model = field("brand") ", " class
    if (!((hosted, model) in machines))
        order[hosted, ++models[hosted]] = model
    machines[hosted, model]++
    names[hosted, model] = names[hosted, model] (names[hosted, model] ? ", " : "") field("machine")
    count = split(field("held"), held, ";")
    for (i = 1; i <= count; i++) {
        test = substr(held[i], 1, index(held[i], ":") - 1)
        if (!seen[hosted, model, test]++)
            tests[hosted, model, substr(test, 1, index(test, ".") - 1)]++
    }
}

function table(hosted,    m, c, model, n) {
    printf "| CPU and class | machines |"
    for (c = 1; c <= chapters; c++)
        printf " %s |", chapter[c]
    printf "\n|---|---|"
    for (c = 1; c <= chapters; c++)
        printf "---|"
    print ""
    for (m = 1; m <= models[hosted]; m++) {
        model = order[hosted, m]
        printf "| %s | %d: %s |", model, machines[hosted, model], names[hosted, model]
        for (c = 1; c <= chapters; c++) {
            n = tests[hosted, model, chapter[c]]
            printf " %s |", n ? n : "-"
        }
        print ""
    }
}

END {
    print "## Machines"
    print ""
    if (models[0])
        table(0)
    else
        print "None yet. `pmucheck report --share LOG` makes a file from a log that you can give to us."
    print ""
    print "## Hosted machines, which are no evidence"
    print ""
    print "Examples of the rows: this image, hosted on the reference PMU. They turn no failure from `review` into `fail`."
    print ""
    table(1)
}
