/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/run/second_look.h"
#include "kernel/text/string.h"

bool second_look_wanted(const struct results *first, enum scope scope)
{
    return first->loose && scope != ALL_TOGETHER;
}

static bool held(const struct results *results, const struct check *check)
{
    for (unsigned i = 0; i < results->checks; i++) {
        const struct check *other = &results->check[i];
        if (other->msr == check->msr && other->bit == check->bit && other->kind == check->kind &&
            !strcmp(other->label, check->label))
            return !other->failed;
    }
    return false;
}

void second_look_compare(struct results *first, const struct results *second)
{
    for (unsigned i = 0; i < first->checks; i++)
        if (first->check[i].failed && held(second, &first->check[i]))
            first->check[i].held_again = true;
}
