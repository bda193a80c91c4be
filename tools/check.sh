#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Catches most mistakes, in a minute after a change of one file: the build, static checks and host tests of the files
# that changed since they last passed, and two boots, one with a seeded defect. Prints one line a step; the last line
# counts them. Called by `make check`; `make test` checks everything.
set -u
cd "$(dirname "$0")/.." || exit 1
BUILD=${BUILD:-build}
JOBS=${JOBS:-2}
MAKE="${MAKE:-make} --no-print-directory"
RESULTS=$BUILD/logs/check.txt
CASES=tests/boot/check.txt
export BUILD RESULTS CASES JOBS
mkdir -p "$BUILD/logs"
: >"$RESULTS"
started=$(date +%s)

# shellcheck disable=SC2086 # MAKE is a command with its option
tools/check/step.sh "build: image, tools, host tests" $MAKE -k -j "$JOBS" kernel iso tools model host-tests

{
    tools/check/case/boot.sh | sed 's,.*,boot: &|tools/check/case/boot.sh &,'
    cat tools/check/static.txt
    tools/check/host-test.sh | sed 's,.*,host: &|tools/check/host-test.sh &,'
} | tools/check/steps.sh

tools/check/sum.sh "$started"
