/* SPDX-License-Identifier: BSD-2-Clause */
#include "pmu/cpu/class.h"
#include "pmu/registers.h"
#include "pmu/state/handoff.h"
#include "pmu/state/register.h"
#include "tests/host/case.h"
#include "tests/host/pmu/cpu_dumps.h"

static struct snapshot blank(const struct pmu_caps *caps)
{
    struct snapshot snapshot;
    snapshot_list(caps, SNAPSHOT_ALL, &snapshot);
    for (unsigned i = 0; i < snapshot.count; i++)
        snapshot.entry[i].readable = true;
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

static unsigned count_of(const struct pmu_caps *caps, unsigned parts)
{
    struct snapshot snapshot;
    snapshot_list(caps, parts, &snapshot);
    return snapshot.count;
}

CASE(registers_by_capabilities)
{
    static const struct {
        const char *cpu;
        unsigned own, shared, records;
    } counts[] = {
        {"none", 1, 0, 0},         {"yonah", 6, 0, 0},          {"conroe-b2", 14, 0, 0}, {"skylake", 20, 2, 97},
        {"bloomfield", 19, 2, 33}, {"sandy-bridge", 20, 2, 33}, {"unknown", 21, 0, 0},   {"ice-lake", 31, 2, 97},
    };
    for_each_row (counts, row) {
        struct pmu_caps caps = cpu_caps(row->cpu);
        unsigned own = count_of(&caps, SNAPSHOT_OWN), shared = count_of(&caps, SNAPSHOT_SHARED),
                 records = count_of(&caps, SNAPSHOT_RECORDS);
        if (own != row->own || shared != row->shared || records != row->records ||
            count_of(&caps, SNAPSHOT_ALL) != own + shared + records)
            fail_msg("%s: %u, %u and %u registers", row->cpu, own, shared, records);
    }
    struct pmu_caps caps = cpu_caps("skylake");
    struct snapshot snapshot = blank(&caps);
    assert_int_equal(snapshot.entry[snapshot.count - 1].msr, 0x38f); /* starting comes last */
    assert_non_null(snapshot_find(&snapshot, 0x4c4));
    assert_null(snapshot_find(&snapshot, 0xc1));
}

CASE(differences)
{
    struct pmu_caps caps = cpu_caps("skylake");
    struct snapshot from = blank(&caps);
    assert_null(snapshot_difference(&caps, &from, &from));
    assert_int_equal(difference(&caps, &from, 0x4c1, 1), 0x4c1);
    assert_int_equal(difference(&caps, &from, 0x30b, 1), 0x30b);
    assert_int_equal(difference(&caps, &from, 0x38e, 1), 0x38e);
    assert_int_equal(difference(&caps, &from, 0x38e, BIT(63)), 0);
    assert_int_equal(difference(&caps, &from, 0x1d9, BIT(12)), 0x1d9);
    assert_int_equal(difference(&caps, &from, 0x1d9, BIT(11)), 0x1d9);
    assert_int_equal(difference(&caps, &from, 0x1c8, BIT(9)), 0x1c8);
    assert_int_equal(difference(&caps, &from, 0x680, 1), 0);
    assert_int_equal(difference(&caps, &from, REGISTER_LVTPC, BIT(12)), 0);
    assert_int_equal(difference(&caps, &from, REGISTER_LVTPC, BIT(16)), REGISTER_LVTPC);
}

/* An SMI may have cleared the freeze bits, but cannot have set them. The reported value is the present one. */
CASE(only_falls_are_ignored)
{
    struct pmu_caps caps = cpu_caps("skylake");
    struct snapshot from = blank(&caps), to = from;
    set(&from, 0x1d9, BIT(12));
    assert_null(snapshot_difference(&caps, &from, &to));
    set(&to, 0x1d9, BIT(12) | BIT(0));
    const struct snapshot_entry *left = snapshot_difference(&caps, &from, &to);
    assert_non_null(left);
    assert_int_equal(left->value, BIT(12) | BIT(0));
}

CASE(running_counters_move)
{
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

CASE(stale_event_selects_are_not_compared)
{
    struct pmu_caps caps = cpu_caps("ivy-bridge-8");
    struct snapshot from = blank(&caps);
    assert_int_equal(difference(&caps, &from, 0x189, 1), 0x189);
    assert_int_equal(difference(&caps, &from, 0x18a, 1), 0);
}

static bool restorable(const char *cpu, u32 msr, u64 value)
{
    struct pmu_caps caps = cpu_caps(cpu);
    struct snapshot_entry entry = {.msr = msr, .row = register_row_of(&caps, msr), .readable = true, .value = value};
    return snapshot_restorable(&caps, &entry);
}

CASE(what_cannot_be_restored)
{
    assert_true(restorable("skylake", 0x4c1, 0x123456789abc));
    assert_false(restorable("bloomfield", 0xc1, 0x123456789abc));
    assert_true(restorable("bloomfield", 0xc1, 0xffff80001234));
    assert_true(restorable("skylake", 0x38e, BIT(0) | BIT(34)));
    assert_false(restorable("skylake", 0x38e, BIT(63)));
    assert_false(restorable("sandy-bridge", 0x38e, BIT(0)));
    assert_true(restorable("sandy-bridge", 0x38e, 0));
}

CASE(names)
{
    char text[REGISTER_NAME_SIZE];
    struct pmu_caps caps = cpu_caps("skylake");
    assert_string_equal(register_name(&caps, 0x189, text), "IA32_PERFEVTSEL3");
    assert_string_equal(register_name(&caps, 0x4c1, text), "IA32_A_PMC0");
    assert_string_equal(register_name(&caps, 0x38f, text), "IA32_PERF_GLOBAL_CTRL");
    assert_string_equal(register_name(&caps, 0x190a, text), "IA32_PMC_GP2_CFG_B");
    assert_string_equal(register_name(&caps, 0x1983, text), "IA32_PMC_FX0_CFG_C");
    assert_string_equal(register_name(&caps, 0x1981, text), "MSR_1981H");
    assert_string_equal(register_name(&caps, 0x3f2, text), "MSR_PEBS_DATA_CFG");
    assert_string_equal(register_name(&caps, 0x3cc, text), "MSR_3ccH");
    assert_string_equal(register_name(NULL, 0x3f2, text), "MSR_PEBS_DATA_CFG");
    u32 msr;
    assert_true(register_number("IA32_PMC_GP9_CTR", &msr));
    assert_int_equal(msr, 0x1924);
    assert_true(register_number("MSR_PEBS_MATRIX_VERT", &msr));
    assert_int_equal(msr, 0x3f2);
    assert_string_equal(register_name(&caps, REGISTER_LVTPC, text), "LVTPC");
    assert_string_equal(register_name(&caps, 0x1234, text), "MSR_1234H");
    caps = (struct pmu_caps){.intel = true, .family = 15}; /* NetBurst, which has other registers at some numbers */
    assert_string_equal(register_name(&caps, 0x3f2, text), "MSR_PEBS_MATRIX_VERT");
    assert_string_equal(register_name(&caps, 0x3cc, text), "MSR_CRU_ESCR2");
    assert_string_equal(register_name(&caps, 0x3f1, text), "IA32_PEBS_ENABLE");
    assert_string_equal(register_name(&caps, 0x1a0, text), "IA32_MISC_ENABLE");
}

/* What CPUID and IA32_PERF_CAPABILITIES show to a guest, and what only a model of CPU implies. */
CASE(shown)
{
    static const struct {
        u32 msr;
        u8 version;
        bool shown;
    } rows[] = {
        {0xc1, 1, true},   {0xc4, 1, true},    {0xc5, 4, false},   {0x186, 1, true},  {0x189, 1, true},
        {0x18a, 4, false}, {0x4c1, 4, true},   {0x4c5, 4, false},  {0x309, 2, true},  {0x309, 1, false},
        {0x30b, 2, true},  {0x30c, 5, false},  {0x38d, 2, true},   {0x38d, 1, false}, {0x38e, 2, true},
        {0x38f, 2, true},  {0x38f, 1, false},  {0x390, 2, true},   {0x391, 4, true},  {0x391, 3, false},
        {0x392, 4, true},  {0x392, 3, false},  {0x1d9, 2, true},   {0x1d9, 1, false}, {0x345, 1, true},
        {0x3f1, 1, true},  {0x600, 1, true},   {0x329, 1, true},   {0x14ce, 1, true}, {0x14cf, 1, true},
        {0x570, 1, true},  {0x571, 1, true},   {0x186, 0, false},  {0x345, 0, false}, {0x600, 0, false},
        {0x570, 0, false}, {0x34, 5, false},   {0x1a0, 5, false},  {0x1a6, 5, false}, {0x1c8, 5, false},
        {0x3f2, 5, false}, {0x1500, 5, false}, {0x1900, 6, false}, {0x560, 5, false}, {0x12345, 5, false},
    };
    for_each_row (rows, row) {
        struct pmu_caps caps = {.intel = true, .present = true, .family = 6, .version = row->version};
        caps.gp_bitmap = 0xf;
        caps.fixed_bitmap = 7;
        caps.pdcm = caps.full_width = caps.ds = caps.metrics = caps.pt = true;
        caps.lbr_depths = 8;
        if (register_is_shown(&caps, row->msr) != row->shown)
            fail_msg("%xH, version %u", row->msr, row->version);
    }
}

/* Each of them by a bit of its own, which is clear here. */
CASE(not_shown)
{
    static const u32 registers[] = {0x4c1, 0x1d9, 0x345, 0x3f1, 0x600, 0x329, 0x14ce, 0x14cf, 0x570, 0x571};
    struct pmu_caps caps = {.intel = true, .present = true, .family = 6, .version = 5, .gp_bitmap = 0xf};
    for_each_row (registers, msr)
        assert_false(register_is_shown(&caps, *msr));
    caps.ds = caps.pebs_unavailable = true;
    assert_false(register_is_shown(&caps, 0x600));
    caps = (struct pmu_caps){.intel = true, .family = 15, .ds = true}; /* NetBurst */
    assert_false(register_is_shown(&caps, 0x600));
}

int main(void)
{
    return run_cases();
}
