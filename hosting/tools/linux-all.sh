#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# Debian's programs for a PMU on the reference PMU, over profiles and kernels: hosting/tools/linux.sh for each, two at
# a time, and a table of the results. Its cells: exact, each count to the instruction; ok, within the bounds stated
# beside the check; not known, the program itself says that it does not know the CPU; -, the check does not apply;
# failed; no end, the run did not end.
#
# usage: [KERNELS="PACKAGE ..."] [PROFILES="PROFILE[:CPUS] ..."] hosting/tools/linux-all.sh
set -u
cd "$(dirname "$0")/../.." || exit 99

BUILD=${BUILD:-build}
WORK=$BUILD/linux
PROFILES=${PROFILES:-skylake ice-lake sapphire-rapids alder-lake:4}
LOGS=$BUILD/logs/linux
TABLE=$LOGS/table.txt

stop() {
    echo "$1" >&2
    exit 99
}

# shellcheck source=hosting/tools/linux-packages.sh
. hosting/tools/linux-packages.sh

# linux-image-6.1.0-56-amd64 is 6.1.
version() {
    echo "$1" | sed 's/^linux-[a-z]*-\([0-9]*\.[0-9]*\).*/\1/'
}

# Each run: its kernel, PROFILE[:CPUS], and its name.
runs() {
    for kernel in $kernels; do
        for profile in $PROFILES; do
            echo "$kernel $profile ${profile%:*}-$(version "$kernel")"
        done
    done
}

names() {
    runs | cut -d ' ' -f 3
}

# one KERNEL PROFILE[:CPUS] NAME
one() {
    cpus=1
    case $2 in *:*) cpus=${2#*:} ;; esac
    LINUX=$1 REFERENCE=${2%:*} CPUS=$cpus LOG=$LOGS/$3.log hosting/tools/linux.sh >"$LOGS/$3.txt" 2>&1
    status=$?
    echo "$status $3: $(tail -n 1 "$LOGS/$3.txt")"
}

# Made from the rows "check|cell" that each run has written; a run that did not end has none.
# shellcheck disable=SC2016 # awk's own
table() {
    names | xargs awk -v logs="$LOGS" '
        BEGIN {
            for (i = 1; i < ARGC; i++) {
                while ((getline line < (logs "/" ARGV[i] ".log.rows")) > 0) {
                    split(line, part, "|")
                    if (!(part[1] in seen)) rows[++height] = part[1]
                    seen[part[1]] = ended[i] = 1
                    cell[part[1], i] = part[2]
                }
            }
            printf "%-26s", ""
            for (i = 1; i < ARGC; i++) printf " %-20s", ARGV[i]
            for (j = 1; j <= height; j++) {
                printf "\n%-26s", rows[j]
                for (i = 1; i < ARGC; i++) {
                    found = cell[rows[j], i]
                    printf " %-20s", found != "" ? found : ended[i] ? "-" : "no end"
                }
            }
            print ""
        }' | sed 's/ *$//'
}

if [ "${1-}" = one ]; then
    one "$2" "$3" "$4"
    exit
fi

# Of two packages of the same version the first; without backports the newest kernel is the current one.
one_a_version() {
    while read -r package; do
        echo "$(version "$package") $package"
    done | awk '!seen[$1]++ { print $2 }'
}

kernels=${KERNELS:-$({ kernel_package; newest_kernel_package; } | one_a_version)}
[ -n "$(runs)" ] || stop "no kernel or no profile: does apt know linux-image-amd64, or is 'apt-get update' due?"
twice=$(names | sort | uniq -d)
[ -z "$twice" ] || stop "two runs would be called the same: $twice"
rm -rf "$LOGS"
mkdir -p "$LOGS" "$WORK"
runs | xargs -P 2 -n 3 hosting/tools/linux-all.sh one | tee "$LOGS/ends.txt"
grep -h '^not ok' /dev/null "$LOGS"/*.txt
table | tee "$TABLE"
[ "$(grep -c '^0 ' "$LOGS/ends.txt")" = "$(runs | wc -l)" ]
