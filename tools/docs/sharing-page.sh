#!/bin/sh
# Writes the page "register state: may I use this counter?" from the sharing library's rules: build/sharing.md.
set -eu
cd "$(dirname "$0")/../.."
BUILD=${BUILD:-build}
HOST_CC=${HOST_CC:-gcc}
mkdir -p "$BUILD/tools"
"$HOST_CC" -std=gnu17 -O1 -I. -Itests -o "$BUILD/tools/sharing-page" tools/docs/sharing-page.c pmu/sharing/agent_book_pure.c
"$BUILD/tools/sharing-page" >"$BUILD/sharing.md"
echo "$BUILD/sharing.md"
