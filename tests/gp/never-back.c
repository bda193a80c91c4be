/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A counter that is read repeatedly while code runs never goes backwards, even when it carries into its upper half,
 * which was a separate part on some CPUs (NetBurst's O9).
 */
#include "harness/test.h"

#define K 2
#define READS 4
#define BEFORE_CARRY 30 /* events until bit 32 is reached: within the first two blocks */

static bool cross(struct test *t)
{
    struct counter c = gp_in_turn(t, t->turn);
    u64 last = BIT(32) - BEFORE_CARRY;
    bool back = false;
    counter_setup(c, ARCH_EVENT_INSTRUCTIONS, COUNT_OS, last);
    for (unsigned i = 0; i < READS; i++) {
        run_block(t, BIT(c.bit), K);
        u64 value = counter_read(c);
        back |= value < last;
        last = value;
    }
    check_true(t, "went-back", !back, last, "no value below the previous one", c.msr);
    counter_clear(c);
    return more_samples_of(t, t->caps->gp_count);
}

TEST("gp.never-back", .title = "A count never goes backwards", .spec = "SDM 3B, Architectural Performance Monitoring",
     .covers = "A-099,A-100", .needs = {.version = 2, .event = 2, .full_width = true}, .scope = EACH_CPU,
     .repeat = cross);
