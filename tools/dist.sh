#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Puts together everything that is published: images, network tree, host program, the model's library, LAVA jobs, texts,
# licences, results of the proofs, versions of the build's tools, and checksums; as a directory and as a tar file, with
# the download page (tools/download.sh) beside them. The same commit and packages give the same bytes. Called by `make
# dist`, which sets VERSION, COMMIT, EPOCH, CC, LD and CFLAGS.
#
# usage: tools/dist.sh [--proofs | --nightly]      --proofs: only prints a line for each proof that is missing;
#                                                  --nightly: only says how far make nightly is, which may be missing
set -eu
cd "$(dirname "$0")/.."
umask 022
export LC_ALL=C TZ=UTC
BUILD=${BUILD:-build}
PROOFS=${PROOFS:-$BUILD}                ## make dist: where make prove left its results
DIST=${DIST:-$BUILD/dist}               ## make dist: the directory to write
name=pmucheck-$VERSION
to=$DIST/$name

# A proof of another commit is about other tests.
missing_proofs() {
    for what in prove prove-benign prove-excuses prove-labels; do
        of=$(sed -n '1s/.* commit=\([^ ,]*\).*/\1/p' "$PROOFS/$what.txt" 2>/dev/null || true)
        [ "$of" = "$COMMIT" ] ||
            echo "the proof $PROOFS/$what.txt is ${of:+of commit $of, }not of commit $COMMIT: make prove makes it"
    done
}

# The state of `make nightly` for this commit and image: "whole failed=0"; nothing: its page is another's.
nightly() {
    sum=$([ ! -e "$BUILD/pmucheck.iso" ] || sha256sum <"$BUILD/pmucheck.iso" | cut -d ' ' -f 1)
    sed -n "s/^commit=$COMMIT image=${sum:-[0-9a-f]*} state=//p" "$PROOFS/nightly.md" 2>/dev/null || true
}

missing=$(missing_proofs)
if [ "${1-}" = --proofs ]; then
    [ -z "$missing" ] || echo "$missing"
    exit 0
fi
if [ "${1-}" = --nightly ]; then
    state=$(nightly)
    echo "make nightly: ${state:-$PROOFS/nightly.md is not of this commit and image}"
    exit 0
fi
[ -z "$missing" ] || { echo "$missing" >&2; exit 1; }

rm -rf "$to" "$to.tar.gz"
mkdir -p "$to/bin" "$to/proofs" "$to/model"
cp "$BUILD/pmucheck.iso" "$BUILD/pmucheck.img" "$to"
cp -R "$BUILD/netboot" "$to"
cp "$BUILD/libpmumodel.a" "$BUILD/libpmumodel.so.0" "$BUILD"/include/pmumodel*.h reference/test/model/example.c "$to/model"
# Debugging information names directories. The kernel keeps its symbols.
objcopy --strip-debug "$BUILD/pmucheck.elf" "$to/pmucheck.elf"
objcopy --strip-all "$BUILD/tools/pmucheck" "$to/bin/pmucheck"
for what in prove prove-benign prove-excuses prove-labels; do
    cp "$PROOFS/$what.txt" "$to/proofs"
done
[ -z "$(nightly)" ] || cp "$PROOFS/nightly.md" "$to/proofs"
tools/docs/pages.py licences "$to"
# The texts and pictures, in the places to which README.md links.
find README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md docs boot kernel pmu reference hosting tests iso tools \
    \( -name '*.md' -o -name '*.png' -o -path 'tools/lava/*' \) -type f |
    while read -r file; do
        mkdir -p "$to/$(dirname "$file")"
        cp "$file" "$to/$file"
    done
tools/docs/pages.py made "$to"
tools/docs/pages.py labels .. >"$to/docs/labels.md"

{
    echo "pmucheck $VERSION"
    echo "commit    $COMMIT"
    echo "date      $(date -u -d "@$EPOCH" '+%Y-%m-%d %H:%M:%S UTC')"
    echo "compiler  $($CC --version | head -n 1)"
    echo "linker    $($LD --version | head -n 1)"
    echo "flags     $CFLAGS"
    echo
    echo "The same commit, built with these packages of Debian, gives the same bytes. bin/pmucheck needs" \
        "$(objdump -p "$to/bin/pmucheck" | awk '$1 == "NEEDED" { printf "%s%s", comma, $2; comma = ", " }')."
    echo
    # shellcheck disable=SC2046 # package names are words
    dpkg-query -W -f '${Package} ${Version}\n' $(tools/dependencies.sh --list image tools) | sort
} >"$to/BUILD-INFO.txt"

chmod -R u=rwX,go=rX "$to"
(cd "$to" && find . -type f | sed 's,^\./,,' | sort | xargs sha256sum) >"$DIST/sums"
mv "$DIST/sums" "$to/SHA256SUMS"
find "$to" -exec touch -h -d "@$EPOCH" {} +
DOWNLOAD="$DIST/download" tools/download.sh
tar --format=gnu --sort=name --owner=0 --group=0 --numeric-owner -C "$DIST" -cf "$to.tar" "$name"
gzip -9n "$to.tar"
echo "$to and $to.tar.gz: $(wc -l <"$to/SHA256SUMS") files"
