/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * With IA32_DEBUGCTL[14] set, counters stand still while the CPU is in system management mode. SMIs cannot be provoked
 * without using firmware's ports, so the test waits for those that come by themselves. It counts blocks of known
 * length, half of the time with the bit set and half without; if the SMI count changes during a block, the block's
 * surplus over the others is the SMI's count. This is measured, not judged: client firmware was seen whose SMIs are
 * counted although the bit is set.
 *
 * Judged is that the bit stays set as long as no SMI comes.
 */
#include "harness/test.h"

#define K 100

static u64 smi_count(struct test *t)
{
    return read_msr(t, MSR_SMI_COUNT);
}

static u64 counted(struct test *t, struct counter c)
{
    u64 before = counter_read(c);
    run_block(t, BIT(c.bit), K);
    return (counter_read(c) - before) & counter_mask(c.width);
}

/* Blocks without an SMI have equal counts; the surplus of a block with an SMI is the SMI's. */
static void watch(struct test *t, struct counter c, const char *name, u64 us)
{
    struct deadline deadline = deadline_us(us);
    u64 alone = 0, smis = smi_count(t);
    do {
        u64 count = counted(t, c), now = smi_count(t);
        if (now == smis)
            alone = count;
        else if (alone)
            measure(t, name, "instructions", count > alone ? count - alone : 0);
        smis = now;
    } while (!deadline_passed(&deadline));
}

static void smm(struct test *t)
{
    struct counter c = gp_counter(t->caps, 0);
    if (!t->caps->smi_count)
        skip(t, "MSR_SMI_COUNT does not answer: SMIs cannot be counted on signature %08x", t->caps->signature);
    u64 found = read_msr(t, MSR_DEBUGCTL), before = smi_count(t);
    counter_setup(c, ARCH_EVENT_INSTRUCTIONS, COUNT_OS, 0);
    write_msr(t, MSR_DEBUGCTL, found & ~DEBUGCTL_FREEZE_WHILE_SMM);
    watch(t, c, "counted-in-smm", budget().idle_us / 2);
    write_msr(t, MSR_DEBUGCTL, found | DEBUGCTL_FREEZE_WHILE_SMM);
    watch(t, c, "counted-in-smm-frozen", budget().idle_us / 2);
    u64 kept = read_msr(t, MSR_DEBUGCTL) & DEBUGCTL_FREEZE_WHILE_SMM;
    if (smi_count(t) == before)
        check_equal(t, "bit-lost", kept, DEBUGCTL_FREEZE_WHILE_SMM, MSR_DEBUGCTL);
    else
        check_true(t, "count-runs-back", ((smi_count(t) - before) & MASK(31, 0)) < BIT(31), before,
                   "a count that only rises", MSR_SMI_COUNT);
    measure(t, "seen", "smis", (smi_count(t) - before) & MASK(31, 0));
    write_msr(t, MSR_DEBUGCTL, found);
    counter_clear(c);
}

TEST("freeze.smm", .title = "What SMIs add to counts, with the freeze in SMM and without",
     .spec = "SDM 3B, IA32_DEBUGCTL MSR", .covers = "A-040,B-038",
     .needs = {.version = 2, .event = 2, .smm_freeze = true}, .scope = EACH_CPU, .run = smm, .measures = true);
