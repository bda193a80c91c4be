/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The generations, each on its real profile: what exists, what counts, how it freezes. The numbers are those of real
 * CPUs.
 */
#include "reference/test/model/model_rig.h"

static u64 width_of(unsigned bits)
{
    return (1ull << bits) - 1;
}

static u32 cpuid_register(struct rig *r, u32 leaf, u32 subleaf, unsigned which)
{
    u32 native[4] = {0x0d, 0, 0, 0}, out[4];
    model_cpuid(r->model, leaf, subleaf, native, out);
    return out[which];
}

CASE(core_duo)
{
    static const u32 absent[] = {0xc3, 0x188, 0x309, 0x38d, 0x38e, 0x38f, 0x390, 0x391, 0x392, 0x3f1, 0x4c1, 0x1900};
    struct rig r;
    rig_open_on(&r, "core-duo", NULL, 1, 0);
    for_each_row (absent, msr)
        assert_true(rd_faults(&r, *msr) && wr_faults(&r, *msr, 0));
    assert_int_equal(rd(&r, MSR_PERF_CAPABILITIES), 0);
    assert_true(rd(&r, MSR_MISC_ENABLE) & BIT(12));
    wr(&r, MSR_PERFEVTSEL(1), 0xffffffff00fb0000 | ARCH_EVENT_INSTRUCTIONS);
    wr(&r, MSR_PMC(1), 0xfffffff0);
    plain(&r, 20);
    assert_int_equal(rd(&r, MSR_PMC(1)), 4);
    assert_int_equal(r.interrupts, 1);
    rig_close(&r);
}

/* The PMI clears GLOBAL_CTRL and, with DEBUGCTL[11], DEBUGCTL[0]. */
CASE(legacy_freeze)
{
    static const char *const names[] = {"conroe", "penryn", "bonnell", "silvermont", "nehalem", "haswell"};
    for_each_row (names, name) {
        struct rig r;
        rig_open_on(&r, *name, NULL, 1, 0);
        wr(&r, MSR_DEBUGCTL, 0x1801);
        wr(&r, MSR_PMC(0), (u64)-10);
        wr(&r, MSR_PERFEVTSEL(0), EVTSEL_BOTH | EVTSEL_INT | ARCH_EVENT_INSTRUCTIONS);
        wr(&r, MSR_PERF_GLOBAL_CTRL, 1);
        plain(&r, 30);
        assert_int_equal(rd(&r, MSR_PERF_GLOBAL_CTRL), 0);
        assert_int_equal(rd(&r, MSR_DEBUGCTL), 0x1800);
        assert_int_equal(rd(&r, MSR_PERF_GLOBAL_STATUS), 1);
        assert_int_equal(rd(&r, MSR_PMC(0)), 0);
        rig_close(&r);
    }
}

/* On every CPU of every profile, each counter counts 100 instructions and wraps into its own STATUS bit. */
static void each_counts_here(struct rig *r, const struct profile *p)
{
    for (unsigned n = 0; n < p->gp_count; n++) {
        wr(r, MSR_PMC(n), (u64)-40);
        wr(r, MSR_PERFEVTSEL(n), EVTSEL_BOTH | ARCH_EVENT_INSTRUCTIONS);
    }
    if (p->version > 1) {
        wr(r, MSR_FIXED_CTR_CTRL, 3);
        wr(r, MSR_PERF_GLOBAL_CTRL, width_of(p->gp_count) | 0x100000000);
    }
    plain(r, 100);
    for (unsigned n = 0; n < p->gp_count; n++)
        assert_int_equal(rd(r, MSR_PMC(n)), 60);
    if (p->version < 2)
        return;
    assert_int_equal(rd(r, MSR_FIXED_CTR(0)), 100);
    assert_int_equal(rd(r, MSR_PERF_GLOBAL_STATUS), width_of(p->gp_count));
    wr(r, MSR_PERF_GLOBAL_STATUS_RESET, width_of(p->gp_count));
    assert_int_equal(rd(r, MSR_PERF_GLOBAL_STATUS), 0);
}

