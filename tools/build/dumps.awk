# Turns the published dumps of real CPUs into tables for the reference PMU (pmu/reference/dumps/dumps.h). Each kind of
# core is given the registers of the profile that is most like it: of its own model and kind, else of its class. Left
# out are CPUs of other vendors, those that a hypervisor shows, and those without a PMU that any profile is like.
#
# usage: awk -f tools/build/dumps.awk PROFILE... cpus.txt

BEGIN {
    # Class by class: the profile, and which of its kinds of core.
    split("netburst prescott 0, core2 conroe 0, nehalem nehalem 0, sandy-bridge sandy-bridge 0, haswell haswell 0," \
          "broadwell broadwell 0, skylake skylake 0, ice-lake ice-lake 0, golden-cove sapphire-rapids 0," \
          "bonnell bonnell 0, silvermont silvermont 0, goldmont goldmont-plus 0, goldmont-plus goldmont-plus 0," \
          "gracemont alder-lake 1, knights silvermont 0, lion-cove lunar-lake 0, skymont lunar-lake 1," \
          "tremont tremont 0, redwood-cove meteor-lake 0, crestmont meteor-lake 1, cougar-cove panther-lake 0," \
          "darkmont panther-lake 1", list, ",")
    for (i in list) {
        split(list[i], word, " ")
        by_class[word[1]] = word[2] " " word[3]
    }
    # Within a class, the servers of a generation that has a profile of its own: Dunnington, Ivy Bridge.
    by_model[model_of("000106d1") " -"] = "penryn 0"
    by_model[model_of("000306e4") " -"] = "ivy-bridge 0"
}
FNR == 1 { core = 0 }
FILENAME ~ /\.profile$/ {
    if ($1 == "name")
        name = $2
    if ($1 == "signature")
        signature = $2
    if ($1 ~ /^\[/)
        core = $1 == "[p]" ? 0 : core + 1
    if ($1 == "leaf" && $2 == "1a" && !(model_of(signature) " " substr($3, 1, 8) in by_model))
        by_model[model_of(signature) " " substr($3, 1, 8)] = name " " core
    if ($1 == "signature")
        by_model[model_of(signature) " -"] = name " 0"
    next
}
{ gsub(/~/, "") }
/^#/ || $2 != "GenuineIntel" || substr($5, 5, 1) == "1" { next }
$3 == "-" ? $9 != "netburst" || substr($5, 4, 1) != "1" : substr($3, 1, 8) == "00000000" { next }
{
    like = model_of($1) " " $4 in by_model ? by_model[model_of($1) " " $4] : by_class[$9]
    if (like == "") {
        if ($9 != "unknown") {
            print FILENAME ":" FNR ": no profile for the class " $9 >"/dev/stderr"
            failed = 1
        }
        next
    }
    # Rows of one CPU: its kinds of core, which tell the same leaf 0AH.
    key = $1 " " $3 " " ($4 == "-")
    if (!(key in cpu_of)) {
        cpu_of[key] = cpus++
        signatures[cpu_of[key]] = $1
        leaves[cpu_of[key]] = $3
        names[cpu_of[key]] = $11
        numbers[cpu_of[key]] = ++of_signature[$1]
    }
    cpu = cpu_of[key]
    kinds[cpu] = kinds[cpu] " " add_core()
}
END {
    if (failed)
        exit 1
    print "/* Generated from pmu/reference/dumps/cpus.txt and the profiles. */"
    print "#include \"pmu/reference/dumps/dumps.h\"\n"
    print "const struct dumped_leaf dumped_leaves[] = {\n" leaf_rows "};\n"
    print "const struct dumped_core dumped_cores[] = {"
    for (cpu = 0; cpu < cpus; cpu++)
        print_cores(cpu)
    print "};\n\nconst struct dumped_cpu dumped_cpus[] = {"
    for (cpu = 0; cpu < cpus; cpu++)
        printf "    {\"%s\", 0x%s, {%s}, %d, %d, %d},\n", names[cpu], signatures[cpu],
            leaves[cpu] == "-" ? "0, 0, 0, 0" : words(leaves[cpu]), numbers[cpu], firsts[cpu], counts[cpu]
    print "};\nconst unsigned dumped_cpu_count = sizeof(dumped_cpus) / sizeof(dumped_cpus[0]);"
}

# Family and model: a signature without its stepping and type.
function model_of(signature) {
    return substr(signature, 2, 3) substr(signature, 6, 2)
}

function words(four) {
    gsub(/-/, ", 0x", four)
    return "0x" four
}

function add_core(    part, count, i, word) {
    split(like, word, " ")
    count = $10 == "-" ? 0 : split($10, part, ";")
    core_rows[++cores] = sprintf("    {\"%s\", %d, %s, %d, %d, 0x%s, 0x%s, 0x%s, 0x%s},\n", word[1], word[2], flags(),
        leaf_count, count, $4 == "-" ? "0" : $4, $6, known($7), known($8))
    core_types[cores] = $4
    for (i = 1; i <= count; i++) {
        split(part[i], word, ":")
        leaf_rows = leaf_rows "    {" word[1] ", {" words(word[2]) "}},\n"
        leaf_count++
    }
    return cores
}

function known(value) {
    return value == "-" || value == "?" ? "0" : value
}

function flags(    text) {
    text = substr($5, 1, 1) == "1" ? " | DUMPED_PDCM" : ""
    text = text (substr($5, 2, 1) == "1" ? " | DUMPED_DTES64" : "") (substr($5, 3, 1) == "1" ? " | DUMPED_DS" : "")
    text = text ($7 == "?" ? "" : " | DUMPED_PERFCAP") ($8 == "?" ? "" : " | DUMPED_MISC_ENABLE")
    return text == "" ? "0" : substr(text, 4)
}

# Performance cores first, then the Atom cores, the newer ones first.
function print_cores(cpu,    list, count, i, best, printed) {
    firsts[cpu] = total
    count = counts[cpu] = split(kinds[cpu], list, " ")
    for (printed = 0; printed < count; printed++) {
        best = 0
        for (i = 1; i <= count; i++)
            if (list[i] && (!best || core_types[list[i]] > core_types[list[best]]))
                best = i
        printf "%s", core_rows[list[best]]
        list[best] = 0
        total++
    }
}
