#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The build in a clean root of a Debian release, from sources without git: `make dependencies` for the image alone, then
# image and stick by GCC, and the kernel by clang. The image is booted here. On the release of tools/download/Containerfile
# the steps of that recipe come next: the download page, whose program must start. With "whole" the packages for
# everything else, too: the host program, the static one, the model and the host tests are built, and the host tests run.
# Would catch a package that a release has under another name, one that is asked for and not needed, and what another
# release's compiler, linker or GRUB does not take. Status 77 if no root can be made.
#
# usage: tools/check/program/anywhere.sh RELEASE [whole]      RELEASE: bookworm, trixie
set -eu
cd "$(dirname "$0")/../../.."
release=$1
commit=$(make -s print-COMMIT)
# shellcheck source=tools/check/program/root.sh
. tools/check/program/root.sh
clean_root "$release"
JOBS=${JOBS:-2}
mkdir "$root/pmucheck"
tools/check/copy-tree.sh "$root/pmucheck"

# timed WHAT COMMAND...: prints the time that it took, and its last lines if it failed.
timed() {
    what=$1
    started=$(date +%s)
    shift
    "$@" >"$work/log" 2>&1 || {
        tail -n 40 "$work/log"
        echo "$release: $what failed"
        exit 1
    }
    echo "$release: $what: $(($(date +%s) - started)) s"
}

build() {
    in_root make -C /pmucheck -j "$JOBS" COMMIT="$commit" "$@"
}

# Nothing but make is asked of the user.
timed "make" in_root apt-get install -y -qq --no-install-recommends make
timed "packages of the image" build dependencies NEEDS=image
for not_needed in git clang cppcheck shellcheck gdb qemu-system-x86_64; do
    ! in_root sh -c "command -v $not_needed" || { echo "$release: the image does not need $not_needed" && exit 1; }
done
in_root sh -c 'gcc --version | head -n 1; ld --version | head -n 1; grub-mkimage --version'
timed "image and stick" build iso stick
timed "packages of clang" build dependencies NEEDS=clang
timed "kernel by clang" build kernel BUILD=build/clang CC=clang LD=ld.lld
IMAGE="$root/pmucheck/build/pmucheck.iso" LOG="$BUILD/logs/anywhere-$release.log" SUMMARY=0 SILENCE=300 \
    timed "boot" tools/run.sh

# The steps of the recipe, one after another, as an engine takes them; the tree is where it is mounted there.
recipe() {
    # shellcheck disable=SC2046 # words
    while read -r step how; do
        case $step in
        COPY)
            mkdir -p "$(dirname "$root${how#* }")"
            cp "${how% *}" "$root${how#* }"
            ;;
        RUN) in_root sh -c "$how" ;;
        WORKDIR) [ "$how" = /pmucheck ] ;;
        CMD) in_root env -C /pmucheck $(echo "$how" | tr -d '[],"') COMMIT="$commit" ;;
        esac || return
    done <tools/download/Containerfile
}

if [ "$release" = bookworm ]; then
    grep -qx 'FROM debian:12' tools/download/Containerfile
    timed "steps of the container's recipe" recipe
    in_root sh -c 'cd /pmucheck/build/download && sha256sum --quiet -c SHA256SUMS && ./pmucheck-*-x86_64 --version'
fi
[ "${2-}" = whole ] || exit 0

timed "packages of everything" build dependencies
timed "all, model and static" build all model static
timed "host tests, built" build host-tests
# shellcheck disable=SC2016 # the root's
in_root sh -c 'cd /pmucheck && for test in build/host/test_*; do
    case $test in *.txt | *.d) continue ;; esac
    "$test" >/tmp/log 2>&1 || { tail -n 20 /tmp/log; echo "FAIL $test"; exit 1; }
done' || { echo "$release: a host test failed" && exit 1; }
echo "$release: host tests: passed"
