# SPDX-License-Identifier: BSD-2-Clause
# For each of the model's rules, makes the C macros that deviations use: the head of a function that replaces the rule,
# and its arguments; the same for one that has the active deviation as well; and how the good result is kept. A rule is `RULE(type, name, (parameters))`, on one line or more.
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
    printf "#define BODY_%s(function) static %s function(struct at_work *self __attribute__((unused)), %s)\n", name, \
        type, head
    printf "#define CALL_%s(function, self) function(self, %s)\n", name, words
    printf "#define GOOD_%s(call) %scall\n#define RETURN_%s return%s\n", name, type == "void" ? "" : type " good = ", \
        name, type == "void" ? "" : " good"
    rule = ""
}
