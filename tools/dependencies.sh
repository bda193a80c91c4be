#!/bin/sh
# Installs the Debian packages that building and testing need. Silent when all are there. Where it may not install it
# names what is missing and stops.
#
# usage: tools/dependencies.sh [--check | --list | --browser | --signing | --lava]
#            --check: never install, only name what is missing; --list: name what is needed
#            --browser, --signing, --lava: also what the test of web pages, make signed and its test, make lava need
set -eu
group=${1-}

# A package, and what shows that it is there: a command, or a file (patterns allowed).
packages() {
    cat <<'LIST'
git                 git
make                make
gcc                 gcc
libc6-dev           /usr/include/stdlib.h
binutils            nm
clang               clang
libclang-rt-14-dev  /usr/lib/llvm-*/lib/clang/*/lib/linux/libclang_rt.fuzzer-x86_64.a
lld                 ld.lld
nasm                nasm
clang-format        clang-format
cppcheck            cppcheck
shellcheck          shellcheck
libcmocka-dev       /usr/include/cmocka.h
zlib1g-dev          /usr/include/zlib.h
libcjson-dev        /usr/include/cjson/cJSON.h
libqrencode-dev     /usr/include/qrencode.h
libzbar-dev         /usr/include/zbar.h
libpng-dev          /usr/include/png.h
libjpeg62-turbo-dev /usr/include/jpeglib.h
libxml2-dev         /usr/include/libxml2/libxml/xmlwriter.h
psf-unifont         /usr/share/consolefonts/Unifont-APL8x16.psf.gz
xorriso             xorriso
mtools              mformat
grub-common         grub-mkimage
grub-pc-bin         /usr/lib/grub/i386-pc/boot_hybrid.img
grub-efi-amd64-bin  /usr/lib/grub/x86_64-efi/multiboot2.mod
grub-efi-ia32-bin   /usr/lib/grub/i386-efi/multiboot2.mod
fdisk               /sbin/sfdisk
dosfstools          /sbin/fsck.fat
qemu-system-x86     qemu-system-x86_64
ovmf                /usr/share/OVMF/OVMF_CODE_4M.fd
ovmf-ia32           /usr/share/OVMF/OVMF32_CODE_4M.secboot.fd
gdb                 gdb
LIST
    case $group in
    --browser) echo "chromium chromium" ;;
    --signing) printf '%s\n' "sbsigntool sbsign" "openssl openssl" "efitools flash-var" ;;
    --lava) echo "lava-dispatcher lava-run" ;;
    esac
}

is_there() {
    case $1 in
    /*) for file in $1; do [ -e "$file" ] && return 0; done; return 1 ;;
    *) command -v "$1" >/dev/null ;;
    esac
}

missing() {
    packages | while read -r package sign; do
        is_there "$sign" || printf ' %s' "$package"
    done
}

stop() {
    echo "missing packages:$(missing)" >&2
    echo "$1" >&2
    exit 1
}

install() {
    # shellcheck disable=SC2046 # package names are words
    $1 sh -c 'apt-get update -qq && DEBIAN_FRONTEND=noninteractive \
        apt-get install -y -qq --no-install-recommends "$@"' sh $(missing)
}

if [ "$group" = --list ]; then
    packages | awk '{ print $1 }'
    exit 0
fi
[ -n "$(missing)" ] || exit 0
[ "${1-}" != --check ] || stop "Install them, or let 'make dependencies' do it."
grep -qs '^ID=debian$' /etc/os-release ||
    stop "These are Debian's names, and this is not Debian: install what carries these programs here."

if [ "$(id -u)" = 0 ]; then
    as_root=
elif command -v sudo >/dev/null && { [ -t 0 ] || sudo -n true 2>/dev/null; }; then
    as_root=sudo
else
    stop "Installing them needs root or sudo: ask the administrator."
fi
echo "installing:$(missing)"
install "$as_root" || stop "apt-get could not install them; what it said is above."
[ -z "$(missing)" ] || stop "They are still missing after the installation."
