/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A counter that can be reloaded has two more registers, which keep what is written to them: CFG_B has one bit for each
 * counter whose overflow may reload it, CFG_C the 32-bit reload value. CPUID.23H.2 says which counters these are.
 */
#include "harness/chapter/alias.h"
#include "harness/chapter/reload.h"

static const u64 values[] = {0, MASK(31, 0), 0x55555555, 0xaaaaaaaa, 0xffff0000, 0x0000ffff};

static void one_counter(struct test *t, struct counter c)
{
    for (u64 left = t->caps->reload_causes; left; left &= left - 1) {
        write_msr(t, msr_cfg_b(c), left & -left);
        check_bits(t, "cause-lost", msr_cfg_b(c), ~0ull, left & -left);
    }
    write_msr(t, msr_cfg_b(c), 0);
    for_each_row (values, value) {
        write_msr(t, msr_cfg_c(c), *value);
        check_bits(t, "value-lost", msr_cfg_c(c), CFG_C_RELOAD, *value);
    }
    write_msr(t, msr_cfg_c(c), 0);
}

static void registers(struct test *t)
{
    need_reload(t, t->caps->reloads, 0);
    for_each_counter (t, c)
        if (t->caps->reloads >> c->bit & 1)
            one_counter(t, *c);
}

TEST("reload.registers", .title = "CFG_B and CFG_C of counters that can be reloaded keep what is written",
     .spec = "SDM 4, Architectural MSRs", .covers = "A-136", .needs = NEEDS_VERSION(5), .scope = EACH_CPU,
     .run = registers);
