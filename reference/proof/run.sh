#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# tools/run.sh, which is repeated once if QEMU printed nothing at all: with the clocks of a proof it once hung before
# the firmware printed anything.
#
# usage: LOG=FILE [tools/run.sh's variables] reference/proof/run.sh
set -u
status=0
tools/run.sh "$@" || status=$?
if [ $status = 124 ] && ! grep -q . "$LOG"; then
    echo "QEMU showed nothing at all; once more" >&2
    status=0
    tools/run.sh "$@" || status=$?
fi
exit $status
