#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The checklist of a release, tools/release.sh --dry-run, in a small git tree made here: each thing that is missing is
# named, alone, and nothing is missing when all is there.
# Would catch a release from a changed tree, without proofs of its commit, or without an entry in CHANGELOG.md.
set -eu
cd "$(dirname "$0")/../../.."
. tools/check/source/small-tree.sh
bad=0
small_tree tree 'tools/version.sh tools/build/archive.txt tools/release.sh tools/dist.sh'
mkdir -p "$work/build/logs"
echo key >"$work/key"

# dry_run STATUS TEXT [NAME=VALUE]...: the checklist ends with this status, and its first line has this text. What is
# not under test is alright: the results of this commit are there, and a key.
dry_run() {
    wanted=$1 text=$2
    shift 2
    status=0
    env BUILD="$work/build" SIGN_KEY="$work/key" "$@" "$tree/tools/release.sh" --dry-run >"$work/out" 2>&1 || status=$?
    [ "$status" = "$wanted" ] && head -n 1 "$work/out" | grep -qF "$text" && [ "$(wc -l <"$work/out")" = $((wanted + 1)) ] &&
        return
    echo "expected, with status $wanted: $text"
    sed 's/^/    /' "$work/out"
    bad=1
}

# results [COMMIT] [SUM]: of make test and make prove
results() {
    of=${1:-$("$tree/tools/version.sh" --commit)}
    echo "commit=$of ${2:-9 passed, 0 failed, 0 skipped}" >"$work/build/logs/test.txt"
    for what in prove prove-benign prove-excuses prove-labels; do
        echo "pmucheck commit=$of" >"$work/build/$what.txt"
        echo "$of" >"$work/build/$what.html"
    done
}

heading 0.1.0 2026-01-01
results
dry_run 0 "nothing is missing for release 0.1.0"
dry_run 1 "SIGN_KEY names no key" SIGN_KEY=
dry_run 1 "/no/such/key cannot be read" SIGN_KEY=/no/such/key
dry_run 1 "$work cannot be read" SIGN_KEY="$work" # a directory
! env BUILD="$work/build" SIGN_KEY="$work/key" "$tree/tools/release.sh" --dryrun >"$work/out" 2>&1 ||
    { echo "a misspelt option makes a release"; bad=1; }
grep -q '^usage: ' "$work/out" || { echo "a misspelt option is not told"; bad=1; }
results "" "9 passed, 1 failed, 0 skipped"
dry_run 1 "make test: 9 passed, 1 failed, 0 skipped: mend what failed"
results
rm "$work/build/logs/test.txt"
dry_run 1 "make test has not run on commit"
results
rm "$work/build/prove-benign.html"
dry_run 1 "prove-benign.txt is of commit"
results
git -C "$tree" switch -q -c other
dry_run 1 "this is other: a release is made on main"
git -C "$tree" switch -q main
commit "later than the release"
results
dry_run 1 'CHANGELOG.md: 0.1.0 (2026-01-01) is the newest entry, and this is 0.1.0+1.g'
heading 0.2.0 "not yet released"
results
dry_run 1 'CHANGELOG.md: "0.2.0 (not yet released)" has no date'
sed -i 's/^## 0\.2\.0.*/## 0.2.0 (2026-01-02)/; /^## 0\.2/,/^## 0\.1/{/^- /d}' "$tree/CHANGELOG.md"
commit "release 0.2.0"
results
dry_run 1 'CHANGELOG.md: the entry "0.2.0 (2026-01-02)" is empty'
sed -i 's/^## 0\.2\.0.*/## 0.2.0 (2026-01-03)\n\n- something/' "$tree/CHANGELOG.md"
commit "release 0.2.0, with an entry"
results
dry_run 0 "nothing is missing for release 0.2.0"
git -C "$tree" tag v0.2.0
dry_run 0 "nothing is missing for release 0.2.0"
# A tag that someone moved: the version is told from it, and the heading contradicts it.
git -C "$tree" tag -f v0.2.0 HEAD~1 >/dev/null
dry_run 1 "and this is 0.2.0+1.g"
git -C "$tree" tag -f v0.2.0 "$(git -C "$tree" commit-tree -m elsewhere 'HEAD^{tree}')" >/dev/null
dry_run 1 "the tag v0.2.0 is another commit's"
git -C "$tree" tag -d v0.2.0 >/dev/null
echo more >"$tree/forgotten"
results
"$tree/tools/release.sh" --dry-run >"$work/out" 2>&1 && { echo "a changed tree may be released"; bad=1; }
grep -q "there are changes that no commit has" "$work/out" || { cat "$work/out"; bad=1; }
rm -rf "$tree/.git"
"$tree/tools/release.sh" --dry-run >"$work/out" 2>&1 && { echo "sources without git may be released"; bad=1; }
[ "$(cat "$work/out")" = "git reads no clone here: a release is made in one" ] || { cat "$work/out"; bad=1; }
exit $bad
