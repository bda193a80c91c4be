/* links: pmu/errata.c pmu/caps.c kernel/glob.c */
#include "pmu/errata.h"
#include "tests/host/cpu_dumps.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static const char *id(const struct pmu_caps *caps, const char *test, const char *label)
{
    const struct erratum *erratum = erratum_for(caps, test, label);
    return erratum ? erratum->id : "none";
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
    assert_string_equal(id(&four, "freeze.counters", "not-frozen"), "none");
    assert_string_equal(id(&eight, "freeze.counters", "not-frozen"), "SKL90");
    struct pmu_caps broadwell_de = cpu_caps("broadwell");
    broadwell_de.signature = 0x50662;
    assert_string_equal(id(&broadwell_de, "gp.branches", "branches"), "BDD101");
    broadwell_de.threads_per_core = 1;
    assert_string_equal(id(&broadwell_de, "gp.branches", "branches"), "none");
}

static void by_microcode(void **state)
{
    (void)state;
    struct pmu_caps caps = cpu_caps("goldmont-plus");
    caps.microcode = 0x27;
    assert_string_not_equal(id(&caps, "freeze.counters", "not-frozen"), "none");
    caps.microcode = 0x28;
    assert_string_equal(id(&caps, "freeze.counters", "not-frozen"), "none");
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
        cmocka_unit_test(by_signature),
        cmocka_unit_test(by_state),
        cmocka_unit_test(by_microcode),
        cmocka_unit_test(other_vendors_have_none_of_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
