#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Runs cases of tests/boot/next.txt and hosting/test/next.txt with the QEMU and the firmware of another release: Debian
# 13's, QEMU 10.0, from a root that is made once and kept. Nothing of this machine's is changed: the firmware is seen in
# a name space of its own.
# Would catch what the reference PMU or hosting takes from one version of the emulator alone. Status 77, with the reason,
# if there can be no such root (no root rights, no network).
#
# usage: tools/check/qemu-next.sh [CASE | --all]      without CASE: lists them; --all: JOBS (2) at a time, with a count
set -eu
cd "$(dirname "$0")/../.."
RELEASE=trixie
BUILD=${BUILD:-build}
cases="tests/boot/next.txt hosting/test/next.txt" # hosting may be absent

rows() {
    # shellcheck disable=SC2086 # two files
    cat $cases 2>/dev/null | sed -e '/^#/d' -e '/^[[:blank:]]*$/d' -e 's/[[:blank:]]*|[[:blank:]]*/|/g'
}
[ $# -gt 0 ] || {
    rows | cut -d '|' -f 1
    exit
}
[ "$1" != --all ] || {
    export BUILD JOBS="${JOBS:-2}" RESULTS="$BUILD/logs/next.txt"
    mkdir -p "$BUILD/logs"
    : >"$RESULTS"
    started=$(date +%s)
    rows | cut -d '|' -f 1 | sed 's,.*,next: &|tools/check/qemu-next.sh &,' | tools/check/steps.sh
    exec tools/check/sum.sh "$started"
}
row=$(rows | awk -F '|' -v name="$1" '$1 == name')
[ -n "$row" ] || { echo "$1: no such case in $cases"; exit 1; }
tcg=$(echo "$row" | cut -d '|' -f 2)

. tools/check/program/root.sh
kept_root "$RELEASE" qemu-system-x86 ovmf

# A program of that name that is first in PATH starts the root's, with the libraries and the data of the root.
mkdir "$work/bin"
cat >"$work/bin/qemu-system-x86_64" <<EOF
#!/bin/sh
for word; do
    shift
    [ "\$word" != tcg ] || word=tcg${tcg:+,$tcg}
    set -- "\$@" "\$word"
done
libraries=$root/usr/lib/x86_64-linux-gnu
export QEMU_MODULE_DIR=\$libraries/qemu
exec $root/lib64/ld-linux-x86-64.so.2 --library-path "\$libraries" $root/usr/bin/qemu-system-x86_64 \\
    -L $root/usr/share/qemu -L $root/usr/share/seabios "\$@"
EOF
chmod +x "$work/bin/qemu-system-x86_64"
PATH=$work/bin:$PATH
export PATH
qemu-system-x86_64 --version | head -n 1

# boot PROFILE CPUS FIRMWARE OPTIONS...
boot() {
    REFERENCE=$1 CPUS=$2 FIRMWARE=$3
    shift 3
    export REFERENCE CPUS FIRMWARE OPTIONS="$*" SILENCE=300 SUMMARY=0 STEADY LOG="$BUILD/logs/next-$name.log"
    in_its_name_space tools/run.sh
}

# The root's firmware in the place of this machine's.
in_its_name_space() {
    # shellcheck disable=SC2016 # the inner shell's
    unshare --mount sh -c 'mount --bind "$1" /usr/share/OVMF && shift && exec "$@"' sh "$root/usr/share/OVMF" "$@"
}

name=$1 STEADY=0
# shellcheck disable=SC2046 # words
set -f -- $(echo "$row" | cut -d '|' -f 3)
what=$1
shift
case $what in
boot) boot "$@" ;;
boot-steady) STEADY=1 boot "$@" ;;
torture) CASES=tests/boot/next-torture.txt in_its_name_space tools/check/case/torture.sh "$1" ;;
hosted) LOG=$BUILD/logs/next-$name.log in_its_name_space hosting/test/check/host.sh "$1" ;;
linux) PARTS=sample LOG=$BUILD/logs/next-linux.log in_its_name_space hosting/tools/linux.sh ;;
*) echo "$cases: $what is not known" && exit 1 ;;
esac
