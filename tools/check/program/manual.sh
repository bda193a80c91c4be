#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The pages inside the program: each command and guide has one for man, which groff lays out without a warning; each
# option of the image is in `pmucheck help options` and its page; the guides are named in `pmucheck help`.
# Would catch a page that man cannot show, an option that a user of the package is not told of.
#
# usage: tools/check/program/manual.sh
set -eu
cd "$(dirname "$0")/../../.."
BUILD=${BUILD:-build}
program=$BUILD/tools/pmucheck
command -v groff >/dev/null || { echo "no groff: the package groff-base has it"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' HUP INT TERM
bad=0
fail() {
    echo "$1"
    bad=1
}

"$program" help --man-pages="$work"
"$program" help >"$work/help"
pages=$(find "$work" -path '*/man[157]/*' | LC_ALL=C sort)
for page in $pages; do
    warned=$(groff -man -ww -z -Tutf8 -K utf8 "$page" 2>&1)
    [ -z "$warned" ] || fail "$warned"
    # Without mandoc one reader of pages is enough.
    ! command -v mandoc >/dev/null || mandoc -T lint -W warning "$page" || bad=1
    name=$(basename "$page")
    case $name in pmucheck-*) ;; *) continue ;; esac
    topic=${name#pmucheck-} topic=${topic%.*}
    grep -q "^    $topic  *[^ ]" "$work/help" || fail "pmucheck help does not name $topic"
    "$program" help "$topic" | grep -q . || fail "pmucheck help $topic prints nothing"
    "$program" help --man "$topic" | cmp - "$page"
done
sed -n 's/^    \([a-z-]*\)  .*/\1/p' "$work/help" >"$work/names"
while read -r name; do
    ls "$work"/man?/"pmucheck-$name".? >/dev/null || bad=1
done <"$work/names"
"$program" help options >"$work/options"
groff -man -Tascii -P-c -P-b -P-u -K utf8 "$work/man7/pmucheck-options.7" >"$work/page"
"$BUILD/tools/option-list" "$BUILD/pmucheck.elf" | sed -n 's/^| `\([a-z-]*\).*/\1/p' >"$work/names"
while read -r option; do
    grep -qE "^ +\`${option}[\`= []" "$work/options" || fail "pmucheck help options does not tell of $option"
    grep -qE "^ +$option([= []|\$)" "$work/page" || fail "man pmucheck-options does not tell of $option"
done <"$work/names"
[ -s "$work/names" ] || fail "there are no options"
"$program" help --man-pages=/dev/null >"$work/out" 2>&1 && fail "pages were written into /dev/null"
grep -q '/dev/null: the pages cannot be written' "$work/out" || fail "$(cat "$work/out")"
echo "$(echo "$pages" | wc -l) pages, $(wc -l <"$work/names") options"
exit $bad
