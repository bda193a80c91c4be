/* links: pmu/reference/model/ pmu/reference/deviations/ */
/* Deviations that real CPUs have had or may have, continued: what each does, on the CPU on which it shows. */
#include "tests/host/model/model_probe.h"

#define ABSENT 0xbad

static void select_event(struct rig *r, unsigned n, u64 evtsel)
{
    wr(r, MSR_PERFEVTSEL(n), evtsel);
}

/* Ten of a kind on two counters: instructions << 8 | branches. */
static u64 ten(struct rig *r, enum retired_kind kind)
{
    select_event(r, 0, EVTSEL_BOTH | ARCH_EVENT_INSTRUCTIONS);
    select_event(r, 1, EVTSEL_BOTH | ARCH_EVENT_BRANCHES);
    retire(r, kind, 0, true, 10);
    return rd(r, MSR_PMC(0)) << 8 | rd(r, MSR_PMC(1));
}

static u64 ten_rep(struct rig *r)
{
    return ten(r, RETIRED_REP_STRING);
}

static u64 ten_far(struct rig *r)
{
    return ten(r, RETIRED_FAR_BRANCH);
}

static u64 ten_iret(struct rig *r)
{
    return ten(r, RETIRED_IRET);
}

static u64 ten_cpuid(struct rig *r)
{
    return ten(r, RETIRED_CPUID);
}

static u64 misses(struct rig *r)
{
    select_event(r, 0, EVTSEL_BOTH | ARCH_EVENT_BRANCH_MISSES);
    retire(r, RETIRED_BRANCH, 0, true, 160);
    return rd(r, MSR_PMC(0));
}

static u64 references(struct rig *r)
{
    select_event(r, 0, EVTSEL_BOTH | ARCH_EVENT_LLC_REFERENCE);
    plain(r, 640);
    return rd(r, MSR_PMC(0));
}

static u64 references_inexact(struct rig *r)
{
    return references(r) > 10;
}

/* 100 instructions at CPL 3 on a counter for CPL 0. */
static u64 other_ring(struct rig *r, u64 extra)
{
    select_event(r, 0, EVTSEL_EN | EVTSEL_OS | ARCH_EVENT_INSTRUCTIONS | extra);
    retire(r, RETIRED_PLAIN, 3, false, 100);
    return rd(r, MSR_PMC(0));
}

static u64 other_ring_inverted(struct rig *r)
{
    return other_ring(r, EVTSEL_INV | EVTSEL_CMASK(2));
}

static u64 other_ring_any(struct rig *r)
{
    return other_ring(r, EVTSEL_ANY);
}

static u64 any_retired(struct rig *r)
{
    select_event(r, 0, EVTSEL_BOTH | EVTSEL_ANY | ARCH_EVENT_INSTRUCTIONS);
    plain(r, 100);
    return rd(r, MSR_PMC(0));
}

/* Five SYSCALLs, counted where they start. */
static u64 transitions(struct rig *r)
{
    struct retired syscall = {.kind = RETIRED_FAR_BRANCH, .cpl = 3, .cpl_after = 0, .taken = true};
    select_event(r, 0, EVTSEL_EN | EVTSEL_USR | ARCH_EVENT_INSTRUCTIONS);
    for (unsigned i = 0; i < 5; i++)
        model_retire(r->model, &syscall);
    return rd(r, MSR_PMC(0));
}

/* PMC1 brings a PMI; what PMC0 counts of 50 instructions. */
static u64 interrupted(struct rig *r)
{
    wr(r, MSR_PMC(1), (u64)-10);
    select_event(r, 1, EVTSEL_BOTH | EVTSEL_INT | ARCH_EVENT_INSTRUCTIONS);
    select_event(r, 0, EVTSEL_BOTH | ARCH_EVENT_INSTRUCTIONS);
    plain(r, 50);
    return rd(r, MSR_PMC(0));
}

