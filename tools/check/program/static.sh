#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The static host program in a root that has nothing but it, the tree, /tmp, /dev and /proc: every command, as
# tools/check/program/program.py tries it. Status 77 if this user can have no such root.
# Would catch a command that the static binary lacks, or that needs a file of some distribution.
#
# usage: tools/check/program/static.sh LOG         LOG: of a boot that passed
set -u
cd "$(dirname "$0")/../../.." || exit 1
BUILD=${BUILD:-build}
good=$(realpath "$1")
unshare --map-root-user --mount true 2>/dev/null || { echo "no mount name space here" && exit 77; }
work=$(mktemp -d)
trap 'rmdir "$work/jail"; rm -f "$work/program"; rmdir "$work"' EXIT
trap 'exit 130' HUP INT TERM
mkdir "$work/jail"
cat >"$work/program" <<SH
#!/bin/sh
exec unshare --root="$work/jail" --wd="$PWD" "$(realpath "$BUILD")/static/pmucheck" "\$@"
SH
chmod +x "$work/program"

# The mounts end with the name space.
# shellcheck disable=SC2016 # the inner shell's
BUILD=$(realpath "$BUILD") PROGRAM=$work/program unshare --map-root-user --mount sh -c 'jail=$1
    mount -t tmpfs none "$jail" || exit 77
    for part in /tmp /dev /proc "$PWD" "$BUILD" "$(dirname "$2")"; do
        mkdir -p "$jail$part" && mount --rbind "$part" "$jail$part" || exit 77
    done
    ! ls "$jail/lib" "$jail/usr" "$jail/etc" 2>/dev/null || { echo "the root is not empty" && exit 1; }
    tools/check/program/program.py "$2"' sh "$work/jail" "$good"
