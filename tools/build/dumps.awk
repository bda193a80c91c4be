# SPDX-License-Identifier: BSD-2-Clause
# Turns the published dumps of real CPUs into profiles, one file each: `like` the most similar profile, then the dump's
# values, which replace that profile's. Each kind of core takes a profile of its own model and kind, else of its class.
# Left out are CPUs of other vendors, virtual CPUs of hypervisors, and CPUs whose PMU resembles no profile's.
#
# usage: awk -v to=FOLDER -f tools/build/dumps.awk PROFILE... cpus.txt

BEGIN {
    # For each class the profile, and which of its kinds of core.
    split("netburst prescott, core2 conroe, nehalem nehalem, sandy-bridge sandy-bridge, haswell haswell," \
          "broadwell broadwell, skylake skylake, ice-lake ice-lake, golden-cove sapphire-rapids," \
          "bonnell bonnell, silvermont silvermont, goldmont goldmont-plus, goldmont-plus goldmont-plus," \
          "gracemont alder-lake [e], knights silvermont, lion-cove lunar-lake [p], skymont lunar-lake [e]," \
          "tremont tremont, redwood-cove meteor-lake [p], crestmont meteor-lake [e]," \
          "cougar-cove panther-lake [p], darkmont panther-lake [e]", list, ",")
    for (i in list) {
        split(list[i], word, " ")
        by_class[word[1]] = word[2] (word[3] == "" ? "" : " " word[3])
    }
    # Servers whose generation has a profile, under another model number: Dunnington, Ivy Bridge.
    by_model[model_of("000106d1") " -"] = "penryn"
    by_model[model_of("000306e4") " -"] = "ivy-bridge"
    split("[p] [e] [l]", section, " ")
}
FNR == 1 { core = "" }
FILENAME ~ /\.profile$/ {
    if ($1 == "name")
        name = $2
    if ($1 == "signature")
        signature = $2
    if ($1 ~ /^\[/) {
        core = " " $1
        hybrid[name]
    }
    if ($1 == "leaf" && $2 == "1a" && !(model_of(signature) " " substr($3, 1, 8) in by_model))
        by_model[model_of(signature) " " substr($3, 1, 8)] = name core
    if ($1 == "signature")
        by_model[model_of(signature) " -"] = name
    next
}
{ gsub(/~/, "") }
# Names of files and lines of profiles are made from the rows.
!/^#/ && (length($1) != 8 || $1 !~ /^[0-9a-f]*$/ || /[^A-Za-z0-9.~;:,_@()\/+? -]/) {
    print FILENAME ":" FNR ": not a row of a dump: a signature, and only letters, digits and .~;:,_@()/+?-" >"/dev/stderr"
    failed = 1
    exit 1
}
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
    # A hybrid's profile without a kind of core: takes the performance cores.
    if (like in hybrid)
        like = like " [p]"
    # Rows with the same signature and leaf 0AH are the kinds of core of one CPU.
    key = $1 " " $3 " " ($4 == "-")
    if (!(key in cpu_of)) {
        cpu_of[key] = cpus++
        names[cpu_of[key]] = name_of($1)
    }
    cpu = cpu_of[key]
    kinds[cpu] = kinds[cpu] " " ++cores
    types[cores] = $4
    rows[cores] = $0
    likes[cores] = like
}
END {
    if (failed)
        exit 1
    for (cpu = 0; cpu < cpus; cpu++)
        write_cpu(to "/" names[cpu] ".profile", split(kinds[cpu], list, " "))
}

# Family and model: a signature without its stepping and type.
function model_of(signature) {
    return substr(signature, 2, 3) substr(signature, 6, 2)
}

# CPUID.1:EAX, with a number after a dot if several CPUs have the same.
function name_of(signature,    short) {
    short = signature
    sub(/^0+/, "", short)
    return short (of_signature[signature]++ ? "." of_signature[signature] : "")
}

# Performance cores first, then the Atom cores, the newer ones first.
function write_cpu(file, count,    i, best, written) {
    print "name " names[cpu] >file
    for (written = 1; written <= count; written++) {
        best = 0
        for (i = 1; i <= count; i++)
            if (list[i] && (!best || types[list[i]] > types[list[best]]))
                best = i
        if (count > 1)
            print section[written] >file
        write_core(file, rows[list[best]], likes[list[best]], count > 1)
        list[best] = 0
    }
    close(file)
}

function write_core(file, row, like, several,    column, pdcm) {
    split(row, column, " ")
    pdcm = substr(column[5], 1, 1) + 0
    print "like " like " # the nearest" >file
    print "brand " column[11] " # dump" >file
    print "signature " column[1] " # dump" >file
    print "microcode ffff0000 # assumed: newer than any that an erratum names" >file
    print "without errata # likewise" >file
    print "assumed" (pdcm && column[7] == "?" ? " perf-capabilities" : "") \
        (column[8] == "?" ? " misc-enable" : "") " microcode reserved-bits clocks # not in the dump" >file
    write_leaves(file, column, several)
    if (!pdcm)
        print "without perfcap # dump" >file
    else if (column[7] != "?")
        print "perfcap " column[7] " # dump" >file
    if (column[8] != "?")
        print "misc-enable also hand-off " column[8] " # dump" >file
}

function write_leaves(file, column, several,    pdcm, dtes64, ds, part, count, i, word) {
    pdcm = substr(column[5], 1, 1) + 0
    dtes64 = substr(column[5], 2, 1) + 0
    ds = substr(column[5], 3, 1) + 0
    print "max-leaf " column[6] " # dump" >file
    write_bits(file, "leaf 01 ecx", (pdcm ? " 15" : "") (dtes64 ? " 2" : ""), (pdcm ? "" : " 15") (dtes64 ? "" : " 2"))
    write_bits(file, "leaf 01 edx", ds ? " 21" : "", ds ? "" : " 21")
    write_bits(file, "leaf 07 edx", several ? " 15" : "", several ? "" : " 15")
    write_bits(file, "leaf 07.1 eax", column[10] != "-" ? " 8" : "", column[10] != "-" ? "" : " 8")
    if (column[3] != "-")
        print "leaf 0a " column[3] " # dump" >file
    print "without leaf 1a # the dump's follows\nwithout leaf 23 # likewise" >file
    if (column[4] != "-")
        print "leaf 1a " column[4] "-0-0-0 # dump" >file
    count = column[10] == "-" ? 0 : split(column[10], part, ";")
    for (i = 1; i <= count; i++) {
        split(part[i], word, ":")
        print "leaf 23." word[1] " " word[2] " # dump" >file
    }
}

# Writes which bits of a leaf's register are set and which are clear.
function write_bits(file, key, set, clear) {
    print key (set != "" ? " also" set : "") (set != "" && clear != "" ? ";" : "") (clear != "" ? " not" clear : "") \
        " # dump" >file
}
