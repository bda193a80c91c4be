/* links: pmu/reference/model/ pmu/reference/deviations/ */
/* Deviations of overflow, STATUS, PMI and INUSE: what each does, on the CPU on which it shows. */
#include "pmu/reference/test/model/model_probe.h"

#define FULL 0xffffffffffff

/* STATUS after `mask` counters (PMC bits and fixed 0) wrapped on one instruction. */
static u64 status_after(struct rig *r, u64 mask, bool interrupt)
{
    for (unsigned n = 0; n < 4; n++)
        if (mask >> n & 1) {
            wr(r, MSR_A_PMC(n), FULL - 9);
            wr(r, MSR_PERFEVTSEL(n), EVTSEL_BOTH | ARCH_EVENT_INSTRUCTIONS | (interrupt ? EVTSEL_INT : 0));
        }
    if (mask >> 32 & 1) {
        wr(r, MSR_FIXED_CTR(0), FULL - 9);
        wr(r, MSR_FIXED_CTR_CTRL, interrupt ? 0xb : 3);
    }
    wr(r, MSR_PERF_GLOBAL_CTRL, 0x10000000f);
    plain(r, 80);
    return rd(r, MSR_PERF_GLOBAL_STATUS);
}

static u64 status_silent(struct rig *r)
{
    return status_after(r, 1, false);
}

static u64 status_with_pmi(struct rig *r)
{
    return status_after(r, 1, true);
}

static u64 status_last(struct rig *r)
{
    return status_after(r, 8, false);
}

static u64 status_fixed(struct rig *r)
{
    return status_after(r, 0x100000000, false);
}

static u64 status_two(struct rig *r)
{
    return status_after(r, 0x100000002, false);
}

static u64 status_later(struct rig *r)
{
    u64 early = status_after(r, 1, false);
    plain(r, 2000);
    return early << 8 | rd(r, MSR_PERF_GLOBAL_STATUS);
}

static u64 wrapped_value(struct rig *r)
{
    status_after(r, 2, false);
    return rd(r, MSR_PMC(1));
}

static u64 two_status_reads(struct rig *r)
{
    u64 first = status_after(r, 1, false);
    return first << 8 | rd(r, MSR_PERF_GLOBAL_STATUS);
}

static u64 status_reset(struct rig *r)
{
    wr(r, MSR_PERF_GLOBAL_STATUS_SET, 0x70000000f);
    wr(r, MSR_PERF_GLOBAL_STATUS_RESET, 1);
    return rd(r, MSR_PERF_GLOBAL_STATUS);
}

static u64 status_set(struct rig *r)
{
    wr(r, MSR_PERF_GLOBAL_STATUS_SET, 0x200000002);
    return rd(r, MSR_PERF_GLOBAL_STATUS);
}

static u64 status_write(struct rig *r)
{
    return wr_faults(r, MSR_PERF_GLOBAL_STATUS, 0);
}

/* A counter that starts far from its end. */
static u64 status_early(struct rig *r)
{
    wr(r, MSR_A_PMC(0), FULL - 1000000);
    wr(r, MSR_PERFEVTSEL(0), EVTSEL_BOTH | ARCH_EVENT_INSTRUCTIONS);
    plain(r, 10);
    return rd(r, MSR_PERF_GLOBAL_STATUS);
}

/* Two counters in use; the write would hide the second. */
static u64 inuse_write(struct rig *r)
{
    wr(r, MSR_PERFEVTSEL(0), 1);
    wr(r, MSR_PERFEVTSEL(1), 1);
    u64 faults = wr_faults(r, MSR_PERF_GLOBAL_INUSE, 2);
    return faults << 4 | rd(r, MSR_PERF_GLOBAL_INUSE);
}

/* interrupts, NMIs, to others, forced: a digit each; then LVTPC's mask and vector. */
static u64 delivered(struct rig *r)
{
    return (u64)r->interrupts << 28 | (u64)r->nmis << 24 | (u64)r->others << 20 | (u64)r->forced << 16 |
           (r->lvtpc & LVTPC_MASK) >> 8 | (r->lvtpc & 0xff);
}

static u64 pmi(struct rig *r)
{
    status_after(r, 1, true);
    return delivered(r);
}

static u64 pmi_fixed0(struct rig *r)
{
    status_after(r, 0x100000000, true);
    return delivered(r);
}

static u64 pmi_vector(struct rig *r)
{
    status_after(r, 1, true);
    return r->vector;
}

static u64 pmi_nmi(struct rig *r)
{
    r->lvtpc = LVTPC_NMI_MODE;
    return pmi(r);
}

static u64 pmi_masked(struct rig *r)
{
    r->lvtpc = VECTOR | LVTPC_MASK;
    return pmi(r);
}

