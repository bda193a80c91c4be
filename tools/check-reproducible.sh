#!/bin/sh
# Builds the image again, from a copy of the sources in another directory and under another umask, and compares bytes.
# In the copy it then makes a test with the skeleton generator and builds it.
set -eu
cd "$(dirname "$0")/.."
BUILD=${BUILD:-build}
copy=$(mktemp -d)/pmucheck-in-another-directory
trap 'rm -rf "$(dirname "$copy")"' EXIT
commit=$(make -s print-COMMIT)
epoch=$(make -s print-EPOCH)
image=$(realpath "$BUILD/pmucheck.iso")

umask 077
mkdir "$copy"
git ls-files -z --cached --others --exclude-standard --deduplicate | tar --null --files-from=- -cf - | tar -C "$copy" -xf -
cd "$copy"
unset BUILD MAKEFLAGS MAKEOVERRIDES MFLAGS
make -j 2 iso BUILD=out COMMIT="$commit" SOURCE_DATE_EPOCH="$epoch"
sha256sum "$image" out/pmucheck.iso
cmp "$image" out/pmucheck.iso

make new-test ID=sample.made-by-the-generator
make -j 2 kernel BUILD=out COMMIT="$commit"
tools/check-style.sh
clang-format --dry-run -Werror tests/sample/*.c
