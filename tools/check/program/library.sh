#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# The model's library keeps what its header promises: it needs only the four functions that compilers call by
# themselves, has no writable data, and exports no name that the header does not declare; and in a directory with only
# the header and the archive, the example builds without a warning and prints the documented output.
# Would catch a library that needs more than its users have, and an example that no longer builds.
set -eu
cd "$(dirname "$0")/../../.."
BUILD=${BUILD:-build}
HOST_CC=${HOST_CC:-gcc}
library=$PWD/$BUILD/libpmumodel.a
header=$PWD/$BUILD/include/pmumodel.h
example=$PWD/reference/test/model/example
case $BUILD in /*) library=$BUILD/libpmumodel.a header=$BUILD/include/pmumodel.h ;; esac

nm "$library" | awk '
    NF < 2 { next }
    $(NF - 1) == "U" && $NF !~ /^mem(cpy|set|cmp|move)$/ { print "it needs " $NF "()"; bad++ }
    $(NF - 1) ~ /^[A-TV-Z]$/ && $NF !~ /^model_/ { print $NF " is a name of its own that others could have"; bad++ }
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

# The archive must have every function of the header, except those with a body in the header.
grep -v "^static inline " "$header" | grep -oE '^[a-z][a-z0-9_ *]*\bmodel_[a-z0-9_]+\(' | grep -oE 'model_[a-z0-9_]+\($' | tr -d "(" | LC_ALL=C sort >"$BUILD/gen/declared"
nm "$library" | awk '$2 == "T" { print $3 }' | LC_ALL=C sort | diff "$BUILD/gen/declared" - || {
    echo "the header and the library have different functions"
    exit 1
}
functions=$(wc -l <"$BUILD/gen/declared")

empty=$(mktemp -d)
trap 'rm -rf "$empty"' EXIT
trap 'exit 130' HUP INT TERM
mkdir "$empty/include" "$empty/lib"
cp "$header" "$empty/include"
cp "$library" "$empty/lib"
cp "$example.c" "$empty"
cd "$empty"
"$HOST_CC" -std=c17 -Wall -Wextra -Wpedantic -Werror -I include example.c -L lib -lpmumodel -o example
./example | diff "$example.txt" -
echo '#include <pmumodel.h>' >alone.c
"$HOST_CC" -std=c11 -ffreestanding -Wall -Wextra -Wpedantic -Werror -DPMUMODEL_NO_REGISTERS -I include -fsyntax-only alone.c
if command -v clang >/dev/null; then
    clang -x c++ -Wall -Wextra -Werror -I include -fsyntax-only alone.c
fi
echo "$functions functions, no libc, no variables, and the example prints what it should"
