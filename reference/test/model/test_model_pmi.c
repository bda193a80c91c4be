/* SPDX-License-Identifier: BSD-2-Clause */
/* The reference PMU's overflow, STATUS, freeze and PMI. */
#include "reference/test/model/model_rig.h"

#define PRESET(n) (0x1000000000000 - (n))

/* Counter `bit` counts instructions from PRESET(n); all is enabled. */
static void arm(struct rig *r, unsigned bit, u64 n, bool interrupt)
{
    if (bit < 32) {
        wr(r, MSR_A_PMC(bit), PRESET(n));
        wr(r, MSR_PERFEVTSEL(bit), EVTSEL_BOTH | ARCH_EVENT_INSTRUCTIONS | (interrupt ? EVTSEL_INT : 0));
    } else {
        wr(r, MSR_FIXED_CTR(bit - 32), PRESET(n));
        wr(r, MSR_FIXED_CTR_CTRL, (interrupt ? 0xbull : 3ull) << 4 * (bit - 32));
    }
    wr(r, MSR_PERF_GLOBAL_CTRL, 0x70000000f);
}

static u64 counter_value(struct rig *r, unsigned bit)
{
    return rd(r, bit < 32 ? MSR_PMC(bit) : MSR_FIXED_CTR(bit - 32));
}

/* Every counter, with and without the interrupt bit: STATUS, the value, and that it counts on. */
CASE(wraps)
{
    static const unsigned bits[] = {0, 1, 2, 3, 32};
    for_each_row (bits, bit)
        for (int interrupt = 0; interrupt < 2; interrupt++) {
            struct rig r;
            rig_open(&r, NULL, 1, 0);
            arm(&r, *bit, 100, interrupt);
            plain(&r, 99);
            assert_int_equal(rd(&r, MSR_PERF_GLOBAL_STATUS), 0);
            plain(&r, 1);
            assert_int_equal(rd(&r, MSR_PERF_GLOBAL_STATUS), BIT(*bit));
            assert_int_equal(counter_value(&r, *bit), 0);
            plain(&r, 64);
            assert_int_equal(counter_value(&r, *bit), 64);
            assert_int_equal(r.interrupts, interrupt);
            assert_int_equal(r.nmis, 0);
            rig_close(&r);
        }
}

CASE(cleared_by_its_bit_alone)
{
    struct rig r;
    rig_open(&r, NULL, 1, 0);
    wr(&r, MSR_PERF_GLOBAL_STATUS_SET, 0x700000007);
    assert_int_equal(rd(&r, MSR_PERF_GLOBAL_STATUS), 0x700000007);
    wr(&r, MSR_PERF_GLOBAL_STATUS_RESET, 8);
    assert_int_equal(rd(&r, MSR_PERF_GLOBAL_STATUS), 0x700000007);
    wr(&r, MSR_PERF_GLOBAL_STATUS_RESET, 2);
    assert_int_equal(rd(&r, MSR_PERF_GLOBAL_STATUS), 0x700000005);
    wr(&r, MSR_PERF_GLOBAL_STATUS_SET, STATUS_ASCI | STATUS_OVF_BUFFER);
    wr(&r, MSR_PERF_GLOBAL_STATUS_RESET, 0x700000005);
    assert_int_equal(rd(&r, MSR_PERF_GLOBAL_STATUS), STATUS_ASCI | STATUS_OVF_BUFFER);
    wr(&r, MSR_PERF_GLOBAL_STATUS_SET, STATUS_COND_CHGD); /* taken, without effect */
    assert_int_equal(rd(&r, MSR_PERF_GLOBAL_STATUS), STATUS_ASCI | STATUS_OVF_BUFFER);
    rig_close(&r);
}

/* Setting a STATUS bit by software raises no PMI. */
CASE(status_set_is_silent)
{
    struct rig r;
    rig_open(&r, NULL, 1, 0);
    arm(&r, 0, 1000, true);
    wr(&r, MSR_PERF_GLOBAL_STATUS_SET, 1);
    plain(&r, 100);
    assert_int_equal(r.interrupts, 0);
    rig_close(&r);
}

