# SPDX-License-Identifier: BSD-2-Clause
# Finds the functions of a linked kernel that hold instructions which reach past the program: registers, ports,
# sleeping, interrupts off, virtual machines, and the local APIC's address. Each must have a row with its reason in the
# kernel's lists, and each row there must still be needed. Also checks the write gate in the linked code: each counted
# block asks it before its first WRMSR. The linker refuses a second table for the gate: it would have the same name.
# Would catch a privileged instruction where nobody expects it, and a WRMSR past the gate.
#
# usage: awk -v kernel=FILE -v lists=FILES [-v sites=yes] -f instructions.awk      input as of the Makefile's LINKED_CODE
#
# tools/build/instructions.txt describes a list. With sites=yes it prints a C file instead: the instructions that are
# sites (reference/step/trap/sites.h), which the model answers in the machine's place.
#
# The code is disassembled as linked, so it does not matter how an instruction came to be there: C, assembly, a macro,
# or bytes. An address belongs to the source whose object the linker's map (of ld or of lld) places there, and to the
# last function at or before it in that object; a label that is not global belongs to the global one before it.
#
# It cannot see an instruction that begins in the middle of another one and is only reached by a jump, nor one that is
# written at run time. Text is not writable and data not executable, so that writing code takes a writer that lifts
# write protection first. The reference PMU's steppers do so (reference/step/trap/sites.c, hosting/monitor/guest/patch.c):
# they replace a site by an INT and decode what stood there. It also does not see who calls the functions of the list.

