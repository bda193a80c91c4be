#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The public host's forms and jobs, .github/: YAML without faults, commands that shellcheck knows, and make targets that
# exist. The README's badge names a job that is there.
# Would catch a job that fails before it has begun.
set -eu
cd "$(dirname "$0")/../../.."
command -v yamllint >/dev/null || { echo "no yamllint: the package of this name has it"; exit 77; }
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
trap 'exit 130' HUP INT TERM
bad=0

find .github -name '*.yml' >"$work/files"
while read -r file; do
    yamllint -d '{extends: relaxed, rules: {line-length: disable}}' "$file" || bad=1
done <"$work/files"
for file in .github/workflows/*.yml; do
    # The lines of each "run: |", which are deeper than it.
    awk '{ match($0, /^ */) }
        on && NF && RLENGTH <= depth { on = 0 }
        on { print substr($0, depth + 3) }
        /^ *run: \|$/ { on = 1; depth = RLENGTH }' "$file" >"$work/commands"
    grep -q . "$work/commands" || { echo "$file runs nothing"; bad=1; }
    shellcheck -s sh "$work/commands" || bad=1
    sed -n 's/^make \([a-z-]*\).*/\1/p' "$work/commands" | while read -r target; do
        grep -q "^$target:" Makefile || echo "$file: there is no make $target"
    done >"$work/targets"
    [ ! -s "$work/targets" ] || { cat "$work/targets"; bad=1; }
done
badge=$(sed -n 's,.*actions/\(workflows/[a-z]*\.yml\)/badge.*,\1,p' README.md)
[ -e ".github/${badge:-none}" ] || { echo "README.md has no badge of a job"; bad=1; }
exit $bad
