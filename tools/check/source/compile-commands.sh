#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# `make compile_commands.json` names every C file of the tree, except those that are built on their own; the command of
# one of them compiles it, as an editor would.
# Would catch a rule of the Makefile whose commands are no longer found, a quote that ends a text too early.
set -eu
cd "$(dirname "$0")/../../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' HUP INT TERM
list=compile_commands.json
had=$([ ! -e $list ] || echo yes)
make -s $list
sed -n 's/.*"file": "\([^"]*\)".*/\1/p' $list | LC_ALL=C sort -u >"$work/named"
[ -n "$had" ] || { mv $list "$work"; list=$work/$list; }
# The library's example, the examples for other programs, what only a static program has.
find boot kernel pmu reference hosting tests tools -name '*.c' ! -name example.c ! -path '*/unicorn/*' \
    ! -path '*/left-out/*' ! -path '*/foreign/linux/*' | LC_ALL=C sort | LC_ALL=C comm -23 - "$work/named" >"$work/missing"
[ ! -s "$work/missing" ] || { sed 's/$/ has no command/' "$work/missing"; exit 1; }
file=kernel/text/format.c
command=$(sed -n 's/.*"command": "\(.*\)", "file": "'"$(echo $file | sed 's/\//\\\//g')"'".*/\1/p' "$list" | head -n 1 | sed 's/\\\(.\)/\1/g')
echo "$command" | grep -q ' -c -o ' || { echo "$file has no command"; exit 1; }
sh -c "$(echo "$command" | sed 's/ -MMD -MP -c -o [^ ]*/ -fsyntax-only/')"
echo "$(wc -l <"$work/named") files"
