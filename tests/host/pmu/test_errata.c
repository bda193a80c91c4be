/* links: pmu/errata_pure.c pmu/caps_pure.c kernel/text/glob.c */
#include "pmu/errata.h"
#include "pmu/registers.h"
#include "tests/host/pmu/cpu_dumps.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

/* Most symptoms are of single bits or small differences; a test that cares says so. */
static const char *id_of(const struct pmu_caps *caps, struct symptom symptom)
{
    const struct erratum *erratum = erratum_for(caps, &symptom);
    return erratum ? erratum->id : "none";
}

static const char *id(const struct pmu_caps *caps, const char *test, const char *label)
{
    return id_of(caps, (struct symptom){.test = test, .label = label, .msr = MSR_A_PMC(7), .set = 1, .distance = 1});
}

static void by_signature(void **state)
{
    (void)state;
    struct pmu_caps sandy = cpu_caps("sandy-bridge"), skylake = cpu_caps("skylake");
    assert_string_equal(id(&sandy, "overflow.clear", "not-cleared"), "BJ58");
    assert_string_equal(id(&skylake, "overflow.clear", "not-cleared"), "none");
    assert_string_equal(id(&sandy, "overflow.status", "not-set"), "none");
}

static void by_state(void **state)
{
    (void)state;
    struct pmu_caps four = cpu_caps("skylake"), eight = cpu_caps("skylake-8");
    assert_string_equal(id(&four, "freeze.on-pmi", "not-frozen"), "none");
    assert_string_equal(id(&eight, "freeze.on-pmi", "not-frozen"), "SKL90");
    assert_string_equal(id(&four, "inuse.immediate", "stale-claim"), "none");
    struct pmu_caps broadwell_de = cpu_caps("broadwell");
    broadwell_de.signature = 0x50662;
    assert_string_equal(id(&broadwell_de, "gp.branches", "branches"), "BDD101");
    broadwell_de.threads_per_core = 1;
    assert_string_equal(id(&broadwell_de, "gp.branches", "branches"), "none");
}

static void of_sampling(void **state)
{
    (void)state;
    struct pmu_caps conroe = cpu_caps("conroe-b2"), skylake = cpu_caps("skylake"), broadwell = cpu_caps("broadwell"),
                    sandy = cpu_caps("sandy-bridge"), penryn = cpu_caps("harpertown");
    assert_string_equal(id(&conroe, "pebs.rings", "cpl-3-recorded"), "AJ67");
    assert_string_equal(id(&conroe, "pebs.threshold", "no-buffer-bit"), "AJ69");
    assert_string_equal(id(&conroe, "pebs.threshold", "not-delivered-at-once"), "AJ68");
    assert_string_equal(id(&conroe, "pebs.threshold", "below-threshold"), "none");
    assert_string_equal(id(&penryn, "pebs.rings", "cpl-3-recorded"), "none");
    assert_string_equal(id(&sandy, "pebs.full", "pmi"), "BJ101");
    assert_string_equal(id(&broadwell, "pebs.odd-period", "redundant"), "BDM55");
    assert_string_equal(id(&skylake, "pebs.reconfigure", "stray-in-the-new-area"), "SKL104");
    assert_string_equal(id(&skylake, "pebs.reconfigure-in-a-row", "lost-or-doubled"), "SKL104");
    assert_string_equal(id(&skylake, "pebs.maximum", "guard-written"), "none");
}

static void by_microcode(void **state)
{
    (void)state;
    struct pmu_caps caps = cpu_caps("goldmont-plus");
    caps.microcode = 0x27;
    assert_string_equal(id(&caps, "freeze.on-pmi", "not-frozen"), "freeze-ucode");
    assert_string_equal(id(&caps, "freeze.lbrs", "no-lbr-frz"), "none");
    caps.microcode = 0x28;
    assert_string_equal(id(&caps, "freeze.on-pmi", "not-frozen"), "none");
}

