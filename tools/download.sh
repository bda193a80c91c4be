#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Puts together the files of a download page: images, network tree, the host program as a static binary and, if they
# were built, as packages, each with its checksum and, with SIGN_KEY, a detached signature; the page of CPU models, if
# `make models` has made it; and the page itself, which says who needs which file, and has the models at a glance. The
# same commit and key give the same bytes. Called by `make download`, which sets VERSION, COMMIT
# and EPOCH.
#
# usage: [SIGN_KEY=FILE] tools/download.sh
set -eu
cd "$(dirname "$0")/.."
umask 022
export LC_ALL=C TZ=UTC
BUILD=${BUILD:-build}
DOWNLOAD=${DOWNLOAD:-$BUILD/download}   ## make download: the directory to write
SIGN_KEY=${SIGN_KEY-}                   ## make download, make dist: minisign's secret key for the signatures, without a password

rm -rf "$DOWNLOAD"
mkdir -p "$DOWNLOAD"
page=$(mktemp -d)
trap 'rm -rf "$page"' EXIT
trap 'exit 130' HUP INT TERM
: >"$page/files"
: >"$page/signed"
: >"$page/models"

packed() {
    tar --format=gnu --sort=name --owner=0 --group=0 --numeric-owner --mtime="@$EPOCH" -C "$1" -cf - "$2" | gzip -9n
}

# offer FILE WHO WHAT: adds a file's row to the page, unless this build lacks the file.
offer() {
    [ -e "$DOWNLOAD/$1" ] || return 0
    size=$(wc -c <"$DOWNLOAD/$1")
    # Some servers take a + in an address, as versions between releases have it, for a blank.
    printf '<tr><td>%s</td><td><a href="%s">%s</a><br><small>%s</small></td><td>%s</td></tr>\n' "$2" \
        "$(echo "$1" | sed 's/+/%2B/g')" "$1" "$3" \
        "$(echo "$size" | awk '{ print $1 < 1048576 ? int(($1 + 1023) / 1024) " KiB" : int($1 / 104857.6 + 0.5) / 10 " MiB" }')" \
        >>"$page/files"
}

cp "$BUILD/pmucheck.img" "$BUILD/pmucheck.iso" "$DOWNLOAD"
static=pmucheck-$VERSION-x86_64
objcopy --strip-all "$BUILD/static/pmucheck" "$DOWNLOAD/$static"
packed "$BUILD" netboot >"$DOWNLOAD/pmucheck-$VERSION-netboot.tar.gz"
for package in "$BUILD"/deb/*.deb; do
    [ ! -e "$package" ] || cp "$package" "$DOWNLOAD"
done
mkdir "$page/licences"
tools/docs/pages.py licences "$page/licences"
packed "$page" licences >"$DOWNLOAD/pmucheck-$VERSION-licences.tar.gz"

if [ -e "$BUILD/models.html" ]; then
    cp "$BUILD/models.html" "$DOWNLOAD"
    # The first of its tables with the PMUs at a glance.
    {
        echo '<h2>CPU models</h2>'
        echo '<p>On each of these PMUs it has run, on a software model or on real machines. <a href="models.html">All that was seen</a>, side by side.</p>'
        awk '{
            while (match($0, /<table class="beside glance">/)) { inside = 1; $0 = substr($0, RSTART); break }
            if (!inside || done) next
            at = index($0, "</table>")
            if (!at) { print; next }
            print "<div class=\"wide\">" substr($0, 1, at + 7) "</div>"
            done = 1
        }' "$BUILD/models.html"
    } >"$page/models"
else
    echo "no page of CPU models: 'make models' makes it" >&2
fi

offer pmucheck.img "a laptop or PC, and a USB stick" "the stick's image; BIOS and UEFI"
offer pmucheck.iso "a CD, a server's virtual CD, or a virtual machine" "the ISO; on a stick it works, too"
offer "$static" "Linux, of whatever kind, and a log to read" \
    "the host program, which needs no library"
# packaged NAME WHO: adds the row of a package.
packaged() {
    for package in "$DOWNLOAD/$1"_*.deb; do
        [ ! -e "$package" ] || offer "$(basename "$package")" "$2" "$(dpkg-deb -f "$package" Description | head -n 1)"
    done
}
packaged pmucheck "Debian 12: images and host program, with all commands"
offer "pmucheck-$VERSION-netboot.tar.gz" "machines that boot from the network" "a tree for TFTP servers, UEFI's HTTP boot and iPXE"
offer "pmucheck-$VERSION-licences.tar.gz" "passing any of these on" "licences and sources of what they hold from other projects"
packaged libpmumodel-dev "a program of your own that needs a PMU, on Debian 12"
packaged libpmumodel0 "the same, when it runs"

if [ -n "$SIGN_KEY" ]; then
    tools/dependencies.sh minisign
    minisign -R -s "$SIGN_KEY" -p "$DOWNLOAD/pmucheck.pub" >/dev/null
    cat >"$page/signed" <<HTML
<p>Each file is signed, too, in <code>FILE.minisig</code>. With <a href="https://jedisct1.github.io/minisign/">minisign</a> and the key that you know us by, which
<a href="pmucheck.pub">pmucheck.pub</a> is a copy of:</p>
<pre>minisign -V -p pmucheck.pub -m pmucheck.img</pre>
HTML
fi
(cd "$DOWNLOAD" && find . -type f ! -name '*.pub' | sed 's,^\./,,' | sort | xargs sha256sum) >"$page/sums"
while read -r sum file; do
    echo "$sum  $file" >"$DOWNLOAD/$file.sha256"
    [ -z "$SIGN_KEY" ] || minisign -S -s "$SIGN_KEY" -m "$DOWNLOAD/$file" -t "pmucheck $VERSION $COMMIT $file" \
        -c "signature of pmucheck" >/dev/null
done <"$page/sums"
cp "$page/sums" "$DOWNLOAD/SHA256SUMS"
awk -v version="$VERSION" -v commit="$COMMIT" -v dir="$page" -v bytes="$(wc -c <"$BUILD/pmucheck.img")" '
    function put(file,    line) { while ((getline line <(dir "/" file)) > 0) print line }
    $0 == "@FILES@" { put("files"); next }
    $0 == "@SIGNED@" { put("signed"); next }
    $0 == "@MODELS@" { put("models"); next }
    {
        gsub(/@VERSION@/, version)
        gsub(/@COMMIT@/, commit)
        gsub(/@STICK_MIB@/, int((bytes + 1048575) / 1048576))
        if (!index($0, "@SUMS@")) { print; next }
        before = substr($0, 1, index($0, "@SUMS@") - 1)
        printf "%s", before
        put("sums")
        print "</pre>"
    }' tools/download/index.html >"$DOWNLOAD/index.html"
find "$DOWNLOAD" -exec touch -h -d "@$EPOCH" {} +
echo "$DOWNLOAD: $(find "$DOWNLOAD" -type f | wc -l) files"
