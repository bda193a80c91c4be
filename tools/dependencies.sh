#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Installs the packages that parts of the work need, and no others. Silent if all are installed. Without the right to
# install it names the missing packages and stops. Debian and Ubuntu, and systems made from them, are installed to; for
# Fedora and Arch it prints the command to type. Jobs of one build wait for each other.
#
# usage: [INSTALL=no] tools/dependencies.sh [--check | --list] [GROUP]...
#            --check, INSTALL=no: never installs, only names the missing packages; --list: names the needed ones
#            GROUP: as in the table's first column, or test: what any step of make test needs, as far as it is available
#            here; without one: what make run and the builds of make test need
# shellcheck disable=SC2086 # lists of names
set -eu
cd "$(dirname "$0")/.."
BUILD=${BUILD:-build}
OS_RELEASE=${OS_RELEASE:-/etc/os-release}   # which system this is
LOCK_SECONDS=900                            # to wait for another installation
BUILDS="image tools run check fuzz"

# What needs the package, its names (a/b: the first that the system knows; -: it has none), and a command or files that
# show that it is installed (patterns; any of them is enough): files for commands in sbin, which an ordinary user's PATH
# lacks.
#   image     pmucheck.iso, pmucheck.img and the kernel     clang     with CC=clang and LD=ld.lld
#   tools     the host program                              browser   the test of web pages
#   run       QEMU and firmware for it                      signing   make signed and its test
#   check     static checks and host tests                  lava      make lava
#   fuzz      fuzz targets                                  deb       make deb
#   more      single steps of make test                     roots     clean roots of Debian's releases
#   minisign  signatures of downloads                       http      the test of booting from a web server
#   version   which commit of a clone is built           cases     the runner of checks
table() {
    cat <<'TABLE'
image tools check fuzz | make                            | make                  | make          | make
image tools check      | gcc                             | gcc                   | gcc           | gcc
image tools check fuzz | libc6-dev                       | glibc-devel           | glibc         | /usr/include/stdlib.h
image tools check fuzz | binutils                        | binutils              | binutils      | nm
image check fuzz       | nasm                            | nasm                  | nasm          | nasm
image                  | psf-unifont                     | -                     | -             | /usr/share/consolefonts/Unifont-APL8x16.psf.gz
image                  | xorriso                         | xorriso               | libisoburn    | xorriso
image                  | mtools                          | mtools                | mtools        | mformat
image                  | grub-common                     | grub2-tools           | grub          | grub-mkimage grub2-mkimage
image                  | grub-pc-bin                     | grub2-pc-modules      | grub          | /usr/lib/grub/i386-pc/boot_hybrid.img
image                  | grub-efi-amd64-bin              | grub2-efi-x64-modules | grub          | /usr/lib/grub/x86_64-efi/multiboot2.mod
image                  | grub-efi-ia32-bin               | grub2-efi-ia32-modules | grub         | /usr/lib/grub/i386-efi/multiboot2.mod
image                  | fdisk                           | util-linux            | util-linux    | /sbin/sfdisk
image                  | dosfstools                      | dosfstools            | dosfstools    | /sbin/fsck.fat
clang check fuzz       | clang                           | clang                 | clang         | clang
clang check            | lld                             | lld                   | lld           | ld.lld
fuzz                   | libclang-rt-dev                 | compiler-rt           | compiler-rt   | /usr/lib*/clang/*/lib/*/libclang_rt.fuzzer* /usr/lib/llvm-*/lib/clang/*/lib/*/libclang_rt.fuzzer*
tools check fuzz       | zlib1g-dev                      | zlib-devel            | zlib          | /usr/include/zlib.h
tools check fuzz       | libjson-c-dev                   | json-c-devel          | json-c        | /usr/include/json-c/json.h
check fuzz             | libcjson-dev                    | cjson-devel           | cjson         | /usr/include/cjson/cJSON.h
tools check fuzz       | libzbar-dev                     | zbar-devel            | zbar          | /usr/include/zbar.h
tools check fuzz       | libpng-dev                      | libpng-devel          | libpng        | /usr/include/png.h
tools check fuzz       | libjpeg62-turbo-dev/libjpeg-dev | libjpeg-turbo-devel   | libjpeg-turbo | /usr/include/jpeglib.h
tools check fuzz       | libsqlite3-dev                  | sqlite-devel          | sqlite        | /usr/include/sqlite3.h
tools check fuzz       | libxml2-dev                     | libxml2-devel         | libxml2       | /usr/include/libxml2/libxml/xmlwriter.h
cases check            | python3                         | python3               | python        | python3
run                    | qemu-system-x86                 | qemu-system-x86       | qemu-system-x86 | qemu-system-x86_64
run                    | ovmf                            | edk2-ovmf             | edk2-ovmf     | /usr/share/OVMF/OVMF_CODE_4M.fd /usr/share/edk2/ovmf/OVMF_CODE* /usr/share/edk2/x64/OVMF_CODE*
run                    | ovmf-ia32                       | edk2-ovmf-ia32        | edk2-ovmf     | /usr/share/OVMF/OVMF32_CODE_4M.secboot.fd /usr/share/edk2/ovmf-ia32/OVMF_CODE* /usr/share/edk2/ia32/OVMF_CODE*
check version          | git                             | git                   | git           | git
check                  | clang-format                    | clang-tools-extra     | clang         | clang-format
check                  | cppcheck                        | cppcheck              | cppcheck      | cppcheck
check                  | shellcheck                      | ShellCheck            | shellcheck    | shellcheck
check                  | libcmocka-dev                   | libcmocka-devel       | cmocka        | /usr/include/cmocka.h
check                  | libqrencode-dev                 | qrencode-devel        | qrencode      | /usr/include/qrencode.h
check                  | time                            | time                  | time          | /usr/bin/time
check                  | gdb                             | gdb                   | gdb           | gdb
browser                | chromium                        | chromium              | chromium      | chromium
signing                | sbsigntool                      | sbsigntools           | sbsigntools   | sbsign
signing                | openssl                         | openssl               | openssl       | openssl
signing                | efitools                        | efitools              | efitools      | flash-var
lava                   | lava-dispatcher                 | -                     | -             | lava-run
deb                    | debhelper                       | debhelper             | -             | dh
deb                    | dpkg-dev                        | dpkg-dev              | dpkg          | dpkg-buildpackage
deb                    | lintian                         | -                     | -             | lintian
roots                  | debootstrap                     | debootstrap           | debootstrap   | /usr/sbin/debootstrap /usr/bin/debootstrap
minisign               | minisign                        | minisign              | minisign      | minisign
http                   | dnsmasq-base                    | dnsmasq               | dnsmasq       | /usr/sbin/dnsmasq /usr/bin/dnsmasq
http                   | busybox                         | busybox               | busybox       | busybox
http                   | iproute2                        | iproute               | iproute2      | ip
http                   | ipxe-qemu                       | ipxe-roms-qemu        | -             | /usr/lib/ipxe/qemu/pxe-virtio.rom
more                   | linux-perf/linux-tools-generic  | perf                  | perf          | perf
more                   | yamllint                        | yamllint              | yamllint      | yamllint
more                   | bochs                           | bochs                 | -             | bochs
more                   | bochsbios                       | bochs-bios            | -             | /usr/share/bochs/BIOS-bochs-latest
more                   | vgabios                         | -                     | -             | /usr/share/vgabios/vgabios.bin
more                   | bochs-term                      | -                     | -             | /usr/lib/*/bochs/plugins/libbx_term_gui.so
more                   | libunicorn-dev                  | unicorn-devel         | unicorn       | /usr/include/unicorn/unicorn.h
TABLE
}

# The family whose names this system knows: itself, or what it is made from.
family() {
    for id in $(sed -n 's/^ID=//p; s/^ID_LIKE=//p' "$OS_RELEASE" 2>/dev/null | tr -d '"'"'"); do
        case $id in
        debian | ubuntu) echo debian && return ;;
        fedora | rhel) echo fedora && return ;;
        arch) echo arch && return ;;
        esac
    done
    echo unknown
}

# Prints the name and the signs of each package of the groups.
packages() {
    table | awk -F ' *[|] *' -v groups="$groups" -v column="$column" '{
        n = split($1, of, " ")
        for (i = 1; i <= n; i++)
            if (index(" " groups " ", " " of[i] " ")) {
                print ($column == "-" ? "-:" $2 : $column), $5
                break
            }
    }'
}

# is_there SIGN...
is_there() {
    set +f
    for sign; do
        case $sign in
        /*) for file in $sign; do [ ! -e "$file" ] || return 0; done ;;
        *) ! command -v "$sign" >/dev/null || return 0 ;;
        esac
    done
    return 1
}

# choose NAMES: prints the first of a/b/... that apt knows, or the last.
choose() {
    names=$1
    while [ "${names#*/}" != "$names" ]; do
        ! apt-cache show "${names%%/*}" >/dev/null 2>&1 || break
        names=${names#*/}
    done
    echo "${names%%/*}"
}

