/* SPDX-License-Identifier: BSD-2-Clause */
/* Last-branch records of the reference PMU: what is recorded, what is frozen, and the effects of deviations. */
#include "reference/model/model_state.h"
#include "reference/test/model/model_rig.h"

#define FREEZE (DEBUGCTL_LBR | DEBUGCTL_FREEZE_LBRS_ON_PMI)

static void branch(struct rig *r, u64 from, u64 to)
{
    struct retired instruction = {.kind = RETIRED_BRANCH, .taken = true, .rip = from};
    model_retire(r->model, &instruction);
    instruction = (struct retired){.kind = RETIRED_PLAIN, .rip = to};
    model_retire(r->model, &instruction);
}

static u64 newest(struct rig *r, bool to)
{
    u64 top = rd(r, MSR_LBR_TOS);
    return rd(r, to ? MSR_LBR_TO((u32)top) : MSR_LBR_FROM((u32)top));
}

CASE(records)
{
    struct rig r;
    rig_open(&r, NULL, 1, 0);
    branch(&r, 0x1000, 0x2000);
    assert_int_equal(newest(&r, false), 0); /* not selected */
    wr(&r, MSR_DEBUGCTL, DEBUGCTL_LBR);
    branch(&r, 0x1000, 0x2000);
    assert_int_equal(rd(&r, MSR_LBR_TOS), 1);
    assert_int_equal(newest(&r, false), 0x1000);
    assert_int_equal(newest(&r, true), 0x2000);
    retire(&r, RETIRED_BRANCH, 0, false, 1); /* falls through: not taken */
    assert_int_equal(rd(&r, MSR_LBR_TOS), 1);
    for (unsigned i = 0; i < 31; i++)
        branch(&r, 0x3000 + i, 0x4000);
    assert_int_equal(rd(&r, MSR_LBR_TOS), 0);
    assert_int_equal(newest(&r, false), 0x3000 + 30);
    rig_close(&r);
}

/* An interrupt comes after a branch, before its target; #DB leaves no record, and with the filter of far branches none
 * does. */
CASE(events)
{
    struct rig r;
    rig_open(&r, NULL, 1, 0);
    wr(&r, MSR_DEBUGCTL, DEBUGCTL_LBR);
    struct retired jump = {.kind = RETIRED_BRANCH, .taken = true, .rip = 0x1000};
    model_retire(r.model, &jump);
    model_delivered(r.model, 0x40, 3, 0x2000);
    retire(&r, RETIRED_PLAIN, 0, false, 1);
    assert_int_equal(rd(&r, MSR_LBR_TOS), 2);
    assert_int_equal(rd(&r, MSR_LBR_TO(1)), 0x2000);
    assert_int_equal(rd(&r, MSR_LBR_FROM(2)), 0x2000);
    model_delivered(r.model, 1, 0, 0x3000);
    assert_int_equal(rd(&r, MSR_LBR_TOS), 2);
    wr(&r, MSR_LBR_SELECT, LBR_SELECT_FAR);
    model_delivered(r.model, 14, 0, 0x3000);
    assert_int_equal(rd(&r, MSR_LBR_TOS), 2);
    wr(&r, MSR_LBR_SELECT, LBR_SELECT_CPL_ABOVE); /* the handler is at CPL 0 */
    model_delivered(r.model, 14, 3, 0x3000);
    assert_int_equal(rd(&r, MSR_LBR_TOS), 3);
    wr(&r, MSR_DEBUGCTL, 0);
    model_delivered(r.model, 14, 3, 0x3000);
    assert_int_equal(rd(&r, MSR_LBR_TOS), 3);
    rig_close(&r);
}

CASE(frozen)
{
    struct rig r;
    rig_open(&r, NULL, 1, 0);
    wr(&r, MSR_DEBUGCTL, DEBUGCTL_LBR);
    branch(&r, 0x1000, 0x2000);
    wr(&r, MSR_PERF_GLOBAL_STATUS_SET, STATUS_LBR_FRZ);
    branch(&r, 0x3000, 0x4000);
    assert_int_equal(newest(&r, false), 0x1000);
    wr(&r, MSR_PERF_GLOBAL_STATUS_RESET, STATUS_LBR_FRZ);
    branch(&r, 0x3000, 0x4000);
    assert_int_equal(newest(&r, false), 0x3000);
    rig_close(&r);
}

/* Freezes by a PMI after two branches, then takes one more. */
static void freeze_by_pmi(struct rig *r, const char *profile, const char *deviation)
{
    rig_open_on(r, profile, deviation, 1, 0);
    wr(r, MSR_DEBUGCTL, FREEZE);
    branch(r, 0x1000, 0x2000);
    branch(r, 0x3000, 0x4000);
    wr(r, MSR_PERFEVTSEL(0), ARCH_EVENT_INSTRUCTIONS | EVTSEL_BOTH | EVTSEL_INT);
    wr(r, MSR_PMC(0), 0xffffffff);
    wrmsr_retired(r, MSR_PERF_GLOBAL_CTRL, 1);
    plain(r, 10);
    branch(r, 0x5000, 0x6000);
}

