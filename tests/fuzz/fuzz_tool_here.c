/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Any bytes as recorded answers, of CPUID up to the first NUL and of registers behind it: nothing that is told of such
 * a CPU crashes, and only registers that may be read are asked for.
 */
#include "tools/pmucheck/here/here.h"
#include "tools/pmucheck/here/recorded.h"
#include <stdlib.h>
#include <string.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static struct cpuid_regs cpuid(void *context, unsigned cpu, u32 leaf, u32 subleaf)
{
    const struct recorded_leaf *row = recorded_leaf(context, cpu, leaf, subleaf);
    return row ? row->regs : (struct cpuid_regs){0};
}

static enum here_answer msr(void *context, unsigned cpu, u32 number, u64 *value)
{
    const struct recorded_msr *row = recorded_msr(context, cpu, number);
    if (number == 0x79 || number == 0x1b) /* what nobody may read here: IA32_BIOS_UPDT_TRIG, IA32_APIC_BASE */
        abort();
    *value = row ? row->value : 0;
    return row && !row->fault ? HERE_READ : HERE_FAULT;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct recorded_cpus cpus = {0};
    struct here here = {0};
    const char *text = (const char *)data, *end = size ? memchr(text, 0, size) : NULL;
    size_t first = end ? (size_t)(end - text) : size;
    char *page = NULL;
    size_t length = 0;
    recorded_read_cpuid(&here.arena, &cpus, text, first);
    if (end)
        recorded_read_msr(&here.arena, &cpus, end + 1, size - first - 1);
    here_look(&here, &(struct here_source){"/nowhere", &cpus, cpuid, msr});
    FILE *out = open_memstream(&page, &length);
    here_text(out, &here);
    here_line(out, &here);
    put_json(out, here_json(&here), false);
    fclose(out);
    free(page);
    here_free(&here);
    return 0;
}