/* The kinds of a hybrid have equal parts of four CPUs. */
static const struct profile *kind_of(const struct profile *p, u32 cpu)
{
    static const u8 of_three[] = {0, 0, 1, 2};
    unsigned kind = !p->second ? 0 : p->second->second ? of_three[cpu] : cpu / 2;
    return kind == 2 ? p->second->second : kind ? p->second : p;
}

CASE(each_counts)
{
    for (unsigned i = 0; i < profile_count; i++)
        for (u32 cpu = 0; cpu < 4; cpu++) {
            struct rig r;
            rig_open_on(&r, profiles[i]->name, NULL, 1, cpu);
            each_counts_here(&r, kind_of(profiles[i], cpu));
            rig_close(&r);
        }
}

/* Slots are width x cycles, on GP and fixed counters; the kinds add up, and so do the fractions. */
CASE(topdown)
{
    static const u16 events[] = {0x01a4, 0x02a4, 0x019c, 0x02c2};
    struct rig r;
    u64 got[4], metrics, by_rdpmc;
    rig_open_on(&r, "lunar-lake", NULL, 1, 0);
    for (unsigned n = 0; n < 4; n++)
        wr(&r, MSR_PERFEVTSEL(n), EVTSEL_BOTH | events[n]);
    wr(&r, MSR_FIXED_CTR_CTRL, 0x3030);
    wr(&r, MSR_PERF_METRICS, 0);
    wr(&r, MSR_PERF_GLOBAL_CTRL, GLOBAL_METRICS | GLOBAL_FIXED(3) | GLOBAL_FIXED(1) | 15);
    plain(&r, 300);
    retire(&r, RETIRED_BRANCH, 0, true, 15); /* none of them is mispredicted: only every 16th is */
    wr(&r, MSR_PERF_GLOBAL_CTRL, 0);
    for (unsigned n = 0; n < 4; n++)
        got[n] = rd(&r, MSR_PMC(n));
    assert_int_equal(rd(&r, MSR_FIXED_CTR(1)), 330);
    assert_int_equal(rd(&r, MSR_FIXED_CTR(3)), 330 * 8);
    assert_int_equal(got[0], 330 * 8);
    assert_int_equal(got[1], 300 * 7);
    assert_int_equal(got[2], 15 * 15);
    assert_int_equal(got[3], 315);
    metrics = rd(&r, MSR_PERF_METRICS);
    assert_int_equal((metrics & 0xff) + (metrics >> 8 & 0xff) + (metrics >> 16 & 0xff) + (metrics >> 24 & 0xff), 0xff);
    assert_int_equal(metrics & 0xff, 315 * 255 / 2640);
    assert_true(model_rdpmc(r.model, RDPMC_METRICS, 0, false, &by_rdpmc));
    assert_int_equal(by_rdpmc, metrics);
    assert_int_equal(rd(&r, MSR_PERF_METRICS), metrics);
    wr(&r, MSR_FIXED_CTR_CTRL, 0x7030);
    assert_true(model_rdpmc(r.model, RDPMC_METRICS, 0, false, &by_rdpmc));
    assert_int_equal(by_rdpmc, metrics);
    assert_int_equal(rd(&r, MSR_PERF_METRICS) | rd(&r, MSR_FIXED_CTR(3)), 0);
    rig_close(&r);
}

/* PERF_METRICS depends on the counter that it divides: writing the counter clears it, but not the reverse. */
CASE(metrics_and_slots)
{
    static const char *const profiles_with[] = {"ice-lake", "sapphire-rapids"};
    struct rig r;
    for_each_row (profiles_with, profile) {
        rig_open_on(&r, *profile, NULL, 1, 0);
        wr(&r, MSR_FIXED_CTR(3), 5);
        wr(&r, MSR_PERF_METRICS, 0x55402a40);
        assert_int_equal(rd(&r, MSR_FIXED_CTR(3)), 5);
        assert_int_equal(rd(&r, MSR_PERF_METRICS), 0x55402a40);
        wr(&r, MSR_FIXED_CTR(2), 5);
        assert_int_equal(rd(&r, MSR_PERF_METRICS), 0x55402a40);
        wr(&r, MSR_FIXED_CTR(3), 0);
        assert_int_equal(rd(&r, MSR_PERF_METRICS), 0);
        wr(&r, MSR_FIXED_CTR_CTRL, FIXED_OS(3));
        wr(&r, MSR_PERF_GLOBAL_CTRL, GLOBAL_METRICS | GLOBAL_FIXED(3));
        retire(&r, RETIRED_BRANCH, 0, true, 15);
        assert_int_equal(rd(&r, MSR_PERF_METRICS) >> 32 != 0, profile != profiles_with);
        rig_close(&r);
    }
}

