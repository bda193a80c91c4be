# SPDX-License-Identifier: BSD-2-Clause
# Clean roots of Debian releases for other scripts in this directory, which source this file. Debian's smallest root is
# made once per release, by debootstrap, and kept; each run works in a copy of it. Status 77, with the reason, if there
# can be none (no root rights, no network).
# shellcheck shell=sh disable=SC2034 # set here, used there
BUILD=${BUILD:-build}
ROOTS=$(realpath "${ROOTS:-$BUILD/roots}")  ## clean roots of Debian, and the packages that were fetched for them
MIRROR=${MIRROR:-}                          ## a mirror of Debian for clean roots; empty: debootstrap's default
work=$(mktemp -d)
root=$work/root
. tools/check/program/in-root.sh
trap 'rm -rf "$work"' EXIT
trap 'exit 130' HUP INT TERM

skip() {
    echo "no clean root here: $1"
    exit 77
}

# clean_root RELEASE: makes $root. One script at a time has a release's packages.
clean_root() {
    [ "$(id -u)" = 0 ] || skip "making one needs root"
    tools/dependencies.sh roots
    packages=$ROOTS/$1-packages
    mkdir -p "$packages/partial"
    exec 8>>"$ROOTS/$1.lock"
    flock 8
    # shellcheck disable=SC2086 # the mirror is a word or none
    [ -d "$ROOTS/$1" ] || {
        rm -rf "$ROOTS/$1.new"
        timeout 600 debootstrap --variant=minbase "$1" "$ROOTS/$1.new" $MIRROR >"$work/debootstrap.log" 2>&1 ||
            skip "debootstrap: $(tail -n 1 "$work/debootstrap.log")"
        mv "$ROOTS/$1.new" "$ROOTS/$1"
    }
    cp -a "$ROOTS/$1" "$root"
    in_root apt-get update -qq >"$work/update.log" 2>&1 || skip "apt-get update: $(tail -n 1 "$work/update.log")"
}

# kept_root RELEASE PACKAGE...: makes $root, which is kept with these packages installed and must not be changed.
kept_root() {
    with=$ROOTS/$1-$(echo "$*" | cksum | cut -d ' ' -f 1)
    [ -d "$with" ] || clean_root "$1"
    shift
    [ -d "$with" ] || { # another script may have made it meanwhile
        in_root apt-get install -y -qq --no-install-recommends "$@" >"$work/install.log" 2>&1 ||
            skip "apt-get install: $(tail -n 1 "$work/install.log")"
        mv "$root" "$with"
    }
    exec 8>&-
    root=$with
}
