#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Static analysis of all C files, or of the named ones. Each suppressed warning was examined and is no defect, for the
# reason beside it.
# Would catch null pointers, leaks and dead conditions that no compiler warns of.
#
# usage: tools/check/source/cppcheck.sh [FILE...]
set -eu
cd "$(dirname "$0")/../../.."

suppressed() {
    sed 's/ .*//' <<'LIST'
missingIncludeSystem
unknownMacro
comparePointers                                     both ends of a section, named by the linker
va_end_missing:tests/harness/check_pure.c                the function never returns
unknownEvaluationOrder:tests/harness/run/run.c          one side effect in one initialiser
arrayIndexOutOfBoundsCond:reference/*     a profile has fewer counters than bits
arrayIndexOutOfBoundsCond:hosting/test/*  likewise
uninitvar:tests/*                                   written by a loop with the same bounds
uninitvar:reference/test/*                      likewise
uninitvar:hosting/test/*                      likewise
memsetValueOutOfRange:tests/host/kernel/test_string.c      on purpose: memset() must take the low byte
LIST
}

list=$(mktemp)
trap 'rm -f "$list"' EXIT
trap 'exit 130' HUP INT TERM
suppressed >"$list"
[ $# -gt 0 ] || set -- boot kernel pmu reference hosting tests tools
cppcheck --quiet --error-exitcode=1 --std=c11 --platform=unix64 --enable=warning,performance,portability \
    --suppressions-list="$list" -j "${JOBS:-2}" -I. -Itests "$@"
