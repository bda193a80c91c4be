#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Checks that clang-format would leave all C files, or the named ones, unchanged. With --write: lets it change them.
# Would catch a layout that differs from file to file.
#
# usage: tools/check/source/format.sh [--write] [FILE...]
set -eu
cd "$(dirname "$0")/../../.."
case ${1-} in
--write)
    mode=-i
    shift
    ;;
*) mode='--dry-run -Werror' ;;
esac
[ $# -gt 0 ] || {
    # shellcheck disable=SC2046 # no name has a blank
    set -- $(find boot kernel pmu reference hosting tests tools -name '*.[ch]' | LC_ALL=C sort)
}
# shellcheck disable=SC2086 # options are words
clang-format $mode "$@"
