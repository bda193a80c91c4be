#!/bin/sh
# A quick run of every profile, in one boot with three CPUs, or of each N-th from the K-th on: all tests must pass.
# Would catch a false alarm on a CPU model.
#
# usage: tools/check/boot/profiles.sh [K/N]
set -u
cd "$(dirname "$0")/../../.." || exit 1
export BUILD="${BUILD:-build}"
mkdir -p "$BUILD/logs"
REFERENCE=all:${1:-1/1} CPUS=3 OPTIONS='quick after=exit' SILENCE=300 SUMMARY=0 LOG=$BUILD/logs/profiles.log exec tools/run.sh