# Not every machine's apt has a browser; the test of web pages then says so.
is_to_be_had() {
    [ "$of_test" = no ] || [ "$1" != chromium ] || apt-cache show "$1" >/dev/null 2>&1
}

missing() {
    packages | while read -r names signs; do
        # Patterns reach is_there() as they are.
        (set -f && is_there $signs) || ! is_to_be_had "$names" || printf ' %s' "$(choose "$names")"
    done
}

stop() {
    echo "missing packages:$(missing)" >&2
    echo "$1" >&2
    exit 1
}

# to_type COMMAND: stops with the command that installs what is missing.
to_type() {
    all=$(missing | tr ' ' '\n' | LC_ALL=C sort -u)
    echo "missing packages; this command installs them, but pmucheck has not been tried on this system yet:" >&2
    echo "    $1 $(echo "$all" | grep -v '^-' | xargs)" >&2
    lacking=$(echo "$all" | sed -n 's/^-://p' | xargs)
    [ -z "$lacking" ] || echo "It has none of these packages of Debian: $lacking" >&2
    exit 1
}

# apt-get can wait for dpkg's lock, but not for the lock of the package lists.
update() {
    seconds=$LOCK_SECONDS
    while message=$($as_root apt-get update -qq 2>&1) || :; do
        case $message in *"Could not get lock"*) ;; *) break ;; esac
        [ "$seconds" -gt 0 ] || break
        seconds=$((seconds - 5))
        sleep 5
    done
    [ -z "$message" ] || echo "$message"
}

