# SPDX-License-Identifier: BSD-2-Clause
# Prints tables of the model as Markdown, made from its sources: each register with the rules that an access asks and
# the rules that depend on the register; or each rule with its promise. Reads the headers of registers, rules.def and
# the model's files.
#
# usage: awk -v table=registers|promises -f tools/docs/rules.awk boot/cpu.h pmu/registers.def rules.def model/*/*.c

FNR == 1 {
    home = FILENAME
    sub(/.*\//, "", home)
    path[home] = FILENAME
    head = comment = ""
    inside = in_comment = 0
}

# ---- Registers, and their bits, indented under them

FILENAME ~ /\.h$|registers\.def$/ {
    if (/^REGISTER\(/)
        row = $0
    else if (row != "")
        row = row $0
    if (row != "") {
        name_of(row)
        if (row ~ /"(SDM|APM) /)
            row = ""
        next
    }
    if ($1 == "#define" && $2 ~ /^MSR_/ && $0 ~ /^#define/)
        register($0)
    else if ($0 ~ /^  +#define/ && msr) {
        split($2, part, "(")
        of[part[1]] = msr
    } else if ($0 ~ /^\/\* ----/ || $0 ~ /^#define/)
        msr = ""
    next
}

FILENAME ~ /rules\.def$/ {
    if ($0 ~ /^RULE\(/) {
        split($0, part, ", ")
        rules[++rule_count] = part[2]
    }
    next
}

# ---- Functions: the comment before them, their calls, the rules that they ask, and the registers that they name

/^\/\* SPDX-/ { next }
in_comment || /^\/\*/ {
    if (!in_comment)
        comment = ""
    line = $0
    in_comment = line !~ /\*\//
    gsub(/^ ?\/?\*+\/?|\*\/ *$/, "", line)
    gsub(/^ +| +$/, "", line)
    comment = comment (comment == "" || line == "" ? "" : " ") line
    if (!in_comment && !(home in opening))
        opening[home] = comment
    head = ""
    next
}
home == "registers.c" && /^static const struct row [a-z_]*rows\[\]/ { in_rows = 1; row = ""; next }
in_rows && /^};/ { in_rows = 0; next }
in_rows {
    row = row $0
    if ($0 ~ /[})],$/) {
        rows[++row_count] = row
        row = ""
    }
    next
}
/^{/ && head != "" {
    match(head, /[a-z_0-9]+\(/)
    name = substr(head, RSTART, RLENGTH - 1)
    at = home ":" name
    if (name ~ /^(good|model)_/)
        global[name] = at
    promise[at] = comment
    inside = 1
    next
}
/^}/ { inside = 0; head = comment = ""; next }
inside {
    line = $0
    sub(/\/\*.*/, "", line)
    body[at] = body[at] " " line
    next
}
/^[a-z]/ { head = $0; next }
/^ / && head != "" { head = head $0; next }
{ head = comment = "" }

END {
    for (at in body)
        study(at)
    if (table == "registers")
        print_registers()
    else
        print_promises()
}

# The register's name in its row of the table: the first name, with n as the index.
function name_of(row,    first, name) {
    first = row
    sub(/^REGISTER\([a-z_0-9]+,[ ]*/, "", first)
    if (first !~ /^MSR_[A-Z0-9_]+(\(0\))?,/)
        return
    sub(/[^A-Z0-9_].*/, "", first)
    if (!match(row, /NAMES?\("[^"]*"/) || first == "" || first in named_by_row)
        return
    name = substr(row, RSTART, RLENGTH)
    gsub(/^[^"]*"|"$/, "", name)
    sub(/%u/, "n", name)
    title[first] = name
    named_by_row[first] = 1
}

function register(line,    text, number) {
    split(line, part, /[ \t]+/)
    msr = part[2]
    sub(/\(.*/, "", msr)
    text = line
    sub(/^#define +[A-Z0-9_]+(\([a-z]\))? +/, "", text)
    number = text
    sub(/ *\/\*.*/, "", number)
    gsub(/[()u]/, "", number)
    gsub(/4 \* /, "4", number)
    sub(/^0x/, "", number)
    sub(/^[0-9a-f]+/, "&H", number)
    numbers[msr] = toupper(substr(number, 1, index(number, "H"))) substr(number, index(number, "H") + 1)
    sub(/i$/, "n", numbers[msr])
    if (!(msr in title))
        title[msr] = msr
}

# Reads a function's body: calls of the model's functions, rules, registers.
function study(at,    text, file, word) {
    text = body[at]
    file = at
    sub(/:.*/, "", file)
    while (match(text, /rule\(m, [a-z_0-9]+\)/)) {
        asks[at] = asks[at] " " substr(text, RSTART + 8, RLENGTH - 9)
        text = substr(text, 1, RSTART - 1) " " substr(text, RSTART + RLENGTH)
    }
    while (match(text, /[A-Za-z_][A-Za-z_0-9.]*/)) {
        word = substr(text, RSTART, RLENGTH)
        text = substr(text, RSTART + RLENGTH)
        if ((file ":" word) in body)
            calls[at] = calls[at] " " file ":" word
        else if (word in global)
            calls[at] = calls[at] " " global[word]
        else if (word in of)
            names[at] = names[at] " " of[word]
        else if (word ~ /^STORED_/)
            names[at] = names[at] " " stored_msr(substr(word, 8))
        else if (word in state_msr)
            names[at] = names[at] " " state_msr[word]
    }
}
BEGIN {
    state_msr["counters.pmc"] = "MSR_PMC"
    state_msr["counters.fixed"] = "MSR_FIXED_CTR"
    state_msr["status.bits"] = "MSR_PERF_GLOBAL_STATUS"
    # Registers that a row of the table passes on under another name.
    stored_as["GLOBAL_CTRL"] = "MSR_PERF_GLOBAL_CTRL"
    stored_as["OFFCORE_RSP0"] = stored_as["OFFCORE_RSP1"] = "MSR_OFFCORE_RSP"
}
function stored_msr(which) {
    return which in stored_as ? stored_as[which] : "MSR_" which
}

# Collects the rules that this function and its callees ask; `deep`: also those that the good rules ask.
function asked(at, deep,    i, n, list) {
    if (at in visited)
        return
    visited[at] = 1
    n = split(asks[at], list, " ")
    for (i = 1; i <= n; i++) {
        found[list[i]] = 1
        if (deep && ("good_" list[i]) in global)
            asked(global["good_" list[i]], deep)
    }
    n = split(calls[at], list, " ")
    for (i = 1; i <= n; i++)
        asked(list[i], deep)
}

# Collects the registers that this function and its callees name, not through rules, and not in what follows from a
# count.
function named(at,    i, n, list) {
    if (at in visited || at == global["model_count_instruction"] || at == global["model_overflow"])
        return
    visited[at] = 1
    n = split(names[at], list, " ")
    for (i = 1; i <= n; i++)
        found[list[i]] = 1
    n = split(calls[at], list, " ")
    for (i = 1; i <= n; i++)
        named(list[i])
}

function forget() {
    split("", visited)
    split("", found)
}

# The collected rules in the order of rules.def, without those in `text`.
function listed(text,    i, out) {
    for (i = 1; i <= rule_count; i++)
        if (rules[i] in found && index(text, "`" rules[i] "`") == 0)
            out = out (out == "" ? "" : ", ") "`" rules[i] "`"
    return out
}

# SDM volumes and titles in a text, each once.
function citations(text,    out, one) {
    while (match(text, /SDM [1-4][A-D]?, "[^"]*"/)) {
        one = substr(text, RSTART, RLENGTH)
        text = substr(text, RSTART + RLENGTH)
        gsub(/"/, "", one)
        if (index(out, one) == 0)
            out = out (out == "" ? "" : "; ") one
    }
    return out
}
function cited(at,    file, out) {
    file = at
    sub(/:.*/, "", file)
    if (promise[at] ~ /[Nn]o manual says/)
        return "none"
    out = citations(promise[at])
    return out == "" ? citations(opening[file]) : out
}

# The manual's sections of the collected rules.
function sections(    i, at, list, part, n, k, out) {
    for (i = 1; i <= rule_count; i++)
        if (rules[i] in found) {
            n = split(cited(global["good_" rules[i]]), list, "; ")
            for (k = 1; k <= n; k++)
                if (list[k] != "none" && index(out, list[k]) == 0)
                    out = out (out == "" ? "" : "; ") list[k]
        }
    return out
}

function print_registers(    i, text, list, n, first, last, reads, writes, access, by, k, where) {
    for (i = 1; i <= rule_count; i++) {
        forget()
        named(global["good_" rules[i]])
        for (k in found)
            goes_by[k] = goes_by[k] " " rules[i]
    }
    print "| register | number | asked by RDMSR and WRMSR | rules that go by it | sections |"
    print "|---|---|---|---|---|"
    for (i = 1; i <= row_count; i++) {
        text = rows[i]
        gsub(/[{}]/, "", text)
        sub(/^ +/, "", text)
        reads = "model_stored_read"
        writes = "model_stored_write"
        if (text ~ /^MACHINE\(/) {
            reads = "model_machine_read"
            writes = "model_machine_write"
        }
        stored = text ~ /^STORED\(/
        absent = text ~ /^ABSENT\(/
        sub(/^(STORED|MACHINE|ABSENT)\(/, "", text)
        n = split(text, list, /[ ]*,[ ]*/)
        first = list[1]
        sub(/\(.*/, "", first)
        if (!stored && !absent && list[3] ~ /^[a-z]/) {
            reads = list[3]
            writes = list[4]
        } else if (!stored && !absent && list[3] == "NULL")
            reads = writes = list[4] # write-only
        forget()
        if (!absent) {
            asked(function_named(reads), 1)
            asked(function_named(writes), 1)
            # Of the registers outside the PMU only one has a rule.
            if (text ~ /MACHINE_|^MSR_(PLATFORM|MPERF|APERF|BIOS|PERF_CAPAB|TSX_FORCE)/ && first != "MSR_SMI_COUNT")
                forget()
        }
        access = absent ? "#GP: not modelled" : listed("")
        where = sections()
        if (!absent && access == "")
            access = "none of its own"
        forget()
        n = split(goes_by[first], list, " ")
        for (k = 1; k <= n; k++)
            found[list[k]] = 1
        by = listed(access)
        # A register that only stores its value gets its meaning from the rules that depend on it.
        if ((stored && by != "") || where == "")
            where = sections()
        if (where == "" && !absent)
            where = citations(opening[file_of(function_named(reads))])
        if (where == "")
            where = citations(opening["registers.c"])
        if (title[first] != before)
            printf "| `%s` | %s | %s | %s | %s |\n", title[first], numbers[first], access, by, where
        before = title[first]
    }
}
function function_named(name) {
    return ("registers.c:" name) in body ? "registers.c:" name : global[name]
}

function file_of(at) {
    sub(/:.*/, "", at)
    return at
}

function print_promises(    i, at, text, file) {
    print "| rule | what a good PMU does | file | section |"
    print "|---|---|---|---|"
    for (i = 1; i <= rule_count; i++) {
        at = global["good_" rules[i]]
        file = at
        sub(/:.*/, "", file)
        text = promise[at]
        gsub(/ *SDM [1-4][A-D]?, "[^"]*"\.?/, "", text)
        gsub(/\|/, "\\|", text)
        if (text == "" || cited(at) == "") {
            print file ": good_" rules[i] "() has " (text == "" ? "no comment" : "no section of the manual") >"/dev/stderr"
            bad++
        }
        printf "| `%s` | %s | [%s](../%s) | %s |\n", rules[i], text, file, path[file], cited(at)
    }
    exit bad > 0
}
