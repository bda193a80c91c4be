/*
 * A fixed counter never holds a bit above its width. A write that sets one is a general-protection fault on most CPUs;
 * the first Core 2 ignores the bit. Which of the two it is is measured, what the counter then holds is judged. The
 * write gate lets this be asked only of classes of which a dump shows the fault.
 */
#include "harness/test.h"

static void above_width(struct test *t)
{
    for_each_fixed_counter (t, i) {
        write_msr(t, MSR_FIXED_CTR(i), 0x12345);
        fault_t fault = wrmsr_try(MSR_FIXED_CTR(i), BIT(t->caps->fixed_width));
        if (fault == FAULT_REFUSED)
            skip_refused(t);
        measure(t, "faults", "answers", fault == FAULT_GP);
        check_bits(t, "stored", MSR_FIXED_CTR(i), ~counter_mask(t->caps->fixed_width), 0);
    }
}

TEST("fixed.above-width", .title = "A fixed counter never holds a bit above its width",
     .spec = "SDM 3B, Fixed-function Performance Counters", .needs = {.version = 2, .fixed = true}, .scope = EACH_CPU,
     .run = above_width, .measures = true);