static u64 pmi_silent(struct rig *r)
{
    status_after(r, 1, false);
    return delivered(r);
}

static u64 pmi_unmasked_later(struct rig *r)
{
    r->lvtpc = VECTOR | LVTPC_MASK;
    status_after(r, 1, true);
    wr(r, MSR_PERF_GLOBAL_STATUS_RESET, 1);
    r->lvtpc = VECTOR;
    plain(r, 5);
    return r->interrupts;
}

static u64 pmi_twice(struct rig *r)
{
    status_after(r, 1, true);
    r->lvtpc = VECTOR;
    status_after(r, 2, true);
    return r->interrupts;
}

/* A second overflow before and after the handler's IRET. */
static u64 pmi_in_nmi(struct rig *r)
{
    pmi_nmi(r);
    r->lvtpc = LVTPC_NMI_MODE;
    status_after(r, 2, true);
    u64 inside = r->nmis;
    retire(r, RETIRED_IRET, 0, true, 1);
    r->lvtpc = LVTPC_NMI_MODE;
    status_after(r, 4, true);
    return inside << 4 | r->nmis;
}

static u64 inuse_of(struct rig *r, u64 evtsel0, u64 fixed, u64 pebs)
{
    wr(r, MSR_PERF_GLOBAL_CTRL, 0);
    wr(r, MSR_PERFEVTSEL(0), evtsel0);
    wr(r, MSR_FIXED_CTR_CTRL, fixed);
    wr(r, MSR_PEBS_ENABLE, pebs);
    return rd(r, MSR_PERF_GLOBAL_INUSE);
}

static u64 inuse_event(struct rig *r)
{
    return inuse_of(r, ARCH_EVENT_BRANCHES, 0, 0);
}

/* PMC0 is programmed, PMC1 enabled in GLOBAL_CTRL, and PMC2 holds something. */
static u64 inuse_running(struct rig *r)
{
    wr(r, MSR_PERF_GLOBAL_CTRL, 2);
    wr(r, MSR_PERFEVTSEL(0), 1);
    wr(r, MSR_PMC(2), 1);
    return rd(r, MSR_PERF_GLOBAL_INUSE);
}

static u64 inuse_umask(struct rig *r)
{
    return inuse_of(r, EVTSEL_UMASK(1), 0, 0);
}

static u64 inuse_enable(struct rig *r)
{
    return inuse_of(r, EVTSEL_BOTH, 0, 0);
}

static u64 inuse_fixed(struct rig *r)
{
    return inuse_of(r, 0, 0x021, 0);
}

static u64 inuse_fixed_pmi(struct rig *r)
{
    return inuse_of(r, 0, 0x080, 0);
}

static u64 inuse_int(struct rig *r)
{
    return inuse_of(r, EVTSEL_INT, 0, 0);
}

static u64 inuse_pebs(struct rig *r)
{
    return inuse_of(r, 0, 0, 1);
}

