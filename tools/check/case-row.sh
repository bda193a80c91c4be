#!/bin/sh
# A case of a table such as tests/boot/boots.txt: lines of columns between "|", the name first, comments after "#". Prints
# its row without blanks around the columns; without a name: the names of all.
#
# usage: tools/check/case-row.sh TABLE [NAME]
set -eu
rows() {
    sed -e '/^#/d' -e '/^[[:blank:]]*$/d' -e 's/[[:blank:]]*|[[:blank:]]*/|/g' "$1"
}

[ $# -gt 1 ] || {
    rows "$1" | cut -d '|' -f 1
    exit 0
}
rows "$1" | awk -F '|' -v name="$2" '$1 == name { print; found = 1; exit } END { exit !found }' || {
    echo "$2: no such case in $1" >&2
    exit 1
}