/* All slots of a mispredicted branch but one are bad speculation: of a loop's the first and the last. Fixed counters 4
 * to 6 of an E core count the kinds.
 * */
CASE(fixed_topdown)
{
    struct rig r;
    rig_open_on(&r, "lunar-lake", NULL, 1, 3);
    wr(&r, MSR_FIXED_CTR_CTRL, 0x3330030);
    wr(&r, MSR_PERF_GLOBAL_CTRL, 0x7200000000);
    for (unsigned i = 0; i < 32; i++)
        model_retire(r.model, &(struct retired){.kind = RETIRED_BRANCH, .branch = BRANCH_CONDITIONAL, .taken = i < 31});
    assert_int_equal(rd(&r, MSR_FIXED_CTR(1)), 64);
    assert_int_equal(rd(&r, MSR_FIXED_CTR(4)), 2 * 15);
    assert_int_equal(rd(&r, MSR_FIXED_CTR(5)), 30 * 15);
    assert_int_equal(rd(&r, MSR_FIXED_CTR(6)), 32);
    assert_true(rd_faults(&r, MSR_FIXED_CTR(3)) && rd_faults(&r, MSR_PERF_METRICS));
    u64 value;
    assert_false(model_rdpmc(r.model, RDPMC_METRICS, 0, true, &value));
    rig_close(&r);
}

/* EQ counts cycles with exactly CMASK occurrences; a second unit mask selects no modelled event. */
CASE(version_6_selects)
{
    static const struct {
        u64 extra, count; /* for 10 plain instructions and 10 branches, of two cycles each */
    } rows[] = {{EVTSEL_CMASK(1), 20},
                {EVTSEL_CMASK(1) | EVTSEL_EQ, 20},
                {EVTSEL_CMASK(2) | EVTSEL_EQ, 0},
                {EVTSEL_CMASK(2) | EVTSEL_EQ | EVTSEL_INV, 30},
                {EVTSEL_EQ, 20},
                {EVTSEL_UMASK2(1), 0}};
    for_each_row (rows, row) {
        struct rig r;
        rig_open_on(&r, "lunar-lake", NULL, 1, 0);
        wr(&r, MSR_PERFEVTSEL(0), EVTSEL_BOTH | ARCH_EVENT_INSTRUCTIONS | row->extra);
        assert_int_equal(rd(&r, MSR_PMC_GP_CFG_A(0)), rd(&r, MSR_PERFEVTSEL(0)));
        plain(&r, 10);
        retire(&r, RETIRED_BRANCH, 0, true, 10);
        assert_int_equal(rd(&r, MSR_PMC(0)), row->count);
        rig_close(&r);
    }
}

CASE(aliases)
{
    struct rig r;
    rig_open_on(&r, "lunar-lake", NULL, 1, 0);
    wr(&r, MSR_PMC_GP_CFG_A(9), EVTSEL_BOTH | ARCH_EVENT_INSTRUCTIONS);
    wr(&r, MSR_PMC_GP_CTR(9), 0x800000000000);
    wr(&r, MSR_PMC_FX_CTR(3), 0x123456789abc);
    assert_int_equal(rd(&r, MSR_PERFEVTSEL(9)), EVTSEL_BOTH | ARCH_EVENT_INSTRUCTIONS);
    assert_int_equal(rd(&r, MSR_FIXED_CTR(3)), 0x123456789abc);
    plain(&r, 5);
    assert_int_equal(rd(&r, MSR_PMC_GP_CTR(9)), 0x800000000005);
    assert_int_equal(rd(&r, MSR_PMC(9)), 0x800000000005);
    assert_true(wr_faults(&r, MSR_PMC_GP_CTR(0), BIT(48)) && wr_faults(&r, MSR_PMC_FX_CTR(0), BIT(48)));
    static const u32 absent[] = {0x1902, 0x1903, 0x1900 + 4 * 9 + 2, 0x1981, 0x1982, 0x1983, 0x1980 + 4 * 4};
    for_each_row (absent, msr)
        assert_true(rd_faults(&r, *msr) && wr_faults(&r, *msr, 0));
    rig_close(&r);
}

