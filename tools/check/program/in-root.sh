# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# Commands in another root, $root. Sourced.

# Runs a command there, with /proc, and with the packages that were fetched before ($packages, if set), in a mount name
# space that ends with the command.
in_root() {
    # shellcheck disable=SC2016,SC2154 # the inner shell's; the script's that sources this
    unshare --mount sh -c 'root=$1 packages=$2; shift 2; mount -t proc proc "$root/proc" &&
        { [ -z "$packages" ] || mount --bind "$packages" "$root/var/cache/apt/archives"; } && exec env -i HOME=/root \
        LC_ALL=C.UTF-8 PATH=/usr/sbin:/usr/bin:/sbin:/bin DEBIAN_FRONTEND=noninteractive chroot "$root" "$@"' sh \
        "$root" "${packages-}" "$@" 8>&-
}
