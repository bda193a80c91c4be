#!/bin/sh
# Makes the bootable image: a hybrid that starts as CD and as USB stick, under BIOS and UEFI. The same inputs give the
# same bytes: every time in it is SOURCE_DATE_EPOCH, owners and modes are made uniform, and nothing random gets in.
# (grub-mkrescue would be shorter, but its images differ from run to run and are six times as large.)
#
# usage: SOURCE_DATE_EPOCH=SECONDS iso/make-iso.sh OUTPUT KERNEL...
set -eu
output=$1
shift
here=$(dirname "$0")
export SOURCE_DATE_EPOCH="${SOURCE_DATE_EPOCH:?}" TZ=UTC LC_ALL=C MTOOLS_SKIP_CHECK=1

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
tree=$work/tree
mkdir -p "$tree/boot/grub" "$tree/EFI/BOOT"

for kernel; do
    objcopy --strip-all "$kernel" "$tree/boot/$(basename "$kernel")"
done
cp "$here/grub.cfg" "$tree/boot/grub/grub.cfg"
cp "$here/pmucheck.cfg" "$tree/pmucheck.cfg"

# GRUB finds its own disk by a file that no other build has: another stick in the same machine is never taken for it.
mark=$(cat "$tree"/boot/*.elf "$here/grub.cfg" | sha256sum | cut -c 1-16)
echo "$mark" >"$tree/boot/$mark.id"
cat >"$work/start.cfg" <<CFG
search --no-floppy --file --set=root --hint \$root /boot/$mark.id
set prefix=(\$root)/boot/grub
configfile /boot/grub/grub.cfg
CFG

modules="normal configfile search search_fs_file iso9660 fat part_msdos part_gpt regexp test echo sleep reboot smbios multiboot2"
# shellcheck disable=SC2086 # the list is words
grub-mkimage -O i386-pc-eltorito -p /boot/grub -c "$work/start.cfg" -o "$tree/boot/grub/bios.img" \
    biosdisk serial terminal $modules
# shellcheck disable=SC2086
grub-mkimage -O x86_64-efi -p /boot/grub -c "$work/start.cfg" -o "$tree/EFI/BOOT/BOOTX64.EFI" \
    efi_gop efi_uga $modules

# The EFI system partition. It is a FAT file system, so pmucheck.cfg can be edited there on a written stick.
find "$work" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
esp=$tree/boot/efi.img
mformat -C -f 2880 -N 0 -v PMUCHECK -i "$esp" ::
mmd -i "$esp" ::/EFI ::/EFI/BOOT
mcopy -m -i "$esp" "$tree/EFI/BOOT/BOOTX64.EFI" ::/EFI/BOOT/BOOTX64.EFI
mcopy -m -i "$esp" "$tree/pmucheck.cfg" ::/pmucheck.cfg

find "$work" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
xorriso -as mkisofs -quiet -r -J -V PMUCHECK \
    --modification-date="$(date -u -d "@$SOURCE_DATE_EPOCH" +%Y%m%d%H%M%S00)" --sort-weight 0 / \
    -b boot/grub/bios.img -no-emul-boot -boot-load-size 4 -boot-info-table --grub2-boot-info \
    --grub2-mbr /usr/lib/grub/i386-pc/boot_hybrid.img \
    --efi-boot boot/efi.img -efi-boot-part --efi-boot-image --protective-msdos-label \
    -o "$work/image.iso" "$tree" 2>"$work/messages" || { cat "$work/messages" >&2; exit 1; }

size=$(stat -c %s "$work/image.iso")
[ "$size" -le 8388608 ] || { echo "$output: $size bytes; the image must not exceed 8 MiB" >&2; exit 1; }
mv "$work/image.iso" "$output"
