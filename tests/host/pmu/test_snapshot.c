/* links: pmu/state/snapshot_pure.c pmu/second_names_pure.c pmu/sampling/apebs_pure.c pmu/state/register_names_pure.c
   pmu/counter_pure.c pmu/caps_pure.c pmu/class_pure.c pmu/sampling/pebs_pure.c kernel/text/format.c */
#include "pmu/class.h"
#include "pmu/registers.h"
#include "pmu/state/register_names.h"
#include "pmu/state/snapshot.h"
#include "tests/host/pmu/cpu_dumps.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

static struct snapshot blank(const struct pmu_caps *caps)
{
    u32 list[SNAPSHOT_MAX];
    struct snapshot snapshot = {.count = snapshot_registers(caps, list)};
    for (unsigned i = 0; i < snapshot.count; i++)
        snapshot.entry[i] = (struct snapshot_entry){.msr = list[i], .readable = true};
    return snapshot;
}

static void set(struct snapshot *snapshot, u32 msr, u64 value)
{
    for (unsigned i = 0; i < snapshot->count; i++)
        if (snapshot->entry[i].msr == msr)
            snapshot->entry[i].value = value;
}

static u32 difference(const struct pmu_caps *caps, const struct snapshot *from, u32 msr, u64 value)
{
    struct snapshot to = *from;
    set(&to, msr, value);
    const struct snapshot_entry *entry = snapshot_difference(caps, from, &to);
    return entry ? entry->msr : 0;
}

static void registers_by_capabilities(void **state)
{
    (void)state;
    static const struct {
        const char *cpu;
        unsigned count;
    } counts[] = {{"none", 1}, {"yonah", 6}, {"conroe-b2", 14}, {"skylake", 19}, {"ice-lake", 30}, {"unknown", 21}};
    for_each_row (counts, row) {
        struct pmu_caps caps = cpu_caps(row->cpu);
        struct snapshot snapshot = blank(&caps);
        if (snapshot.count != row->count)
            fail_msg("%s: %u registers", row->cpu, snapshot.count);
    }
    struct pmu_caps caps = cpu_caps("skylake");
    struct snapshot snapshot = blank(&caps);
    assert_int_equal(snapshot.entry[snapshot.count - 1].msr, 0x38f); /* starting comes last */
    assert_non_null(snapshot_find(&snapshot, 0x4c4));
    assert_null(snapshot_find(&snapshot, 0xc1));
}

static void differences(void **state)
{
    (void)state;
    struct pmu_caps caps = cpu_caps("skylake");
    struct snapshot from = blank(&caps);
    assert_null(snapshot_difference(&caps, &from, &from));
    assert_int_equal(difference(&caps, &from, 0x4c1, 1), 0x4c1);
    assert_int_equal(difference(&caps, &from, 0x30b, 1), 0x30b);
    assert_int_equal(difference(&caps, &from, 0x38e, 1), 0x38e);
    assert_int_equal(difference(&caps, &from, 0x38e, BIT(63)), 0);
    assert_int_equal(difference(&caps, &from, 0x1d9, BIT(12)), 0);
    assert_int_equal(difference(&caps, &from, 0x1d9, BIT(11)), 0x1d9);
    assert_int_equal(difference(&caps, &from, SNAPSHOT_LVTPC, BIT(12)), 0);
    assert_int_equal(difference(&caps, &from, SNAPSHOT_LVTPC, BIT(16)), SNAPSHOT_LVTPC);
}

static void running_counters_move(void **state)
{
    (void)state;
    struct pmu_caps caps = cpu_caps("skylake");
    struct snapshot from = blank(&caps);
    set(&from, 0x38f, BIT(1) | BIT(33));
    set(&from, 0x187, BIT(22));
    set(&from, 0x38d, 0x330);
    assert_int_equal(difference(&caps, &from, 0x4c2, 77), 0);
    assert_int_equal(difference(&caps, &from, 0x30a, 77), 0);
    assert_int_equal(difference(&caps, &from, 0x4c1, 77), 0x4c1);
    assert_int_equal(difference(&caps, &from, 0x30b, 77), 0x30b); /* enabled in 38DH, not in 38FH */
    caps = cpu_caps("yonah");
    from = blank(&caps);
    set(&from, 0x186, BIT(22));
    assert_int_equal(difference(&caps, &from, 0xc1, 77), 0);
    assert_int_equal(difference(&caps, &from, 0xc2, 77), 0xc2);
}

static void stale_event_selects_are_not_compared(void **state)
{
    (void)state;
    struct pmu_caps caps = cpu_caps("ivy-bridge-8");
    struct snapshot from = blank(&caps);
    assert_int_equal(difference(&caps, &from, 0x189, 1), 0x189);
    assert_int_equal(difference(&caps, &from, 0x18a, 1), 0);
}

static bool restorable(const char *cpu, u32 msr, u64 value)
{
    struct pmu_caps caps = cpu_caps(cpu);
    struct snapshot_entry entry = {.msr = msr, .readable = true, .value = value};
    return snapshot_restorable(&caps, &entry);
}

static void what_cannot_be_restored(void **state)
{
    (void)state;
    assert_true(restorable("skylake", 0x4c1, 0x123456789abc));
    assert_false(restorable("bloomfield", 0xc1, 0x123456789abc));
    assert_true(restorable("bloomfield", 0xc1, 0xffff80001234));
    assert_true(restorable("skylake", 0x38e, BIT(0) | BIT(34)));
    assert_false(restorable("skylake", 0x38e, BIT(63)));
    assert_false(restorable("sandy-bridge", 0x38e, BIT(0)));
    assert_true(restorable("sandy-bridge", 0x38e, 0));
}

static void names(void **state)
{
    (void)state;
    char text[REGISTER_NAME_SIZE];
    assert_string_equal(register_name(0x189, text), "IA32_PERFEVTSEL3");
    assert_string_equal(register_name(0x4c1, text), "IA32_A_PMC0");
    assert_string_equal(register_name(0x38f, text), "IA32_PERF_GLOBAL_CTRL");
    assert_string_equal(register_name(0x190a, text), "IA32_PMC_GP2_CFG_B");
    assert_string_equal(register_name(0x1983, text), "IA32_PMC_FX0_CFG_C");
    assert_string_equal(register_name(0x1981, text), "MSR_1981H");
    u32 msr;
    assert_true(register_number("IA32_PMC_GP9_CTR", &msr));
    assert_int_equal(msr, 0x1924);
    assert_string_equal(register_name(SNAPSHOT_LVTPC, text), "LVTPC");
    assert_string_equal(register_name(0x1234, text), "MSR_1234H");
}

static void scopes(void **state)
{
    (void)state;
    struct pmu_caps nehalem = cpu_caps("bloomfield"), skylake = cpu_caps("skylake");
    assert_int_equal(register_scope(&nehalem, 0x1c8), SCOPE_CORE);
    assert_int_equal(register_scope(&skylake, 0x1c8), SCOPE_THREAD);
    assert_int_equal(register_scope(&skylake, 0x1a0), SCOPE_PACKAGE);
    assert_int_equal(register_scope(&skylake, 0x186), SCOPE_THREAD);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(registers_by_capabilities),
        cmocka_unit_test(differences),
        cmocka_unit_test(running_counters_move),
        cmocka_unit_test(stale_event_selects_are_not_compared),
        cmocka_unit_test(what_cannot_be_restored),
        cmocka_unit_test(names),
        cmocka_unit_test(scopes),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