CASE(by_pmi)
{
    static const struct {
        const char *profile, *deviation;
        u64 top, from;
    } rows[] = {
        {"skylake", NULL, 2, 0x3000},
        {"sandy-bridge", NULL, 2, 0x3000},
        {"skylake", "lbr-frz-ignored", 3, 0x5000},
        {"skylake", "lbr-freeze-missing", 3, 0x5000},
        {"skylake", "lbr-freeze-duplicates-tos", 3, 0x3000},
        {"skylake", "lbr-freeze-wrong-from", 2, 0x4000},
    };
    struct rig r;
    for_each_row (rows, row) {
        freeze_by_pmi(&r, row->profile, row->deviation);
        assert_int_equal(rd(&r, MSR_LBR_TOS), row->top);
        assert_int_equal(newest(&r, false), row->from);
        rig_close(&r);
    }
}

/* A branch overflows a counter whose freeze ends everything: the target of its record is the next instruction, which
 * has to be reported for that, or the event that comes instead. */
CASE(frozen_at_a_branch)
{
    for (unsigned event = 0; event < 2; event++) {
        struct rig r;
        struct retired jump = {.kind = RETIRED_BRANCH, .taken = true, .rip = 0x1000}, next = {.rip = 0x2000};
        rig_open_on(&r, "haswell", NULL, 1, 0);
        r.lvtpc |= LVT_MASKED;
        wr(&r, MSR_DEBUGCTL, FREEZE | DEBUGCTL_FREEZE_PERFMON_ON_PMI);
        wr(&r, MSR_PERFEVTSEL(0), 0x5300c4);
        wr(&r, MSR_PMC(0), 0xffffffff);
        wr(&r, MSR_PERF_GLOBAL_CTRL, 1);
        model_retire(r.model, &jump);
        for (unsigned i = 0; i < 8 && rd(&r, MSR_DEBUGCTL) & DEBUGCTL_LBR; i++)
            model_retire(r.model, &jump);
        assert_true(model_stepping(r.model) && model_stepping_at(r.model, 0));
        if (event)
            model_delivered(r.model, 0x40, 0, 0x2000);
        else
            model_retire(r.model, &next);
        next.rip = 0x3000;
        model_retire(r.model, &next);
        assert_int_equal(newest(&r, true), 0x2000);
        rig_close(&r);
    }
}

CASE(never_thaws)
{
    struct rig r;
    freeze_by_pmi(&r, "skylake", "lbr-never-thaws");
    wr(&r, MSR_PERF_GLOBAL_STATUS_RESET, STATUS_LBR_FRZ);
    branch(&r, 0x7000, 0x8000);
    assert_int_equal(newest(&r, false), 0x3000);
    rig_close(&r);
}

static void take(struct rig *r, u8 type, u64 from)
{
    struct retired instruction = {.kind = RETIRED_BRANCH, .branch = type, .taken = true, .rip = from};
    model_retire(r->model, &instruction);
    model_retire(r->model, &(struct retired){.kind = RETIRED_PLAIN, .rip = from + 0x100});
}

CASE(registers)
{
    struct rig r;
    rig_open(&r, NULL, 1, 0);
    wr(&r, MSR_LBR_FROM(31), 0xffff800000000000);
    assert_int_equal(rd(&r, MSR_LBR_FROM(31)), 0xffff800000000000);
    assert_true(wr_faults(&r, MSR_LBR_TO(0), 1ull << 63));
    wr(&r, MSR_LBR_TOS, 31);
    assert_true(wr_faults(&r, MSR_LBR_TOS, 32));
    rig_close(&r);
    rig_open_on(&r, "sandy-bridge", NULL, 1, 0);
    assert_true(rd_faults(&r, MSR_LBR_FROM(16)));
    rig_close(&r);
    rig_open_on(&r, "alder-lake", NULL, 1, 0); /* architectural records */
    assert_true(rd_faults(&r, MSR_LBR_FROM(0)) && rd_faults(&r, MSR_LBR_TOS));
    assert_true(wr_faults(&r, MSR_ARCH_LBR_DEPTH, 24) && wr_faults(&r, MSR_ARCH_LBR_CTL, BIT(4)));
    wr(&r, MSR_ARCH_LBR_CTL, LBR_CTL_EN | LBR_CTL_OS | LBR_CTL_CALL);
    take(&r, BRANCH_JUMP, 0x1000);
    take(&r, BRANCH_CALL, 0x2000);
    assert_int_equal(rd(&r, MSR_ARCH_LBR_FROM(0)), 0x2000);
    assert_int_equal(rd(&r, MSR_ARCH_LBR_FROM(1)), 0);
    wr(&r, MSR_ARCH_LBR_DEPTH, 8);
    assert_int_equal(rd(&r, MSR_ARCH_LBR_FROM(0)) | rd(&r, MSR_ARCH_LBR_INFO(0)), 0);
    rig_close(&r);
}

