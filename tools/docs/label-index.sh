#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Prints a Markdown table of the files in which a log's labels are defined: labels of checks, measurements and notes, by
# name. Every word of that form in a test or in the harness is listed: some are no labels.
#
# usage: tools/docs/label-index.sh ROOT      (make docs and make dist call it; ROOT leads from the page to the sources)
set -eu
root=$1
cd "$(dirname "$0")/../.."
cat <<HEAD
# From a label to its file

A line of a log names a test and a label: \`# fail pmi.mask-set label=lvtpc-not-masked\`. The test's id is its path,
\`tests/pmi/mask-set.c\`; the label is written in one of the files here.

How much a failed check matters, and what to do about it, stands in
[severity.def]($root/tools/pmucheck/log/severity.def): critical, where software is wrong without a sign, or memory and
secrets are at risk; high, where profiling or a watchdog breaks; medium, where software must work around it; low, what
is untidy or the firmware's. Of a label that several chapters use, each has its own; what only measures has none that
counts.

| label | severity | where |
|---|---|---|
HEAD
{
    find tests reference/mode -name '*.c' ! -path 'tests/host/*' ! -path 'tests/fuzz/*' \
        \( ! -path '*/mode/*' -o -name walk_check_pure.c \) ! -path 'tests/harness/report/*' | LC_ALL=C sort |
        xargs grep -oE '"[a-z0-9]+(-[a-z0-9]+)+"|\(t, "[a-z0-9]+"' |
        sed -E 's/^([^:]*):.*"([^"]*)"$/\2 \1/'
    # Labels of one word come from the list of all labels: other words of that form are no labels.
    sed -n 's/^\([a-z0-9]*\)[.]\([^ ]*\) \([a-z0-9]*\)\( [bp].*\)\{0,1\}$/\3 tests\/\1\/\2.c/p' tests/labels.txt |
        while read -r label file; do
            ! grep -qF "\"$label\"" "$file" || echo "$label $file"
        done
} | LC_ALL=C sort -u |
    awk -v root="$root" '
    # Rows SEVERITY("test", "label", LEVEL, ...); the first match counts.
    BEGIN {
        while ((getline line <"tools/pmucheck/log/severity.def") > 0)
            if (split(line, part, "\"") > 4 && line ~ /^SEVERITY/) {
                test[++rows] = part[2]; label[rows] = part[4]
                split(part[5], word, /[ ,]+/); level[rows] = tolower(word[2])
            }
    }
    function fits(pattern, name) {
        return pattern ~ /[*]$/ ? index(name, substr(pattern, 1, length(pattern) - 1)) == 1 : pattern == name
    }
    function severity(file, name, i, id) {
        id = file ~ /walk_check/ ? "lockstep" : substr(file, 7); gsub("/", ".", id)
        if (id ~ /^harness/)
            return "by its test"
        for (i = 1; i < rows && !(fits(test[i], id) && fits(label[i], name)); i++)
            ;
        return level[i]
    }
    {
        if (!($1 in where))
            order[++n] = $1
        grave = severity($2, $1)
        if (index(", " levels[$1] ",", ", " grave ",") == 0)
            levels[$1] = levels[$1] (levels[$1] == "" ? "" : ", ") grave
        where[$1] = where[$1] (where[$1] == "" ? "" : ", ") "[" substr($2, 7) "](" root "/" $2 ")"
    }
    END { for (i = 1; i <= n; i++) print "| <a id=\"" order[i] "\"></a>`" order[i] "` | " levels[order[i]] " | " where[order[i]] " |" }'
