#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Builds the host program as an ordinary user, who may install nothing and write only into a copy of the tree and a home
# directory. The rest of the build is only walked through (make -n), to see what it asks of the machine, and the packages
# for each purpose are looked for.
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
mkdir "$work/tree" "$work/home"
tools/check/copy-tree.sh "$work/tree"
become=
[ "$(id -u)" != 0 ] || {
    chmod 711 "$work"
    chown -R nobody:nogroup "$work/tree" "$work/home"
    become="setpriv --reuid=nobody --regid=nogroup --clear-groups --no-new-privs --bounding-set=-all"
}

ordinary() {
    # shellcheck disable=SC2086 # words
    (cd "$work/tree" && $become env -i PATH=/usr/local/bin:/usr/bin:/bin HOME="$work/home" LC_ALL=C.UTF-8 "$@")
}

ordinary make -j 2 INSTALL=no VERSION="$version" COMMIT="$commit" static
# What is installed for root is found by the ordinary user, too.
for group in --check --browser --signing --lava --http --deb --minisign; do
    ! INSTALL=no PATH="$PATH:/usr/sbin" tools/dependencies.sh $group 2>/dev/null ||
        ordinary INSTALL=no tools/dependencies.sh $group
done
ordinary build/static/pmucheck --version
ordinary make -n INSTALL=no VERSION="$version" COMMIT="$commit" all netboot >/dev/null
[ -z "$(find "$work/home" "$work/tree" ! -user "$([ -z "$become" ] && id -un || echo nobody)" -print -quit)" ]
