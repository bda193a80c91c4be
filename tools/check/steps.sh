#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Runs steps, JOBS at once (tools/check/step.sh). Standard input: lines NAME|COMMAND, the longest steps first.
#
# usage: RESULTS=FILE JOBS=N tools/check/steps.sh <LINES
set -u
cd "$(dirname "$0")/../.." || exit 1
# shellcheck disable=SC2016 # the inner shell's own
exec xargs -r -P "$JOBS" -d '\n' -n 1 sh -c 'tools/check/step.sh "${1%%|*}" sh -c "${1#*|}"' step
