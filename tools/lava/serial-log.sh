#!/bin/sh
# Takes the serial log out of LAVA's own (the "raw" one of its job page, or what lava-run prints), for pmucheck report,
# compare and the others. LAVA writes a backslash before each quotation mark, and JSON another before each of both.
#
# usage: tools/lava/serial-log.sh <OUTPUT.YAML >PMUCHECK.LOG
sed -n 's/^.*"lvl": "\(target\|feedback\)", "msg": "\(.*\)"\(, "ns": "[^"]*"\)*}$/\2/p' |
    sed -e 's/\\\([\\"]\)/\1/g' -e 's/\\"/"/g'
