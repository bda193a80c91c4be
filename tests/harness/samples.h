/* SPDX-License-Identifier: BSD-2-Clause */
/* How many slow samples are enough when time is short; otherwise the harness decides. */
#pragma once

#include "harness/cells.h"
#include "harness/core/budget.h"
#include "harness/test.h"

#define SAMPLES_QUICK 6
#define SAMPLES_SLOW 25 /* samples that take many milliseconds each: a failure one time in nine is seen with 95 % */
#define QUICK_REPEATS 20

/*
 * The return value of a repeated body: does it want more samples? `kinds` is for bodies that test one of `kinds`
 * subjects per repeat: each subject, and each of the test's cells, gets a turn.
 */
static inline bool more_samples_of(struct test *t, u32 kinds)
{
    u32 least = kinds > t->cells ? kinds : t->cells, quick = own_share(SAMPLES_QUICK);
    t->turns = least;
    return t->turn + 1 < (least > quick ? least : quick) || budget().repeats > QUICK_REPEATS;
}

static inline bool more_samples(struct test *t)
{
    return more_samples_of(t, 1);
}

/* The same for a body that is slow by nature: sleeps, branch records read twice. */
static inline bool more_slow_samples(struct test *t)
{
    return more_samples(t) && t->turn + 1 < own_share(SAMPLES_SLOW);
}
