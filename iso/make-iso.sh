#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Makes the bootable image: a hybrid that starts as CD and as USB stick, under BIOS and UEFI. Its files also start under
# UEFI when copied to a FAT stick. (grub-mkrescue would be shorter, but its images differ from run to run and are six
# times as large.)
#
# usage: SOURCE_DATE_EPOCH=SECONDS GRUB_REDUNDANCY=PROGRAM [LOADERS=DIRECTORY] iso/make-iso.sh OUTPUT KERNEL...
# shellcheck source=iso/parts.sh
. "$(dirname "$0")/parts.sh"
output=$1
shift

lay_out "$@"
pack_host
start_on_disk
grub i386-pc-eltorito "$tree/boot/grub/bios.img" "$bios $disk"
repairable "$tree/boot/grub/bios.img" 2560
efi_loaders

# The EFI system partition. It is a FAT file system, so pmucheck.cfg can be edited there on a written stick.
esp=$tree/boot/efi.img
size=$(find "$tree/EFI" -type f -printf '%s\n' | awk '{ sum += $1 } END { print int(sum / 512) }')
mformat -C -T $((size + 128)) -h 16 -s 63 -N 0 -v PMUCHECK -i "$esp" ::
# shellcheck disable=SC2086 # names are words
copy_to_fat "$esp" $esp_files

date_files
xorriso -as mkisofs -quiet -no-pad -r -J -V PMUCHECK \
    --modification-date="$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y%m%d%H%M%S00)" --sort-weight 0 / \
    -b boot/grub/bios.img -no-emul-boot -boot-load-size 4 -boot-info-table --grub2-boot-info \
    --grub2-mbr /usr/lib/grub/i386-pc/boot_hybrid.img \
    --efi-boot boot/efi.img -efi-boot-part --efi-boot-image --protective-msdos-label \
    -o "$work/image.iso" "$tree" 2>"$work/messages" || { cat "$work/messages" >&2; exit 1; }
# A signed image has the kernel three times: in each of the two loaders and beside them.
finish "$work/image.iso" "$([ -n "${LOADERS-}" ] && echo 16777216 || echo 12582912)"
