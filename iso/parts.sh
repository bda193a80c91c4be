# What the recipes beside this file share; each sources it first. The same inputs give the same bytes: every time is
# SOURCE_DATE_EPOCH, owners and modes are made uniform, lists are sorted, and nothing random gets in.
# shellcheck shell=sh disable=SC2034,SC2154 # what is set here is used there, and the other way round
set -eu
umask 022
export SOURCE_DATE_EPOCH="${SOURCE_DATE_EPOCH:?}" TZ=UTC LC_ALL=C MTOOLS_SKIP_CHECK=1
here=$(dirname "$0")
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
tree=$work/tree

# GRUB's modules are built in: one file starts, and nothing else of GRUB's is on the medium.
common="normal configfile regexp test echo sleep reboot smbios cpuid multiboot2 hashsum gcry_sha256"
disk="$common search search_fs_file iso9660 fat part_msdos part_gpt"
bios="biosdisk serial terminal"
efi="efi_gop efi_uga"

# lay_out KERNEL...: the files of any medium into $tree, and $mark. GRUB finds its own disk by a file that no other build
# has: another stick in the same machine is never taken for it. (Not by a label: who copies the files chooses his own.)
lay_out() {
    mkdir -p "$tree/boot/grub" "$tree/EFI/BOOT"
    for kernel; do
        objcopy --strip-all "$kernel" "$tree/boot/$(basename "$kernel")"
        (cd "$tree/boot" && sha256sum "$(basename "$kernel")") >"$tree/boot/$(basename "$kernel" .elf).sum"
    done
    cp "$here/grub.cfg" "$tree/boot/grub/grub.cfg"
    cp "$here/pmucheck.cfg" "$tree/pmucheck.cfg"
    # Read on Windows too. The second is for the computer that refuses this very medium, so it is read on another one.
    for text in README SECURE-BOOT; do
        sed 's/$/\r/' "$here/$text.txt" >"$tree/$text.txt"
    done
    mark=$(cat "$tree"/boot/*.elf "$here/grub.cfg" | sha256sum | cut -c 1-16)
}

# start_on_disk: the first steps of a GRUB that is on a disk, and the mark that it looks for: where it came from, which under
# UEFI may be another partition of the same disk, and on others only if it is not there.
start_on_disk() {
    echo "$mark" >"$tree/boot/$mark.id"
    cat >"$work/start.cfg" <<CFG
regexp --set=1:disk '^([^,]*)' \$root
search --no-floppy --file --set=root --hint \$root --hint \$disk --hint \$disk, /boot/$mark.id
set home=(\$root)
export home
set prefix=\$home/boot/grub
configfile \$prefix/grub.cfg
CFG
}

# grub FORMAT OUTPUT MODULES [OPTION]...: an image of GRUB that begins with start.cfg.
grub() {
    format=$1 loader=$2 modules=$3
    shift 3
    # shellcheck disable=SC2086 # the list is words
    grub-mkimage -O "$format" -p /boot/grub -c "$work/start.cfg" -o "$loader" "$@" $modules
}

# efi_loaders: GRUB for 64-bit and for 32-bit firmware, or those that LOADERS has, signed, and the certificate. $esp_files:
# what an EFI system partition needs.
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

# date_files: every time in $work becomes that of the build.
date_files() {
    find "$work" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
}

# copy_to_fat IMAGE PATH...: files and directories of $tree, in a fixed order, into the FAT file system IMAGE (mtools' way
# to name one).
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

# finish FILE MOST: it becomes the output, unless it has more than MOST bytes.
finish() {
    size=$(stat -c %s "$1")
    [ "$size" -le "$2" ] || {
        echo "$output: $size bytes; it must not exceed $2" >&2
        exit 1
    }
    mv "$1" "$output"
}
