/*
 * RDPMC of index 40000000H + i reads what RDMSR of IA32_FIXED_CTRi reads, in all its bits, while the counter stands
 * still.
 */
#include "harness/test.h"

static const u64 patterns[] = {0, ~0ull, 0x123456789abc};

static void rdpmc(struct test *t)
{
    for_each_fixed_counter (t, i)
        for_each_row (patterns, p) {
            u32 msr = MSR_FIXED_CTR(i);
            u64 value = 0;
            write_msr(t, msr, *p & counter_mask(t->caps->fixed_width));
            fault_t fault = rdpmc_try(RDPMC_FIXED(i), &value);
            if (check_fault(t, "differs", fault, NO_FAULT, msr))
                check_equal(t, "differs", value, read_msr(t, msr), msr);
        }
}

TEST("fixed.rdpmc", .title = "RDPMC and RDMSR read the same fixed counter",
     .spec = "SDM 2B, RDPMC-Read Performance-Monitoring Counters", .needs = {.version = 2, .fixed = true},
     .scope = EACH_CPU, .run = rdpmc);
