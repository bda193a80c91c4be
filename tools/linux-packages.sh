# shellcheck shell=sh
# Debian's packages for Linux under QEMU: downloaded as $WORK says, unpacked there, never installed. To be sourced by
# scripts that have stop().

# The kernel of today: the package that linux-image-amd64 stands for.
kernel_package() {
    apt-cache depends linux-image-amd64 | sed -n 's/^ *Depends: \(linux-image-[0-9].*-amd64\)$/\1/p'
}

unpack() {
    [ -d "$WORK/$1" ] && return
    echo "downloading $1"
    mkdir -p "$WORK/new" || exit 99
    (cd "$WORK/new" && apt-get -q download "$1" >/dev/null 2>&1 && dpkg-deb -x ./*.deb . && rm -f ./*.deb) ||
        stop "$1 could not be downloaded: is 'apt-get update' due?"
    mv "$WORK/new" "$WORK/$1"
}

# The libraries of a program, into a directory that is to be the root.
libraries() {
    mkdir -p "$2/lib64" "$2/lib/x86_64-linux-gnu"
    cp -L /lib64/ld-linux-x86-64.so.2 "$2/lib64/"
    ldd "$1" | awk '$3 ~ "^/" { print $3 }' | xargs -r cp -L -t "$2/lib/x86_64-linux-gnu"
}

# pack ROOT FILE: an initial RAM disk.
pack() {
    (cd "$1" && find . | ./bin/busybox cpio -o -H newc 2>/dev/null | gzip -1) >"$2" || exit 99
}
