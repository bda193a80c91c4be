# SPDX-License-Identifier: BSD-2-Clause
# Functions that the other scripts in this directory share; each sources this file first. The same inputs give the same
# bytes: every time is SOURCE_DATE_EPOCH, owners and modes are made uniform, lists are sorted, and nothing is random.
# shellcheck shell=sh disable=SC2034,SC2154 # what is set here is used there, and the other way round
set -eu
umask 022
export SOURCE_DATE_EPOCH="${SOURCE_DATE_EPOCH:?}" TZ=UTC LC_ALL=C MTOOLS_SKIP_CHECK=1
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
tree=$work/tree

# GRUB's modules are built in: one file starts, and no other file of GRUB is on the medium.
common="normal configfile regexp test echo sleep reboot smbios cpuid multiboot2 hashsum gcry_sha256"
disk="$common search search_fs_file iso9660 fat part_msdos part_gpt gzio"
bios="biosdisk serial terminal"
efi="efi_gop efi_uga"

# lay_out KERNEL...: puts the files of any medium into $tree and sets $mark. GRUB finds its own disk by a file name that
# no other build has, so another stick in the same machine is never taken for it. (A label would not do: somebody who
# copies the files chooses a label of his own.)
lay_out() {
    mkdir -p "$tree/boot/grub" "$tree/EFI/BOOT"
    for kernel; do
        objcopy --strip-all "$kernel" "$tree/boot/$(basename "$kernel")"
        (cd "$tree/boot" && sha256sum "$(basename "$kernel")") >"$tree/boot/$(basename "$kernel" .elf).sum"
    done
    cp "$here/grub.cfg" "$tree/boot/grub/grub.cfg"
    cp "$here/pmucheck.cfg" "$tree/pmucheck.cfg"
    # Also read on Windows. The second is for a computer that refuses to start this medium, and read on another.
    for text in README SECURE-BOOT; do
        sed 's/$/\r/' "$here/$text.txt" >"$tree/$text.txt"
    done
    mark=$(cat "$tree"/boot/*.elf "$here/grub.cfg" | sha256sum | cut -c 1-16)
}

# pack_host: packs the kernel that only a guest needs; GRUB unpacks it. (The other one would start half a second later
# under an emulator.)
pack_host() {
    (
        cd "$tree/boot"
        [ -e pmucheck-host.elf ] || return 0
        gzip -9n pmucheck-host.elf
        sha256sum pmucheck-host.elf.gz >pmucheck-host.sum
    )
}

# start_on_disk: writes the first steps of a GRUB that is on a disk. It looks for the mark on the partition that it was
# loaded from, then on the other partitions of that disk (UEFI), then on other disks.
start_on_disk() {
    echo "$mark" >"$tree/boot/$mark.id"
    cat >"$work/start.cfg" <<CFG
regexp --set=1:disk '^([^,]*)' \$root
search --no-floppy --file --set=root --hint \$root --hint \$disk --hint \$disk, /boot/$mark.id
set home=(\$root)
export home
set packed=.gz
export packed
set prefix=\$home/boot/grub
configfile \$prefix/grub.cfg
CFG
}

# grub FORMAT OUTPUT MODULES [OPTION]...: makes an image of GRUB that begins with start.cfg.
grub() {
    format=$1 loader=$2 modules=$3
    shift 3
    # shellcheck disable=SC2086 # the list is words
    "$(command -v grub-mkimage || echo grub2-mkimage)" -O "$format" -p /boot/grub -c "$work/start.cfg" -o "$loader" "$@" $modules
}

# repairable FILE HEAD: adds to GRUB for a BIOS the code by which its first part repairs the rest. HEAD: the bytes before
# that part. The program that does it is in GRUB_REDUNDANCY.
repairable() {
    "${GRUB_REDUNDANCY:?}" "$1" "$2"
}

# efi_loaders: makes GRUB for 64-bit and for 32-bit firmware, or takes the signed loaders and the certificate from
# LOADERS. Sets $esp_files: the files of an EFI system partition.
efi_loaders() {
    esp_files="EFI pmucheck.cfg README.txt SECURE-BOOT.txt"
    if [ -n "${LOADERS-}" ]; then
        cp "$LOADERS/BOOTX64.EFI" "$LOADERS/BOOTIA32.EFI" "$tree/EFI/BOOT"
        cp "$LOADERS/pmucheck.cer" "$tree"
        esp_files="$esp_files pmucheck.cer"
        return
    fi
    grub x86_64-efi "$tree/EFI/BOOT/BOOTX64.EFI" "$efi $disk"
    grub i386-efi "$tree/EFI/BOOT/BOOTIA32.EFI" "$efi $disk"
}

# date_files: sets every file time in $work to that of the build.
date_files() {
    find "$work" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
}

# copy_to_fat IMAGE PATH...: copies files and directories of $tree, in a fixed order, to the FAT file system IMAGE (a
# name in the syntax of mtools).
copy_to_fat() {
    fat=$1
    shift
    date_files
    (
        cd "$tree"
        find "$@" | sort | while read -r path; do
            if [ -d "$path" ]; then
                mmd -i "$fat" "::/$path"
            else
                mcopy -m -i "$fat" "$path" "::/$path"
            fi
        done
    )
}

# finish FILE MOST: moves FILE to the output; an error if it has more than MOST bytes.
finish() {
    size=$(stat -c %s "$1")
    [ "$size" -le "$2" ] || {
        echo "$output: $size bytes; it must not exceed $2" >&2
        exit 1
    }
    mv "$1" "$output"
}
