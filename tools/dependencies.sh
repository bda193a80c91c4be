#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Installs the Debian packages that building and testing need. Silent if all are installed. Without the right to install
# it names the missing packages and stops. Only one instance installs at a time; it waits for other installations to
# end.
#
# usage: [INSTALL=no] tools/dependencies.sh [--check | --list | --browser | --signing | --lava | --http | --deb |
#            --minisign | --test]
#            --check, INSTALL=no: never installs, only names the missing packages; --list: names the needed ones
#            --browser, --signing, --lava, --http, --deb, --minisign: also those for the test of web pages; make
#            signed and its test; make lava; the test of booting from a web server; make deb; signatures of downloads
#            --test: also those for any step of make test, as far as they are available here
set -eu
group=${1-}
LOCK_SECONDS=900 # to wait for another installation

# A package, and a command or file that shows that it is installed (patterns allowed): the file for commands in sbin,
# which an ordinary user's PATH lacks.
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
libsqlite3-dev      /usr/include/sqlite3.h
libxml2-dev         /usr/include/libxml2/libxml/xmlwriter.h
psf-unifont         /usr/share/consolefonts/Unifont-APL8x16.psf.gz
time                /usr/bin/time
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
    case $group in --browser | --test) browser ;; esac
    case $group in
    --signing | --test) printf '%s\n' "sbsigntool sbsign" "openssl openssl" "efitools flash-var" ;;
    --lava) echo "lava-dispatcher lava-run" ;;
    esac
    case $group in --deb | --test) printf '%s\n' "debhelper dh" "dpkg-dev dpkg-buildpackage" "lintian lintian" \
        "debootstrap /usr/sbin/debootstrap" ;; esac
    case $group in --minisign | --test) echo "minisign minisign" ;; esac
    case $group in --http | --test) printf '%s\n' "dnsmasq-base /usr/sbin/dnsmasq" "busybox busybox" "iproute2 ip" \
        "ipxe-qemu /usr/lib/ipxe/qemu/pxe-virtio.rom" ;; esac
    case $group in --test) printf "%s\n" "linux-perf perf" "yamllint yamllint" \
        "libunicorn-dev /usr/include/unicorn/unicorn.h" ;; esac
}

# Not every machine's apt has a browser; the test of web pages then says so.
browser() {
    [ "$group" = --test ] && ! command -v chromium >/dev/null && ! apt-cache show chromium >/dev/null 2>&1 && return
    echo "chromium chromium"
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

# apt-get can wait for dpkg's lock, but not for the lock of the package lists.
install() {
    # shellcheck disable=SC2016,SC2046 # variables of the inner shell; package names are words
    $1 env SECONDS_LEFT=$LOCK_SECONDS sh -c 'until message=$(apt-get update -qq 2>&1); do
            case $message in
            *"Could not get lock"*) [ "$SECONDS_LEFT" -gt 0 ] || break ;;
            *) break ;;
            esac
            SECONDS_LEFT=$((SECONDS_LEFT - 5))
            sleep 5
        done
        [ -z "$message" ] || printf "%s\n" "$message"
        DEBIAN_FRONTEND=noninteractive \
            apt-get install -y -qq --no-install-recommends -o DPkg::Lock::Timeout=$SECONDS_LEFT "$@"' sh $(missing)
}

if [ "$group" = --list ]; then
    packages | awk '{ print $1 }'
    exit 0
fi
[ -n "$(missing)" ] || exit 0
if [ "$group" = --check ] || [ "${INSTALL:-yes}" = no ]; then
    stop "Install them, or let 'make dependencies' do it."
fi
grep -qs '^ID=debian$' /etc/os-release ||
    stop "These are Debian's names, and this is not Debian: install your system's packages with these programs."

if [ "$(id -u)" = 0 ]; then
    as_root=
elif command -v sudo >/dev/null && { [ -t 0 ] || sudo -n true 2>/dev/null; }; then
    as_root=sudo
else
    stop "Installing them needs root or sudo: ask the administrator."
fi
exec 9>"${TMPDIR:-/tmp}/pmucheck-dependencies.$(id -u).lock"
flock -w "$LOCK_SECONDS" 9 || stop "Another installation has not ended."
[ -n "$(missing)" ] || exit 0
echo "installing:$(missing)"
install "$as_root" || stop "apt-get could not install them; its messages are above."
[ -z "$(missing)" ] || stop "They are still missing after the installation."
