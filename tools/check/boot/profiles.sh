#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# A quick run of every profile in one boot with three CPUs, or of each N-th profile from the K-th on and Skylake: all
# tests must pass. Would catch a false alarm on a CPU model.
#
# usage: tools/check/boot/profiles.sh [K/N]
set -u
cd "$(dirname "$0")/../../.." || exit 1
export BUILD="${BUILD:-build}"
part=${1:-1/1}
mkdir -p "$BUILD/logs"
# tools/check/program/fleet.sh makes fleets of this log and of a failing one, which is a Skylake.
tools/check/boot/each.sh "$part" | grep -qx skylake && first='' || first=skylake,
REFERENCE='' CPUS=3 OPTIONS="reference=${first}all:$part quick after=exit" SILENCE=300 SUMMARY=0 LOG=$BUILD/logs/profiles.log \
    exec tools/run.sh