/* Branches take two cycles each. Before the three event selects and after them. */
static u64 magic(struct rig *r)
{
    static const u32 selects[] = {0x4300d2, 0x4300b1, 0x4300b5};
    u64 before = ten(r, RETIRED_BRANCH);
    for_each_row (selects, select)
        select_event(r, 3, *select);
    wr(r, MSR_PMC(0), 0);
    wr(r, MSR_PMC(1), 0);
    return before << 16 | ten(r, RETIRED_BRANCH);
}

/* Counters 4 to 7 exist without hyper-threading only. */
static u64 fifth_user(struct rig *r)
{
    if (rd_faults(r, MSR_PMC(4)))
        return ABSENT;
    wr(r, MSR_PERF_GLOBAL_CTRL, 0xff);
    select_event(r, 4, EVTSEL_EN | EVTSEL_USR | ARCH_EVENT_INSTRUCTIONS);
    retire(r, RETIRED_PLAIN, 3, false, 9);
    return rd(r, MSR_PMC(4));
}

static u64 fifth_frozen(struct rig *r)
{
    if (rd_faults(r, MSR_PMC(4)))
        return ABSENT;
    wr(r, MSR_PERF_GLOBAL_CTRL, 0xff);
    for (unsigned n = 3; n < 5; n++)
        select_event(r, n, EVTSEL_BOTH | ARCH_EVENT_INSTRUCTIONS);
    wr(r, MSR_PERF_GLOBAL_STATUS_SET, STATUS_CTR_FRZ);
    plain(r, 9);
    return rd(r, MSR_PMC(3)) << 8 | rd(r, MSR_PMC(4));
}

static u64 fifth_select(struct rig *r)
{
    if (rd_faults(r, MSR_PERFEVTSEL(4)))
        return ABSENT;
    select_event(r, 4, 0x11);
    select_event(r, 4, 0x22);
    return rd(r, MSR_PERFEVTSEL(4));
}

static u64 slots(struct rig *r)
{
    wr(r, MSR_FIXED_CTR_CTRL, 0x3000);
    wr(r, MSR_PERF_GLOBAL_CTRL, GLOBAL_FIXED(3));
    plain(r, 100);
    return rd(r, MSR_FIXED_CTR(3));
}

/* ---- NetBurst: instructions on IQ_COUNTER0 */

static void netburst_start(struct rig *r, u64 value)
{
    wr(r, MSR_CRU_ESCR(0), ESCR_T0_OS | ESCR_T1_OS | FIELD(24, 9, 1) | FIELD(30, 25, 2)); /* whichever thread it is */
    wr(r, MSR_NETBURST_COUNTER(12), value);
    wr(r, MSR_CCCR(12), CCCR_ENABLE | FIELD(15, 13, 4) | MASK(17, 16));
}

static u64 netburst_rewritten(struct rig *r)
{
    netburst_start(r, 0);
    plain(r, 5);
    wr(r, MSR_NETBURST_COUNTER(12), 7);
    return rd(r, MSR_NETBURST_COUNTER(12));
}

static u64 netburst_stopped(struct rig *r)
{
    netburst_start(r, 0xfffffffe);
    plain(r, 5);
    wr(r, MSR_CCCR(12), 0);
    return rd(r, MSR_NETBURST_COUNTER(12));
}

/* ---- Which writes are taken, and what is found */

static u64 tsx_bit(struct rig *r)
{
    select_event(r, 0, EVTSEL_IN_TX);
    return rd(r, MSR_PERFEVTSEL(0));
}

static u64 set_63_faults(struct rig *r)
{
    return wr_faults(r, MSR_PERF_GLOBAL_STATUS_SET, BIT(63));
}

static u64 set_55_faults(struct rig *r)
{
    return wr_faults(r, MSR_PERF_GLOBAL_STATUS_SET, BIT(55));
}

static u64 command_reads(struct rig *r)
{
    wr(r, MSR_PERF_GLOBAL_STATUS_RESET, 5);
    return rd(r, MSR_PERF_GLOBAL_STATUS_RESET);
}

