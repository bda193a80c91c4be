/* SPDX-License-Identifier: BSD-2-Clause */
/* Runs a test as it is declared: once, or its body repeatedly. */
#include "harness/protocol.h"
#include "harness/test.h"

static bool declared_repeat(struct test *t, void *argument)
{
    (void)argument;
    return t->declaration->repeat(t);
}

void run_declared(struct test *t)
{
    const struct test_declaration *declaration = t->declaration;
    if (declaration->prepare)
        declaration->prepare(t);
    around_enter(t);
    if (declaration->repeat)
        repeat_clean(t, declared_repeat, NULL);
    else
        declaration->run(t);
}
