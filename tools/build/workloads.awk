# SPDX-License-Identifier: BSD-2-Clause
# Recounts the counted blocks (pmu/workload) from their object files and compares with their declared counts.
# Would catch a block whose counts differ from those that the tests expect, on every CPU.
#
# usage: objdump -t -d --no-show-raw-insn -M intel OBJECT... | awk -f workloads.awk
#
# Follows the disassembled code as it runs: once round the loop counts for each k, the rest is the fixed part. A
# conditional branch is followed the way that does not end in INT3; the loop head's branch leaves the loop. Both copies
# of a block are followed, for CPL 0 and for CPL 3. Also fails on instructions that must not be counted. Prints a line a
# block, and "N blocks, M wrong"; exits with 1 if any is wrong or none was found.


function hex(text,    i, value) {
    value = 0
    for (i = 1; i <= length(text); i++)
        value = value * 16 + index("0123456789abcdef", substr(text, i, 1)) - 1
    return value
}
function key(section, address) { return section ":" address }
function complain(name, text) {
    printf "%s: %s\n", name, text
    wrong[name] = 1
}
function forbidden(operation) {
    return operation ~ /^(rep|repz|repnz|cpuid|pause|nop|xchg|hlt|int|into|iret|iretq|syscall|sysret|sysenter)$/ ||
        operation ~ /^(wrmsr|rdmsr|rdpmc|rdtsc|f[a-z0-9]+|v[a-z0-9]+|xbegin|xend|ljmp|lcall|lret|retf|loop.*|endbr64)$/
}
function is_branch(operation) { return operation ~ /^(j[a-z]+|call|ret)$/ }

# Walks from label `from` until address `until`; leave: takes the first conditional branch out of the loop.
function walk(name, section, from, until, leave,    at, depth, stack, operation, target, steps) {
    instructions = branches = depth = 0
    at = from
    for (steps = 0; steps < 100000; steps++) {
        if (steps && at == until)
            return
        operation = op[key(section, at)]
        if (operation == "" || operation == "int3" || forbidden(operation)) {
            complain(name, "must not be counted: " (operation == "" ? "the end of the code" : operation))
            return
        }
        instructions++
        branches += is_branch(operation)
        target = to[key(section, at)]
        at = next_at[key(section, at)]
        if (operation == "ret") {
            at = depth ? stack[depth--] : -1
        } else if (operation == "call") {
            if (target == at)
                complain(name, "a call to the next instruction")
            stack[++depth] = at
            at = target
        } else if (operation == "jmp" && target < 0) {
            return                      # the indirect jump to the stopping WRMSR
        } else if (operation == "jmp") {
            at = target
        } else if (is_branch(operation)) {
            if (instructions < 4)       # the loop head
                at = leave ? target : at
            else if (op[key(section, at)] == "int3")
                at = target
            else if (op[key(section, target)] != "int3")
                complain(name, "a conditional branch without an INT3 on one side")
        }
    }
    complain(name, "the code does not come to an end")
}
function compare(name, what, declared, found) {
    if (declared != found)
        complain(name, what ": declared " declared ", found " found)
}

/file format/ { finish(); next }
/^SYMBOL TABLE/ { symbols = 1; next }
/^Disassembly of section/ { section = $4; sub(/:$/, "", section); symbols = 0; previous = ""; next }
symbols && NF >= 4 && $1 ~ /^[0-9a-f]+$/ {
    label[$NF] = hex($1)
    where[$NF] = $(NF - 2)
    if ($NF ~ /_instructions_per_k$/)
        blocks[++count] = substr($NF, 1, length($NF) - length("_instructions_per_k"))
    next
}
/^ +[0-9a-f]+:/ {
    address = $1
    sub(/:$/, "", address)
    address = hex(address)
    if (previous != "")
        next_at[previous] = address
    previous = key(section, address)
    op[previous] = $2 == "rex.W" || $2 == "cs" || $2 == "ds" ? "prefix " $3 : $2
    to[previous] = is_branch($2) && $3 ~ /^[0-9a-f]+$/ ? hex($3) : -1
}

function check(name,    prefix, part, section) {
    for (part = 0; part < 2; part++) {
        prefix = part ? name "_user" : name
        if (!((prefix "_loop") in label) || !((prefix "_done") in label)) {
            complain(name, "no loop " prefix)
            return
        }
        section = where[prefix "_loop"]
        walk(name, section, label[prefix "_loop"], label[prefix "_loop"], 0)
        compare(name, prefix " instructions per k", label[name "_instructions_per_k"], instructions)
        compare(name, prefix " branches per k", label[name "_branches_per_k"], branches)
    }
    walk(name, where[name "_loop"], label[name "_start"], label[name "_stop"], 1)
    compare(name, "fixed instructions", label[name "_instructions_fixed"], instructions)
    compare(name, "fixed branches", label[name "_branches_fixed"], branches)
    if (!(name in wrong))
        printf "%s: %d instructions and %d branches per k, %d and %d fixed\n", name,
            label[name "_instructions_per_k"], label[name "_branches_per_k"],
            label[name "_instructions_fixed"], label[name "_branches_fixed"]
}
function finish(    i) {
    for (i = 1; i <= count; i++) {
        total++
        check(blocks[i])
    }
    count = 0
    split("", op); split("", to); split("", next_at); split("", label); split("", where)
}
END {
    finish()
    for (name in wrong)
        bad++
    printf "%d blocks, %d wrong\n", total, bad
    exit !total || bad
}