BEGIN {
    split("wrmsr wrmsrns wrmsrlist rdmsr rdmsrlist rdpmc in ins out outs hlt cli cpuid mwait iretq", names, " ")
    split("wrmsr wrmsr   wrmsr     rdmsr rdmsr     rdpmc in in  out out  hlt cli cpuid mwait iretq", kinds, " ")
    split("vmrun vmload vmsave vmmcall vmgexit clgi stgi skinit invlpga", svm, " ")
    for (i in svm)
        kind_of[svm[i]] = "svm"
    for (i in names)
        kind_of[names[i]] = kinds[i]
    split("wrmsr rdmsr rdpmc hlt cpuid mwait iretq", names, " ")
    for (i in names)
        is_site[names[i]] = 1
    split("cpuid mwait iretq", names, " ")
    for (i in names)
        unlisted[names[i]] = 1
}
# Addresses of one length, so that they compare as text.
function address(text) {
    sub(/^0x/, "", text)
    while (length(text) < 16)
        text = "0" text
    return text
}
function source(object) {
    sub(/^.*\/obj\//, "", object)
    sub(/\.o$/, "", object)
    sub(/~[0-9]+/, "", object) # a copy of a test, of reference/proof/copies.py
    return object
}
function room(file) {
    sub(/\/.*/, "", file)
    return file
}
# Notes an object file of the map that has code at `start`.
function place(start, size, section, object) {
    if (section ~ /^\.(text|entry|multiboot|user\.text)/ && size !~ /^(0x)?0+$/) {
        file_at[address(start)] = source(object)
        linked[room(source(object))]
    }
}
/^@/ { part = $1; next }
part == "@rows" && NF && !/^#/ {
    if (NF < 4) {
        print lists ": no reason: " $0
        bad++
    }
    count = split($3, each, ",")
    for (i = 1; i <= count; i++) {
        other = sub(/:other$/, "", each[i])
        maybe = sub(/\?$/, "", each[i])
        if (other)
            otherwise[$1 " " $2 " " each[i]] = 1
        allowed[$1 " " $2 " " each[i]] = 1
        if (maybe)
            needed[$1 " " $2 " " each[i]] = 1
    }
}
# ld: " .text  0xADDRESS  0xSIZE  object", and the name of a long section on a line of its own.
part == "@map" && /^ \.[^ ]+$/ { section = $1; next }
part == "@map" && /^ .* 0x[0-9a-f]+ +0x[0-9a-f]+ [^ ]+\.o$/ {
    place($(NF - 2), $(NF - 1), NF == 4 ? $1 : section, $NF)
    next
}
# lld: "ADDRESS ADDRESS SIZE ALIGNMENT object:(.text)"
part == "@map" && /\.o:\(\.[^ ]+\)$/ {
    object = section = $NF
    sub(/:\(.*/, "", object)
    sub(/.*:\(/, "", section)
    sub(/\)$/, "", section)
    place($1, $3, section, object)
}
# "ADDRESS flags section<TAB>size name": flags are 7 characters, g or l first, F for a function near the end. Lld lists
# a symbol that is global in its object but hidden as local, with ".hidden" before its name.
part == "@symbols" && /^[0-9a-f]+ [lg]/ {
    at = address($1)
    name = $NF
    sub(/\..*/, "", name)
    if (name == "image_start")
        start = at
    if (name ~ /^(image|text|user_text|rodata|data)_(start|end)$/) # of the linker script, at either end of the code
        next
    if (substr($0, 24, 1) == "F" || substr($0, 18, 1) == "g" || $(NF - 1) == ".hidden")
        function_at[at] = name
    else if (!(at in label_at) && name != "")
        label_at[at] = name
}
part == "@code" && /^[0-9a-f]+ </ { next }
part == "@code" && /^ *[0-9a-f]+:/ {
    at = $1
    sub(/:$/, "", at)
    at = address(at)
    lines++
    if (at in file_at) {
        file = file_at[at]
        owner = ""
    }
    if (at in function_at) {
        owner = function_at[at]
        if (owner ~ /_run$|^counted_user$/)
            asked = 0
    }
    else if (owner == "" && at in label_at)
        owner = label_at[at]
    if ($2 == "call" && /<counted_ask(_clear)?>/)
        asked = 1
    if (/0x(ffffffff)?fee[0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f]([^0-9a-f]|$)/)
        judge(file, owner, "apic", at)
    for (i = 2; i <= NF && i <= 4; i++)
        if ($i in kind_of)
            judge(file, owner, kind_of[$i], at)
}
function judge(file, owner, kind, at,    row) {
    seen++
    if (sites == "" && kind == "wrmsr" && file ~ /^pmu\/workload\// && !asked) {
        printf "%s: WRMSR in %s() of %s before the write gate is asked\n", kernel, owner, file
        bad++
    }
    row = file " " owner " " kind
    if (!(row in allowed))
        row = file " * " kind
    if ((kind in is_site) != (row in otherwise))
        found[++count_of_sites] = at " " kind " in " owner "()"
    if (row in allowed || kind in unlisted) {
        needed[row] = 1
        return
    }
    if (sites != "") # the check of the linked kernel tells it
        return
    sub(/^0+/, "", at)
    printf "%s: %s in %s() of %s, at 0x%s: not in %s\n", kernel, toupper(kind), owner, file, at, lists
    bad++
}
function number(text,    i, value) {
    for (i = 1; i <= length(text); i++)
        value = value * 16 + index("0123456789abcdef", substr(text, i, 1)) - 1
    return value
}
END {
    if (sites != "") {
        print "/* Generated from the first link. */"
        print "#include \"reference/step/trap/sites.h\""
        print "const u32 sites[] SITES_SECTION = {"
        for (i = 1; i <= count_of_sites; i++)
            printf "    %d, /* %s */\n", number(substr(found[i], 1, 16)) - number(start), substr(found[i], 18)
        printf "};\nconst unsigned site_count SITES_SECTION = %d;\n", count_of_sites
        exit
    }
    for (row in allowed)
        if (!(row in needed) && room(row) in linked) { # an image may be built without a whole room
            print kernel ": " lists ": a row allows what is not there: " row
            bad++
        }
    printf "%s: %d such instructions in %d, %d wrong\n", kernel, seen, lines, bad
    exit !seen || bad > 0
}
