/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Could a deviation show at all in a run? A defect of something that the profile's CPU does not have, or that no
 * selected test comes to, changes nothing: that the tests pass then says nothing of them.
 */
#include "kernel/cpu/cpus.h"
#include "kernel/text/text.h"
#include "reference/lockstep/oracle.h"
#include "reference/mode/prove.h"

static PER_CPU struct model_reached notes;

void shown_begin(void)
{
    for (u32 cpu = 0; cpu < cpu_count(); cpu++)
        of_cpu(notes, cpu) = (struct model_reached){.now = 1};
}

struct model_reached *shown_notes(u32 cpu)
{
    return &of_cpu(notes, cpu);
}

/* Two PMUs of nobody, one as the profile says and one that deviates. */
bool shown_may_be(const struct profile *profile, const struct deviating *deviating)
{
    static u8 good[MODEL_SIZE_MOST] __attribute__((aligned(16))), other[MODEL_SIZE_MOST] __attribute__((aligned(16)));
    static struct oracle host;
    struct model_setup plain = {.profile = profile, .cpus = cpu_count()}, deviates = plain;
    deviates.change = deviate;
    deviates.how = deviating;
    for (u32 cpu = 0; cpu < cpu_count(); cpu++) {
        plain.cpu = deviates.cpu = cpu;
        oracle_reset(&host, (struct model *)(void *)good, &plain, false);
        oracle_reset(&host, (struct model *)(void *)other, &deviates, false);
        if (model_may_differ((struct model *)(void *)good, (struct model *)(void *)other, shown_notes(cpu)))
            return true;
    }
    return false;
}

const char *shown_advice(const struct pmu_run *run, char *text, size_t size)
{
    const struct deviation *d = deviations[run->deviation];
    const char *meant = deviation_meant(d), *profile = d->profile ? d->profile : runs_default_profile();
    format_text(text, size, "defect=%s changed nothing that this run came to: it shows with reference=%s run=%s",
                d->name, profile, meant ? meant : "*");
    return text;
}
