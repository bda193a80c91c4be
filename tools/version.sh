#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Prints which pmucheck this tree is: the last release, and how many commits are on top of it. Whatever shows a version
# has it from here, by the Makefile's VERSION.
#
#   0.2.0                   the commit that is released
#   0.2.0+38.g8b0314d       38 commits later; dpkg and rpm sort these by their count, between two releases
#   0.2.0+38.g8b0314d.dirty with changes that no commit has
#   0.2.0+shallow.g8b0314d  a clone without the history that would tell the count: `git fetch --unshallow` gets it
#   0.2.0+archive.g8b0314d  an archive of a commit that no tag names
#   0.2.0+unknown           neither git nor an archive made by it
#
# The last release is the newest tag vX.Y.Z before this commit, or the newest heading "## X.Y.Z (YYYY-MM-DD)" of
# CHANGELOG.md if that is newer: then the commit that gave this heading its date is the one that is released. So a clone
# without tags tells the same version. A tree that `git archive` wrote knows its commit by tools/build/archive.txt.
#
# usage: tools/version.sh [--commit | --time | --release]
#            --commit: twelve digits of the commit, or unknown; --time: the commit's, in seconds since 1970;
#            --release: only the last release's version
set -eu
export LC_ALL=C
cd "$(dirname "$0")/.."
TAGS='v[0-9]*.[0-9]*.[0-9]*'
DATE='[0-9]*-[0-9]*-[0-9]*'

# Is this directory the top of a clone, and not one within another project's?
in_clone() {
    top=$(git rev-parse --show-cdup 2>/dev/null) && [ -z "$top" ] && git rev-parse -q --verify HEAD >/dev/null
}

# told KEY: what git archive wrote into its file; nothing in a clone.
told() {
    sed -n "s/^$1 \([^\$]*\)\$/\1/p" tools/build/archive.txt
}

heading() {
    sed -n "s/^## \([0-9]*\.[0-9]*\.[0-9]*\) ($DATE)\$/\1/p" CHANGELOG.md | head -n 1
}

# later A B: is version A later than B, or the same? An empty one is not.
later() {
    [ -n "$1" ] && [ "$(printf '%s\n' "$1" "$2" | sort -V | tail -n 1)" = "$1" ]
}

# The commit of the last release.
released() {
    if [ -z "$release" ]; then
        : # neither a tag nor a heading
    elif [ "$release" = "$tagged" ]; then
        git rev-parse "v$tagged^{commit}"
    else
        git log -1 --format=%H -G"^## $(echo "$release" | sed 's/\./[.]/g') [(]${DATE}[)]" -- CHANGELOG.md
    fi
}

dirty() {
    [ -z "$(git status --porcelain)" ] || echo "$1"
}

# How a clone is beyond the release: "+38.g8b0314d", or nothing.
beyond() {
    if [ "$release" != "$tagged" ] && [ "$(git rev-parse --is-shallow-repository)" = true ]; then
        count=shallow
    else
        from=$(released)
        # Without one, the heading is in no commit yet.
        count=$(if [ -z "$from" ]; then echo 0; else git rev-list --count "$from..HEAD"; fi)
    fi
    state=$(dirty .dirty)
    [ "$count$state" = 0 ] && [ -n "$from" ] || echo "+$count.g$(git rev-parse HEAD | cut -c 1-7)$state"
}

# The same of an archive: git described it as v0.2.0-38-g8b0314d.
beyond_archived() {
    commit=$(told commit)
    count=$(told describe | sed -n 's/.*-\([0-9]*\)-g[0-9a-f]*$/\1/p')
    if [ -z "$commit" ]; then
        echo +unknown
    elif [ "$release" != "$tagged" ]; then
        echo "+archive.g$(echo "$commit" | cut -c 1-7)"
    elif [ -n "$count" ]; then
        echo "+$count.g$(echo "$commit" | cut -c 1-7)"
    fi
}

version() {
    if in_clone; then
        tag=$(git describe --tags --abbrev=0 --match "$TAGS" --exclude '*-*' 2>/dev/null || true)
        after=beyond
    else
        [ ! -e .git ] || echo "git cannot read this clone, so its commit is unknown; \`git status\` says why" >&2
        tag=$(told describe | sed 's/-[0-9]*-g[0-9a-f]*$//')
        after=beyond_archived
    fi
    tagged=${tag#v}
    release=$(heading)
    ! later "$tagged" "$release" || release=$tagged
    echo "${release:-0}$([ "$1" = release ] || $after)"
}

case ${1-} in
--commit)
    if in_clone; then
        echo "$(git rev-parse HEAD | cut -c 1-12)$(dirty -dirty)"
    else
        commit=$(told commit | cut -c 1-12)
        echo "${commit:-unknown}"
    fi ;;
--time) if in_clone; then git log -1 --format=%ct; else told time; fi ;;
--release) version release ;;
'') version whole ;;
*)
    sed -n 's/^# usage: /usage: /p' "$0" >&2
    exit 2 ;;
esac
