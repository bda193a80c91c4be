/* links: tests/harness/run/errata_pure.c pmu/caps_pure.c */
#include "harness/run/errata.h"
#include "pmu/registers.h"
#include "tests/host/pmu/cpu_dumps.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static const char *id_of(const struct pmu_caps *caps, struct symptom symptom)
{
    const struct erratum *erratum = erratum_for(caps, &symptom);
    return erratum ? erratum->id : "none";
}

/* Most symptoms are of single bits or small differences; a test that cares says so. */
static const char *id(const struct pmu_caps *caps, u32 aspects)
{
    return id_of(caps, (struct symptom){.aspects = aspects, .msr = MSR_A_PMC(7), .set = 1, .distance = 1});
}

static void by_signature(void **state)
{
    (void)state;
    struct pmu_caps sandy = cpu_caps("sandy-bridge"), skylake = cpu_caps("skylake");
    assert_string_equal(id(&sandy, ASPECT_STATUS_BIT), "BJ58");
    assert_string_equal(id(&skylake, ASPECT_STATUS_BIT), "none");
    assert_string_equal(id(&sandy, ASPECT_SAMPLED_STATUS), "none");
    assert_string_equal(id(&sandy, 0), "none");
}

/* A check that rests on two promises is excused by an erratum that breaks one. */
static void by_either_aspect(void **state)
{
    (void)state;
    struct pmu_caps sandy = cpu_caps("sandy-bridge"), atom = cpu_caps("goldmont-plus");
    atom.microcode = 1;
    assert_string_equal(id(&sandy, ASPECT_FREEZE | ASPECT_STATUS_BIT), "BJ58");
    assert_string_equal(id(&atom, ASPECT_FREEZE | ASPECT_STATUS_BIT), "freeze-ucode");
}

static void by_state(void **state)
{
    (void)state;
    struct pmu_caps four = cpu_caps("skylake"), eight = cpu_caps("skylake-8");
    assert_string_equal(id(&four, ASPECT_STAYS_FROZEN), "none");
    assert_string_equal(id(&eight, ASPECT_STAYS_FROZEN), "SKL90");
    assert_string_equal(id(&eight, ASPECT_FREEZE), "none");
    assert_string_equal(id(&four, ASPECT_IN_USE), "none");
    struct pmu_caps broadwell_de = cpu_caps("broadwell");
    broadwell_de.signature = 0x50662;
    assert_string_equal(id(&broadwell_de, ASPECT_BRANCHES), "BDD101");
    broadwell_de.threads_per_core = 1;
    assert_string_equal(id(&broadwell_de, ASPECT_BRANCHES), "none");
}

static void of_sampling(void **state)
{
    (void)state;
    struct pmu_caps conroe = cpu_caps("conroe-b2"), skylake = cpu_caps("skylake"), broadwell = cpu_caps("broadwell"),
                    sandy = cpu_caps("sandy-bridge"), penryn = cpu_caps("harpertown");
    assert_string_equal(id(&conroe, ASPECT_SAMPLED_LEVEL), "AJ67");
    assert_string_equal(id(&conroe, ASPECT_BUFFER_BIT), "AJ69");
    assert_string_equal(id(&conroe, ASPECT_THRESHOLD_PMI), "AJ68");
    assert_string_equal(id(&penryn, ASPECT_SAMPLED_LEVEL), "none");
    assert_string_equal(id(&sandy, ASPECT_FULL_BUFFER), "BJ101");
    assert_string_equal(id(&broadwell, ASPECT_ODD_PERIOD), "BDM55");
    assert_string_equal(id(&skylake, ASPECT_DISABLED_RECORDS), "SKL104");
    assert_string_equal(id(&skylake, ASPECT_EACH_RECORD), "SKL104");
    assert_string_equal(id_of(&skylake, (struct symptom){.aspects = ASPECT_EACH_RECORD, .distance = 2}), "none");
}

static void by_microcode(void **state)
{
    (void)state;
    struct pmu_caps caps = cpu_caps("goldmont-plus");
    caps.microcode = 0x27;
    assert_string_equal(id(&caps, ASPECT_FREEZE), "freeze-ucode");
    assert_string_equal(id(&caps, ASPECT_FREEZE_ENABLE), "none");
    caps.microcode = 0x28;
    assert_string_equal(id(&caps, ASPECT_FREEZE), "none");
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
        assert_string_equal(id_of(&eight, (struct symptom){.aspects = ASPECT_STAYS_FROZEN, .msr = row->msr}), row->id);
    struct symptom symptom = {.aspects = ASPECT_COUNTER_VALUE, .msr = MSR_FIXED_CTR(1)};
    assert_string_equal(id_of(&sandy, symptom), "BJ54");
    symptom.msr = MSR_FIXED_CTR(2);
    assert_string_equal(id_of(&sandy, symptom), "none");
}

/* A few instructions too many are known; a whole block is another failure; words have no distance. */
static void by_distance(void **state)
{
    (void)state;
    struct pmu_caps sandy = cpu_caps("sandy-bridge");
    struct symptom symptom = {.aspects = ASPECT_INSTRUCTIONS, .distance = 16};
    assert_string_equal(id_of(&sandy, symptom), "BJ136");
    symptom.distance = 17;
    assert_string_equal(id_of(&sandy, symptom), "none");
    symptom.distance = ~0ull;
    assert_string_equal(id_of(&sandy, symptom), "none");
    symptom.in_words = true;
    assert_string_equal(id_of(&sandy, symptom), "BJ136");
    assert_string_equal(id(&sandy, ASPECT_BRANCHES), "none");
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
        assert_string_equal(
            id_of(&sandy, (struct symptom){.aspects = ASPECT_STATUS_BIT, .set = row->set, .clear = row->clear}),
            row->id);
    struct symptom symptom = {.aspects = ASPECT_IN_USE, .set = INUSE_GP(3)};
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
    assert_string_equal(id(&caps, ASPECT_STATUS_BIT), "none");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(by_signature),
        cmocka_unit_test(by_either_aspect),
        cmocka_unit_test(by_state),
        cmocka_unit_test(of_sampling),
        cmocka_unit_test(by_microcode),
        cmocka_unit_test(by_counter),
        cmocka_unit_test(by_distance),
        cmocka_unit_test(by_bits),
        cmocka_unit_test(other_vendors_have_none_of_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
