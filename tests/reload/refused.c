/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * CFG_B has a bit for each counter whose overflow can cause a reload: writing one that CPUID.23H.2 does not enumerate
 * faults, and the register keeps its value. Tested only where real CPUs were seen to fault.
 */
#include "harness/chapter/alias.h"
#include "harness/chapter/reload.h"

static void one_counter(struct test *t, struct counter c, u64 kept)
{
    for (u64 left = cfg_b_refused(t->caps); left; left &= left - 1) {
        write_msr(t, msr_cfg_b(c), kept);
        check_fault(t, "accepted", wrmsr_try(msr_cfg_b(c), left & -left), FAULT_GP, msr_cfg_b(c));
        check_bits(t, "changed", msr_cfg_b(c), ~0ull, kept);
    }
    write_msr(t, msr_cfg_b(c), 0);
}

static void refused(struct test *t)
{
    need_reload(t, t->caps->reloads, 0);
    if (!cfg_b_refused(t->caps))
        skip(t, "CPUID.1:EAX=0x%x: what CFG_B refuses is not known", t->caps->signature);
    for_each_counter (t, c)
        if (t->caps->reloads >> c->bit & 1)
            one_counter(t, *c, t->caps->reload_causes);
}

TEST("reload.refused", .title = "CFG_B refuses counters that cannot cause a reload",
     .spec = "SDM 4, Architectural MSRs", .covers = "A-136,B-076", .needs = NEEDS_VERSION(5), .scope = EACH_CPU,
     .run = refused);
