#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# What is tracked, in all folders: no file is above 200 KB; none is binary, an archive, a core dump, a symbolic link or
# another repository, except what tools/check/source/tree.txt allows, with a reason; the root holds what that list names;
# each source file says under which licence it is.
# Would catch a debugger's core dump, a built image, a log that was added by `git add .`.
#
# usage: tools/check/source/tree.sh [DIRECTORY]      another git tree; the list is always the project's
set -eu
cd "$(dirname "$0")/../../.."
LARGEST=200000 # bytes
LICENCE='SPDX-License-Identifier: BSD-2-Clause'
list=$PWD/tools/check/source/tree.txt
cd "${1-.}"
git rev-parse --is-inside-work-tree >/dev/null 2>&1 || { echo "no git tree: nothing is tracked"; exit 77; }

# allowed KIND PATH
allowed() {
    while read -r what pattern _; do
        # shellcheck disable=SC2254 # a pattern on purpose
        [ "$what" != "$1" ] || case $2 in $pattern) return 0 ;; esac
    done <"$list"
    return 1
}

# tracked: NUL-terminated paths of tracked files, links and removed ones left out.
tracked() {
    # shellcheck disable=SC2016 # the inner shell's own
    git ls-files -z --deduplicate | xargs -0 -r sh -c 'for file; do
        [ ! -f "$file" ] || [ -L "$file" ] || printf "%s\\0" "$file"; done' sh
}

# kind_of FILE: what the first bytes of a file are that git takes for binary. tar writes its name at byte 257.
kind_of() {
    case $(od -An -v -tx1 -N262 "$1" | tr -d ' \n') in
    7f454c46*) echo ELF ;;
    1f8b* | fd377a585a00* | 425a68* | 28b52ffd* | 04224d18* | 504b0[357]0* | 377abcaf271c*) echo archive ;;
    213c617263683e* | 3037303730[127]* | c771* | 68737173* | 52617221* | *7573746172) echo archive ;; # ar to tar
    *) echo binary ;;
    esac
}

# binaries: paths of tracked files that are no text; ar makes text of texts.
binaries() {
    git ls-files -z --eol | tr '\0' '\n' | sed -n 's/^i\/-text[^\t]*\t//p'
    # shellcheck disable=SC2016 # awk's own fields
    tracked | xargs -0 -r awk '/^!<arch>$/ { print FILENAME } { nextfile }'
}

# Prints a line for each fault.
faults() {
    git ls-files -z | tr '\0' '\n' | cut -d / -f 1 | LC_ALL=C sort -u | while IFS= read -r entry; do
        allowed root "$entry" || echo "$entry: not an entry of the root that tools/check/source/tree.txt allows"
    done
    git ls-files -s | sed -n 's/^120000 [^\t]*\t\(.*\)/\1: a symbolic link/p
        s/^160000 [^\t]*\t\(.*\)/\1: another repository/p'
    tracked | xargs -0 -r stat -c '%s %n' -- | awk -v most=$LARGEST '
        $1 + 0 > most { size = $1; sub(/^[0-9]+ /, ""); print $0 ": " size " bytes, and at most " most " are allowed" }'
    binaries | LC_ALL=C sort -u | while IFS= read -r file; do
        kind=$(kind_of "$file")
        allowed "$kind" "$file" || echo "$file: $kind, which tools/check/source/tree.txt does not allow"
    done
    # Sources by their names, and scripts by their first lines.
    # shellcheck disable=SC2016 # awk's own fields
    tracked | xargs -0 -r awk -v licence="$LICENCE" '
        function told() { if (source && !licensed) print file ": its first two lines do not say " licence }
        FNR == 1 {
            told()
            file = FILENAME
            source = /^#! *\// || \
                file ~ /\.(c|h|S|s|cc|cpp|rs|go|py|pl|def|asm|inc|ld|mk|sh|awk|gdb|js|css)$|(^|\/)Makefile$/
            licensed = 0
        }
        FNR <= 2 && $0 ~ licence "( |$)" && !/ (AND|OR|WITH) / { licensed = 1 }
        FNR == 2 { nextfile }
        END { told() }'
}

found=$(faults)
[ -z "$found" ] || { echo "$found"; exit 1; }
echo "$(git ls-files | wc -l) tracked files: none is out of place"
