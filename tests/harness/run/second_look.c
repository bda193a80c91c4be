/* SPDX-License-Identifier: BSD-2-Clause */
/* A check that failed outside any bracket is made once more. */
#include "harness/run/worker.h"

bool second_look_wanted(const struct results *first, enum scope scope)
{
    return first->loose && scope != ALL_TOGETHER;
}

static bool held(const struct results *results, const struct check *check)
{
    const struct check *other = results_find(results, check);
    return other && !other->failed;
}

void second_look_compare(struct results *first, const struct results *second)
{
    for (unsigned i = 0; i < first->checks; i++)
        if (first->check[i].failed && held(second, &first->check[i]))
            first->check[i].held_again = true;
}
