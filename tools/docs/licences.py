# SPDX-License-Identifier: BSD-2-Clause
"""The parts of the published images and of the static host program that come from other projects, with licence and
source, as LICENCES.txt; beside it Debian's copies of the licence texts."""

import os
import shutil

from source import base

PARTS = (  # package, its part in what is published, its licence
    ("grub-pc-bin", "the boot loader for BIOS, on every medium and in netboot/", "GPL-3+"),
    ("grub-efi-amd64-bin", "the boot loader for 64-bit UEFI, on every medium and in netboot/", "GPL-3+"),
    ("grub-efi-ia32-bin", "the boot loader for 32-bit UEFI, on every medium and in netboot/", "GPL-3+"),
    ("psf-unifont", "the console font inside pmucheck.elf, read at build", "GPL-2+"),
    ("libc6-dev", "the C library, in the static host program", "LGPL-2.1+"),
    ("libzbar-dev", "reads QR codes, in the static host program", "LGPL-2.1+"),
    ("libjson-c-dev", "JSON, in the static host program", "MIT"),
    ("libxml2-dev", "XML and HTML, in the static host program", "MIT"),
    ("libsqlite3-dev", "databases, in the static host program", "public domain"),
    ("libpng-dev", "reads pictures, in the static host program", "libpng"),
    ("libjpeg62-turbo-dev", "reads pictures, in the static host program", "IJG, BSD-3-Clause"),
    ("zlib1g-dev", "unpacks, in the static host program", "zlib"),
)
HEAD = """\
pmucheck itself is under the BSD 2-Clause License: LICENSE. It contains no source of another project.
The images and the static host program also hold parts of these packages of Debian, unchanged, each under its own \
licence:
"""
PART = """
{package} {version}: {what}
  licence  {licence}; copyright and terms: licences/{package}.txt
  source   Debian's source package {source} {of}: apt-get source {source}={of}
"""
FOOT = """
The text of the licences: licences/GPL-2.txt, licences/GPL-3.txt, licences/LGPL-2.1.txt. A pmucheck that is not
static is linked with shared libraries, which are not part of what is published.
"""


def write(to):
    os.makedirs(f"{to}/licences", exist_ok=True)
    shutil.copyfile("LICENSE", f"{to}/LICENSE")
    text = HEAD
    for package, what, licence in PARTS:
        version, source, of = base.output(
            "dpkg-query", "-W", "-f", "${Version} ${source:Package} ${source:Version}", package).split(" ")
        shutil.copyfile(f"/usr/share/doc/{package}/copyright", f"{to}/licences/{package}.txt")
        text += PART.format(package=package, version=version, what=what, licence=licence, source=source, of=of)
    with open(f"{to}/LICENCES.txt", "w", encoding="ascii") as file:
        file.write(text + FOOT)
    for name in ("GPL-2", "GPL-3", "LGPL-2.1"):
        shutil.copyfile(f"/usr/share/common-licenses/{name}", f"{to}/licences/{name}.txt")
