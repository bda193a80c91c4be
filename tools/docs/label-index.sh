#!/bin/sh
# Which file a label of a log comes from, as a Markdown table: the labels of checks, measurements and notes, by name.
# Every word of that form in a test or in the harness is listed: some are no labels.
#
# usage: tools/docs/label-index.sh >docs/labels.md      (make readme-options calls it)
set -eu
cd "$(dirname "$0")/../.."
cat <<'HEAD'
# From a label to its file

A line of a log names a test and a label: `# fail pmi.mask-set label=lvtpc-not-masked`. The test's id is its path,
`tests/pmi/mask-set.c`; the label is written in one of the files here. `make readme-options` renews this page.

| label | where |
|---|---|
HEAD
find tests -name '*.c' ! -path 'tests/host/*' ! -path 'tests/fuzz/*' ! -path 'tests/foreign/*' \
    ! -path 'tests/harness/mode/*' ! -path 'tests/harness/report/*' | LC_ALL=C sort |
    xargs grep -oE '"[a-z0-9]+(-[a-z0-9]+)+"|\(t, "[a-z0-9]+"' |
    sed -E 's/^([^:]*):.*"([^"]*)"$/\2 \1/' | LC_ALL=C sort -u |
    awk '{
        if (!($1 in where))
            order[++n] = $1
        where[$1] = where[$1] (where[$1] == "" ? "" : ", ") "[" substr($2, 7) "](../" $2 ")"
    }
    END { for (i = 1; i <= n; i++) print "| `" order[i] "` | " where[order[i]] " |" }'
