# shellcheck shell=sh
# Debian's packages for Linux under QEMU: downloaded as $WORK says, unpacked there, never installed. Several scripts may
# use $WORK at once: each has what it makes itself in $RUN. To be sourced by scripts that have stop().

RUN=
own_directory() {
    mkdir -p "$WORK"
    RUN=$(mktemp -d "$WORK/run.XXXXXX") || exit 99
    trap 'rm -rf "$RUN"' EXIT
    trap 'exit 130' HUP INT TERM
}

# The kernel of today: the package that linux-image-amd64 stands for.
kernel_package() {
    apt-cache depends linux-image-amd64 | sed -n 's/^ *Depends: \(linux-image-[0-9].*-amd64\)$/\1/p'
}

# The newest one that apt knows, of Debian's backports where they are among its sources.
newest_kernel_package() {
    apt-cache pkgnames linux- | sed -n 's/^linux-\(image\|binary\)-\([0-9][0-9.]*[0-9]\)[-+][^ ]*-amd64$/\2 &/p' |
        grep -v -e -cloud- -e -rt- | sort -V | tail -n 1 | cut -d ' ' -f 2
}

# Another script that unpacks the same waits, and has it then.
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
