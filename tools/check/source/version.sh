#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# What tools/version.sh prints in small git trees made here: with and without tags, before and after a release, in a
# shallow clone, in an archive, with changes; and that dpkg sorts the versions of successive commits and releases.
# Would catch two commits that are told to be one version, a later one that sorts before an earlier one.
set -eu
cd "$(dirname "$0")/../../.."
. tools/check/source/small-tree.sh
bad=0

# is EXPECTED WHERE [OPTION]: what tools/version.sh prints there; G stands for the commit's first seven digits.
is() {
    digits=$(git -C "$work/tree" rev-parse HEAD 2>/dev/null | cut -c 1-7)
    found=$("$work/$2/tools/version.sh" ${3+"$3"} 2>&1) || true
    [ "$found" = "$(echo "$1" | sed "s/G/$digits/")" ] || { echo "$2: $found, expected $1"; bad=1; }
    echo "$found" >>"$work/seen"
}

# Successive commits of a tree without tags.
: >"$work/seen"
small_tree tree 'tools/version.sh tools/build/archive.txt'
is 0+0.gG tree
: >"$work/seen"
heading 0.1.0 '2026-01-01'
is 0.1.0 tree
commit one
is 0.1.0+1.gG tree
commit two
is 0.1.0+2.gG tree
for n in 3 4 5 6 7 8 9 10; do commit "$n"; done
is 0.1.0+10.gG tree
echo more >>"$work/tree/file"
is 0.1.0+10.gG.dirty tree
commit eleven
is 0.1.0+11.gG tree
heading 0.2.0 'not yet released'
is 0.1.0+12.gG tree
sed -i 's/^## 0\.2\.0.*/## 0.2.0 (2026-01-03)/' "$work/tree/CHANGELOG.md"
commit "release 0.2.0"
is 0.2.0 tree
is 0.2.0 tree --release
digits=$(git -C "$work/tree" rev-parse HEAD | cut -c 1-12)
is "$digits" tree --commit

# The tag changes nothing: a clone without it tells the same.
git clone -q "$work/tree" "$work/untagged"
git -C "$work/tree" tag v0.2.0
git -C "$work/tree" tag v9.0.0-test
is 0.2.0 tree
is 0.2.0 untagged
commit later
git -C "$work/untagged" pull -q --no-tags
is 0.2.0+1.gG tree
is 0.2.0+1.gG untagged

# An archive, of a tagged tree and of another; a copy that is neither.
for name in tree untagged; do
    mkdir "$work/of-$name"
    git -C "$work/$name" archive HEAD | tar -C "$work/of-$name" -xf -
done
is 0.2.0+1.gG of-tree
is 0.2.0+archive.gG of-untagged
is "$(git -C "$work/tree" log -1 --format=%ct)" of-tree --time
git clone -q "$work/tree" "$work/copy"
rm -rf "$work/copy/.git"
is 0.2.0+unknown copy
is unknown copy --commit
# A clone that git does not read, as a stranger's: told, not passed over.
git clone -q "$work/tree" "$work/unread"
rm "$work/unread/.git/HEAD"
"$work/unread/tools/version.sh" 2>&1 >/dev/null | grep -q 'git cannot read this clone' ||
    { echo "nothing tells that git cannot read a clone"; bad=1; }

# A clone of the last commit alone does not make up a count.
git clone -q --depth 1 --no-tags "file://$work/tree" "$work/shallow"
is 0.2.0+shallow.gG shallow

# The next release sorts after all of them.
heading 0.10.0 '2026-01-04'
is 0.10.0 tree

if command -v dpkg >/dev/null; then
    grep -E '^[0-9]+\.[0-9]+\.[0-9]+(\+[0-9].*)?$' "$work/seen" | awk '!seen[$0]++' >"$work/versions"
    last=
    while read -r version; do
        [ -z "$last" ] || dpkg --compare-versions "$last" lt "$version" || { echo "dpkg: $last is not before $version"; bad=1; }
        last=$version
    done <"$work/versions"
    echo "$(wc -l <"$work/versions") versions, in this order: $(tr '\n' ' ' <"$work/versions")"
fi
exit $bad
