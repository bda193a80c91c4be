# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# A small git tree in a directory of its own, for checks of what is made from a tree's history. Sourced.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' HUP INT TERM
# What git reads: nothing of the user's.
export HOME="$work" GIT_CONFIG_NOSYSTEM=1 GIT_AUTHOR_NAME=a GIT_AUTHOR_EMAIL=a@b.invalid
export GIT_COMMITTER_NAME=a GIT_COMMITTER_EMAIL=a@b.invalid
unset GIT_DIR GIT_WORK_TREE

# small_tree NAME FILES: makes $work/NAME with a commit of these files and an empty CHANGELOG.md.
small_tree() {
    git init -q -b main "$work/$1"
    # shellcheck disable=SC2086 # names of files
    tar -cf - .gitattributes $2 | tar -C "$work/$1" -xf -
    printf '# Changes\n\n' >"$work/$1/CHANGELOG.md"
    tree=$work/$1
    commit first
}

# commit SUBJECT: changes a file, and commits all.
commit() {
    echo "$1" >>"$tree/file"
    git -C "$tree" add -A
    git -C "$tree" commit -q -m "$1"
}

# heading VERSION DATE: commits this heading on top of CHANGELOG.md.
heading() {
    printf '# Changes\n\n## %s (%s)\n\n- something\n' "$1" "$2" >"$tree/CHANGELOG.new"
    sed 1,1d "$tree/CHANGELOG.md" >>"$tree/CHANGELOG.new"
    mv "$tree/CHANGELOG.new" "$tree/CHANGELOG.md"
    commit "release $1"
}
