/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A system management interrupt leaves the PMU as it was: IA32_DEBUGCTL[12] stays set, and no counter that is far from
 * its end gets an overflow bit. Firmware is asked for SMIs by its command port (dangerous=smi), half of them with
 * IA32_DEBUGCTL[14] set, which lets counters stand still meanwhile.
 *
 * What an SMI adds to a count of instructions is the difference from a run that writes to the port of POST codes
 * instead. It is measured, not judged: firmware was seen that lifts the freeze.
 */
#include "harness/test.h"

#define SMIS 9 /* of each kind */

static u64 smi_count(struct test *t)
{
    return read_msr(t, MSR_SMI_COUNT);
}

/* What is counted around the write. */
static u64 counted(struct test *t, struct counter c, u16 port)
{
    counter_setup(c, ARCH_EVENT_INSTRUCTIONS, COUNT_OS, 0);
    write_msr(t, MSR_PERF_GLOBAL_CTRL, BIT(c.bit));
    smi_write(port);
    write_msr(t, MSR_PERF_GLOBAL_CTRL, 0);
    return counter_read(c);
}

static void one(struct test *t, u64 debugctl)
{
    struct counter c = gp_counter(t->caps, 0);
    write_msr(t, MSR_DEBUGCTL, debugctl);
    u64 bits = caps_counter_bits(t->caps), stood = read_msr(t, MSR_PERF_GLOBAL_STATUS) & bits;
    u64 alone = counted(t, c, PORT_POST_CODES), before = smi_count(t), begun = time_now();
    u64 count = counted(t, c, smi_port()), came = smi_count(t) - before;
    if (!came)
        skip(t, "the command at port 0x%x makes no SMI that MSR_SMI_COUNT counts", smi_port());
    measure(t, "length", "us", time_us(time_now() - begun));
    measure(t, "came", "smis", came);
    measure(t, debugctl & DEBUGCTL_FREEZE_WHILE_SMM ? "counted-frozen" : "counted", "instructions",
            count > alone ? count - alone : 0);
    check_bits(about(t, ASPECT_FREEZE_ENABLE), "freeze-bit-lost", MSR_DEBUGCTL, DEBUGCTL_FREEZE_PERFMON_ON_PMI,
               debugctl & DEBUGCTL_FREEZE_PERFMON_ON_PMI);
    check_bits(t, "overflowed", MSR_PERF_GLOBAL_STATUS, bits, stood);
}

static void need_smis(struct test *t)
{
    if (!t->caps->smi_count)
        skip(t, "MSR_SMI_COUNT does not answer: SMIs cannot be counted on signature %08x", t->caps->signature);
    if (smi_unavailable())
        skip(t, "%s", smi_unavailable());
    if (!dangerous_allowed("smi"))
        skip(t, "dangerous=smi is not given: SMIs on request");
}

static void smi(struct test *t)
{
    u64 bits = gate_bits(t->caps, MSR_DEBUGCTL), found = read_msr(t, MSR_DEBUGCTL);
    u64 kept = found | (bits & DEBUGCTL_FREEZE_PERFMON_ON_PMI);
    for (unsigned n = 0; n < SMIS; n++)
        one(t, kept & ~DEBUGCTL_FREEZE_WHILE_SMM);
    for (unsigned n = 0; n < SMIS && bits & DEBUGCTL_FREEZE_WHILE_SMM; n++)
        one(t, kept | DEBUGCTL_FREEZE_WHILE_SMM);
    write_msr(t, MSR_DEBUGCTL, found);
}

TEST("freeze.smi", .title = "An SMI leaves the freeze bit and the overflow bits as they were",
     .spec = "SDM 3B, IA32_DEBUGCTL MSR", .covers = "B-038", .needs = {.version = 2, .event = 2, .capabilities = true},
     .scope = EACH_CPU_IN_TURN, .prepare = need_smis, .run = smi, .measures = true, .asks_smis = true);
