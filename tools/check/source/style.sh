#!/bin/sh
# SPDX-License-Identifier: BSD-2-Clause
# House rules that no compiler knows, and a report of the lengths of files and functions.
# Would catch numbers outside their tables, tests that go past the harness, comments that name files that are gone.
set -u
cd "$(dirname "$0")/../../.." || exit 1
bad=0
words=$(mktemp)
trap 'rm -f "$words"' EXIT

sources=$(find boot kernel pmu reference hosting tests tools iso -type f ! -name '*.txt' ! -name '*.xz' | LC_ALL=C sort)
image=$(echo "$sources" | grep -E '^(boot|kernel|pmu|reference|hosting|tests)/.*\.(c|h|asm|inc|def)$' | grep -vE '^(tests/(host|fuzz)|(reference|hosting)/(test|proof))/')
chapters=$(echo "$image" | grep -E '^tests/.*\.c$' | grep -v '^tests/harness/')

# tell FAULTS: lines, if there are any, and that something is wrong.
tell() {
    [ -z "$1" ] || { echo "$1"; bad=1; }
}

# forbid WHAT PATTERN FILES: no line of the files may match.
forbid() {
    found=$(echo "$3" | xargs -r grep -nE -e "$2" /dev/null)
    [ -z "$found" ] || tell "$1:
$(echo "$found" | sed 's/^/    /')"
}

without() {
    echo "$image" | grep -vE "$1"
}

forbid "unfinished work" '\b(TOD[O]|FIXM[E]|XX[X])\b' "$sources"
forbid "blanks at a line's end" '[[:blank:]]+$' "$sources"
forbid "not 7-bit text" '[^ -~	]' "$sources"
pages=$(git ls-files '*.md')
forbid "prose of more than 120 columns" '^([^-|<!# ]|- [^[]).{120,}' "$pages"
forbid "an MSR number outside its table" '#[[:blank:]]*define MSR_[A-Z0-9_]+(\([a-z, ]*\))? .*0x' \
    "$(without '^(pmu/registers\.def|boot/cpu\.h)$|^hosting/monitor/run/enter\.c$')" # enter.c: ranges of the bitmap
forbid "a number of the processor's outside boot/cpu.h" \
    '#[[:blank:]]*define (RFLAGS|EFER|CR[0348]|DR[67]|LVT|ICR|APIC_[A-Z]*|VECTOR_(DB|NMI|UD|DF|GP|PF|MC))_?[A-Z]* +(\(?1|0x|BIT|FIELD|MASK|[0-9])|^(RFLAGS|EFER|CR[0348])_[A-Z]+ +equ' \
    "$(without '^boot/cpu\.h$')"
forbid "a question to CPUID past cpuid_has()" '\bcpuid\([^()]*\)\.e[a-d]x +>> +[0-9]+( & 1|\)|;)' "$image"
forbid "a bit of CPUID by number" '(->|\.|leaf[0-9a-f_]*\.)e[abcd]x( >> [0-9]+)? & 1\b' "$(without '^reference/|^tests/')"
forbid "an MSR by number" '\b(rd|wr|read_|write_)msr(_try)?\(((t|[a-z]+), *)?0x' "$image"
forbid "a bit by number" '\bcheck_bit\(.*[,:] (MSR_|netburst|cccr)[^,]*, ([0-9]+|BIT\([0-9]+\)), ' "$chapters"
forbid "a WRMSR instruction that no gate sees" '(^[[:blank:]]*|__asm__.*"|MAY_FAULT )wrmsr([[:blank:]]|"|$)' \
    "$(without '^(boot/|kernel/register/msr\.|pmu/gate|pmu/workload/|hosting/monitor/)')"
forbid "a test that goes past the harness" '(__asm__|\b(rd|wr)msr\()' "$chapters"
forbid "an erratum's number with padding zeros" \
    '\b(A[A-Z]{1,2}|B[A-Z]{1,2}|HS[DM]|SK[LX]|KBL|CML|RKL|ADL|RPL|MTL|ARL|SRF|SPR)0+[1-9][0-9]*\b' "$sources"

# Each comment is complete: one that continues in the next is lost to grep. Some words that were used for everything are
# forbidden, too.
forbid "a comment that goes on in the next one" ', \*/' "$sources"
forbid "a comment that says whoever, or nobody shall, and not who" '(/\*|^ *\*|^ *[;#]).*([Ww]hoever|[Nn]obody shall)' "$sources"

