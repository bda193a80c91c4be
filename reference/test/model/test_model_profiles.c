/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Other generations only differ in data: profiles made here from Skylake's, with known properties of older CPUs, behave
 * like those. None of it is code of the model.
 */
#include "reference/test/model/model_rig.h"

/* Core Duo: version 1, two counters of 40 bits, no global registers, no fixed counters, nothing faults. */
static struct profile version_1(void)
{
    struct profile p = *model_profile("skylake");
    p.version = 1;
    p.gp_count = 2;
    p.gp_width = 40;
    p.fixed_bitmap = 0;
    p.full_width = p.inuse = false;
    p.freeze = FREEZE_NONE;
    p.evtsel = (struct write_rule){.exists = true, .dropped = MASK(63, 32)};
    p.status_reset.exists = p.status_set.exists = false;
    p.stored[STORED_GLOBAL_CTRL].exists = p.stored[STORED_FIXED_CTR_CTRL].exists = false;
    return p;
}

/* Conroe: version 2, every bit of GLOBAL_CTRL is kept, fixed counters ignore bits above their width. */
static struct profile version_2(void)
{
    struct profile p = *model_profile("skylake");
    p.version = 2;
    p.gp_count = 2;
    p.gp_width = p.fixed_width = 40;
    p.fixed_drops_upper = true;
    p.full_width = p.inuse = false;
    p.freeze = FREEZE_LEGACY;
    p.status_set.exists = false;
    p.stored[STORED_GLOBAL_CTRL] = (struct write_rule){.exists = true, .reset = 0x700000003};
    return p;
}

/* Ice Lake: eight counters, four fixed ones. */
static struct profile version_5(void)
{
    struct profile p = *model_profile("skylake");
    p.version = 5;
    p.gp_count = 8;
    p.fixed_bitmap = 0xf;
    p.event_length = 8;
    p.stored[STORED_GLOBAL_CTRL].faults = ~0x1000f000000ffull;
    p.stored[STORED_FIXED_CTR_CTRL].faults = ~0xffffull;
    p.slots = 5;
    return p;
}

static void open_profile(struct rig *r, const struct profile *profile)
{
    rig_open(r, NULL, 1, 0);
    r->setup.profile = profile;
    model_reset(r->model, &r->setup, &r->host);
}

/* Each profile is found by its own name, the default one comes first, and the list ends. */
CASE(found_by_name)
{
    unsigned n = 0;
    for (const struct profile *p; (p = model_profile_at(n)); n++)
        assert_ptr_equal(model_profile(model_profile_name(p)), p);
    assert_int_equal(n, profile_count);
    assert_ptr_equal(model_profile_at(0), profiles[0]);
    assert_null(model_profile("no such CPU"));
}

CASE(without_global_registers)
{
    static const u32 absent[] = {0xc3, 0x188, 0x309, 0x38d, 0x38e, 0x38f, 0x390, 0x391, 0x392, 0x4c1};
    struct profile p = version_1();
    struct rig r;
    open_profile(&r, &p);
    for_each_row (absent, msr)
        assert_true(rd_faults(&r, *msr) && wr_faults(&r, *msr, 0));
    wr(&r, MSR_PERFEVTSEL(1), 0xffffffff00fb0000 | ARCH_EVENT_INSTRUCTIONS);
    assert_int_equal(rd(&r, MSR_PERFEVTSEL(1)) >> 32, 0);
    wr(&r, MSR_PMC(1), 0xfffffff0);
    assert_int_equal(rd(&r, MSR_PMC(1)), 0xfffffffff0);
    plain(&r, 20); /* enabled by EVTSEL alone; INT is set */
    assert_int_equal(rd(&r, MSR_PMC(1)), 4);
    assert_int_equal(r.interrupts, 1);
    rig_close(&r);
}

CASE(legacy_freeze)
{
    struct profile p = version_2();
    struct rig r;
    open_profile(&r, &p);
    wr(&r, MSR_DEBUGCTL, DEBUGCTL_FREEZE_PERFMON_ON_PMI | DEBUGCTL_FREEZE_LBRS_ON_PMI | DEBUGCTL_LBR);
    wr(&r, MSR_PMC(0), (u64)-10);
    wr(&r, MSR_PERFEVTSEL(0), EVTSEL_BOTH | EVTSEL_INT | ARCH_EVENT_INSTRUCTIONS);
    plain(&r, 30);
    assert_int_equal(rd(&r, MSR_PERF_GLOBAL_CTRL), 0);
    assert_int_equal(rd(&r, MSR_DEBUGCTL), DEBUGCTL_FREEZE_PERFMON_ON_PMI | DEBUGCTL_FREEZE_LBRS_ON_PMI);
    assert_int_equal(rd(&r, MSR_PERF_GLOBAL_STATUS), 1);
    assert_int_equal(rd(&r, MSR_PMC(0)), 0);
    assert_int_equal(r.interrupts, 1);
    rig_close(&r);
}

CASE(lenient_writes)
{
    struct profile p = version_2();
    struct rig r;
    open_profile(&r, &p);
    wr(&r, MSR_PERF_GLOBAL_CTRL, ~0ull);
    assert_int_equal(rd(&r, MSR_PERF_GLOBAL_CTRL), ~0ull);
    wr(&r, MSR_FIXED_CTR(0), ~0ull);
    assert_int_equal(rd(&r, MSR_FIXED_CTR(0)), 0xffffffffff);
    assert_true(rd_faults(&r, MSR_PERF_GLOBAL_STATUS_SET));
    rig_close(&r);
}

CASE(more_counters)
{
    struct profile p = version_5();
    struct rig r;
    open_profile(&r, &p);
    wr(&r, MSR_PERF_GLOBAL_CTRL, 0xf000000ff);
    wr(&r, MSR_PERFEVTSEL(7), EVTSEL_BOTH | ARCH_EVENT_TOPDOWN_SLOTS);
    wr(&r, MSR_FIXED_CTR_CTRL, 0x3000);
    plain(&r, 100);
    assert_int_equal(rd(&r, MSR_PMC(7)), 500);
    assert_int_equal(rd(&r, MSR_FIXED_CTR(3)), 500);
    assert_true(rd_faults(&r, MSR_PMC(8)) && rd_faults(&r, MSR_FIXED_CTR(4)));
    rig_close(&r);
}

int main(void)
{
    return run_cases();
}