static u64 inuse_gone(struct rig *r)
{
    inuse_event(r);
    return inuse_of(r, 0, 0, 0);
}

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
    {"status-not-set-without-int", status_silent, 1, 0},
    {"status-not-set-with-int", status_with_pmi, 1, 0},
    {"pmi-clears-status", status_with_pmi, 1, 0},
    {"freeze-without-debugctl", status_with_pmi, 1, STATUS_CTR_FRZ | 1},
    {"status-wrong-bit", status_silent, 1, 2},
    {"status-wrong-bit", status_last, 8, 1},
    {"last-gp-overflow-lost", status_last, 8, 0},
    {"fixed-status-in-gp-bits", status_fixed, 0x100000000, 1},
    {"fixed-overflow-lost", status_fixed, 0x100000000, 0},
    {"simultaneous-overflow-lost", status_two, 0x100000002, 2},
    {"wrapped-but-status-late", status_later, 0x101, 0x001},
    {"status-cleared-by-read", two_status_reads, 0x101, 0x100},
    {"status-read-flaps", two_status_reads, 0x101, 0x100},
    {"overflow-adds-one", wrapped_value, 70, 71},
    {"overflow-wrong-value", wrapped_value, 70, 0x100 + 70},
    {"stops-at-overflow", wrapped_value, 70, 0},
    {"status-reset-clears-neighbour", status_reset, 0x70000000e, 0x70000000c},
    {"status-reset-clears-all", status_reset, 0x70000000e, 0},
    {"status-reset-ignored", status_reset, 0x70000000e, 0x70000000f},
    {"status-set-ignored", status_set, 0x200000002, 0},
    {"status-set-neighbour", status_set, 0x200000002, 0x600000006},
    {"status-from-sign", status_early, 0, 1},
    {"status-writable", status_write, 1, 0},
    {"inuse-writable", inuse_write, 0x13, 0x03},
    {"inuse-write-changes", inuse_write, 0x13, 0x12},
    {"inuse-by-global", inuse_running, 1, 3},
    {"inuse-by-value", inuse_running, 1, 5},
    {"lvtpc-not-masked", pmi, 0x100001f0, 0x100000f0},
    {"lvtpc-vector-lost", pmi, 0x100001f0, 0x10000100},
    {"nmi-leaves-lvtpc-unmasked", pmi, 0x100001f0, 0x100001f0},
    {"nmi-leaves-lvtpc-unmasked", pmi_nmi, 0x01000100, 0x01000000},
    {"pmi-lost", pmi, 0x100001f0, 0x000000f0},
    {"fixed-pmi-lost", pmi, 0x100001f0, 0x100001f0},
    {"fixed-pmi-lost", pmi_fixed0, 0x100001f0, 0x000000f0},
    {"nmi-pmi-lost", pmi_nmi, 0x01000100, 0x00000100},
    {"pmi-wrong-vector", pmi_vector, VECTOR, VECTOR ^ 1},
    {"pmi-ignores-if-and-tpr", pmi, 0x100001f0, 0x000101f0},
    {"pmi-to-sibling", pmi, 0x100001f0, 0x001001f0},
    {"pmi-also-to-sibling", pmi, 0x100001f0, 0x101001f0},
    {"pmi-without-int", pmi_silent, 0x000000f0, 0x100001f0},
    {"delivered-while-masked", pmi_masked, 0x000001f0, 0x100001f0},
    {"masked-pmi-kept", pmi_unmasked_later, 0, 1},
    {"pmi-at-unmask", pmi_unmasked_later, 0, 0},
    {"pmi-only-once", pmi_twice, 2, 1},
    {"nmi-pmi-dropped-in-nmi", pmi_in_nmi, 0x23, 0x12},
    {"inuse-0-missing", inuse_event, 1, 0},
    {"inuse-3-foreign", inuse_event, 1, 9},
    {"inuse-follows-en", inuse_event, 1, 0},
    {"inuse-follows-en", inuse_enable, 0, 1},
    {"inuse-follows-umask", inuse_umask, 0, 1},
    {"inuse-follows-global", inuse_event, 1, 0},
    {"inuse-sticky", inuse_gone, 0, 1},
    {"inuse-fixed-needs-both", inuse_fixed, 0x300000000, 0},
    {"inuse-fixed-missing", inuse_fixed, 0x300000000, 0},
    {"inuse-fixed-by-pmi", inuse_fixed_pmi, INUSE_PMI, INUSE_PMI | 0x200000000},
    {"pmi-inuse-at-32", inuse_int, INUSE_PMI, 0x100000000},
    {"pmi-inuse-ignores-gp", inuse_int, INUSE_PMI, 0},
    {"pmi-inuse-needs-enable", inuse_int, INUSE_PMI, 0},
    {"pmi-inuse-ignores-fixed", inuse_fixed_pmi, INUSE_PMI, 0},
    {"pmi-inuse-ignores-pebs", inuse_pebs, INUSE_PMI, 0},
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

/* rate: only every third PMI leaves the entry unmasked. */
static void rate(void **state)
{
    struct rig r;
    unsigned unmasked = 0;
    (void)state;
    rig_open(&r, "lvtpc-not-masked", 3, 0);
    for (unsigned i = 0; i < 9; i++) {
        r.lvtpc = VECTOR;
        status_after(&r, 1, true);
        unmasked += r.lvtpc == VECTOR;
    }
    assert_int_equal(r.interrupts, 9);
    assert_int_equal(unmasked, 3);
    rig_close(&r);
}

/* Without a host that can reach another CPU or force an interrupt, nothing breaks. */
static void without_optional_callbacks(void **state)
{
    static const struct {
        const char *name;
        unsigned interrupts, nmis;
    } hosts[] = {{"pmi-to-sibling", 1, 0}, {"pmi-ignores-if-and-tpr", 0, 1}};
    (void)state;
    for_each_row (hosts, h) {
        struct rig r;
        rig_open(&r, h->name, 1, 0);
        r.host.interrupt_other = NULL;
        r.host.interrupt_forced = NULL;
        model_reset(r.model, &r.setup, &r.host);
        status_after(&r, 1, true);
        assert_int_equal(r.interrupts, h->interrupts);
        assert_int_equal(r.nmis, h->nmis);
        rig_close(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_does_what_it_says),
        cmocka_unit_test(rate),
        cmocka_unit_test(without_optional_callbacks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
