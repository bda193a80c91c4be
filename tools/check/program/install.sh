#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# `make install` by somebody whose files nobody else may read (umask 077): what it installs is for all users.
# Would catch a manual page or a header that only root can read.
#
# usage: tools/check/program/install.sh
set -eu
cd "$(dirname "$0")/../../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' HUP INT TERM
umask 077
"${MAKE:-make}" -s install DESTDIR="$work/root" PREFIX=/usr >/dev/null
unreadable=$(find "$work/root" -mindepth 1 ! -perm -444 -o -type d ! -perm -555)
[ -z "$unreadable" ] || { echo "not for all:" && echo "$unreadable" && exit 1; }
for file in bin/pmucheck share/man/man1/pmucheck.1 share/pmucheck/pmucheck.iso include/pmumodel.h include/pmumodel_lab.h \
    lib/libpmumodel.a lib/libpmumodel.so lib/libpmumodel.so.0 lib/pkgconfig/pmumodel.pc share/bash-completion/completions/pmucheck \
    share/zsh/vendor-completions/_pmucheck share/fish/vendor_completions.d/pmucheck.fish; do
    [ -s "$work/root/usr/$file" ] || { echo "not installed: $file" && exit 1; }
done
# pkg-config finds the libraries wherever the tree was moved to.
flags=$(PKG_CONFIG_PATH=$work/root/usr/lib/pkgconfig pkg-config --define-variable=prefix=/elsewhere --cflags --libs pmumodel)
[ "${flags% }" = "-I/elsewhere/include -L/elsewhere/lib -lpmumodel" ] || { echo "pkg-config: $flags" && exit 1; }
