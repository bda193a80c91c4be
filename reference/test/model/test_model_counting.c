/* SPDX-License-Identifier: BSD-2-Clause */
/* The reference PMU's counting: enables, filters, events, RDPMC. */
#include "reference/test/model/model_rig.h"

/* Instructions on every counter, with both enables set. */
CASE(exact_on_every_counter)
{
    struct rig r;
    rig_open(&r, NULL, 1, 0);
    for (unsigned n = 0; n < 4; n++)
        wr(&r, MSR_PERFEVTSEL(n), EVTSEL_BOTH | ARCH_EVENT_INSTRUCTIONS);
    wr(&r, MSR_FIXED_CTR_CTRL, 0x003);
    wr(&r, MSR_PERF_GLOBAL_CTRL, 0x70000000f);
    plain(&r, 1000);
    wr(&r, MSR_PERF_GLOBAL_CTRL, 0);
    for (unsigned n = 0; n < 4; n++)
        assert_int_equal(rd(&r, MSR_PMC(n)), 1000);
    assert_int_equal(rd(&r, MSR_FIXED_CTR(0)), 1000);
    assert_int_equal(rd(&r, MSR_FIXED_CTR(1)), 0);
    rig_close(&r);
}

/* Counts of 100 instructions of each kind. */
CASE(events)
{
    static const struct {
        u16 event;
        enum retired_kind kind;
        u64 count;
    } rows[] = {
        {ARCH_EVENT_INSTRUCTIONS, RETIRED_PLAIN, 100},
        {ARCH_EVENT_INSTRUCTIONS, RETIRED_REP_STRING, 100},
        {ARCH_EVENT_INSTRUCTIONS, RETIRED_IRET, 100},
        {ARCH_EVENT_INSTRUCTIONS, RETIRED_CPUID, 100},
        {ARCH_EVENT_BRANCHES, RETIRED_PLAIN, 0},
        {ARCH_EVENT_BRANCHES, RETIRED_BRANCH, 100},
        {ARCH_EVENT_BRANCHES, RETIRED_FAR_BRANCH, 100},
        {ARCH_EVENT_BRANCHES, RETIRED_IRET, 100},
        {ARCH_EVENT_BRANCHES, RETIRED_CPUID, 0},
        {ARCH_EVENT_BRANCHES, RETIRED_REP_STRING, 0},
        {ARCH_EVENT_CORE_CYCLES, RETIRED_PLAIN, 100},
        {ARCH_EVENT_CORE_CYCLES, RETIRED_BRANCH, 200},
        {ARCH_EVENT_LLC_REFERENCE, RETIRED_PLAIN, 1},
        {ARCH_EVENT_LLC_MISS, RETIRED_PLAIN, 0},
        {ARCH_EVENT_BRANCH_MISSES, RETIRED_BRANCH, 0},
        {ARCH_EVENT_BRANCH_MISSES, RETIRED_PLAIN, 0},
        {ARCH_EVENT_TOPDOWN_SLOTS, RETIRED_PLAIN, 0},
        {EVENT_CODE_PREC_DIST, RETIRED_PLAIN, 100},
        {0x02c0, RETIRED_PLAIN, 0},
        {0x0000, RETIRED_PLAIN, 0},
    };
    for_each_row (rows, row) {
        struct rig r;
        rig_open(&r, NULL, 1, 0);
        wr(&r, MSR_PERFEVTSEL(1), EVTSEL_BOTH | row->event);
        retire(&r, row->kind, 0, true, 100);
        if (rd(&r, MSR_PMC(1)) != row->count)
            fail_msg("event %x of kind %u: %u", row->event, row->kind, (unsigned)rd(&r, MSR_PMC(1)));
        rig_close(&r);
    }
}

/* 42 core cycles are 40 TSC ticks; event 013CH ticks once in 167 of those. */
CASE(clocks)
{
    struct rig r;
    rig_open(&r, NULL, 1, 0);
    wr(&r, MSR_PERFEVTSEL(0), EVTSEL_BOTH | ARCH_EVENT_REF_CYCLES);
    wr(&r, MSR_FIXED_CTR_CTRL, 0x333);
    wr(&r, MSR_PERF_GLOBAL_CTRL, 0x700000001);
    plain(&r, 42000);
    assert_int_equal(rd(&r, MSR_FIXED_CTR(0)), 42000);
    assert_int_equal(rd(&r, MSR_FIXED_CTR(1)), 42000);
    assert_int_equal(rd(&r, MSR_FIXED_CTR(2)), 40000);
    assert_int_equal(rd(&r, MSR_PMC(0)), 40000 / 167);
    rig_close(&r);
}