static u64 metrics_capability(struct rig *r)
{
    return rd(r, MSR_PERF_CAPABILITIES) & PERF_CAP_METRICS;
}

static u64 found(struct rig *r)
{
    return rd(r, MSR_DEBUGCTL) | rd(r, MSR_FIXED_CTR_CTRL) << 4;
}

static u64 fixed_control(struct rig *r)
{
    wr(r, MSR_FIXED_CTR_CTRL, 0x003);
    plain(r, 40009);
    return rd(r, MSR_FIXED_CTR_CTRL);
}

static u64 kind(struct rig *r)
{
    u32 native[4] = {0}, out[4], leaf7[4];
    model_cpuid(r->model, 0x1a, 0, native, out);
    model_cpuid(r->model, 0x07, 0, native, leaf7);
    return (u64)leaf7[3] << 32 | out[0];
}

/* Threads of the core << 8 | GP counters in the leaf, here and on the first CPU. */
static u64 threads_and_counters(struct rig *r)
{
    u32 native[4] = {0, 1, 0, 0}, topology[4], leaf[4];
    model_cpuid(r->model, 0x0b, 0, native, topology);
    model_cpuid(r->model, 0x0a, 0, native, leaf);
    u64 here = topology[1] << 8 | (leaf[0] >> 8 & 0xff);
    if (!r->setup.cpu)
        return here;
    r->setup.cpu = 0;
    model_reset(r->model, &r->setup, &r->host);
    return here << 16 | threads_and_counters(r);
}

/* ---- SMIs and microcode */

static u64 sticky(struct rig *r)
{
    wr(r, MSR_PERF_GLOBAL_STATUS_RESET, STATUS_COND_CHGD);
    u64 cleared = rd(r, MSR_PERF_GLOBAL_STATUS) >> 63;
    plain(r, 40009);
    return cleared << 4 | rd(r, MSR_PERF_GLOBAL_STATUS) >> 63;
}

static u64 freeze_bit(struct rig *r)
{
    wr(r, MSR_DEBUGCTL, DEBUGCTL_FREEZE_PERFMON_ON_PMI);
    plain(r, 40009);
    return rd(r, MSR_DEBUGCTL) | rd(r, MSR_SMI_COUNT) | (u64)(r->stalled != 0) << 4;
}

static u64 first_counter(struct rig *r)
{
    select_event(r, 0, EVTSEL_OS | ARCH_EVENT_INSTRUCTIONS);
    plain(r, 40009);
    return rd(r, MSR_PERFEVTSEL(0));
}

static u64 fourth_counter(struct rig *r)
{
    wr(r, MSR_PERF_GLOBAL_CTRL, 0);
    plain(r, 50021);
    return rd(r, MSR_PERFEVTSEL(3)) << 16 | rd(r, MSR_PERF_GLOBAL_CTRL) << 8 | (rd(r, MSR_PERF_GLOBAL_INUSE) & 0xff);
}

static u64 smis(struct rig *r)
{
    plain(r, 970);
    return rd(r, MSR_SMI_COUNT);
}

