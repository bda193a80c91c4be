#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Removes what was built from sources that no longer exist: their objects and lists of dependencies, and the archives and
# links that may hold them. So a file can be removed or moved without `make clean`.
#
# usage: tools/build/orphans.sh BUILD
set -u
build=$1
for tree in obj host/obj fuzz/obj tools/obj model; do
    [ -d "$build/$tree" ] || continue
    gone=0
    while read -r object; do
        [ -n "$object" ] || continue
        source=${object#"$build/$tree/"}
        [ -e "${source%.o}" ] && continue
        rm -f "$object" "${object%.o}.d"
        gone=1
    done <<END
$(find "$build/$tree" -name '*.c.o' -o -name '*.asm.o')
END
    [ $gone = 1 ] || continue
    case $tree in
    obj) rm -f "$build"/gen/*.first.elf ;;
    model) rm -f "$build/model/pmumodel.o" ;;
    *) rm -f "$build/${tree%/obj}/libcode.a" ;;
    esac
done