/* Delivered within the skid, at LVTPC's vector, and the entry has masked itself. */
CASE(fixed_vector)
{
    for (unsigned round = 0; round < 20; round++) {
        struct rig r;
        rig_open(&r, NULL, 1, 0);
        arm(&r, 1, 50 + round, true);
        plain(&r, 100);
        assert_int_equal(r.interrupts, 1);
        assert_int_equal(r.vector, VECTOR);
        assert_int_equal(r.lvtpc, VECTOR | LVTPC_MASK);
        assert_in_range(r.delivered_at, 50 + round + 1, 50 + round + 4);
        rig_close(&r);
    }
}

CASE(as_nmi)
{
    struct rig r;
    rig_open(&r, NULL, 1, 0);
    r.lvtpc = LVTPC_NMI_MODE;
    arm(&r, 32, 10, true);
    plain(&r, 20);
    assert_int_equal(r.nmis, 1);
    assert_int_equal(r.interrupts, 0);
    assert_int_equal(r.lvtpc, LVTPC_NMI_MODE | LVTPC_MASK);
    rig_close(&r);
}

/* PMIs in SMI mode, and with vectors below 16, reach no CPU. */
CASE(other_modes)
{
    static const u32 entries[] = {0x200, 0x00f};
    for_each_row (entries, entry) {
        struct rig r;
        rig_open(&r, NULL, 1, 0);
        r.lvtpc = *entry;
        arm(&r, 0, 10, true);
        plain(&r, 20);
        assert_int_equal(r.nmis + r.interrupts, 0);
        rig_close(&r);
    }
}

/* Masked: no PMI, not even after the unmask. */
CASE(masked)
{
    struct rig r;
    rig_open(&r, NULL, 1, 0);
    r.lvtpc = VECTOR | LVTPC_MASK;
    arm(&r, 0, 10, true);
    plain(&r, 20);
    assert_int_equal(rd(&r, MSR_PERF_GLOBAL_STATUS), 1);
    assert_int_equal(r.interrupts, 0);
    r.lvtpc = VECTOR;
    plain(&r, 1000);
    assert_int_equal(r.interrupts, 0);
    rig_close(&r);
}

/* A PMI on its way needs reports until it arrives, though every counter has stopped; in HLT it arrives at once. */
CASE(on_its_way)
{
    struct rig r;
    for (int halt = 0; halt < 2; halt++) {
        rig_open(&r, "pmi-late", 1, 0);
        arm(&r, 0, 10, true);
        plain(&r, 10);
        wr(&r, MSR_PERF_GLOBAL_CTRL, 0);
        assert_true(model_stepping(r.model));
        assert_false(model_run_room(r.model));
        if (halt)
            retire(&r, RETIRED_HLT, 0, false, 1);
        for (unsigned i = 0; i < 500 && model_stepping(r.model); i++)
            plain(&r, 1);
        assert_false(model_stepping(r.model));
        assert_int_equal(r.interrupts, 1);
        assert_true(halt ? r.delivered_at == 11 : r.delivered_at > 11);
        rig_close(&r);
    }
}

/* Overflows that come while a PMI is on its way raise no other PMI. */
CASE(coalesced)
{
    struct rig r;
    rig_open(&r, "pmi-late", 1, 0);
    arm(&r, 0, 10, true);
    arm(&r, 1, 11, true);
    arm(&r, 32, 10, true);
    plain(&r, 600);
    assert_int_equal(rd(&r, MSR_PERF_GLOBAL_STATUS), 0x100000003);
    assert_int_equal(r.interrupts, 1);
    rig_close(&r);
}

