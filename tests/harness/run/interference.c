/* SPDX-License-Identifier: BSD-2-Clause */
/* What came from outside while a test made checks without a bracket that cannot be repeated. */
#include "harness/run/worker.h"
#include "kernel/firmware/pci.h"
#include "kernel/interrupt/interrupt.h"
#include "kernel/register/msr.h"
#include "kernel/text/text.h"
#include "pmu/registers.h"

static u64 count_smis(const struct pmu_caps *caps)
{
    u64 count = 0;
    if (caps->smi_count)
        rdmsr_try(MSR_SMI_COUNT, &count);
    return count;
}

struct interference interference_now(const struct pmu_caps *caps)
{
    return (struct interference){count_smis(caps), interrupt_counts().unexpected};
}

static void excuse(struct results *results, s32 count, enum reason code, const char *what)
{
    char text[REASON_SIZE];
    if (count <= 0)
        return;
    format_text(text, sizeof(text), "%d %s came during checks that cannot be repeated", count, what);
    results_raise(results, OUTCOME_ERROR, code, text);
}

void interference_excuse(struct results *results, const struct test *test, const struct interference *before)
{
    char source[INTERRUPT_SOURCE_TEXT], strays[REASON_SIZE];
    struct interference now = interference_now(test->caps);
    u8 vector = interrupt_counts().stray;
    results->smis = (u32)(now.smis - before->smis); /* the register has 32 bits */
    if (!results->loose)
        return;
    format_text(strays, sizeof(strays), "stray interrupts on vector 0x%x (%s)", vector,
                interrupt_source_text(vector, source));
    if (!test->declaration->asks_smis)
        excuse(results, (s32)results->smis, REASON_NOISE_SMI, "SMIs");
    excuse(results, (s32)(now.strays - before->strays), REASON_NOISE_STRAY, strays);
}
