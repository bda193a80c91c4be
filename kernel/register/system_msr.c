/* SPDX-License-Identifier: BSD-2-Clause */
/* The registers of the processor, not of the PMU, that the runtime writes by WRMSR: an allow-list, as data. */
#include "kernel/register/cpuid.h"
#include "kernel/register/msr.h"
#include "kernel/register/wrmsr.h"

/* Does `write` change bits other than these? If the register's value is not known, it does. */
static bool changes_others(const struct system_write *write, u64 bits)
{
    return !write->current_known || ((write->value ^ write->current) & ~bits);
}

static const char *refuses_base(const struct system_write *write)
{
    bool allowed = write->starting && !changes_others(write, APIC_BASE_EN | APIC_BASE_EXTD);
    return allowed ? NULL : "IA32_APIC_BASE: the mode, on a starting CPU";
}

static const char *refuses_efer(const struct system_write *write)
{
    return changes_others(write, EFER_NXE) ? "EFER: NXE" : NULL;
}

#define PAT_ENTRIES 8

/* SDM 3A, "Page Attribute Table": types 2, 3 and those above 7 are reserved. */
static const char *refuses_pat(const struct system_write *write)
{
    for (unsigned i = 0; i < PAT_ENTRIES; i++) {
        u64 type = write->value >> 8 * i & 0xff;
        if (type > 7 || type == 2 || type == 3)
            return "PAT: defined memory types";
    }
    return NULL;
}

static const char *refuses_status(const struct system_write *write)
{
    return write->value ? "machine-check status: only 0, by the #MC handler" : NULL;
}

/* Only Intel's CPUs from family 6 on clear their revision like this. SDM 3A, "Update Signature and Verification". */
static const char *refuses_revision(const struct system_write *write)
{
    bool family_6 = FIELD_GET(write->leaf1.eax, 11, 8) >= 6;
    return !write->value && cpuid_is_intel(&write->leaf0) && family_6
               ? NULL
               : "microcode revision: only 0, Intel family 6 or later";
}

/* One row of registers of the local APIC; in xAPIC mode they fault. */
static const char *refuses_apic(const struct system_write *write)
{
    bool lvtpc = write->msr == MSR_X2APIC_REGISTER(APIC_LVT_PC);
    bool allowed = !lvtpc || system_lvtpc_delivers(write->value) || write->value == write->lvtpc_found;
    return allowed ? NULL : "LVTPC: fixed or NMI delivery";
}

/* Those of the local APIC come first: they are written while counters count. */
static const struct row {
    u32 first, last;
    const char *(*refuses)(const struct system_write *write);
    enum system_needs needs;
} rows[] = {
    {MSR_X2APIC, MSR_X2APIC_LAST, refuses_apic, NEEDS_NOTHING},
    {MSR_APIC_BASE, MSR_APIC_BASE, refuses_base, NEEDS_CURRENT},
    {MSR_BIOS_SIGN_ID, MSR_BIOS_SIGN_ID, refuses_revision, NEEDS_IDENTITY},
    {MSR_MCG_STATUS, MSR_MCG_STATUS, refuses_status, NEEDS_NOTHING},
    {MSR_PAT, MSR_PAT, refuses_pat, NEEDS_NOTHING},
    {MSR_EFER, MSR_EFER, refuses_efer, NEEDS_CURRENT},
};

static const struct row *row_of(u32 msr)
{
    for_each_row (rows, row)
        if (msr >= row->first && msr <= row->last)
            return row;
    return NULL;
}

enum system_needs system_needs(u32 msr)
{
    const struct row *row = row_of(msr);
    return row ? row->needs : NEEDS_NOTHING;
}

const char *system_refuses(const struct system_write *write)
{
    const struct row *row = row_of(write->msr);
    return row ? row->refuses(write) : "no register that the runtime writes";
}

static u32 lvtpc_found;

void system_lvtpc_found(u32 value)
{
    lvtpc_found = value;
}

/* Not inlined, so that the check of the linked code finds the instruction in one place. */
static __attribute__((noinline)) fault_t system_write(u32 msr, u64 value, const char **rule)
{
    struct system_write write = {.msr = msr, .value = value, .starting = !cpu_has_index(), .lvtpc_found = lvtpc_found};
    enum system_needs needs = system_needs(msr);
    write.current_known = needs == NEEDS_CURRENT && rdmsr_try(msr, &write.current) == NO_FAULT;
    if (needs == NEEDS_IDENTITY) {
        write.leaf0 = cpuid(0, 0);
        write.leaf1 = cpuid(1, 0);
    }
    *rule = system_refuses(&write);
    return *rule ? FAULT_REFUSED : wrmsr_instruction(msr, value);
}

fault_t system_wrmsr_try(u32 msr, u64 value)
{
    const char *rule;
    return system_write(msr, value, &rule);
}

void system_wrmsr(u32 msr, u64 value)
{
    const char *rule;
    fault_t fault = system_write(msr, value, &rule);
    if (fault != NO_FAULT)
        wrmsr_failed(fault, msr, value, rule);
}
