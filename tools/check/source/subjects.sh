#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Subjects of commits have at most 72 columns: those that the upstream branch lacks, or else the last 20.
# Would catch a subject that is cut wherever commits are listed.
set -eu
cd "$(dirname "$0")/../../.."
MOST=72
git rev-parse -q --verify HEAD >/dev/null 2>&1 || { echo "no git history: there are no subjects"; exit 77; }
new=$(git rev-list --count '@{upstream}..HEAD' 2>/dev/null || echo 0)
git log --format='%h %s' -n "$([ "$new" = 0 ] && echo 20 || echo "$new")" | awk -v most=$MOST '
    { hash = $1; sub(/^[^ ]* /, ""); subjects++ }
    length($0) > most { print hash ": " length($0) " columns, and at most " most " are allowed: " $0; long++ }
    END { print subjects " subjects"; exit long > 0 }'