CASE(privilege_filters)
{
    static const struct {
        u64 evtsel;
        u64 fixed;
        u64 count;
    } rows[] = {{EVTSEL_OS, 1, 30}, {EVTSEL_USR, 2, 7}, {EVTSEL_OS | EVTSEL_USR, 3, 37}, {0, 0, 0}};
    for_each_row (rows, row) {
        struct rig r;
        rig_open(&r, NULL, 1, 0);
        wr(&r, MSR_PERFEVTSEL(0), EVTSEL_EN | row->evtsel | ARCH_EVENT_INSTRUCTIONS);
        wr(&r, MSR_FIXED_CTR_CTRL, row->fixed);
        wr(&r, MSR_PERF_GLOBAL_CTRL, 0x100000001);
        retire(&r, RETIRED_PLAIN, 0, false, 30);
        retire(&r, RETIRED_PLAIN, 3, false, 5);
        retire(&r, RETIRED_PLAIN, 1, false, 2);
        assert_int_equal(rd(&r, MSR_PMC(0)), row->count);
        assert_int_equal(rd(&r, MSR_FIXED_CTR(0)), row->count);
        rig_close(&r);
    }
}

/* Needs both enables and no freeze: if one is missing, nothing counts and nothing has to be reported. */
CASE(enables)
{
    static const struct {
        u64 evtsel, fixed, global, set;
        bool counts;
    } rows[] = {
        {EVTSEL_BOTH, 3, 0x100000001, 0, true},
        {EVTSEL_BOTH, 3, 0, 0, false},
        {EVTSEL_BOTH, 3, 0x20000000e, 0, false},
        {EVTSEL_OS | EVTSEL_USR, 8, 0x100000001, 0, false},
        {EVTSEL_EN, 0, 0x100000001, 0, false},
        {EVTSEL_BOTH, 3, 0x100000001, STATUS_CTR_FRZ, false},
        {EVTSEL_BOTH, 3, 0x100000001, STATUS_LBR_FRZ, true},
    };
    for_each_row (rows, row) {
        struct rig r;
        rig_open(&r, NULL, 1, 0);
        wr(&r, MSR_PERFEVTSEL(0), row->evtsel | ARCH_EVENT_INSTRUCTIONS);
        wr(&r, MSR_FIXED_CTR_CTRL, row->fixed);
        wr(&r, MSR_PERF_GLOBAL_STATUS_SET, row->set);
        wr(&r, MSR_PERF_GLOBAL_CTRL, row->global);
        assert_int_equal(model_stepping(r.model), row->counts);
        plain(&r, 10);
        assert_int_equal(rd(&r, MSR_PMC(0)), row->counts ? 10 : 0);
        assert_int_equal(rd(&r, MSR_FIXED_CTR(0)), row->counts ? 10 : 0);
        rig_close(&r);
    }
}

/* Reports are needed only at levels where something counts; a PMI on its way needs them at any level. */
CASE(test_stepping_levels)
{
    static const struct {
        u64 evtsel, fixed;
        bool os, usr;
    } rows[] = {
        {EVTSEL_EN | EVTSEL_OS, 0, true, false},  {EVTSEL_EN | EVTSEL_USR, 0, false, true},
        {EVTSEL_EN | EVTSEL_OS, 2, true, true},   {0, 1, true, false},
        {EVTSEL_EN | EVTSEL_USR, 2, false, true}, {EVTSEL_EN, 0, false, false},
    };
    for_each_row (rows, row) {
        struct rig r;
        rig_open(&r, NULL, 1, 0);
        wr(&r, MSR_PERFEVTSEL(0), row->evtsel | ARCH_EVENT_INSTRUCTIONS);
        wr(&r, MSR_FIXED_CTR_CTRL, row->fixed);
        wr(&r, MSR_PERF_GLOBAL_CTRL, 0x100000001);
        assert_int_equal(model_stepping_at(r.model, 0), row->os);
        assert_int_equal(model_stepping_at(r.model, 3), row->usr);
        rig_close(&r);
    }
}

/* STATUS_RESET ends the freeze. */
CASE(frozen_and_thawed)
{
    struct rig r;
    rig_open(&r, NULL, 1, 0);
    wr(&r, MSR_PERFEVTSEL(0), EVTSEL_BOTH | ARCH_EVENT_INSTRUCTIONS);
    plain(&r, 5);
    wr(&r, MSR_PERF_GLOBAL_STATUS_SET, STATUS_CTR_FRZ);
    plain(&r, 5);
    assert_int_equal(rd(&r, MSR_PMC(0)), 5);
    wr(&r, MSR_PERF_GLOBAL_STATUS_RESET, STATUS_CTR_FRZ);
    plain(&r, 5);
    assert_int_equal(rd(&r, MSR_PMC(0)), 10);
    rig_close(&r);
}

