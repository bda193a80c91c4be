#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Writes LICENCES.txt into DIRECTORY: the parts of the published images and of the static host program that come from
# other projects, with licence and source; and beside it Debian's copies of the licence texts.
#
# usage: tools/docs/licences.sh DIRECTORY
set -eu
cd "$(dirname "$0")/../.."
to=$1

# Package, its part in the images, its licence.
parts() {
    cat <<'TABLE'
grub-pc-bin|the boot loader for BIOS, on every medium and in netboot/|GPL-3+
grub-efi-amd64-bin|the boot loader for 64-bit UEFI, on every medium and in netboot/|GPL-3+
grub-efi-ia32-bin|the boot loader for 32-bit UEFI, on every medium and in netboot/|GPL-3+
psf-unifont|the console font inside pmucheck.elf, read at build|GPL-2+
libc6-dev|the C library, in the static host program|LGPL-2.1+
libzbar-dev|reads QR codes, in the static host program|LGPL-2.1+
libjson-c-dev|JSON, in the static host program|MIT
libxml2-dev|XML and HTML, in the static host program|MIT
libsqlite3-dev|databases, in the static host program|public domain
libpng-dev|reads pictures, in the static host program|libpng
libjpeg62-turbo-dev|reads pictures, in the static host program|IJG, BSD-3-Clause
zlib1g-dev|unpacks, in the static host program|zlib
TABLE
}

mkdir -p "$to/licences"
cp LICENSE "$to/LICENSE"
{
    echo "pmucheck itself is under the BSD 2-Clause License: LICENSE. It contains no source of another project."
    echo "The images and the static host program also hold parts of these packages of Debian, unchanged, each under its own licence:"
    parts | while IFS='|' read -r package what licence; do
        version=$(dpkg-query -W -f '${Version}' "$package")
        source=$(dpkg-query -W -f '${source:Package} ${source:Version}' "$package")
        copy=$(realpath "/usr/share/doc/$package/copyright")
        cp "$copy" "$to/licences/$package.txt"
        echo
        echo "$package $version: $what"
        echo "  licence  $licence; copyright and terms: licences/$package.txt"
        echo "  source   Debian's source package $source: apt-get source ${source% *}=${source#* }"
    done
    echo
    echo "The text of the licences: licences/GPL-2.txt, licences/GPL-3.txt, licences/LGPL-2.1.txt. A pmucheck that is not"
    echo "static is linked with shared libraries, which are not part of what is published."
} >"$to/LICENCES.txt"
for name in GPL-2 GPL-3 LGPL-2.1; do
    cp "/usr/share/common-licenses/$name" "$to/licences/$name.txt"
done