static const struct probe_row rows[] = {
    {"rep-movs-overcounts", ten_rep, 0x0a00, 0x1400},
    {"iret-counted-twice", ten_iret, 0x0a0a, 0x140a},
    {"iret-counted-twice", ten_far, 0x0a0a, 0x0a0a},
    {"far-transfer-overcounts", ten_far, 0x0a0a, 0x1414},
    {"far-transfer-overcounts", ten_iret, 0x0a0a, 0x1414},
    {"far-branch-extra-in-c4", ten_iret, 0x0a0a, 0x0a14},
    {"cpuid-counted-as-branch", ten_cpuid, 0x0a00, 0x0a0a},
    {"branch-miss-bogus", misses, 10, 160},
    {"llc-double", references, 10, 20},
    {"llc-inexact", references_inexact, 0, 1},
    {"inv-cmask-counts-other-cpl", other_ring_inverted, 0, 100},
    {"anythread-one-cpl-wrong", other_ring_any, 0, 100},
    {"anythread-retired-wrong", any_retired, 100, 200},
    {"cpl-filter-loses-at-transition", transitions, 5, 0},
    {"interrupt-counted-plus-one", interrupted, 50, 51},
    {"counts-core-clock-until-magic", magic, 0x0a0a0a0a, 0x14140a0a},
    {"pmc4-7-dead-usr-only", fifth_user, ABSENT, 0},
    {"eight-counters", fifth_user, ABSENT, 9},
    {"ctr-frz-spares-pmc4-7", fifth_frozen, 0, 0x0009},
    {"eight-counters", fifth_frozen, ABSENT, 0},
    {"evtsel4-7-readback-stale", fifth_select, ABSENT, 0x11},
    {"eight-counters", fifth_select, ABSENT, 0x22},
    {"slots-halved", slots, 500, 200},
    {"write-while-running-carries", netburst_rewritten, 7, 0x100000007},
    {"netburst-stop-loses-carry", netburst_stopped, 0x100000003, 3},
    {"evtsel-tsx-dropped", tsx_bit, EVTSEL_IN_TX, 0},
    {"status-set-63-no-gp", set_63_faults, 1, 0},
    {"status-set-55-gp", set_55_faults, 0, 1},
    {"ovf-ctrl-reads-back", command_reads, 0, 5},
    {"perf-metrics-cap-zero", metrics_capability, PERF_CAP_METRICS, 0},
    {"lbr-enabled-at-power-up", found, 0, 1},
    {"firmware-counter-immovable", found, 0, 0x300},
    {"firmware-counter-immovable", fixed_control, 0x003, 0x033},
    {"three-core-types", kind, 0, 0x800040000001},
    {"one-core-alone", threads_and_counters, 0x01040104, 0x01080204},
    {"condchgd-sticky", sticky, 0x00, 0x01},
    {"freeze-bit-cleared-by-smi", freeze_bit, DEBUGCTL_FREEZE_PERFMON_ON_PMI, 0x11},
    {"smm-agent-reclaims", first_counter, EVTSEL_OS | ARCH_EVENT_INSTRUCTIONS,
     EVTSEL_OS | EVTSEL_USR | ARCH_EVENT_LLC_MISS},
    {"perfevtsel3-foreign", fourth_counter, 0, 0x4301d20000 | 0x0800 | 0x08},
    {"smi-during-every-block", smis, 0, 10},
};

static void each_does_what_it_says(void **state)
{
    (void)state;
    check_probes(rows, ARRAY_SIZE(rows));
}

/* CPUs 0 to 2 are of three kinds, which take different bits of an event select. */
static void three_kinds(void **state)
{
    static const u64 kinds[] = {0x800040000001, 0x800020000001, 0x800020000002};
    (void)state;
    for (u32 cpu = 0; cpu < 3; cpu++) {
        struct rig r;
        rig_open(&r, "three-core-types", 1, cpu);
        assert_int_equal(kind(&r), kinds[cpu]);
        assert_int_equal(wr_faults(&r, MSR_PERFEVTSEL(0), EVTSEL_ANY), cpu != 0);
        rig_close(&r);
    }
}

/* An SMI with DEBUGCTL[14] set is not counted, whatever firmware's code would do. */
static void frozen_in_smm(void **state)
{
    (void)state;
    for (u64 freeze = 0; freeze < 2; freeze++) {
        struct rig r;
        rig_open(&r, "smi-counted", 1, 0);
        wr(&r, MSR_DEBUGCTL, freeze ? DEBUGCTL_FREEZE_WHILE_SMM : 0);
        select_event(&r, 0, EVTSEL_BOTH | ARCH_EVENT_INSTRUCTIONS);
        plain(&r, 40009);
        assert_int_equal(rd(&r, MSR_PMC(0)), freeze ? 40009 : 40509);
        assert_int_equal(r.stalled, 100000);
        rig_close(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_does_what_it_says),
        cmocka_unit_test(three_kinds),
        cmocka_unit_test(frozen_in_smm),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
