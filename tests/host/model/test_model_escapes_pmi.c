/* links: pmu/reference/model/ pmu/reference/deviations/ */
/* Deviations of overflow and PMI that real CPUs have had, continued: what each does, on the CPU on which it shows. */
#include "tests/host/model/model_probe.h"

#define PRESET(n) (0x1000000000000 - (n))

/* PMC0 wraps, with a PMI, after n instructions. */
static void start(struct rig *r, unsigned n)
{
    wr(r, MSR_A_PMC(0), PRESET(n));
    wr(r, MSR_PERFEVTSEL(0), EVTSEL_BOTH | EVTSEL_INT | ARCH_EVENT_INSTRUCTIONS);
}

/* Fixed counters of `control` wrap together after 20 instructions, with DEBUGCTL[12] set or not. */
static void start_fixed(struct rig *r, u64 control, bool freeze)
{
    wr(r, MSR_DEBUGCTL, freeze ? DEBUGCTL_FREEZE_PERFMON_ON_PMI : 0);
    for (unsigned i = 0; i < 3; i++)
        wr(r, MSR_FIXED_CTR(i), PRESET(20));
    wr(r, MSR_FIXED_CTR_CTRL, control);
    wr(r, MSR_PERF_GLOBAL_CTRL, 0x700000000);
}

/* Stopped so many instructions after the wrap; STATUS after it is cleared. */
static u64 stopped(struct rig *r, unsigned after)
{
    start(r, 10);
    plain(r, 10 + after);
    wr(r, MSR_PERF_GLOBAL_CTRL, 0);
    plain(r, 100);
    wr(r, MSR_PERF_GLOBAL_STATUS_RESET, 1);
    return rd(r, MSR_PERF_GLOBAL_STATUS);
}

static u64 stopped_at_overflow(struct rig *r)
{
    return stopped(r, 0);
}

static u64 stopped_later(struct rig *r)
{
    return stopped(r, 64);
}

static u64 two_fixed(struct rig *r)
{
    start_fixed(r, 0x0bb, true);
    plain(r, 30);
    return rd(r, MSR_PERF_GLOBAL_STATUS) & ~STATUS_CTR_FRZ;
}

static u64 two_fixed_unfrozen(struct rig *r)
{
    start_fixed(r, 0x0bb, false);
    plain(r, 30);
    return rd(r, MSR_PERF_GLOBAL_STATUS);
}

/* The CPU halts with a PMI on its way. */
static u64 halted(struct rig *r)
{
    start(r, 10);
    plain(r, 9);
    retire(r, RETIRED_HLT, 0, false, 1);
    plain(r, 20);
    return r->interrupts;
}

/* The entry is masked with another vector while the PMI is on its way; interrupts << 8 | vector. */
static u64 rewritten(struct rig *r)
{
    start(r, 10);
    plain(r, 10);
    r->lvtpc = LVTPC_MASK | 0xee;
    plain(r, 20);
    return (u64)r->interrupts << 8 | r->vector;
}

/* How many of 16 PMIs come more than 100 instructions late. */
static u64 late(struct rig *r)
{
    u64 count = 0;
    for (unsigned i = 0; i < 16; i++) {
        r->lvtpc = VECTOR;
        start(r, 10);
        unsigned overflow = r->instructions + 10;
        plain(r, 600);
        count += r->delivered_at > overflow + 100;
    }
    return count;
}

/* Interrupts of one overflow; the handler unmasks before it clears STATUS, and again after. */
static u64 unmasked_early(struct rig *r)
{
    for (unsigned i = 0; i < 3; i++) {
        plain(r, 30);
        r->lvtpc = VECTOR;
    }
    u64 before = r->interrupts;
    wr(r, MSR_PERF_GLOBAL_STATUS_RESET, STATUS_CTR_FRZ | 0x70000000f);
    for (unsigned i = 0; i < 3; i++) {
        plain(r, 30);
        r->lvtpc = VECTOR;
    }
    return before << 4 | (r->interrupts - before);
}

static u64 asked_early(struct rig *r)
{
    start(r, 10);
    return unmasked_early(r);
}

static u64 asked_at_zero(struct rig *r)
{
    wr(r, MSR_DEBUGCTL, DEBUGCTL_FREEZE_PERFMON_ON_PMI);
    start(r, 10);
    return unmasked_early(r);
}

static u64 fixed0_twice(struct rig *r)
{
    start_fixed(r, 0x00b, true);
    return unmasked_early(r);
}

static u64 fixed2_twice(struct rig *r)
{
    start_fixed(r, 0xb00, false);
    return unmasked_early(r);
}

static u64 fixed2_high(struct rig *r)
{
    wr(r, MSR_FIXED_CTR(2), PRESET(64));
    plain(r, 10);
    u64 low = r->interrupts;
    wr(r, MSR_FIXED_CTR(2), PRESET(63));
    plain(r, 10);
    return low << 4 | r->interrupts;
}

/* CTR_FRZ right after it was cleared in the masked handler, and 50 instructions later. */
static u64 acknowledged(struct rig *r)
{
    wr(r, MSR_DEBUGCTL, DEBUGCTL_FREEZE_PERFMON_ON_PMI);
    start(r, 10);
    plain(r, 20);
    wr(r, MSR_PERF_GLOBAL_STATUS_RESET, STATUS_CTR_FRZ | 1);
    u64 early = rd(r, MSR_PERF_GLOBAL_STATUS) >> 59 & 1;
    plain(r, 50);
    return early << 4 | (rd(r, MSR_PERF_GLOBAL_STATUS) >> 59 & 1);
}

static const struct probe_row rows[] = {
    {"status-stuck-if-disabled-at-overflow", stopped_at_overflow, 0, 1},
    {"status-stuck-if-disabled-at-overflow", stopped_later, 0, 0},
    {"close-fixed-overflows-dropped", two_fixed, 0x300000000, 0x100000000},
    {"close-fixed-overflows-dropped", two_fixed_unfrozen, 0x300000000, 0x300000000},
    {"pmi-lost-in-c6", halted, 1, 0},
    {"lvt-rewrite-delivers-on-new-vector", rewritten, 0, 0x1ee},
    {"pmi-late-by-microseconds", late, 0, 2},
    {"pmi-repeats-until-status-clear", asked_early, 0x10, 0x30},
    {"zero-counter-retriggers", asked_early, 0x10, 0x10},
    {"zero-counter-retriggers", asked_at_zero, 0x10, 0x30},
    {"two-pmis-fixed0-freeze", fixed0_twice, 0x10, 0x20},
    {"two-pmis-fixed0-freeze", fixed2_twice, 0x10, 0x10},
    {"two-pmis-fixed2", fixed2_twice, 0x10, 0x20},
    {"fixed2-write-high-raises-pmi", fixed2_high, 0x00, 0x01},
    {"ack-refreezes", acknowledged, 0x00, 0x01},
};

static void each_does_what_it_says(void **state)
{
    (void)state;
    check_probes(rows, ARRAY_SIZE(rows));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_does_what_it_says),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
