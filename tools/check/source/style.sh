#!/bin/sh
# House rules that no compiler knows, and a report of how long files and functions are.
# Would catch numbers past their tables, tests past the harness, comments that name what is gone.
set -u
cd "$(dirname "$0")/../../.." || exit 1
bad=0

sources=$(find boot kernel pmu tests tools iso -type f ! -name '*.txt' ! -name '*.xz' | LC_ALL=C sort)
image=$(echo "$sources" | grep -E '^(boot|kernel|pmu|tests)/.*\.(c|h|asm|inc|def)$' | grep -vE '^(tests/(host|fuzz)|pmu/reference/(test|proof))/')
chapters=$(echo "$image" | grep -E '^tests/.*\.c$' | grep -v '^tests/harness/')

# forbid WHAT PATTERN FILES: no line of the files may match.
forbid() {
    found=$(echo "$3" | xargs -r grep -nE -e "$2" /dev/null)
    [ -n "$found" ] || return 0
    echo "$1:"
    echo "$found" | sed 's/^/    /'
    bad=1
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
    "$(without '^(pmu/registers\.def|boot/cpu\.h)$|^pmu/reference/monitor/run/enter\.c$')" # enter.c: ranges of the bitmap
forbid "a number of the processor's outside boot/cpu.h" \
    '#[[:blank:]]*define (RFLAGS|EFER|CR[0348]|DR[67]|LVT|ICR|APIC_[A-Z]*|VECTOR_(DB|NMI|UD|DF|GP|PF|MC))_?[A-Z]* +(\(?1|0x|BIT|FIELD|MASK|[0-9])|^(RFLAGS|EFER|CR[0348])_[A-Z]+ +equ' \
    "$(without '^boot/cpu\.h$')"
forbid "a question to CPUID past cpuid_has()" '\bcpuid\([^()]*\)\.e[a-d]x +>> +[0-9]+( & 1|\)|;)' "$image"
forbid "a bit of CPUID by number" '(->|\.|leaf[0-9a-f_]*\.)e[abcd]x( >> [0-9]+)? & 1\b' "$(without '^pmu/reference/|^tests/')"
forbid "an MSR by number" '\b(rd|wr|read_|write_)msr(_try)?\(((t|[a-z]+), *)?0x' "$image"
forbid "a bit by number" '\bcheck_bit\(.*[,:] (MSR_|netburst|cccr)[^,]*, ([0-9]+|BIT\([0-9]+\)), ' "$chapters"
forbid "a WRMSR instruction that no gate sees" '(^[[:blank:]]*|__asm__.*"|MAY_FAULT )wrmsr([[:blank:]]|"|$)' \
    "$(without '^(boot/|kernel/register/msr\.|pmu/gate|pmu/workload/|pmu/reference/monitor/)')"
forbid "a test that goes past the harness" '(__asm__|\b(rd|wr)msr\()' "$chapters"
forbid "an erratum's number with padding zeros" \
    '\b(A[A-Z]{1,2}|B[A-Z]{1,2}|HS[DM]|SK[LX]|KBL|CML|RKL|ADL|RPL|MTL|ARL|SRF|SPR)0+[1-9][0-9]*\b' "$sources"

# Comments stand alone: one that runs on in the next is lost to grep. Words that were used for everything stay out, too.
forbid "a comment that goes on in the next one" ', \*/' "$sources"
forbid "a comment that says whoever, or nobody shall, and not who" '(/\*|^ *\*|^ *[;#]).*([Ww]hoever|[Nn]obody shall)' "$sources"

# Files that comments name are there, under that path or its end. NAME stands for any, _pure.c for an ending.
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
    FILENAME ~ /\.(sh|awk)$/ && !sub(/^[ \t]*#/, "", line) { next }
    {
        while (match(line, /[A-Za-z0-9_.\/*-]*[A-Za-z0-9_*-]\.(c|h|asm|inc|def|sh|awk|ld|profile)([^A-Za-z0-9_(]|$)/)) {
            word = substr(line, RSTART, RLENGTH)
            line = substr(line, RSTART + RLENGTH - 1)
            sub(/[^A-Za-z0-9_]$/, "", word)
            sub(/^(\.\.?\/)+/, "", word)
            if (word !~ /\*|NAME|PROGRAM|^_pure|^std|^pmumodel\.h$|^(cpu\.inc|deviations\.def)$|^arch\/x86\// && !(word in there))
                print FILENAME ":" FNR ": a comment names " word ", which is not there"
        }
    }' - $(echo "$sources" | grep -E '\.(c|h|def|asm|inc|sh|awk)$'))
[ -z "$named" ] || { echo "$named"; bad=1; }

# A C file or its header opens with why it is there. NAME_pure.c shares the header of NAME.c.
opens() {
    for name; do
        [ -f "$name" ] && awk '!NF || /^#pragma once/ { next } { exit /^\/\*/ ? 0 : 1 }' "$name" && return 0
    done
    return 1
}
for file in $(echo "$image" | grep '\.c$'); do
    opens "$file" "${file%.c}.h" "${file%_pure.c}.h" || { echo "$file: neither it nor its header says why it is there"; bad=1; }
done

# clang-format must be told the names of loops that are macros.
for name in $(echo "$sources" | grep '\.[ch]$' | xargs grep -hoE '^#define for_each_[a-z_0-9]+' | cut -d ' ' -f 2); do
    grep -q "^ForEachMacros: .*'$name'" .clang-format || { echo ".clang-format: ForEachMacros lacks $name"; bad=1; }
done

for file in $(echo "$sources" | grep '\.h$'); do
    grep -q '^#pragma once' "$file" || { echo "$file: no #pragma once"; bad=1; }
done

# A failure says what was expected, a skip what was read: a value, or a register at least.
forbid "a check without words for what is expected" '\bcheck_true\(.*""' "$image"
forbid "a skip that does not say what was read" '\bskip(_for)?\(t, ([A-Z_]+, )?"[^"=%_]*"' "$chapters"

# The host test types each number of a register and a bit again.
grep -oE '^ *#define +[A-Z0-9_]+' pmu/registers.def | awk '{ print $2 }' | while read -r name; do
    grep -qw "$name" tests/host/pmu/test_registers.c || echo "tests/host/pmu/test_registers.c: $name is not typed again"
done | grep . && bad=1

# Each code of a reason is given by something: one that nothing gives would be advice that nobody can get.
reason=tests/harness/core/reason.def
sed -n 's/^REASON(\([A-Z_]*\),.*/\1/p' "$reason" | while read -r code; do
    without '^tests/harness/report/advice_pure\.c$' | xargs grep -qw "REASON_$code" || echo "$reason: nothing gives $code"
done | grep . && bad=1

# A test's id is its path; it opens with a comment and cites the manual.
for file in $chapters; do
    id=$(echo "$file" | sed 's,^tests/\(.*\)\.c$,\1,; s,/,.,')
    grep -qF "TEST(\"$id\"" "$file" || { echo "$file: does not declare TEST(\"$id\", ...)"; bad=1; }
    grep -qE '\.spec *= *"(SDM [1-4][A-D]?|PMU Sharing Guide), [A-Z]' "$file" || { echo "$file: no .spec with volume and section title"; bad=1; }
    [ "$(head -c 2 "$file")" = '/*' ] || { echo "$file: does not open with a comment"; bad=1; }
done

# Lengths. Sought: functions about 15 lines; above 80 something needs a function of its own. A file is one subject, and
# as long as that is: its length is only told.
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
