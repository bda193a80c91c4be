#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Prints tables of the reference PMU for the docs, from its sources: the registers with their rules, the rules with
# their promises. Fails if a rule has no promise or no section of the manual.
#
# usage: tools/docs/rules.sh registers|promises
set -eu
cd "$(dirname "$0")/../.."
model=reference/model
case ${1-} in
registers | promises) ;;
*) echo "usage: tools/docs/rules.sh registers|promises" >&2; exit 2 ;;
esac
# shellcheck disable=SC2046 # no name has a blank
LC_ALL=C awk -v table="$1" -f tools/docs/rules.awk boot/cpu.h pmu/registers.def $model/rules.def \
    $(find $model -name '*.c' | LC_ALL=C sort)
