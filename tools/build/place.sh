#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Where the build goes: a directory of its own, so that `make clean` can remove it whole. That is build/ in the tree, or
# a directory that was new or empty when a build first went there, which a file in it marks. Also refuses paths that
# make's rules and the shell would take apart.
#
# usage: tools/build/place.sh BUILD            prints a sentence if there can be no build, or else nothing
#        tools/build/place.sh --name BUILD     only if its name is none for make
#        tools/build/place.sh --remove BUILD   removes it
set -eu
tree=$(pwd -P)
MARK=.pmucheck-build

# odd PATH: true if it has a character that is not only a part of a name
odd() {
    case $1 in
    -* | *[[:space:]\"\'\\\$\#%:\;,\&\|\<\>\(\)\*\?\[\]\{\}~!\`=]*) return 0 ;;
    esac
    return 1
}

# place BUILD: sets the directory that this is, without links and dots: "new/.." is there before new is.
place() {
    place=$(realpath -m -- "$1")
}

# Does the directory hold the sources?
holds_tree() {
    case $tree/ in
    "${place%/}"/*) return 0 ;;
    esac
    return 1
}

is_own() {
    case $place/ in
    "$tree"/build/*) return 0 ;;
    esac
    [ -f "$place/$MARK" ] && ! holds_tree
}

if [ "$1" = --remove ]; then
    [ -n "$(ls -A -- "$2" 2>/dev/null)" ] || exit 0
    place "$2"
    is_own || { echo "BUILD=$2: no build made this directory, so nothing was removed" >&2 && exit 1; }
    # A link to it is the user's, and stays.
    find "$place" -mindepth 1 -delete
    [ -L "${2%/}" ] || rmdir -- "$place"
    exit 0
fi

NAME="has a blank or another character that make cannot work with: name another directory"
if [ "$1" = --name ]; then
    ! odd "$2" || echo "BUILD=$2 $NAME"
elif odd "$tree"; then
    echo "the path of the sources, $tree, has a blank or another character that make cannot work with: move them"
elif odd "$1"; then
    echo "BUILD=$1 $NAME"
elif ! place "$1"; then
    echo "BUILD=$1 cannot be written"
elif is_own; then
    :
elif holds_tree || [ -n "$(ls -A -- "$place")" ]; then
    echo "BUILD=$1 holds what no build made: name an empty or a new directory, which make clean may remove"
else
    mkdir -p -- "$place" && echo "make clean in $tree removes this directory and all in it" >"$place/$MARK" ||
        echo "BUILD=$1 cannot be written"
fi 2>/dev/null
