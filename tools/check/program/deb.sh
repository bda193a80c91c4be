#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The packages of `make deb` in a root with nothing else: apt-get installs them with their dependencies, the program
# runs there with the images that it finds by itself, and the model's example is built with the flags of pkg-config, with
# the shared library and with the static one.
# Status 77 if no root can be made.
# Would catch a dependency that the packages do not name, a file that is missing from them.
#
# usage: tools/check/program/deb.sh
set -eu
cd "$(dirname "$0")/../../.."
example=reference/test/model/example
# shellcheck source=tools/check/program/root.sh
. tools/check/program/root.sh
ls "$BUILD"/deb/*.deb >/dev/null
clean_root bookworm

# says FILE TEXT
says() {
    grep -F -e "$2" "$1" || { echo "it does not say: $2"; cat "$1"; exit 1; }
}

mkdir "$root/packages"
cp "$BUILD"/deb/*.deb "$root/packages"
cp "$example.c" "$root/root"
in_root sh -c 'apt-get install -y -qq --no-install-recommends /packages/*.deb' >"$work/install.log" 2>&1 || {
    tail -n 20 "$work/install.log"
    exit 1
}

in_root pmucheck --version
tools/check/program/grub-entry.sh "$root"
in_root pmucheck help --man >"$work/man"
says "$work/man" '.TH PMUCHECK 1'
# The program has found its image; only QEMU is missing.
in_root pmucheck run >"$work/run" 2>&1 || true
says "$work/run" 'qemu-system-x86_64 cannot be started'
in_root truncate -s 64M /root/stick
in_root pmucheck usb /root/stick >"$work/usb" 2>&1 || true
says "$work/usb" '/root/stick: written and compared'
in_root pmucheck kexec --dry-run >"$work/kexec" 2>&1 || true
says "$work/kexec" '/usr/share/pmucheck/pmucheck.elf '

in_root apt-get install -y -qq --no-install-recommends gcc libc6-dev pkgconf >"$work/install.log" 2>&1
for static in "" -static; do
    in_root sh -c "cd && gcc -Wall -Werror $static \$(pkg-config --cflags pmumodel) example.c \$(pkg-config --libs pmumodel) -o example && ./example" |
        diff "$example.txt" -
done
in_root apt-get purge -y -qq pmucheck libpmumodel-dev libpmumodel0 >"$work/purge.log" 2>&1
for left in usr/share/pmucheck usr/share/doc/pmucheck boot/pmucheck.elf etc/grub.d/20_pmucheck etc/default/pmucheck; do
    [ ! -e "$root/$left" ] || { echo "/$left is left after the packages were removed"; exit 1; }
done
! grep -q pmucheck "$root/boot/grub/grub.cfg" || { echo "GRUB's menu still has pmucheck"; exit 1; }
echo "installed, used and removed in a clean root"
