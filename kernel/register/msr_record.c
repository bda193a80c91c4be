/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The register access that each CPU is executing: written to memory, past the caches, before the access, and removed
 * after it.
 */
#include "kernel/register/cpuid.h"
#include "kernel/register/instructions.h"
#include "kernel/register/msr.h"

static struct msr_record *all;

void msr_record_to(struct msr_record *records)
{
    all = records;
}

static void put(struct msr_record *record, u64 what)
{
    volatile u64 *words = &record->what;
    words[1] = ~what;
    words[0] = what;
    flush_line(record);
}

u64 msr_record_begin(u32 msr, bool write)
{
    struct msr_record *records = all;
    if (!records || !cpu_has_index())
        return 0;
    struct msr_record *own = &records[cpu_index()];
    u64 outer = own->what;
    put(own, MSR_RECORD_MADE | (write ? MSR_RECORD_WRITE : 0) | msr);
    return outer;
}

/* A handler's access restores the record of the interrupted one; a block ends with the first access after it. */
void msr_record_end(u64 outer)
{
    struct msr_record *records = all;
    if (records && cpu_has_index())
        put(&records[cpu_index()], outer & MSR_RECORD_BLOCK ? 0 : outer);
}

void msr_record_block(u32 msr)
{
    struct msr_record *records = all;
    if (records)
        put(&records[cpu_index()], MSR_RECORD_MADE | MSR_RECORD_BLOCK | msr);
}

void msr_record_forget(void)
{
    struct msr_record *records = all;
    if (records && records[cpu_index()].what)
        put(&records[cpu_index()], 0);
}
