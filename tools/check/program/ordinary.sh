#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# `make run` of an ordinary user, who may install nothing and write only into a copy of the tree and a home directory; the
# tree's path is not plain ASCII. What else is built is only walked through (make -n), to see what it asks of the
# machine, and the packages for each purpose are looked for.
# Would catch a build that writes elsewhere or needs root. Root rights are needed to become such a user: without them,
# it runs as the present user.
#
# usage: tools/check/program/ordinary.sh
set -eu
cd "$(dirname "$0")/../../.."
commit=$(make -s print-COMMIT)
version=$(make -s print-VERSION)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' HUP INT TERM
tree=$(printf '%s/\303\274ber' "$work") # a u with two dots, in UTF-8
mkdir "$tree" "$work/home"
tools/check/copy-tree.sh "$tree"
become=
[ "$(id -u)" != 0 ] || {
    chmod 711 "$work"
    chown -R nobody:nogroup "$tree" "$work/home"
    become="setpriv --reuid=nobody --regid=nogroup --clear-groups --no-new-privs --bounding-set=-all"
}

ordinary() {
    # shellcheck disable=SC2086 # words
    (cd "$tree" && $become env -i PATH=/usr/local/bin:/usr/bin:/bin HOME="$work/home" LC_ALL=C.UTF-8 "$@")
}

ordinary make -j 2 VERSION="$version" COMMIT="$commit" run OPTIONS="quick run=enum.*" CPUS=1 TIMEOUT=600
# What is installed for root is found by the ordinary user, too.
for group in image tools run check fuzz browser signing lava http deb roots minisign; do
    ! INSTALL=no PATH="$PATH:/usr/sbin" tools/dependencies.sh $group 2>/dev/null ||
        ordinary INSTALL=no tools/dependencies.sh $group
done
ordinary make -n VERSION="$version" COMMIT="$commit" all netboot static >/dev/null
[ -z "$(find "$work/home" "$tree" ! -user "$([ -z "$become" ] && id -un || echo nobody)" -print -quit)" ]