/* Frozen when raised, not when delivered; GLOBAL_CTRL and DEBUGCTL do not change. */
CASE(streamlined_freeze)
{
    struct rig r;
    rig_open(&r, "pmi-late", 1, 0);
    wr(&r, MSR_DEBUGCTL, DEBUGCTL_FREEZE_PERFMON_ON_PMI | DEBUGCTL_FREEZE_LBRS_ON_PMI | DEBUGCTL_LBR);
    arm(&r, 0, 10, true);
    plain(&r, 10);
    assert_int_equal(rd(&r, MSR_PERF_GLOBAL_STATUS), STATUS_CTR_FRZ | STATUS_LBR_FRZ | 1);
    plain(&r, 600);
    assert_int_equal(rd(&r, MSR_PMC(0)), 0);
    assert_int_equal(rd(&r, MSR_PERF_GLOBAL_CTRL), 0x70000000f);
    assert_int_equal(rd(&r, MSR_DEBUGCTL), 0x1801);
    assert_int_equal(r.interrupts, 1);
    wr(&r, MSR_PERF_GLOBAL_STATUS_RESET, STATUS_CTR_FRZ);
    plain(&r, 5);
    assert_int_equal(rd(&r, MSR_PMC(0)), 5);
    rig_close(&r);
}

/* Without the interrupt bit there is no PMI that freezes. */
CASE(no_freeze_without_interrupt)
{
    struct rig r;
    rig_open(&r, NULL, 1, 0);
    wr(&r, MSR_DEBUGCTL, DEBUGCTL_FREEZE_PERFMON_ON_PMI);
    arm(&r, 0, 10, false);
    plain(&r, 20);
    assert_int_equal(rd(&r, MSR_PERF_GLOBAL_STATUS), 1);
    assert_int_equal(rd(&r, MSR_PMC(0)), 10);
    rig_close(&r);
}

CASE(empty_second)
{
    struct rig r;
    for (int late = 0; late < 2; late++) {
        rig_open(&r, "pmi-empty-second", 1, 0);
        arm(&r, 0, 10, true);
        plain(&r, 20);
        wr(&r, MSR_PERF_GLOBAL_CTRL, 0);
        wr(&r, MSR_PERF_GLOBAL_STATUS_RESET, 1);
        plain(&r, late ? 500 : 50);
        assert_int_equal(r.interrupts, 1);
        r.lvtpc = VECTOR;
        plain(&r, 500);
        assert_int_equal(r.interrupts, late ? 1 : 2);
        assert_false(model_stepping(r.model));
        rig_close(&r);
    }
}

CASE(at_unmask)
{
    struct rig r;
    for (int cleared = 0; cleared < 2; cleared++) {
        rig_open(&r, "pmi-at-unmask", 1, 0);
        r.lvtpc = VECTOR | LVTPC_MASK;
        arm(&r, 0, 10, true);
        plain(&r, 100);
        wr(&r, MSR_PERF_GLOBAL_CTRL, 0);
        if (cleared)
            wr(&r, MSR_PERF_GLOBAL_STATUS_RESET, 1);
        assert_int_equal(r.interrupts, 0);
        r.lvtpc = VECTOR;
        plain(&r, 2);
        assert_int_equal(r.interrupts, cleared ? 0 : 1);
        rig_close(&r);
    }
}

/* On the profile's 1 to 4 instructions: soonest after a REP string instruction, in the upper half after a branch. */
CASE(skid_by_kind)
{
    static const struct {
        enum retired_kind kind;
        unsigned first, last;
    } rows[] = {{RETIRED_PLAIN, 1, 4}, {RETIRED_BRANCH, 3, 4}, {RETIRED_REP_STRING, 1, 1}};
    for_each_row (rows, row) {
        unsigned soonest = 100, latest = 0;
        struct rig r;
        rig_open(&r, NULL, 1, 0);
        wr(&r, MSR_PERFEVTSEL(0), EVTSEL_BOTH | EVTSEL_INT | ARCH_EVENT_INSTRUCTIONS);
        for (unsigned round = 0; round < 32; round++) {
            r.lvtpc = VECTOR;
            wr(&r, MSR_A_PMC(0), PRESET(5));
            plain(&r, 4);
            retire(&r, row->kind, 0, true, 1);
            unsigned overflow = r.instructions;
            plain(&r, 10);
            unsigned skid = r.delivered_at - overflow;
            soonest = skid < soonest ? skid : soonest;
            latest = skid > latest ? skid : latest;
        }
        assert_int_equal(soonest, row->first);
        assert_int_equal(latest, row->last);
        rig_close(&r);
    }
}

int main(void)
{
    return run_cases();
}