/* Comparison by cycles. A branch takes two, and its event is in the first. */
CASE(by_cycles)
{
    static const struct {
        u64 extra;
        u16 event;
        u64 count; /* of 10 x (3 plain, 1 branch): 40 instructions, 50 cycles */
    } rows[] = {
        {0, ARCH_EVENT_INSTRUCTIONS, 40},
        {EVTSEL_INV, ARCH_EVENT_INSTRUCTIONS, 40}, /* nothing to invert */
        {EVTSEL_CMASK(1), ARCH_EVENT_INSTRUCTIONS, 40},
        {EVTSEL_CMASK(2), ARCH_EVENT_INSTRUCTIONS, 0},
        {EVTSEL_CMASK(1) | EVTSEL_INV, ARCH_EVENT_INSTRUCTIONS, 10},
        {EVTSEL_CMASK(2) | EVTSEL_INV, ARCH_EVENT_INSTRUCTIONS, 50},
        {EVTSEL_CMASK(1), ARCH_EVENT_BRANCHES, 10},
        {EVTSEL_CMASK(1) | EVTSEL_INV, ARCH_EVENT_BRANCHES, 40},
        {EVTSEL_CMASK(1), ARCH_EVENT_CORE_CYCLES, 50},
        {EVTSEL_CMASK(2), ARCH_EVENT_CORE_CYCLES, 0},
        {EVTSEL_CMASK(1) | EVTSEL_INV, ARCH_EVENT_CORE_CYCLES, 0},
        {EVTSEL_EDGE, ARCH_EVENT_BRANCHES, 10},
        {EVTSEL_EDGE | EVTSEL_CMASK(1), ARCH_EVENT_INSTRUCTIONS, 10},
        {EVTSEL_EDGE, ARCH_EVENT_CORE_CYCLES, 1},
        {EVTSEL_EDGE | EVTSEL_CMASK(1) | EVTSEL_INV, ARCH_EVENT_BRANCHES, 11}, /* one of them at the start */
        {EVTSEL_CMASK(1) | EVTSEL_INV, 0x0000, 50},                            /* an event that never happens */
    };
    for_each_row (rows, row) {
        struct rig r;
        rig_open(&r, NULL, 1, 0);
        wr(&r, MSR_PERFEVTSEL(3), EVTSEL_BOTH | row->extra | row->event);
        for (unsigned i = 0; i < 10; i++) {
            plain(&r, 3);
            retire(&r, RETIRED_BRANCH, 0, true, 1);
        }
        if (rd(&r, MSR_PMC(3)) != row->count)
            fail_msg("%llx %x: %u, not %u", (unsigned long long)row->extra, row->event, (unsigned)rd(&r, MSR_PMC(3)),
                     (unsigned)row->count);
        rig_close(&r);
    }
}

CASE(rdpmc)
{
    struct rig r;
    u64 value = 77;
    rig_open(&r, NULL, 1, 0);
    wr(&r, MSR_A_PMC(2), 0x123456789abc);
    wr(&r, MSR_FIXED_CTR(1), 0xfedcba987654);
    assert_true(model_rdpmc(r.model, 2, 0, false, &value));
    assert_int_equal(value, 0x123456789abc);
    assert_true(model_rdpmc(r.model, 0x40000001, 3, true, &value));
    assert_int_equal(value, 0xfedcba987654);
    value = 77;
    assert_false(model_rdpmc(r.model, 2, 3, false, &value));
    static const u32 unknown[] = {4, 7, 64, 0x40000003, 0x20000000, 0x80000000, 0xffffffff, 0x3fffffff};
    for_each_row (unknown, index)
        assert_false(model_rdpmc(r.model, *index, 0, true, &value));
    assert_int_equal(value, 77);
    rig_close(&r);
}

/* A caller may report runs only as long as no overflow can be in them. */
CASE(quiet)
{
    struct rig r;
    rig_open(&r, NULL, 1, 0);
    assert_true(model_run_room(r.model) >= 1000000);
    wr(&r, MSR_A_PMC(0), 0xffffffff0000);
    wr(&r, MSR_PERFEVTSEL(0), EVTSEL_BOTH | ARCH_EVENT_INSTRUCTIONS);
    assert_true(model_run_room(r.model) >= 10);
    assert_true(model_run_room(r.model) < 0x10000);
    rig_close(&r);
}

/* Each counter bounds them by the most that it can count itself: a clock far from its end does not shorten the runs up
 * to another counter's, and a run up to a clock's end is half as long as what is left of it. */
CASE(room_by_counter)
{
    struct rig r;
    rig_open(&r, NULL, 1, 0);
    wr(&r, MSR_FIXED_CTR_CTRL, FIXED_OS(1) | FIXED_USR(1) | FIXED_OS(2) | FIXED_USR(2));
    wr(&r, MSR_PERF_GLOBAL_CTRL, GLOBAL_GP(0) | GLOBAL_FIXED(1) | GLOBAL_FIXED(2));
    wr(&r, MSR_A_PMC(0), 0xffffffff0000);
    wr(&r, MSR_PERFEVTSEL(0), EVTSEL_BOTH | ARCH_EVENT_INSTRUCTIONS);
    assert_int_equal(model_run_room(r.model), 0xffff);
    wr(&r, MSR_FIXED_CTR(1), 0xffffffff0000);
    assert_int_equal(model_run_room(r.model), 0xffff / 2);
    for (u32 left = model_run_room(r.model); left; left = model_run_room(r.model))
        model_retire_run(r.model, &(struct model_run){.instructions = left, .branches = left, .taken = left});
    assert_int_equal(rd(&r, MSR_PERF_GLOBAL_STATUS), 0);
    assert_true(rd(&r, MSR_FIXED_CTR(1)) >= 0xfffffffffffe);
    rig_close(&r);
}

int main(void)
{
    return run_cases();
}
