#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The model's state has owners: each member of struct model that holds state is written only by the file that the
# comment before its type names, and by the reset, which sets all of it. Deviations are faults, and may write all of it.
# Would catch state of the model that is changed from afar, or that a reset forgets.
set -eu
cd "$(dirname "$0")/../../.."
model=reference/model

# "MEMBER FILE" of each part: `struct NAME_state` and the file that the comment before it names.
owners() {
    sed -nE 's,^/\* ([a-z_]+)\.c.*,\1,p; s,^struct ([a-z_]+)_state \{.*,= \1,p' "$model/model_state.h" |
        awk '$1 == "=" { print $2, file } $1 != "=" { file = $1 }'
}

owners | {
    bad=0 count=0
    while read -r member file; do
        count=$((count + 1))
        write="m->$member\\.[a-z_]+(\\[[^]]*\\])? *([-|&^+]|<<|>>)?=[^=]|(\\+\\+|--)m->$member\\.|m->$member\\.[a-z_]+(\\[[^]]*\\])?(\\+\\+|--)"
        found=$(find "$model" -name '*.c' | LC_ALL=C sort | xargs grep -nE "$write" | grep -vE "/($file|reset)\\.c:" || true)
        [ -n "$found" ] || continue
        echo "written outside of $file.c:"
        echo "$found" | sed 's/^/    /'
        bad=1
    done
    [ "$count" -gt 10 ] || { echo "$model/model_state.h names no owners"; exit 1; }
    [ "$bad" = 0 ] || exit 1
    echo "$count parts of the model's state are written by their owners alone"
}
