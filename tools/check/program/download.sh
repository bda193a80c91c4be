#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The download page, made twice by a user without rights: the same bytes, each file with its checksum and a signature
# that fits, no dead link, no address except those of the tools that it names, and a host program that starts without a
# library.
# Would catch a page that cannot be checked, or that differs from one build to the next.
#
# usage: tools/check/program/download.sh
set -u
cd "$(dirname "$0")/../../.." || exit 1
tools/dependencies.sh minisign || exit 1
BUILD=$(realpath "${BUILD:-build}")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' HUP INT TERM
bad=0

fail() {
    echo "$1"
    bad=1
}

chmod 755 "$work"
cp -R tools LICENSE "$work" # where a user without rights may read
mkdir "$work/build" "$work/build/static"
cp -R "$BUILD/pmucheck.iso" "$BUILD/pmucheck.img" "$BUILD/netboot" "$work/build"
cp "$BUILD/static/pmucheck" "$work/build/static"
minisign -G -W -f -p "$work/key.pub" -s "$work/key" >/dev/null || exit 1
[ "$(id -u)" != 0 ] || chown -R nobody "$work"

# make DIRECTORY: makes the page, as a user without rights
make_page() {
    as=''
    [ "$(id -u)" != 0 ] || as='setpriv --reuid=nobody --clear-groups'
    # shellcheck disable=SC2086 # a command and its options
    $as env HOME="$work" BUILD="$work/build" DOWNLOAD="$work/$1" SIGN_KEY="$work/key" VERSION=1.2.3+45.g0123456 COMMIT=0123456789ab \
        EPOCH=1700000000 sh "$work/tools/download.sh" >"$work/out" 2>&1 || { cat "$work/out"; exit 1; }
}
make_page one
sleep 1
make_page two
diff -r "$work/one" "$work/two" || fail "two pages of one build differ"

cd "$work/one" || exit 1
sha256sum --quiet -c SHA256SUMS || fail "a sum does not fit"
while read -r _ file; do
    sha256sum --quiet -c "$file.sha256" || fail "$file.sha256 does not fit"
    minisign -V -q -p ../key.pub -m "$file" || fail "$file: its signature does not fit"
    grep -qF "href=\"$(echo "$file" | sed 's/+/%2B/g')\"" index.html || fail "the page does not offer $file"
done <SHA256SUMS
cp pmucheck.img changed
printf x | dd of=changed bs=1 seek=100000 conv=notrunc 2>/dev/null
minisign -V -q -p ../key.pub -m changed -x pmucheck.img.minisig 2>/dev/null && fail "the signature fits a changed image"
grep -oE 'href="[^"]+"' index.html | sed 's/href="//; s/"$//; s/%2B/+/g' | while read -r link; do
    case $link in
    https://jedisct1.github.io/minisign/) ;;
    *) [ -e "$link" ] || echo "the page points to $link, which is not there" ;;
    esac
done >"$work/links"
[ ! -s "$work/links" ] || { cat "$work/links"; bad=1; }
grep -q '@[A-Z_]*@' index.html && fail "a placeholder of the page was not filled"
for words in 'Windows' 'macOS' 'Linux' 'Secure Boot' 'DD image' 'minisign -V' 'report --share'; do
    grep -qF "$words" index.html || fail "the page does not say: $words"
done
program=$(echo pmucheck-*-x86_64)
objdump -p "$program" | grep -q NEEDED && fail "$program needs libraries"
env -i "./$program" --version >/dev/null || fail "$program does not start"
exit $bad
