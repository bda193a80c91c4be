#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Makes the tree for a TFTP server, to be put anywhere on it: the loaders pmucheck.0 (BIOS), BOOTX64.EFI and
# BOOTIA32.EFI, of which DHCP names one, and the files that they load by paths relative to their own place.
#
# usage: SOURCE_DATE_EPOCH=SECONDS iso/make-netboot.sh OUTPUT KERNEL...
# shellcheck source=iso/parts.sh
. "$(dirname "$0")/parts.sh"
output=$1
shift

lay_out "$@"
rm -r "$tree/EFI" "$tree/README.txt" "$tree/SECURE-BOOT.txt"
cp "$here/dnsmasq.conf" "$here/pmucheck.ipxe" "$tree"
cat >"$work/start.cfg" <<'CFG'
set home=$cmdpath
export home
set prefix=$home/boot/grub
configfile $prefix/grub.cfg
CFG
net="$common net tftp"
grub i386-pc-pxe "$tree/pmucheck.0" "pxe serial terminal $net"
grub x86_64-efi "$tree/BOOTX64.EFI" "efinet $efi $net"
grub i386-efi "$tree/BOOTIA32.EFI" "efinet $efi $net"
find "$tree" -type f -exec chmod 644 {} +
date_files
rm -rf "$output"
mv "$tree" "$output"
