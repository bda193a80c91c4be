# SPDX-License-Identifier: BSD-2-Clause
# For each of the model's rules, makes the C macros that deviations use: the head of a function that replaces the rule,
# and its arguments. A rule is `RULE(type, name, (parameters))`, on one line or more.
#
# usage: awk -f tools/build/rules.awk reference/model/rules.def

/^RULE\(/ { rule = "" }
/^RULE\(/ || rule != "" { rule = rule " " $0 }
rule ~ /\)\)$/ {
    type = name = list = rule
    sub(/^ *RULE\(/, "", type)
    sub(/,.*/, "", type)
    sub(/^[^,]*,[ ]*/, "", name)
    sub(/,.*/, "", name)
    sub(/^[^,]*,[^,]*,[ ]*\(/, "", list)
    sub(/\)\)$/, "", list)
    gsub(/ +/, " ", list)
    count = split(list, parameter, ",[ ]*")
    head = words = ""
    for (i = 1; i <= count; i++) {
        word = parameter[i]
        sub(/.*[ *]/, "", word)
        head = head (i > 1 ? ", " : "") parameter[i] " __attribute__((unused))"
        words = words (i > 1 ? ", " : "") word
    }
    printf "#define HEAD_%s(function) static %s function(%s)\n#define ARGUMENTS_%s (%s)\n", name, type, head, name, words
    rule = ""
}
