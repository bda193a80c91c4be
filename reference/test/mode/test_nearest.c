/* SPDX-License-Identifier: BSD-2-Clause */
/* The reference PMU that is like a machine's own. */
#include "kernel/text/text.h"
#include "reference/mode/runs.h"
#include "reference/model/profile.h"
#include "tests/host/case.h"

static struct nearest nearest;

static struct cpuid_regs nothing(void *context, u32 leaf, u32 subleaf)
{
    (void)context;
    (void)leaf;
    (void)subleaf;
    return (struct cpuid_regs){0};
}

static const struct profile *find(const struct pmu_caps *caps)
{
    return nearest_find(caps, nothing, NULL, &nearest) ? nearest.profile : NULL;
}

static struct pmu_caps skylake_but(u32 signature, unsigned gp)
{
    return (struct pmu_caps){.present = true,
                             .intel = true,
                             .signature = signature,
                             .family = 6,
                             .model = 0x5e,
                             .version = 4,
                             .gp_count = (u8)gp,
                             .gp_bitmap = (u32)BIT(gp) - 1,
                             .gp_width = 48,
                             .fixed_count = 3,
                             .fixed_bitmap = 7,
                             .fixed_width = 48,
                             .pdcm = true,
                             .perf_capabilities = 0x33c5,
                             .full_width = true,
                             .leaf0a = {0x07300004 | gp << 8, 0, 0, 0x603}};
}

CASE(each_profile_is_found_by_its_signature)
{
    for (unsigned i = 0; i < profile_count; i++) {
        struct pmu_caps caps = {.signature = profiles[i]->signature};
        assert_int_equal(find(&caps)->signature, profiles[i]->signature);
        assert_true(nearest.own);
    }
}

CASE(a_dump_is_found_by_its_signature)
{
    struct pmu_caps caps = {.signature = 0x906ed};
    assert_int_equal(find(&caps)->signature, 0x906ed);
    assert_true(nearest.own);
    assert_string_equal(nearest.like, "906ed");
}

/* A stepping that nobody dumped, with hyper-threading off. */
CASE(an_unknown_cpu_keeps_its_counters)
{
    struct pmu_caps caps = skylake_but(0x506ef, 8);
    const struct profile *p = find(&caps);
    assert_false(nearest.own);
    assert_string_equal(nearest.like, "skylake");
    assert_int_equal(p->signature, 0x506ef);
    assert_int_equal(p->gp_count, 8);
    assert_int_equal(p->leaf0a[0], 0x07300804);
    assert_int_equal(p->stored[STORED_GLOBAL_CTRL].faults & 0xf0, 0);
    assert_int_equal(p->status_reset.faults & 0xf0, 0);
}

CASE(counters_that_it_lacks_fault)
{
    struct pmu_caps caps = skylake_but(0x506ef, 2);
    const struct profile *p = find(&caps);
    assert_int_equal(p->stored[STORED_GLOBAL_CTRL].faults & 0xf, 0xc);
    assert_int_equal(p->pebs_gp, 3);
    assert_int_equal(p->stored[STORED_GLOBAL_CTRL].reset & 0xc, 0);
}

CASE(nothing_is_like_a_version_that_no_profile_has)
{
    struct pmu_caps caps = skylake_but(0x506ef, 4);
    caps.version = 99;
    assert_null(find(&caps));
}

int main(void)
{
    return run_cases();
}
