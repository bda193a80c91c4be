#!/bin/sh
# Runs one fuzz target for a while. What it finds to be new is kept for the next time.
#
# usage: FUZZ_SECONDS=N tools/fuzz.sh TARGET
set -eu
cd "$(dirname "$0")/.."
directory=${BUILD:-build}/fuzz
corpus=$directory/corpus/$1
mkdir -p "$corpus"
"$directory/$1" -max_total_time="${FUZZ_SECONDS:-300}" -timeout=10 -rss_limit_mb=2048 -max_len=8192 \
    -print_final_stats=1 -artifact_prefix="$directory/$1-" "$corpus"
