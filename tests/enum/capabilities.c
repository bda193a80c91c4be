/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * IA32_PERF_CAPABILITIES[13] says that the GP counters have a second address at which all their bits can be written:
 * then IA32_A_PMC0 can be read, and shows the same counter as IA32_PMC0. What the other fields promise (formats of
 * records, metrics, freezing) is not true on all parts (some have PERF_METRICS and do not say so), so it is only
 * logged. The register is read-only: a write to it faults and changes nothing: the value 0, its own value, and its own
 * with each single bit changed. These are written only on classes whose CPUs are known to fault, and under a
 * hypervisor, where a program answers.
 */
#include "harness/test.h"

static void full_width(struct test *t)
{
    u64 value = 0, pattern = BIT(t->caps->gp_width - 1) | 0x12345678;
    fault_t fault = rdmsr_try(MSR_A_PMC(0), &value);
    if (!check_fault(t, "full-width-absent", fault, NO_FAULT, MSR_A_PMC(0)))
        return;
    write_msr(t, MSR_A_PMC(0), pattern);
    check_bits(t, "other-counter", MSR_PMC(0), ~0ull, pattern);
    write_msr(t, MSR_A_PMC(0), 0);
}

static void try_write(struct test *t, const char *label, u64 value)
{
    fault_t fault = wrmsr_try(MSR_PERF_CAPABILITIES, value);
    if (fault == FAULT_REFUSED)
        return;
    measure(t, "write-faults", "bool", fault != NO_FAULT);
    check_fault(t, label, fault, FAULT_GP, MSR_PERF_CAPABILITIES);
    check_bits(t, label, MSR_PERF_CAPABILITIES, ~0ull, t->caps->perf_capabilities);
    if (!fault)
        wrmsr_try(MSR_PERF_CAPABILITIES, t->caps->perf_capabilities);
}

/* What is taken is put back, which a register that takes only some values may refuse. */
static void try_each_bit(struct test *t)
{
    u64 accepted = 0;
    for (unsigned bit = 0; bit < 64; bit++) {
        gate_walk(true);
        fault_t fault = wrmsr_try(MSR_PERF_CAPABILITIES, t->caps->perf_capabilities ^ BIT(bit));
        gate_walk(false);
        if (fault == FAULT_REFUSED)
            return;
        if (!fault) {
            accepted |= BIT(bit);
            wrmsr_try(MSR_PERF_CAPABILITIES, t->caps->perf_capabilities);
        }
    }
    check_equal(t, "flip-accepted", accepted, 0, MSR_PERF_CAPABILITIES);
}

static void capabilities(struct test *t)
{
    u64 value = t->caps->perf_capabilities, unused;
    try_write(t, "write-accepted", value);
    try_write(t, "zero-accepted", 0);
    try_each_bit(t);
    bool metrics = t->caps->fixed_bitmap >> FIXED_TOPDOWN_SLOTS & 1 && !rdmsr_try(MSR_PERF_METRICS, &unused);
    note(t, "capabilities", "reg=IA32_PERF_CAPABILITIES", "", "value=0x%lx metrics-answer=%u", value, metrics);
    if (!t->caps->full_width)
        skip(t, "IA32_PERF_CAPABILITIES[13]=0 (0x%lx): no full-width writes", value);
    full_width(t);
}

TEST("enum.capabilities",
     .title = "IA32_PERF_CAPABILITIES is read-only, and the full-width counters that it claims exist",
     .spec = "SDM 3B, Full-Width Writes to Performance Counter Registers",
     .covers = "A-018,A-019,A-020,A-021,A-024,B-006", .needs = {.version = 1, .capabilities = true}, .scope = EACH_CPU,
     .run = capabilities, .measures = true);
