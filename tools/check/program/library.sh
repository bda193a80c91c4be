#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The model's library keeps what its headers promise: it needs only the four functions that compilers call by
# themselves, has no writable data, and exports no name that the headers do not declare; the shared library has the same
# functions under the version that first had them, and needs libc alone; and in a directory with only the headers and a
# library, the example builds without a warning and prints the documented output, with the static one and the shared.
# Would catch a library that needs more than its users have, and an example that no longer builds.
set -eu
cd "$(dirname "$0")/../../.."
BUILD=${BUILD:-build}
HOST_CC=${HOST_CC:-gcc}
case $BUILD in /*) ;; *) BUILD=$PWD/$BUILD ;; esac
example=$PWD/reference/test/model/example
library=$BUILD/libpmumodel.a
shared=$BUILD/libpmumodel.so.0

# The library has the version that is being made: the newest one of CHANGELOG.md.
told=$(awk '/_VERSION_(MAJOR|MINOR|PATCH) [0-9]+$/ { printf "%s%s", dot, $3; dot = "." }' reference/library/pmumodel.h)
newest=$(sed -n 's/^## \([0-9.]*\) .*/\1/p' CHANGELOG.md | head -n 1)
[ "$told" = "$newest" ] || { echo "pmumodel.h says $told, CHANGELOG.md $newest" && exit 1; }

nm "$library" | awk '
    NF < 2 { next }
    $(NF - 1) == "U" && $NF !~ /^mem(cpy|set|cmp|move)$/ { print "it needs " $NF "()"; bad++ }
    $(NF - 1) ~ /^[A-TV-Z]$/ && $NF !~ /^pmumodel_/ { print $NF " is a name of its own that others could have"; bad++ }
    $(NF - 1) == "T" { names++ }
    END { if (!names) print "it has no functions"; exit bad > 0 || !names }'

# Tables of addresses, .data.rel.ro, are filled in before the program starts and only read after that.
objdump -h "$library" | awk '
    $1 ~ /^[0-9]+$/ { section = $2; size = $3 }
    /ALLOC/ && !/READONLY/ && size !~ /^0+$/ && section !~ /^\.data\.rel\.ro/ {
        print section " holds " size "H bytes that can be written"
        bad++
    }
    END { exit bad > 0 }'

empty=$(mktemp -d)
trap 'rm -rf "$empty"' EXIT
trap 'exit 130' HUP INT TERM
mkdir "$empty/include" "$empty/lib"
cp "$BUILD/include/pmumodel.h" "$BUILD/include/pmumodel_lab.h" "$empty/include"
cp "$example.c" "${example%/*}/first.c" "$empty"
cd "$empty"

# Both libraries must have every function of the headers, and no other.
nm "$library" | awk '$2 == "T" { print $3 }' | LC_ALL=C sort >static
sed "s,^#define.*,," include/*.h | tr "\n" " " | grep -oE "PMUMODEL_API [^(]*\(" | grep -oE "[a-z0-9_]+\($" | tr -d "(" | LC_ALL=C sort |
    diff - static || { echo "headers and library have different functions" && exit 1; }
nm -D --defined-only "$shared" | sed -n 's/^[0-9a-f]* T //p' | LC_ALL=C sort >versioned
sed 's/$/@@PMUMODEL_0.3/' static | diff - versioned || { echo "the shared library has other functions" && exit 1; }
readelf -d "$shared" | awk '
    /NEEDED/ && !/\[libc\.so\.6\]/ { print "it needs " $NF; bad++ }
    /SONAME/ { named = /\[libpmumodel\.so\.0\]/ }
    END { if (!named) print "it has another name"; exit bad > 0 || !named }'

cp "$library" lib
"$HOST_CC" -std=c17 -Wall -Wextra -Wpedantic -Werror -I include example.c -L lib -lpmumodel -o example
./example | diff "$example.txt" -
"$HOST_CC" -std=c17 -Wall -Wextra -Wpedantic -Werror -I include first.c -L lib -lpmumodel -o first
./first | diff "${example%/*}/first.txt" -
rm lib/*
cp "$shared" lib
ln -s libpmumodel.so.0 lib/libpmumodel.so
"$HOST_CC" -std=c17 -Wall -Wextra -Wpedantic -Werror -I include example.c -L lib -lpmumodel -o shared
LD_LIBRARY_PATH=lib ./shared | diff "$example.txt" -

# The headers take nothing from the program that includes them, and leave nothing in it; in C++, too.
cat >alone.c <<'C'
#define BIT 1
#define u64 2
#define ACCESS_LOAD 3
#include <pmumodel_lab.h>
#include <pmumodel.h>
enum memory_access { mine };
C
"$HOST_CC" -std=c11 -ffreestanding -Wall -Wextra -Wpedantic -Werror -I include -fsyntax-only alone.c
for lang in c c++; do
    if command -v clang >/dev/null; then
        clang -x "$lang" -Wall -Wextra -Werror -I include -fsyntax-only alone.c
    fi
done
# What the preprocessor has behind them that it has not behind the C library's headers.
printf '#include <stdbool.h>\n#include <stddef.h>\n#include <stdint.h>\n' >before.c
"$HOST_CC" -dM -E before.c | LC_ALL=C sort >before
cat before.c - >after.c <<'C'
#include <pmumodel_lab.h>
C
"$HOST_CC" -dM -E -I include after.c | LC_ALL=C sort >after
LC_ALL=C comm -13 before after | grep -v '^#define PMUMODEL_' && { echo "these macros have no prefix" && exit 1; }
echo "$(wc -l <static) functions, no libc, no variables, and the example prints what it should"
