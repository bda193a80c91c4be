#include "harness/run/interference.h"
#include "kernel/cpu/msr.h"
#include "kernel/text/format.h"
#include "pmu/registers.h"

u64 interference_smis(const struct pmu_caps *caps)
{
    u64 count = 0;
    if (caps->smi_count)
        rdmsr_try(MSR_SMI_COUNT, &count);
    return count;
}

void interference_excuse(struct results *results, const struct pmu_caps *caps, u64 before)
{
    char text[REASON_SIZE];
    s32 smis = (s32)(interference_smis(caps) - before); /* the register has 32 bits */
    if (!results->loose || smis <= 0)
        return;
    format_text(text, sizeof(text), "%d SMIs came during checks that cannot be repeated", smis);
    results_raise(results, OUTCOME_ERROR, REASON_NOISE_SMI, text);
}
