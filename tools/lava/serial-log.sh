#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Extracts the serial log from LAVA's log (the "raw" log of the job page, or lava-run's output), for pmucheck report,
# compare and the others. LAVA writes a backslash before each quotation mark, and JSON then another before both
# characters.
#
# usage: tools/lava/serial-log.sh <OUTPUT.YAML >PMUCHECK.LOG
sed -n 's/^.*"lvl": "\(target\|feedback\)", "msg": "\(.*\)"\(, "ns": "[^"]*"\)*}$/\2/p' |
    sed -e 's/\\\([\\"]\)/\1/g' -e 's/\\"/"/g'
