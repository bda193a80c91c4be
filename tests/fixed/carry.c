/*
 * A fixed counter carries through every bit of its width, as a general-purpose one does: where it crosses a power of
 * two above bit 31 the bits below become 0 and that one 1. Where its upper half is a part of its own, a carry that is
 * lost shows there.
 *
 * Judged is that each carry arrives, of counters of instructions and of cycles: how much they count for the block is
 * other tests' affair.
 */
#include "harness/provoke.h"
#include "harness/samples.h"

#define K 500          /* 6,006 instructions: at least 200 cycles of the slowest clock */
#define BEFORE 100     /* events until the carry */
#define FIRST_CARRY 32 /* bits below are crossed by other tests */

/* Has it crossed this power of two, and is it near it? */
static bool crosses(const struct test *t, struct counter c, unsigned bit)
{
    counter_setup(c, ARCH_EVENT_INSTRUCTIONS, COUNT_OS, BIT(bit) - BEFORE);
    run_block(t, BIT(c.bit), K);
    u64 value = counter_read(c);
    return value >= BIT(bit) && value - BIT(bit) < BIT(FIRST_CARRY - 1);
}

static bool every_carry(struct test *t)
{
    for (unsigned i = FIXED_INSTRUCTIONS; i <= FIXED_CORE_CYCLES; i++) {
        struct counter c = fixed_counter(t->caps, i);
        u64 lost = 0;
        if (!(t->caps->fixed_bitmap >> i & 1))
            continue;
        for (unsigned bit = FIRST_CARRY; bit < c.width; bit++)
            lost |= crosses(t, c, bit) ? 0 : BIT(bit);
        check_equal(t, "carry-lost", lost, 0, c.msr);
        counter_clear(c);
    }
    return more_samples(t);
}

static void need_upper_bits(struct test *t)
{
    if (t->caps->fixed_width <= FIRST_CARRY)
        skip(t, "fixed counters have %u bits only", t->caps->fixed_width);
}

TEST("fixed.carry", .title = "Fixed counters carry through every bit of their width",
     .spec = "SDM 3B, Fixed-function Performance Counters", .covers = "A-100,B-054",
     .needs = {.version = 2, .fixed = true}, .scope = EACH_CPU, .prepare = need_upper_bits, .repeat = every_carry);
