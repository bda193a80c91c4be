# The page of who was seen passing what, of tests/evidence/*.txt: CPU models down, chapters across, in each cell how many
# tests of the chapter held there on some machine.
#
# usage: awk -f evidence-page.awk CHAPTERS FILE...      CHAPTERS: a file of their names, one a line

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
    print "# Who was seen passing what"
    print ""
    print "Made of [tests/evidence](../tests/evidence/README.md) by `make readme-options`: CPU models down, chapters across."
    print "A cell tells how many tests of the chapter held on some machine of the model; `-`: none of them was seen yet."
    print ""
    print "## Machines"
    print ""
    if (models[0])
        table(0)
    else
        print "None yet. `pmucheck report --share LOG` makes a file of a log that can be given to us."
    print ""
    print "## Hosted machines, which count as nothing"
    print ""
    print "They show what a line looks like: this image, hosted on the reference PMU. No check accuses by them."
    print ""
    table(1)
}
