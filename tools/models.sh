#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Makes the page of CPU models, the first thing that a visitor of the project sees: a quick run of each profile of the
# reference PMU, in one boot, and whatever logs of machines there are, side by side. Takes a quarter of an hour; with
# MODELS_LOG, the log of such a boot, a second. Called by `make models`; `make download` takes the page along.
#
# usage: tools/models.sh
set -eu
cd "$(dirname "$0")/.."
BUILD=${BUILD:-build}
MODELS_LOG=${MODELS_LOG-}   ## make models: the log of a boot with all profiles, instead of a new one
LOGS=${LOGS-}               ## make models: a folder with logs of machines, for the same page
page=$BUILD/models.html
if [ -z "$MODELS_LOG" ]; then
    MODELS_LOG=$BUILD/logs/models.log
    status=0
    REFERENCE=all CPUS=2 OPTIONS="quick surroundings=0 lockstep=off after=exit" SILENCE=300 SUMMARY=0 \
        LOG=$MODELS_LOG tools/run.sh || status=$?
    # Anything but a pass is what the page tells, too.
    [ "$status" -le 2 ] || exit "$status"
fi
set -- "$MODELS_LOG"
[ -z "$LOGS" ] || for log in "$LOGS"/*.log; do
    set -- "$@" "$log"
done
"$BUILD/tools/pmucheck" compare --output="$page.new" --format=html "$@"
awk -v version="${VERSION:?make models tells it}" '
    { sub(/<title>[^<]*<\/title>/, "<title>pmucheck: CPU models</title>") }
    !told && (at = index($0, "<h1>")) {
        printf "%s", substr($0, 1, at - 1)
        print "<p>What <a href=\"index.html\">pmucheck " version "</a> sees on each CPU model: a run on a software model of its PMU, made from the manual"
        print "and published dumps, and on real machines whose logs were given. A row of a table, or a column, is a model.</p>"
        $0 = substr($0, at)
        told = 1
    }
    { print }
    END { exit !told }' "$page.new" >"$page"
rm "$page.new"
echo "$page"
