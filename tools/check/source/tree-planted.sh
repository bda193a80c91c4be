#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# tools/check/source/tree.sh tells each kind of file that has no place in the tree, by name, and nothing of one that has.
# Would catch a check of the tracked files that looks past some of them.
set -eu
cd "$(dirname "$0")/../../.."
check=$PWD/tools/check/source/tree.sh
work=$(mktemp -d)
trap 'rm -r "$work"' EXIT
git -C "$work" init -q
mkdir -p "$work/docs/pictures" "$work/tools/a folder" "$work/pmu"

plant() { # FILE: standard input
    cat >"$work/$1"
    git -C "$work" add -f -- "$1"
}
good() { printf '/* SPDX-License-Identifier: BSD-2-Clause */\nint x;\n'; }

good | plant tools/good.c
good | plant "tools/b=$(printf '\303\244').c"
printf '#!ipxe\nboot\n' | plant tools/boot.ipxe
printf '\211PNG\r\n\032\n\0\0' | plant docs/pictures/good.png
"$check" "$work" >/dev/null || { echo "a good tree is refused:"; "$check" "$work"; exit 1; }

printf '\177ELF\2\1\1\0' | plant core
printf '\177ELF\2\1\1\0' | plant "tools/a folder/core"
head -c 200001 /dev/zero | tr '\0' 'x' | plant pmu/large.txt
printf '\0\1\2' | plant pmu/image.img
printf '\037\213\010\0\0' | plant tools/packed.tgz
printf '!<arch>\none.txt/\n' | plant tools/texts.a
tar -C "$work" -cf - tools/good.c | plant docs/pictures/tar.png
printf 'int x;\n' | plant pmu/unlicensed.c
printf '\n\n/* SPDX-License-Identifier: BSD-2-Clause */\n' | plant pmu/third.c
printf '/* SPDX-License-Identifier: BSD-2-Clause-Patent */\n' | plant pmu/other.c
printf '#!/usr/bin/python3\n' | plant tools/snake
printf 'x\n' | plant -x.txt # no option of what reads the names
printf '#!/bin/sh\n:\n' | plant tools/unlicensed
printf 'x\n' | plant notes.txt
ln -s docs "$work/tools/link"
git -C "$work" add tools/link
git -C "$work" update-index --add --cacheinfo "160000,$(git hash-object --stdin </dev/null),tools/other"

"$check" "$work" >"$work/told" && { echo "a bad tree passes"; exit 1; }
diff - "$work/told" <<'TOLD'
-x.txt: not an entry of the root that tools/check/source/tree.txt allows
core: not an entry of the root that tools/check/source/tree.txt allows
notes.txt: not an entry of the root that tools/check/source/tree.txt allows
tools/link: a symbolic link
tools/other: another repository
pmu/large.txt: 200001 bytes, and at most 200000 are allowed
core: ELF, which tools/check/source/tree.txt does not allow
docs/pictures/tar.png: archive, which tools/check/source/tree.txt does not allow
pmu/image.img: binary, which tools/check/source/tree.txt does not allow
tools/a folder/core: ELF, which tools/check/source/tree.txt does not allow
tools/packed.tgz: archive, which tools/check/source/tree.txt does not allow
tools/texts.a: archive, which tools/check/source/tree.txt does not allow
pmu/other.c: its first two lines do not say SPDX-License-Identifier: BSD-2-Clause
pmu/third.c: its first two lines do not say SPDX-License-Identifier: BSD-2-Clause
pmu/unlicensed.c: its first two lines do not say SPDX-License-Identifier: BSD-2-Clause
tools/snake: its first two lines do not say SPDX-License-Identifier: BSD-2-Clause
tools/unlicensed: its first two lines do not say SPDX-License-Identifier: BSD-2-Clause
TOLD
echo "each planted file is told"
