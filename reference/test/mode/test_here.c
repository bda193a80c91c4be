/* SPDX-License-Identifier: BSD-2-Clause */
/* pmucheck here on every profile of the reference PMU: its CPUID and registers are the answers. */
#include "reference/test/model/model_rig.h"
#include "tools/pmucheck/here/here.h"

/* Two CPUs of a machine; in a hybrid each is of another kind. */
#define CPUS 2
static struct rig rigs[CPUS];
static unsigned asked_registers, forbidden;

static struct cpuid_regs model_leaf(void *context, unsigned cpu, u32 leaf, u32 subleaf)
{
    static const u32 none[4];
    u32 out[4];
    (void)context;
    if (cpu >= CPUS)
        return (struct cpuid_regs){0};
    model_cpuid(rigs[cpu].model, leaf, subleaf, none, out);
    return (struct cpuid_regs){out[0], out[1], out[2], out[3]};
}

static enum here_answer model_msr(void *context, unsigned cpu, u32 msr, u64 *value)
{
    (void)context;
    asked_registers++;
    forbidden += msr == REGISTER_LVTPC;
    return model_rdmsr(rigs[cpu].model, msr, value) ? HERE_READ : HERE_FAULT;
}

static void look_at(const char *profile, struct here *here)
{
    for (unsigned cpu = 0; cpu < CPUS; cpu++)
        rig_open_on(&rigs[cpu], profile, NULL, 1, cpu * 2);
    here_look(here, &(struct here_source){"/nowhere", NULL, model_leaf, model_msr});
    for (unsigned cpu = 0; cpu < CPUS; cpu++)
        rig_close(&rigs[cpu]);
}

CASE(each_profile_is_told_right)
{
    for (unsigned i = 0; i < profile_count; i++) {
        const struct profile *p = profiles[i];
        struct here here = {0};
        look_at(p->name, &here);
        assert_int_equal(here.cores.cpus, 1); /* "/nowhere" names no CPU but 0 */
        const struct pmu_caps *caps = &here.cores.kinds.item[0].caps;
        assert_null(here.verdict);
        assert_int_equal(caps->signature, p->signature);
        assert_int_equal(caps->version, p->version);
        assert_int_equal(caps->fixed_bitmap & ~p->fixed_bitmap, 0); /* CPUID may tell of fewer than there are */
        assert_int_equal(caps->full_width, p->full_width);
        if (p->version)
            assert_int_equal(caps->perf_capabilities, p->perf_capabilities);
        assert_true(here.tests.run > 5 && here.tests.unknown == 0);
        here_free(&here);
    }
    assert_true(asked_registers > 100);
    assert_int_equal(forbidden, 0);
}

int main(void)
{
    return run_cases();
}
