/* SPDX-License-Identifier: BSD-2-Clause */
/* Needs that a test asks for while it runs, by the rules of its declaration. */
#include "harness/run/needs.h"

void need(struct test *t, const struct needs *needs)
{
    static const struct environment given = {.vendor = "", .apic = true, .cpus = ~0u, .probing = true};
    struct unmet unmet;
    if (needs_unmet(needs, t->caps, &given, &unmet))
        skip_for(t, unmet.code, "%s", unmet.text);
}