/* Each bit suppresses its kind and no other; one of the rings suppresses branches that end there. */
CASE(filters)
{
    static const u64 bits[] = {
        [BRANCH_CONDITIONAL] = 4, [BRANCH_CALL] = 8,    [BRANCH_CALL_INDIRECT] = 0x10,
        [BRANCH_RETURN] = 0x20,   [BRANCH_JUMP] = 0x80, [BRANCH_JUMP_INDIRECT] = 0x40,
    };
    struct rig r;
    rig_open(&r, NULL, 1, 0);
    wr(&r, MSR_DEBUGCTL, DEBUGCTL_LBR);
    for (u8 type = BRANCH_CONDITIONAL; type <= BRANCH_JUMP_INDIRECT; type++) {
        wr(&r, MSR_LBR_SELECT, bits[type]);
        u64 top = rd(&r, MSR_LBR_TOS);
        take(&r, type, 0x1000);
        assert_int_equal(rd(&r, MSR_LBR_TOS), top);
        take(&r, type == BRANCH_CALL ? BRANCH_JUMP : BRANCH_CALL, 0x2000);
        assert_int_equal(newest(&r, false), 0x2000);
        assert_int_equal(newest(&r, true), 0x2100);
    }
    wr(&r, MSR_LBR_SELECT, 1);
    take(&r, BRANCH_JUMP, 0x3000);
    assert_int_equal(newest(&r, false), 0x2000);
    wr(&r, MSR_LBR_SELECT, 2);
    take(&r, BRANCH_JUMP, 0x3000);
    assert_int_equal(newest(&r, false), 0x3000);
    rig_close(&r);
}

/* With the call-stack bit a return removes its call. */
CASE(call_stack)
{
    struct rig r;
    rig_open(&r, NULL, 1, 0);
    wr(&r, MSR_DEBUGCTL, DEBUGCTL_LBR);
    wr(&r, MSR_LBR_SELECT, 0x3c4);
    take(&r, BRANCH_CALL, 0x1000);
    take(&r, BRANCH_CALL_INDIRECT, 0x2000);
    take(&r, BRANCH_RETURN, 0x2500);
    take(&r, BRANCH_JUMP, 0x2600);
    assert_int_equal(rd(&r, MSR_LBR_TOS), 1);
    assert_int_equal(newest(&r, false), 0x1000);
    take(&r, BRANCH_RETURN, 0x2700);
    assert_int_equal(rd(&r, MSR_LBR_TOS), 0);
    rig_close(&r);
}

/* Flags in a record's upper bits, by format; on Haswell without RTM these bits must be sign-extended. */
CASE(flags)
{
    struct rig r;
    rig_open_on(&r, "haswell", NULL, 1, 0);
    wr(&r, MSR_LBR_FROM(0), 1ull << 63 | 0x1000);
    assert_true(wr_faults(&r, MSR_LBR_FROM(0), 1ull << 61));
    assert_true(wr_faults(&r, MSR_LBR_FROM(0), 0x9fff800000001000));
    assert_true(wr_faults(&r, MSR_LBR_INFO(0), 0));
    rig_close(&r);
    rig_open_on(&r, "haswell", "lbr-flags-of-tsx", 1, 0);
    wr(&r, MSR_LBR_FROM(0), 1ull << 61);
    rig_close(&r);
    rig_open_on(&r, "goldmont-plus", "lbr-cycles-in-to", 1, 0);
    wr(&r, MSR_LBR_TO(0), 0x1234000000001000);
    assert_true(wr_faults(&r, MSR_LBR_INFO(0), 0));
    rig_close(&r);
    rig_open_on(&r, "goldmont-plus", NULL, 1, 0);
    assert_true(wr_faults(&r, MSR_LBR_TO(0), 0x1234000000001000));
    assert_true(wr_faults(&r, MSR_LBR_FROM(0), 1ull << 63 | 0x1000));
    wr(&r, MSR_LBR_INFO(31), 1ull << 63 | 7);
    rig_close(&r);
    rig_open(&r, NULL, 1, 0);
    wr(&r, MSR_LBR_INFO(31), 1ull << 63 | 7);
    assert_int_equal(rd(&r, MSR_LBR_INFO(31)), 1ull << 63 | 7);
    assert_true(wr_faults(&r, MSR_LBR_INFO(0), BIT(16)));
    rig_close(&r);
}

