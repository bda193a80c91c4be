# SPDX-License-Identifier: BSD-2-Clause
# shellcheck shell=sh
# Debian's packages for Linux under QEMU: downloaded to $WORK and unpacked there, never installed. Several scripts may
# use $WORK at once: each keeps its own files in $RUN. To be sourced by scripts that have stop().

RUN=
own_directory() {
    mkdir -p "$WORK"
    RUN=$(mktemp -d "$WORK/run.XXXXXX") || exit 99
    trap 'rm -rf "$RUN"' EXIT
    trap 'exit 130' HUP INT TERM
}

# The current kernel: the package that linux-image-amd64 depends on.
kernel_package() {
    apt-cache depends linux-image-amd64 | sed -n 's/^ *Depends: \(linux-image-[0-9].*-amd64\)$/\1/p'
}

# The newest kernel that apt knows, including Debian's backports if apt has them.
newest_kernel_package() {
    apt-cache pkgnames linux- | sed -n 's/^linux-\(image\|binary\)-\([0-9][0-9.]*[0-9]\)[-+][^ ]*-amd64$/\2 &/p' |
        grep -v -e -cloud- -e -rt- | sort -V | tail -n 1 | cut -d ' ' -f 2
}

# Another script that needs the same package waits until it is unpacked.
unpack() (
    exec 9>"$WORK/lock" && flock 9 || exit 99
    [ -d "$WORK/$1" ] && exit
    echo "downloading $1"
    new=$WORK/new
    rm -rf "$new"
    mkdir "$new" || exit 99
    (cd "$new" && apt-get -q download "$1" >/dev/null 2>&1 && dpkg-deb -x ./*.deb . && rm -f ./*.deb) ||
        stop "$1 could not be downloaded: is 'apt-get update' due?"
    mv "$new" "$WORK/$1"
)

# Copies a program's libraries into the directory of a root file system.
libraries() {
    mkdir -p "$2/lib64" "$2/lib/x86_64-linux-gnu"
    cp -L /lib64/ld-linux-x86-64.so.2 "$2/lib64/"
    ldd "$1" | awk '$3 ~ "^/" { print $3 }' | xargs -r cp -L -t "$2/lib/x86_64-linux-gnu"
}

# pack ROOT FILE: makes an initial RAM disk.
pack() {
    (cd "$1" && find . | ./bin/busybox cpio -o -H newc 2>/dev/null | gzip -1) >"$2" || exit 99
}
