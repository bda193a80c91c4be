/* What tests of IA32_PERF_GLOBAL_INUSE share. */
#pragma once

#include "harness/test.h"

/* The bits of IA32_PERF_GLOBAL_INUSE that the manual names and this CPU enumerates: fixed counters 0 to 2 only. */
static inline u64 inuse_named_bits(const struct test *t)
{
    return (caps_counter_bits(t->caps) & ~MASK(62, 35)) | INUSE_PMI;
}