/* An address of the upper half is sign-extended, except in bits of flags, none of which is set, or of cycles. */
CASE(high_addresses)
{
    static const struct {
        const char *profile, *deviation;
        u64 from, to;
    } rows[] = {
        {"skylake", NULL, 0xffff800000001000, 0xffff800000002000},
        {"sandy-bridge", NULL, 0x7fff800000001000, 0xffff800000002000},
        {"haswell", NULL, 0x7fff800000001000, 0xffff800000002000},
        {"haswell", "lbr-flags-of-tsx", 0x1fff800000001000, 0xffff800000002000},
        {"haswell", "lbr-from-sign-clear", 0x1fff800000001000, 0xffff800000002000},
        {"goldmont-plus", "lbr-cycles-in-to", 0x7fff800000001000, 0x0001800000002000},
        {"skylake", "lbr-from-unsigned", 0x0000800000001000, 0xffff800000002000},
        {"skylake", "lbr-to-unsigned", 0xffff800000001000, 0x0000800000002000},
    };
    struct rig r;
    for_each_row (rows, row) {
        rig_open_on(&r, row->profile, row->deviation, 1, 0);
        wr(&r, MSR_DEBUGCTL, DEBUGCTL_LBR);
        branch(&r, 0xffff800000001000, 0xffff800000002000);
        assert_int_equal(newest(&r, false), row->from);
        assert_int_equal(newest(&r, true), row->to);
        rig_close(&r);
    }
}

/* Instructions have to be reported for records alone, but not for records that were on at hand-off. */
CASE(reported)
{
    struct rig r;
    rig_open(&r, NULL, 1, 0);
    assert_false(model_stepping(r.model));
    wr(&r, MSR_DEBUGCTL, DEBUGCTL_LBR);
    assert_true(model_stepping(r.model) && model_wants_branches(r.model));
    rig_close(&r);
    rig_open(&r, "lbr-enabled-at-power-up", 1, 0);
    assert_false(model_stepping(r.model));
    wr(&r, MSR_DEBUGCTL, 0);
    wr(&r, MSR_DEBUGCTL, DEBUGCTL_LBR);
    assert_true(model_stepping(r.model));
    rig_close(&r);
}

/* A loop of two instructions. After the plain one the branch's target is known. */
static void turns(struct rig *r, unsigned count, bool known)
{
    static const struct retired plain = {.kind = RETIRED_PLAIN, .rip = 0x2000};
    static const struct retired branch = {
        .kind = RETIRED_BRANCH, .branch = BRANCH_CONDITIONAL, .taken = true, .rip = 0x2002};
    for (unsigned i = 0; i < count; i++) {
        model_retire(r->model, known ? &branch : &plain);
        model_retire(r->model, known ? &plain : &branch);
    }
}

/* Two turns and a run of further ones leave the same records as all turns one by one. */
static void alike_until(bool known, const char *profile, u32 control, u64 value, u64 select, unsigned further)
{
    struct rig each, together;
    struct rig *rigs[] = {&each, &together};
    for_each_row (rigs, r) {
        rig_open_on(*r, profile, NULL, 1, 0);
        if (select)
            wr(*r, MSR_LBR_SELECT, select);
        wr(*r, control, value);
        assert_true(model_turns_alike((*r)->model));
    }
    struct model_run run = {.rip = known ? 0x2002 : 0x2000,
                            .instructions = 2 * further,
                            .branches = further,
                            .taken = further,
                            .conditional = further,
                            .alike = true};
    turns(&each, 2 + further, known);
    turns(&together, 2, known);
    model_retire_run(together.model, &run);
    assert_memory_equal(&each.model->lbr, &together.model->lbr, sizeof(each.model->lbr));
    rig_close(&each);
    rig_close(&together);
}

static void alike(const char *profile, u32 control, u64 value, u64 select, unsigned further)
{
    alike_until(true, profile, control, value, select, further);
    alike_until(false, profile, control, value, select, further);
}

CASE(loops)
{
    static const unsigned counts[] = {1, 5, 31, 32, 33, 400};
    for_each_row (counts, count) {
        alike("skylake", MSR_DEBUGCTL, DEBUGCTL_LBR, 0, *count);
        alike("skylake", MSR_DEBUGCTL, DEBUGCTL_LBR, LBR_SELECT_CONDITIONAL, *count);
        alike("nehalem", MSR_DEBUGCTL, DEBUGCTL_LBR, 0, *count);
        alike("goldmont-plus", MSR_DEBUGCTL, DEBUGCTL_LBR, 0, *count);
        alike("alder-lake", MSR_ARCH_LBR_CTL, LBR_CTL_EN | LBR_CTL_OS | LBR_CTL_CONDITIONAL, 0, *count);
    }
}

int main(void)
{
    return run_cases();
}
