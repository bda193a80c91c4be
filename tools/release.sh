#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The checklist of a release. It looks whether all is there that a release of this commit needs, and prints a line for
# each thing that is missing, with what to do about it. If nothing is missing, it makes what is published (make dist),
# looks it through and signs it, and prints the commands that publish it. It never tags, pushes or uploads by itself.
# Called by `make release`.
#
# usage: [SIGN_KEY=FILE] tools/release.sh [--dry-run]      --dry-run: only the list; status 1 if something is missing
set -eu
cd "$(dirname "$0")/.."
umask 022
export BUILD="${BUILD:-build}" SIGN_KEY="${SIGN_KEY-}"
export PROOFS="${PROOFS:-$BUILD}"
export VERSION="${VERSION:-$(tools/version.sh)}" COMMIT="${COMMIT:-$(tools/version.sh --commit)}"
DIST=${DIST:-$BUILD/dist}
case ${1-} in
'' | --dry-run) ;;
*)
    sed -n 's/^# usage: /usage: /p' "$0" >&2
    exit 2 ;;
esac
git rev-parse -q --verify HEAD >/dev/null 2>&1 || { echo "git reads no clone here: a release is made in one" && exit 1; }

# The newest heading of CHANGELOG.md, without its marks: "0.2.0 (2026-01-31)".
heading() {
    sed -n 's/^## //p' CHANGELOG.md | head -n 1
}

# The lines under it.
entry() {
    awk '/^## / { if (++headings == 2) exit; next } headings' CHANGELOG.md
}

missing_version() {
    newest=$(heading)
    case $newest in
    "$VERSION ("[0-9]*) ;;
    *\(not\ yet\ released\))
        echo "CHANGELOG.md: \"$newest\" has no date: put it in place of \"not yet released\" and commit" ;;
    *) echo "CHANGELOG.md: $newest is the newest entry, and this is $VERSION: add \"## X.Y.Z (YYYY-MM-DD)\" and commit" ;;
    esac
    entry | grep -q '^- ' || echo "CHANGELOG.md: the entry \"$newest\" is empty: say what a user notices"
    tagged=$(git rev-parse -q --verify "v$VERSION^{commit}" || true)
    [ -z "$tagged" ] || [ "$tagged" = "$(git rev-parse HEAD)" ] ||
        echo "the tag v$VERSION is another commit's: a release is never changed; take the next version"
}

missing_tree() {
    [ -z "$(git status --porcelain)" ] || echo "there are changes that no commit has: commit or remove them (git status)"
    branch=$(git symbolic-ref -q --short HEAD || echo "no branch")
    [ "$branch" = main ] || echo "this is $branch: a release is made on main (git switch main)"
}

missing_results() {
    tested=$(cat "$BUILD/logs/test.txt" 2>/dev/null || true)
    case $tested in
    "commit=$COMMIT "*" 0 failed, "*) ;;
    "commit=$COMMIT "*) echo "make test: ${tested#* }: mend what failed (build/logs)" ;;
    *) echo "make test has not run on commit $COMMIT: run it" ;;
    esac
    tools/dist.sh --proofs
}

missing_key() {
    if [ -z "$SIGN_KEY" ]; then
        echo "SIGN_KEY names no key for the signatures: make release SIGN_KEY=FILE (minisign -G -W -s FILE makes one)"
    elif [ ! -f "$SIGN_KEY" ] || [ ! -r "$SIGN_KEY" ]; then
        echo "SIGN_KEY: $SIGN_KEY cannot be read: name minisign's secret key"
    fi
}

all_missing() {
    missing_tree
    missing_version
    missing_results
    missing_key
}

# Signs a file and puts its sum beside it, as tools/download.sh does with what it offers.
signed() {
    (cd "$(dirname "$1")" && sha256sum "$(basename "$1")") >"$1.sha256"
    minisign -S -s "$SIGN_KEY" -m "$1" -t "pmucheck $VERSION $COMMIT $(basename "$1")" -c "signature of pmucheck" >/dev/null
}

# What was made is what its names, sums and signatures say.
look_through() {
    (cd "$DIST/pmucheck-$VERSION" && sha256sum --quiet -c SHA256SUMS)
    (cd "$DIST/download" && sha256sum --quiet -c SHA256SUMS)
    for file in "$DIST"/download/*.minisig "$DIST"/*.minisig; do
        minisign -V -q -p "$DIST/download/pmucheck.pub" -m "${file%.minisig}"
    done
    told=$("$DIST/pmucheck-$VERSION/bin/pmucheck" --version)
    [ "$told" = "pmucheck $VERSION, commit $COMMIT" ] || { echo "the program says: $told" >&2; exit 1; }
}

missing=$(all_missing)
if [ -n "$missing" ]; then
    echo "$missing"
    echo "$(echo "$missing" | wc -l) missing for a release of $VERSION"
    exit 1
fi
echo "nothing is missing for release $VERSION, commit $COMMIT; $(tools/dist.sh --nightly)"
[ "${1-}" != --dry-run ] || exit 0

${MAKE:-make} dist DIST="$DIST" PROOFS="$PROOFS" SIGN_KEY="$SIGN_KEY"
entry >"$DIST/NOTES.md"
signed "$DIST/pmucheck-$VERSION.tar.gz"
look_through
cat <<NEXT
Made, looked through and signed: $DIST. What is left to do by hand:

    git tag -a v$VERSION -m "pmucheck $VERSION" $COMMIT
    git push origin main v$VERSION
    # upload $DIST/download/* and $DIST/pmucheck-$VERSION.tar.gz*, with $DIST/NOTES.md as text of the release

Then begin the next entry in CHANGELOG.md: "## X.Y.Z (not yet released)".
NEXT
