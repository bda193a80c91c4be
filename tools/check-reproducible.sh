#!/bin/sh
# Builds the images again, from a copy of the sources in another directory and under another umask, and compares bytes.
# In the copy it then makes a test with the skeleton generator and builds it.
set -eu
cd "$(dirname "$0")/.."
BUILD=${BUILD:-build}
copy=$(mktemp -d)/pmucheck-in-another-directory
trap 'rm -rf "$(dirname "$copy")"' EXIT
commit=$(make -s print-COMMIT)
epoch=$(make -s print-EPOCH)
built=$(realpath "$BUILD")

umask 077
mkdir "$copy"
git ls-files -z --cached --others --exclude-standard --deduplicate | tar --null --files-from=- -cf - | tar -C "$copy" -xf -
cd "$copy"
unset BUILD MAKEFLAGS MAKEOVERRIDES MFLAGS
make -j 2 iso stick netboot BUILD=out COMMIT="$commit" SOURCE_DATE_EPOCH="$epoch"
for image in pmucheck.iso pmucheck.img netboot; do
    diff -r "$built/$image" "out/$image"
done

make new-test ID=sample.made-by-the-generator
make -j 2 kernel BUILD=out COMMIT="$commit"
tools/check-style.sh
clang-format --dry-run -Werror tests/sample/*.c
