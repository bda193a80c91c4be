# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# Commands in another root, $root. Sourced.

# Runs a command there, with /proc, in a mount name space that ends with the command.
in_root() {
    # shellcheck disable=SC2016,SC2154 # the inner shell's; the script's that sources this
    unshare --mount sh -c 'root=$1; shift; mount -t proc proc "$root/proc" && exec env -i HOME=/root LC_ALL=C \
        PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive chroot "$root" "$@"' sh "$root" "$@"
}