/* An E core's PMC2 reloads itself and fixed counter 0: its own STATUS bit stays clear. */
CASE(reload)
{
    struct rig r;
    rig_open_on(&r, "lunar-lake", NULL, 1, 2);
    assert_true(rd_faults(&r, MSR_PMC_GP_CFG_B(1)) && wr_faults(&r, MSR_PMC_FX_CFG_B(2), 0));
    assert_true(wr_faults(&r, MSR_PMC_GP_CFG_B(2), 1) && wr_faults(&r, MSR_PMC_GP_CFG_C(2), BIT(35)));
    wr(&r, MSR_PMC_GP_CFG_B(2), BIT(2));
    wr(&r, MSR_PMC_GP_CFG_C(2), (u32)-50);
    wr(&r, MSR_PMC_FX_CFG_B(0), BIT(2));
    wr(&r, MSR_PMC_FX_CFG_C(0), (u32)-1000);
    wr(&r, MSR_PMC_GP_CTR(2), 0x1000000000000 - 10);
    wr(&r, MSR_PERFEVTSEL(2), EVTSEL_BOTH | ARCH_EVENT_INSTRUCTIONS);
    wr(&r, MSR_FIXED_CTR_CTRL, 3);
    wr(&r, MSR_PERF_GLOBAL_CTRL, 0x100000004);
    plain(&r, 10 + 50 + 7);
    assert_int_equal(rd(&r, MSR_PMC(2)), 0x1000000000000 - 50 + 7);
    assert_int_equal(rd(&r, MSR_FIXED_CTR(0)), 0x1000000000000 - 1000 + 7);
    assert_int_equal(rd(&r, MSR_PERF_GLOBAL_STATUS), 0);
    rig_close(&r);
}

/* The first half of the CPUs are P cores; leaf 0AH says the same on all of them. */
CASE(hybrids)
{
    static const u32 types[] = {0x40000001, 0x40000001, 0x20000001, 0x20000001};
    for (u32 cpu = 0; cpu < 4; cpu++) {
        struct rig r;
        rig_open_on(&r, "alder-lake", NULL, 1, cpu);
        assert_int_equal(cpuid_register(&r, 0x1a, 0, 0), types[cpu]);
        assert_int_equal(cpuid_register(&r, 0x0a, 0, 0), 0x07300605);
        assert_true(cpuid_register(&r, 0x07, 0, 3) & BIT(15));
        assert_int_equal(rd_faults(&r, MSR_PMC(7)), cpu >= 2);
        assert_int_equal(rd_faults(&r, MSR_FIXED_CTR(3)), cpu >= 2);
        assert_false(rd_faults(&r, MSR_PMC(5)));
        rig_close(&r);
    }
}

CASE(leaf_23)
{
    struct rig r;
    rig_open_on(&r, "lunar-lake", NULL, 1, 3);
    assert_int_equal(cpuid_register(&r, 0, 0, 0), 0x23);
    assert_true(cpuid_register(&r, 7, 0, 0) >= 1);
    assert_true(cpuid_register(&r, 7, 1, 0) & BIT(8));
    assert_int_equal(cpuid_register(&r, 0x23, 0, 0), 0x0f);
    assert_int_equal(cpuid_register(&r, 0x23, 0, 2), 8);
    assert_int_equal(cpuid_register(&r, 0x23, 1, 1), 0x77);
    assert_int_equal(cpuid_register(&r, 0x23, 2, 0), 0xfc);
    assert_int_equal(cpuid_register(&r, 0x23, 3, 0), 0x1f7f);
    assert_int_equal(cpuid_register(&r, 0x23, 4, 1), 0);
    assert_int_equal(cpuid_register(&r, 0x1f, 0, 0), 0);
    rig_close(&r);
    rig_open_on(&r, "lunar-lake", NULL, 1, 0);
    assert_int_equal(cpuid_register(&r, 0x23, 1, 0), 0x3ff);
    assert_int_equal(cpuid_register(&r, 0x23, 2, 0), 0);
    rig_close(&r);
}

