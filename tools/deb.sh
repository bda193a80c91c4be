#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Makes Debian packages from the build: pmucheck, the host program with its images, and libpmumodel-dev, the model as a
# library. Fails on any error that lintian finds in them. The same commit and build give the same packages. Called by
# `make deb`, which sets VERSION, COMMIT, EPOCH, CC and LD.
#
# usage: tools/deb.sh
set -eu
cd "$(dirname "$0")/.."
BUILD=${BUILD:-build}
MAINTAINER=${MAINTAINER:-$(sed -n 's/^Maintainer: //p' tools/debian/control)} ## make deb: whose packages they are
VERSION=${VERSION:?make deb tells it}
EPOCH=${EPOCH:?make deb tells it}
TREE=$PWD
to=$BUILD/deb
tools/dependencies.sh deb

rm -rf "$to"
mkdir -p "$to/source"
cp -R tools/debian "$to/source/debian"
sed -i "s/^Maintainer: .*/Maintainer: $MAINTAINER/" "$to/source/debian/control"
cat >"$to/source/debian/changelog" <<LOG
pmucheck ($VERSION) unstable; urgency=medium

  * Built from the commit of this date.

 -- $MAINTAINER  $(LC_ALL=C TZ=UTC date -d "@$EPOCH" '+%a, %d %b %Y %H:%M:%S +0000')
LOG
export TREE SOURCE_DATE_EPOCH="$EPOCH" BUILD VERSION COMMIT="${COMMIT:?make deb tells it}" CC="${CC:?}" LD="${LD:?}"
(cd "$to/source" && dpkg-buildpackage --build=binary --no-sign --no-check-builddeps) >"$to/build.log" 2>&1 || {
    tail -n 40 "$to/build.log" >&2
    exit 1
}
lintian --fail-on error --allow-root "$to"/*.changes >"$to/lintian.log" 2>&1 || {
    cat "$to/lintian.log" >&2
    exit 1
}
rm -rf "$to/source"
ls "$to"/*.deb
