#!/bin/sh
# Does clang-format leave all C files as they are? With --write: lets it change them.
set -eu
cd "$(dirname "$0")/../.."
case ${1-} in
--write) mode=-i ;;
*) mode='--dry-run -Werror' ;;
esac
# shellcheck disable=SC2086 # options are words
find boot kernel pmu tests tools -name '*.[ch]' | LC_ALL=C sort | xargs clang-format $mode
