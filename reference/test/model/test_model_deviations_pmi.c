/* SPDX-License-Identifier: BSD-2-Clause */
/* Variations and hazards of overflow, STATUS, PMI and INUSE: the effect of each, on a CPU on which it shows. */
#include "reference/test/model/model_rig.h"

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

static u64 pmi_unmasked_later(struct rig *r)
{
    r->lvtpc = VECTOR | LVTPC_MASK;
    status_after(r, 1, true);
    wr(r, MSR_PERF_GLOBAL_STATUS_RESET, 1);
    r->lvtpc = VECTOR;
    plain(r, 5);
    return r->interrupts;
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

static u64 requested_early(struct rig *r)
{
    start(r, 10);
    return unmasked_early(r);
}

static u64 requested_at_zero(struct rig *r)
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

static const struct probe_row rows[] = {
    {"pmi-at-unmask", pmi_unmasked_later, 0, 0},
    {"pmi-late-by-microseconds", late, 0, 2},
    {"pmi-repeats-until-status-clear", requested_early, 0x10, 0x30},
    {"zero-counter-retriggers", requested_early, 0x10, 0x10},
    {"zero-counter-retriggers", requested_at_zero, 0x10, 0x30},
    {"two-pmis-fixed0-freeze", fixed0_twice, 0x10, 0x20},
    {"two-pmis-fixed0-freeze", fixed2_twice, 0x10, 0x10},
    {"two-pmis-fixed2", fixed2_twice, 0x10, 0x20},
    {"fixed2-write-high-raises-pmi", fixed2_high, 0x00, 0x01},
};

CASE(each_does_what_it_says)
{
    check_probes(rows, ARRAY_SIZE(rows));
}

/* rate: only every third PMI leaves the entry unmasked. */
CASE(rate)
{
    struct rig r;
    unsigned unmasked = 0;
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
CASE(without_optional_callbacks)
{
    static const struct {
        const char *name;
        unsigned interrupts, nmis;
    } hosts[] = {{"pmi-to-sibling", 1, 0}, {"pmi-ignores-if-and-tpr", 0, 1}};
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
    return run_cases();
}
