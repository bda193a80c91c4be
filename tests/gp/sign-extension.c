/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A write by the old name IA32_PMCn takes 32 bits: bit 31 is copied to all higher bits of the counter, and the written
 * bits above bit 31 are ignored. This is how old software presets -n on a wider counter.
 */
#include "harness/test.h"

static const struct {
    const char *label;
    u64 written, extended;
} writes[] = {
    {"sign-bit", 0x80000000, 0xffffffff80000000},
    {"sign-bit", 0xffffffff, 0xffffffffffffffff},
    {"sign-bit", 0x7fffffff, 0x000000007fffffff},
    {"upper-ignored", 0xffffffff00000001, 0x0000000000000001},
};

static void sign_extension(struct test *t)
{
    u64 mask = counter_mask(t->caps->gp_width);
    for_each_gp_counter (t, n)
        for_each_row (writes, w) {
            write_msr(t, MSR_PMC(n), w->written & mask);
            check_bits(t, w->label, MSR_PMC(n), ~0ull, w->extended & mask);
        }
}

TEST("gp.sign-extension", .title = "Legacy writes of GP counters are sign-extended from bit 31",
     .spec = "SDM 3B, Full-Width Writes to Performance Counter Registers", .covers = "B-055", .needs = NEEDS_VERSION(1),
     .scope = EACH_CPU, .run = sign_extension);
