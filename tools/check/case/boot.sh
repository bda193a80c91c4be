#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Boots one case by the host program: would catch a way to start, a machine, a profile or an option that fails. A
# machine with "+pci" has its UART on PCI. Cases with a deviation run with clocks driven by instructions (STEADY),
# without chance; plain boots have a thread for each CPU.
#
# usage: [CASES=TABLE] tools/check/case/boot.sh [NAME]
set -u
cd "$(dirname "$0")/../../.." || exit 1
. tools/check/case/case.sh
IFS='|' read -r name FIRMWARE MEDIUM MACHINE CPU CPUS MEMORY OPTIONS want pattern <<ROW
$row
ROW

SERIAL=isa SILENCE=${SILENCE:-300}
case $MACHINE in
*+*) SERIAL=${MACHINE#*+} MACHINE=${MACHINE%+*} ;;
esac
case $OPTIONS in
*defect=*) STEADY=1 ;;
*) STEADY=${STEADY:-0} ;;
esac
export FIRMWARE MEDIUM MACHINE SERIAL CPU CPUS MEMORY OPTIONS LOG SILENCE STEADY
REFERENCE='' SUMMARY=0 tools/run.sh
expect status $? "$want"
expect_line "$pattern"
finish
