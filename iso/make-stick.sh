#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Makes the image of a USB stick: one FAT32 partition, which every operating system shows, with pmucheck.cfg to edit. It
# starts under BIOS (GRUB in the sectors before the partition) and UEFI (EFI/BOOT).
#
# usage: SOURCE_DATE_EPOCH=SECONDS GRUB_REDUNDANCY=PROGRAM [LOADERS=DIRECTORY] iso/make-stick.sh OUTPUT KERNEL...
# shellcheck source=iso/parts.sh
. "$(dirname "$0")/parts.sh"
output=$1
shift

start=2048                  # sectors; where the partition begins
sectors=81920               # of the whole image: 40 MiB, little more than the minimum for FAT32
image=$work/stick.img

lay_out "$@"
pack_host
start_on_disk
efi_loaders
grub i386-pc "$work/core.img" "$bios $disk"
repairable "$work/core.img" 512
[ "$(stat -c %s "$work/core.img")" -le $(((start - 1) * 512)) ] || {
    echo "GRUB's core is too large for the sectors before the partition" >&2
    exit 1
}

# boot.img loads GRUB's core from sector 1 on unless it is told otherwise, and leaves room for the partition table. The
# table is an MBR, not a GPT: Windows then gives its partition a letter, and old BIOSes start from it.
truncate -s $((sectors * 512)) "$image"
dd if=/usr/lib/grub/i386-pc/boot.img of="$image" bs=440 count=1 conv=notrunc status=none
dd if="$work/core.img" of="$image" bs=512 seek=1 conv=notrunc status=none
id=$(echo "$mark" | cut -c 1-8)
printf 'label: dos\nlabel-id: 0x%s\n%s,,c,*\n' "$id" "$start" |
    /sbin/sfdisk --quiet --no-reread --no-tell-kernel "$image"

fat=$image@@$((start * 512))
mformat -F -c 1 -T $((sectors - start)) -h 255 -s 63 -H "$start" -N "$id" -v PMUCHECK -i "$fat" ::
# shellcheck disable=SC2046 # names are words
copy_to_fat "$fat" $(ls "$tree")
finish "$image" $((sectors * 512))
