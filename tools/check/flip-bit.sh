#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Flips one bit of a file: bit N % 8 of byte N / 8.
#
# usage: tools/check/flip-bit.sh FILE N
set -eu
byte=$(od -An -tu1 -j $(($2 / 8)) -N 1 "$1")
# shellcheck disable=SC2059 # the format is the byte
printf "\\$(printf '%03o' $((byte ^ (1 << ($2 % 8)))))" | dd of="$1" bs=1 seek=$(($2 / 8)) conv=notrunc status=none