/* Events that the CPU does not have count nothing, whether the leaf says so or not. */
CASE(missing_events)
{
    static const struct {
        const char *name;
        u32 cpu;
        u16 event;
    } rows[] = {{"skylake", 0, 0x01a4},
                {"alder-lake", 3, 0x01a4},
                {"lunar-lake", 0, 0x0073},
                {"lunar-lake", 3, 0x01a4},
                {"lunar-lake", 0, 0x01e4}};
    for_each_row (rows, row) {
        struct rig r;
        rig_open_on(&r, row->name, NULL, 1, row->cpu);
        wr(&r, MSR_PERFEVTSEL(0), EVTSEL_BOTH | row->event);
        retire(&r, RETIRED_BRANCH, 0, true, 64);
        assert_int_equal(rd(&r, MSR_PMC(0)), 0);
        rig_close(&r);
    }
}

/* Instructions on IQ_COUNTER0, branches on IQ_COUNTER2, which pair with CRU_ESCR0 and CRU_ESCR3. */
CASE(netburst)
{
    static const u32 absent[] = {0x186, 0xc1, 0x38d, 0x38e, 0x38f, 0x390, 0x392, 0x345, 0x3bf, 0x3ce, 0x3df, 0x4c1};
    struct rig r;
    u64 value;
    rig_open_on(&r, "prescott", NULL, 1, 0);
    for_each_row (absent, msr)
        assert_true(rd_faults(&r, *msr) && wr_faults(&r, *msr, 0));
    assert_int_equal(cpuid_register(&r, 0x0a, 0, 0), 0);
    assert_int_equal(cpuid_register(&r, 0, 0, 0), 5);
    wr(&r, MSR_CRU_ESCR(0), 0x0400020c);
    wr(&r, MSR_CRU_ESCR(3), 0x0c001e0c);
    wr(&r, MSR_NETBURST_COUNTER(12), 0xffffffffff - 9);
    wr(&r, MSR_NETBURST_COUNTER(14), 0xf0000000000);
    assert_int_equal(rd(&r, MSR_NETBURST_COUNTER(14)), 0);
    wr(&r, MSR_CCCR(12), 0x04039000);
    wr(&r, MSR_CCCR(14), 0x0003b000);
    plain(&r, 20);
    retire(&r, RETIRED_BRANCH, 3, true, 5);
    assert_int_equal(rd(&r, MSR_NETBURST_COUNTER(12)), 15);
    assert_int_equal(rd(&r, MSR_NETBURST_COUNTER(14)), 5);
    assert_int_equal(rd(&r, MSR_CCCR(12)), 0x84039000);
    assert_int_equal(rd(&r, MSR_CCCR(14)), 0x0003b000);
    assert_int_equal(r.interrupts, 1);
    assert_true(model_rdpmc(r.model, 12, 0, false, &value) && value == 15);
    wr(&r, MSR_NETBURST_COUNTER(3), 0x1234567890);
    assert_true(model_rdpmc(r.model, 3 | BIT(31), 0, false, &value) && value == 0x34567890);
    assert_false(model_rdpmc(r.model, 18, 0, false, &value));
    wr(&r, MSR_CCCR(12), 0); /* stops it; OVF is cleared by software */
    plain(&r, 5);
    assert_int_equal(rd(&r, MSR_NETBURST_COUNTER(12)), 15);
    assert_int_equal(rd(&r, MSR_CCCR(12)), 0);
    wr(&r, MSR_CCCR(5), 0x02000000); /* FORCE_OVF: overflows with each count, but nothing counts */
    assert_int_equal(rd(&r, MSR_CCCR(5)), 0x02000000);
    wr(&r, MSR_CCCR(12), 0x02039000);
    assert_int_equal(rd(&r, MSR_CCCR(12)), 0x02039000);
    plain(&r, 1);
    assert_int_equal(rd(&r, MSR_CCCR(12)), 0x82039000);
    assert_int_equal(rd(&r, MSR_NETBURST_COUNTER(12)), 16);
    rig_close(&r);
}

int main(void)
{
    return run_cases();
}
