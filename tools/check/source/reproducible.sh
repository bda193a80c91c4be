#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Builds the published files twice, the second time from a copy of the sources in another directory and under another
# umask, and compares bytes. In the copy it then makes a test with the skeleton generator and builds it.
# Would catch a path, a time or an order of files that gets into the published files.
set -eu
cd "$(dirname "$0")/../../.."
BUILD=${BUILD:-build}
copy=$(mktemp -d)/pmucheck-in-another-directory
trap 'rm -rf "$(dirname "$copy")"' EXIT
trap 'exit 130' HUP INT TERM
commit=$(make -s print-COMMIT)
version=$(make -s print-VERSION)
epoch=$(make -s print-EPOCH)
dist=$(realpath "$BUILD")/logs/dist

# Builds the published files, with stand-ins for the results of the proofs.
PROOFS=$(dirname "$copy")
export PROOFS
for what in prove prove-benign prove-excuses prove-labels; do
    echo "commit=$commit" | tee "$PROOFS/$what.html" | sed 's/^/pmucheck /' >"$PROOFS/$what.txt"
done
make -j 2 dist DIST="$dist"

umask 077
mkdir "$copy"
tools/check/copy-tree.sh "$copy"
cd "$copy"
unset BUILD MAKEFLAGS MAKEOVERRIDES MFLAGS
make -j 2 dist DIST=build-copy/dist BUILD=build-copy VERSION="$version" COMMIT="$commit" SOURCE_DATE_EPOCH="$epoch"
diff -r "$dist" build-copy/dist
(cd build-copy/dist/pmucheck-*/ && sha256sum --quiet -c SHA256SUMS && bin/pmucheck --help >/dev/null)
rm -rf "$dist"

make new-test ID=sample.made-by-the-generator
make -j 2 kernel BUILD=build-copy VERSION="$version" COMMIT="$commit"
git init -q && git add -A # git is needed by checks that list its files
tools/check/static.py texts.rules texts.named texts.openings texts.tests texts.names texts.lengths
clang-format --dry-run -Werror tests/sample/*.c reference/deviations/sample_*.c
