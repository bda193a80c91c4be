#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Makes files that start under Secure Boot with a key of your own: the signed loaders, and the stick's image and the ISO
# that contain them. Under Secure Boot GRUB loads no kernel from a disk unless shim vouches for it, but trusts what was
# built into its own signed file. So kernel and menu are built in, and the copies on the medium are not used.
# (pmucheck-host.elf is left out: it would start unsigned kernels.)
#
# usage: SOURCE_DATE_EPOCH=SECONDS GRUB_REDUNDANCY=PROGRAM iso/make-signed.sh KEY CERTIFICATE OUTPUT KERNEL...
#        both PEM files
# shellcheck source=iso/parts.sh
. "$(dirname "$0")/parts.sh"
key=$1 certificate=$2 output=$3
shift 3
for file in "$key" "$certificate"; do
    [ -r "$file" ] || { echo "'$file' cannot be read: make signed KEY=key.pem CERT=certificate.pem" >&2; exit 1; }
done

lay_out "$1"
date_files
tar --format=ustar --sort=name --owner=0 --group=0 -C "$tree" -cf "$work/memdisk.tar" boot
cat >"$work/start.cfg" <<'CFG'
set home=(memdisk)
set signed=y
export home signed
configfile $home/boot/grub/grub.cfg
CFG

# signed FORMAT NAME: GRUB with everything built in. One loader serves disks and networks.
signed() {
    grub "$1" "$work/$2" "$efi $disk memdisk tar efinet net tftp" --memdisk="$work/memdisk.tar" --disable-shim-lock
    sbsign --key "$key" --cert "$certificate" --output "$work/signed/$2" "$work/$2" 2>"$work/messages" ||
        { cat "$work/messages" >&2; exit 1; }
}
mkdir "$work/signed"
signed x86_64-efi BOOTX64.EFI
signed i386-efi BOOTIA32.EFI
# The format in which the firmware's set-up takes the certificate.
openssl x509 -in "$certificate" -outform DER -out "$work/signed/pmucheck.cer"

LOADERS=$work/signed "$here/make-stick.sh" "$work/signed/pmucheck.img" "$@"
LOADERS=$work/signed "$here/make-iso.sh" "$work/signed/pmucheck.iso" "$@"
rm -rf "$output"
mv "$work/signed" "$output"
