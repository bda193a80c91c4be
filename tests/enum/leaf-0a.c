/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A CPU whose CPUID leaf 0AH states an architectural version has at least one general-purpose counter, and its counters
 * are at least 32 bits wide, fixed ones included. The leaf promises no more for future versions: longer event vectors,
 * more fixed counters and bits that are reserved today are legal, so the other fields are only measured.
 *
 * Software that divides its work among counters relies on these fields.
 */
#include "harness/test.h"

static void leaf_0a(struct test *t)
{
    const struct cpuid_regs *leaf = &t->caps->leaf0a;
    check_range(t, "gp-count", FIELD_GET(leaf->eax, 15, 8), 1, 255, 0);
    check_range(t, "gp-width", FIELD_GET(leaf->eax, 23, 16), 32, 64, 0);
    if (t->caps->version >= 2 && FIELD_GET(leaf->edx, 4, 0))
        check_range(t, "fixed-narrow", FIELD_GET(leaf->edx, 12, 5), 32, 64, 0);
    measure(t, "version", "number", FIELD_GET(leaf->eax, 7, 0));
    measure(t, "event-vector", "bits", FIELD_GET(leaf->eax, 31, 24));
    measure(t, "fixed-count", "counters", FIELD_GET(leaf->edx, 4, 0));
    measure(t, "fixed-width", "bits", FIELD_GET(leaf->edx, 12, 5));
}

TEST("enum.leaf-0a", .title = "CPUID leaf 0AH enumerates at least one counter of at least 32 bits",
     .spec = "SDM 3B, Architectural Performance Monitoring Version 1", .covers = "A-002,A-003,B-003",
     .needs = {.version = 1, .no_counter = true}, .scope = EACH_CPU, .run = leaf_0a, .measures = true);