install() {
    update
    names=$(missing) # with the names that apt knows now
    echo "installing:$names"
    $as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends \
        -o DPkg::Lock::Timeout=$LOCK_SECONDS $names
}

# Lets one job install at a time. The lock is in the build directory, so that no other user can hold it or lay a link in
# its place.
lock() {
    mkdir -p "$BUILD"
    [ ! -L "$BUILD/dependencies.lock" ] || stop "$BUILD/dependencies.lock is a link: remove it."
    [ ! -e "$BUILD/dependencies.lock" ] || [ -f "$BUILD/dependencies.lock" ] ||
        stop "$BUILD/dependencies.lock is no file: remove it."
    exec 9>>"$BUILD/dependencies.lock"
    flock -n 9 && return
    echo "waiting for another installation to end"
    flock -w "$LOCK_SECONDS" 9 || stop "Another installation has not ended."
}

what=
case ${1-} in --check | --list) what=$1 && shift ;; esac
case ${1-} in
-h | --help) sed -n '/^# usage:/,/^#  *here;/s/^# \{0,1\}//p' "$0" && exit 0 ;;
esac
groups=${*:-$BUILDS}
case " $groups " in
*" test "*) of_test=yes groups="$BUILDS clang browser signing deb roots minisign http more" ;;
*) of_test=no ;;
esac
for group in $groups; do
    table | cut -d '|' -f 1 | grep -qwF -e "$group" || { echo "no such group of packages: $group" >&2 && exit 1; }
done
case $(family) in fedora) column=3 ;; arch) column=4 ;; *) column=2 ;; esac

if [ "$what" = --list ]; then
    packages | while read -r names signs; do choose "$names"; done
    exit 0
fi
[ -n "$(missing)" ] || exit 0
case $(family) in
fedora) to_type "dnf install" ;;
arch) to_type "pacman -S --needed" ;;
unknown) stop "These are Debian's names, and this is not Debian: install your system's packages with these programs." ;;
esac
if [ "$what" = --check ] || [ "${INSTALL:-yes}" = no ]; then
    stop "Install them, or let 'make dependencies' do it."
fi
if [ "$(id -u)" = 0 ]; then
    as_root=
elif command -v sudo >/dev/null && { [ -t 0 ] || sudo -n true 2>/dev/null; }; then
    as_root=sudo
else
    stop "Installing them needs root or sudo: ask the administrator."
fi
lock
[ -n "$(missing)" ] || exit 0
install || stop "apt-get could not install them; its messages are above."
[ -z "$(missing)" ] || stop "They are still missing after the installation."
