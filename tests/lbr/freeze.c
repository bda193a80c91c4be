/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * With IA32_DEBUGCTL[11] set, a PMI from version 4 on freezes branch records, architectural or older, by setting
 * LBR_FRZ in IA32_PERF_GLOBAL_STATUS. The bit that enables recording keeps its value. Until the handler clears LBR_FRZ,
 * the records are those of the interrupted code: acknowledging the overflow does not end the freeze, clearing LBR_FRZ
 * does.
 *
 * A counter overflows within a block whose branches fill all records. The newest record is not judged: it may be there
 * twice (SKL186), have a wrong origin (BJ94), or be the interrupt's own; whether it is the block's is measured. Then
 * other branches are taken, and none of them may be recorded.
 *
 * It is not known by which bit Goldmont and Goldmont Plus freeze: the chapter freeze measures it.
 */
#include "harness/chapter/branches.h"
#include "harness/chapter/frozen_records.h"

#define OVERFLOW_AFTER 1200 /* instructions: more branches than there are records */
#define K 300               /* the PMI comes well before the end of the block */
#define COMPARED 8          /* records */

static void prepare(struct test *t)
{
    if (t->caps->version < VERSION_STREAMLINED)
        skip(t, "CPUID.0AH:EAX[7:0]=%u: no LBR_FRZ", t->caps->version);
    need_branch_records(t);
    need_freeze(t);
    if (!class_lbr_frz(cpu_class(t->caps)))
        skip(t, "CPUID.1:EAX=0x%x: not known how branch records freeze", t->caps->signature);
}

static bool inside(const struct test *t, const struct workload *block, u64 address)
{
    if (t->cell.user)
        return ring3_code(address);
    return address >= (u64)block->start && address <= (u64)block->end;
}

/* Are they the interrupted block's last branches? */
static void check_interrupted(struct test *t, const struct recording *r, const struct workload *block)
{
    u32 others = 0;
    for (u32 age = 1; age <= COMPARED; age++)
        others += !inside(t, block, lbr_record(&r->stack, age).to);
    check_equal(t, "others-recorded", others, 0, lbr_register(&r->stack));
    measure(t, "newest-is-interrupted", "0-or-1", inside(t, block, lbr_record(&r->stack, 0).to));
}

static void check_frozen(struct test *t, const struct recording *r, const struct workload *block, u64 overflow)
{
    check_bit(t, "no-lbr-frz", MSR_PERF_GLOBAL_STATUS, STATUS_LBR_FRZ, true);
    check_bit(t, "enable-lost", r->stack.architectural ? MSR_ARCH_LBR_CTL : MSR_DEBUGCTL,
              r->stack.architectural ? LBR_CTL_EN : DEBUGCTL_LBR, true);
    check_bit(t, "freeze-bit-lost", MSR_DEBUGCTL, DEBUGCTL_FREEZE_LBRS_ON_PMI, true);
    check_interrupted(t, r, block);
    run_ladder_on(t, r);
    check_equal(t, "recorded-while-frozen", of_ladder(r), 0, lbr_register(&r->stack));
    write_msr(t, MSR_PERF_GLOBAL_STATUS_RESET, overflow);
    check_bit(t, "thawed-by-counter", MSR_PERF_GLOBAL_STATUS, STATUS_LBR_FRZ, true);
    write_msr(t, MSR_PERF_GLOBAL_STATUS_RESET, STATUS_LBR_FRZ);
    check_bit(t, "not-cleared", MSR_PERF_GLOBAL_STATUS, STATUS_LBR_FRZ, false);
}

static bool freeze(struct test *t)
{
    struct recording r = recording_begin(t);
    struct counter c = gp_in_turn(t, t->turn / 4 + t->turn);
    const struct workload *block = workload("branches");
    struct switch_write start_stop = counters_switch(t->caps, BIT(c.bit));
    counter_setup(c, ARCH_EVENT_INSTRUCTIONS, ring_flags(t) | COUNT_INT, counter_preset(c, OVERFLOW_AFTER));
    pmi_listen(cell_delivery(t), 0);
    recording_on(t, &r, DEBUGCTL_FREEZE_LBRS_ON_PMI);
    if (t->cell.user)
        block->run_user(&start_stop, K);
    else
        block->run(&start_stop, K);
    if (check_delivered(t, c.msr))
        check_frozen(t, &r, block, BIT(c.bit));
    recording_off(t, &r);
    counter_clear(c);
    pmi_close();
    pmu_status_clear(STATUS_LBR_FRZ | BIT(c.bit));
    record_ladder(t, &r, 0);
    check_true(t, "lost-after-thaw", ladder_matches(t, &r, 0), recorded(t, &r), "all branches", lbr_register(&r.stack));
    recording_end(t, &r);
    return more_samples(t);
}

TEST("lbr.freeze", .title = "A PMI freezes branch records until LBR_FRZ is cleared",
     .spec = "SDM 3B, Freezing LBR and Performance Counters on PMI", .covers = "B-039,B-095",
     .needs = {.version = 2, .event = 2, .apic = true}, .scope = EACH_CORE, .prepare = prepare, .repeat = freeze,
     .cells = CELL_RINGS | CELL_DELIVERIES, .measures = true);