/* Counters 4 to 7, under each of their names; the first four must freeze. */
static void by_counter(void **state)
{
    static const struct {
        u32 msr;
        const char *id;
    } rows[] = {
        {MSR_PMC(3), "none"},         {MSR_PMC(4), "SKL90"}, {MSR_A_PMC(7), "SKL90"},    {MSR_A_PMC(0), "none"},
        {MSR_PERFEVTSEL(4), "SKL90"}, {0, "none"},           {MSR_FIXED_CTR(0), "none"},
    };
    (void)state;
    struct pmu_caps eight = cpu_caps("skylake-8"), sandy = cpu_caps("sandy-bridge");
    for_each_row (rows, row)
        assert_string_equal(
            id_of(&eight, (struct symptom){.test = "freeze.software", .label = "not-frozen", .msr = row->msr}),
            row->id);
    struct symptom symptom = {.test = "fixed.read-back", .label = "value", .msr = MSR_FIXED_CTR(1)};
    assert_string_equal(id_of(&sandy, symptom), "BJ54");
    symptom.msr = MSR_FIXED_CTR(2);
    assert_string_equal(id_of(&sandy, symptom), "none");
}

/* A few instructions too many are known; a whole block is another failure. */
static void by_distance(void **state)
{
    static const char *const exact[][2] = {
        {"gp.instructions", "plain"},         {"gp.filters", "os-at-cpl-3"},
        {"gp.filters", "both-at-cpl-3"},      {"gp.classes", "plain"},
        {"fixed.instructions", "memory"},     {"fixed.filters", "usr-at-cpl-3"},
        {"gp.inv-without-cmask", "inverted"}, {"gp.cmask", "rises"},
        {"gp.cmask", "counts-below-mask"},    {"global.rings", "both-at-cpl-0"},
        {"overflow.edges", "value"},          {"overflow.value", "value"},
    };
    (void)state;
    struct pmu_caps sandy = cpu_caps("sandy-bridge");
    for_each_row (exact, row) {
        struct symptom symptom = {.test = (*row)[0], .label = (*row)[1], .distance = 16};
        assert_string_equal(id_of(&sandy, symptom), "BJ136");
        symptom.distance = 17;
        assert_string_equal(id_of(&sandy, symptom), "none");
    }
    assert_string_equal(id(&sandy, "gp.branches", "plain"), "none");
    assert_string_equal(id(&sandy, "gp.filters", "neither"), "none");
}

/* A bit that stays is known; a bit that is missing, or a freeze bit, is another failure. */
static void by_bits(void **state)
{
    static const struct {
        u64 set, clear;
        const char *id;
    } rows[] = {
        {STATUS_GP(0), 0, "BJ58"}, {STATUS_GP(0) | STATUS_FIXED(2), 0, "BJ58"}, {STATUS_CTR_FRZ, 0, "none"},
        {0, STATUS_GP(1), "none"}, {STATUS_GP(0), STATUS_GP(1), "none"},        {~0ull, ~0ull, "none"},
    };
    (void)state;
    struct pmu_caps sandy = cpu_caps("sandy-bridge"), skylake = cpu_caps("skylake");
    for_each_row (rows, row)
        assert_string_equal(id_of(&sandy, (struct symptom){.test = "overflow.status",
                                                           .label = "other-bits",
                                                           .set = row->set,
                                                           .clear = row->clear}),
                            row->id);
    struct symptom symptom = {.test = "inuse.independent", .label = "idle", .set = INUSE_GP(3)};
    assert_string_equal(id_of(&skylake, symptom), "none");
    skylake.rtm = true;
    assert_string_equal(id_of(&skylake, symptom), "SKL179");
    symptom.set = INUSE_GP(2);
    assert_string_equal(id_of(&skylake, symptom), "none");
}

static void other_vendors_have_none_of_them(void **state)
{
    (void)state;
    struct pmu_caps caps = cpu_caps("sandy-bridge");
    caps.intel = false;
    assert_string_equal(id(&caps, "overflow.clear", "not-cleared"), "none");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_signature), cmocka_unit_test(by_state),
        cmocka_unit_test(of_sampling),  cmocka_unit_test(by_microcode),
        cmocka_unit_test(by_counter),   cmocka_unit_test(by_distance),
        cmocka_unit_test(by_bits),      cmocka_unit_test(other_vendors_have_none_of_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