# Files that comments name exist, under that path or the end of one. NAME stands for any name, _pure.c for an ending.
# shellcheck disable=SC2046 # no name has a blank
named=$(git ls-files --cached --others --exclude-standard | awk '
    FILENAME == "-" {
        n = split($0, part, "/")
        path = part[n]
        there[path]
        for (i = n - 1; i >= 1; i--) {
            path = part[i] "/" path
            there[path]
        }
        next
    }
    { line = $0 }
    FILENAME ~ /\.(c|h|def)$/ && !sub(/^.*\/\*|^[ \t]*\*/, "", line) { next }
    FILENAME ~ /\.(asm|inc)$/ && !sub(/^[^;]*;/, "", line) { next }
    FILENAME ~ /\.(sh|awk|cases)$/ && !sub(/^[ \t]*#/, "", line) { next }
    {
        while (match(line, /[A-Za-z0-9_.\/*-]*[A-Za-z0-9_*-]\.(c|h|asm|inc|def|sh|awk|ld|profile)([^A-Za-z0-9_(]|$)/)) {
            word = substr(line, RSTART, RLENGTH)
            line = substr(line, RSTART + RLENGTH - 1)
            sub(/[^A-Za-z0-9_]$/, "", word)
            sub(/^(\.\.?\/)+/, "", word)
            if (word !~ /\*|NAME|PROGRAM|^_pure|^std|^pmumodel\.h$|^(cpu\.inc|deviations\.def)$|^arch\/x86\// && !(word in there))
                print FILENAME ":" FNR ": a comment names " word ", which does not exist"
        }
    }' - $(echo "$sources" | grep -E '\.(c|h|def|asm|inc|sh|awk|py|cases)$'))
tell "$named"

# A C file or its header opens with a comment about its purpose. NAME_pure.c shares the header of NAME.c.
silent=$(echo "$image" | grep '\.[ch]$' | xargs awk '
    FNR == 1 { met = 0 }
    met || !NF || /^#pragma once|SPDX-License-Identifier/ { next }
    { met = 1; opens[FILENAME] = /^\/\*/; if (FILENAME ~ /\.c$/) files[++n] = FILENAME }
    END {
        for (i = 1; i <= n; i++) {
            own = shared = files[i]
            sub(/\.c$/, ".h", own)
            sub(/_pure\.c$/, ".h", shared)
            if (!opens[files[i]] && !opens[own] && !opens[shared])
                print files[i] ": neither it nor its header begins with its purpose"
        }
    }')
tell "$silent"

tell "$(echo "$sources" | grep '\.h$' | xargs grep -L '^#pragma once' | sed 's/$/: no #pragma once/')"

# absent FILE...: prints the words of standard input that are in none of the files.
absent() {
    LC_ALL=C sort -u >"$words"
    grep -hoE '[A-Za-z0-9_]+' "$@" | LC_ALL=C sort -u | LC_ALL=C join -v 2 - "$words"
}

# clang-format must be told the names of loops that are macros.
tell "$(echo "$sources" | grep '\.[ch]$' | xargs grep -hoE '^#define for_each_[a-z_0-9]+' | cut -d ' ' -f 2 |
    absent .clang-format | sed 's/^/.clang-format: ForEachMacros lacks /')"

# A failure says what was expected; a skip says what was read, a value or at least a register.
forbid "a check without words for what is expected" '\bcheck_true\(.*""' "$image"
forbid "a skip that does not say what was read" '\bskip(_for)?\(t, ([A-Z_]+, )?"[^"=%_]*"' "$chapters"

# Some code of the image gives each reason code: the advice of one that is never given would never be seen.
reason=tests/harness/core/reason.def
# shellcheck disable=SC2046 # no name has a blank
tell "$(sed -n 's/^REASON(\([A-Z_]*\),.*/REASON_\1/p' "$reason" |
    absent $(without '^tests/harness/report/advice_pure\.c$') | sed "s,^REASON_,$reason: nothing gives ,")"

# A test's id is its path; it opens with a comment and cites the manual.
# shellcheck disable=SC2016 # awk's own fields
tell "$(echo "$chapters" | xargs awk '
    function told() {
        if (file && !declared) print file ": does not declare TEST(\"" id "\", ...)"
        if (file && !cited) print file ": no .spec with volume and section title"
    }
    FNR == 1 {
        told()
        file = id = FILENAME
        gsub(/^tests\/|\.c$/, "", id)
        sub(/\//, ".", id)
        declared = cited = 0
    }
    FNR == 2 && !/^\/\*/ { print file ": does not open with a comment" }
    index($0, "TEST(\"" id "\"") { declared = 1 }
    /\.spec *= *"(SDM [1-4][A-D]?|PMU Sharing Guide), [A-Z]/ { cited = 1 }
    END { told() }')"

# Lengths. The aim is functions of about 15 lines; more than 80 are forbidden. A file is one subject, of any length: its
# length is only reported.
lengths() {
    name=$1 aim=$2 limit=$3
    sort -n | awk -v name="$name" -v aim="$aim" -v limit="$limit" '
        { length_of[NR] = $1 }
        $1 > limit { print $2 ": " $1 " lines; the limit for " name " is " limit; over++ }
        END {
            if (!NR) exit
            printf "%s: %d, median %d, p90 %d, longest %d lines (aim %d)\n", name, NR, length_of[int((NR + 1) / 2)],
                length_of[int((NR * 9 + 9) / 10)], length_of[NR], aim
            exit over > 0
        }'
}
code=$(echo "$sources" | grep -E '\.(c|h|asm|inc|sh)$')
echo "$code" | xargs wc -l | grep -v ' total$' | lengths files 150 1000000
# shellcheck disable=SC2016 # awk's own fields
echo "$code" | grep '\.c$' | xargs awk '
    /^\{/ && before ~ /\)$/ { start = FNR; name = before }
    /^\}/ && start { print FNR - start + 1, FILENAME ":" start; start = 0 }
    { before = $0 }' | lengths functions 15 80 || bad=1
exit $bad
