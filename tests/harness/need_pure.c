/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/core/errata.h"
#include "harness/need.h"

void need_capabilities(struct test *t)
{
    const char *unknown = caps_no_capabilities(t->caps);
    if (unknown)
        skip(t, "%s", unknown);
}

void need_counters(struct test *t, unsigned least)
{
    struct counter list[COUNTERS_MAX];
    unsigned n = counters(t->caps, list);
    if (n < least)
        skip(t, "leaves 0AH and 23H: %u counters, %u are needed", n, least);
}

void need_bits_that_clear(struct test *t)
{
    const char *number = erratum_number(&erratum_facts[FACT_STUCK], t->caps);
    if (number)
        skip(t, "%s: a status bit may stay set if its counter is stopped as it overflows", number);
}
