/* SPDX-License-Identifier: BSD-2-Clause */
/* MSR numbers and bits are typed here from the manual, not taken from pmu/registers.h, so that a slip there shows. */
#include "pmu/registers.h"
#include "tests/host/case.h"
#include "tests/host/pmu/cpu_dumps.h"
#include "tests/host/pmu/gate_question.h"

static const struct gate_context nothing_known;

static bool allows(const char *cpu, u32 msr, u64 value)
{
    struct pmu_caps caps = cpu_caps(cpu);
    struct gate_context stopped = {.counters_stopped = true};
    const char *rule = NULL;
    bool allowed = row_allows(&caps, &stopped, msr, value, &rule);
    assert_non_null(rule);
    return allowed;
}

static const struct {
    const char *cpu;
    u32 msr;
    u64 value;
    bool allowed;
} writes[] = {
    /* event selects */
    {"skylake", 0x186, 0x4300c0, true},
    {"skylake", 0x189, 0xff63ffff, true},
    {"skylake", 0x18a, 0, false},
    {"skylake-8", 0x18d, 0x4300c0, true},
    {"skylake", 0x186, 1ull << 32, false},
    {"skylake", 0x186, 1ull << 63, false},
    {"skylake", 0x186, 1ull << 21, true},
    {"harpertown", 0x186, 1ull << 21, false},
    {"goldmont-plus", 0x186, 1ull << 21, false},
    {"ice-lake", 0x186, 1ull << 21, false},
    {"ice-lake", 0x186, 1ull << 34, true},
    {"skylake", 0x186, 1ull << 34, false},
    {"lunar-lake", 0x186, 1ull << 19, false},
    {"yonah", 0x187, 0x4300c0, true},
    {"unknown", 0x186, 0x4300c0, true},
    /* counters */
    {"skylake", 0xc1, 0xffffffffffff, true},
    {"skylake", 0xc1, 1ull << 48, false},
    {"harpertown", 0xc1, 1ull << 40, false},
    {"skylake", 0xc5, 0, false},
    {"skylake", 0x4c4, 0xffffffffffff, true},
    {"skylake", 0x4c5, 0, false},
    {"skylake", 0x4c4, 1ull << 48 | 5, true}, /* known to fault on this class, so it may be tried: one bit at a time */
    {"skylake", 0x4c4, 3ull << 48, false},
    {"skylake", 0x4c5, 1ull << 48, false},
    {"skylake", 0x30b, 1ull << 63, true},
    {"ice-lake", 0x30b, 1ull << 63, true},
    {"ice-lake", 0x4c1, 1ull << 48, true},
    {"conroe-b2", 0x309, 1ull << 40, false},
    {"harpertown", 0x4c1, 0, false},
    {"bloomfield", 0x4c1, 0, false},
    {"skylake", 0x309, 0xffffffffffff, true},
    {"skylake", 0x30c, 0, false},
    {"ice-lake", 0x30c, 1, true},
    {"ice-lake", 0x30d, 0, false},
    {"yonah", 0x309, 0, false},
    {"conroe-b2", 0x30b, 1, true},
    /* fixed control */
    {"skylake", 0x38d, 0xfff, true},
    {"skylake", 0x38d, 0x1000, false},
    {"harpertown", 0x38d, 0xbbb, true},
    {"harpertown", 0x38d, 0x4, false},
    {"ice-lake", 0x38d, 0xbbbb, true},
    {"ice-lake", 0x38d, 0x4, false},
    {"yonah", 0x38d, 0, false},
    /* global control and status */
    {"skylake", 0x38f, 0x70000000f, true},
    {"skylake", 0x38f, 0x10, false},
    {"skylake", 0x38f, 1ull << 35, false},
    {"skylake-8", 0x38f, 0x7000000ff, true},
    {"ice-lake", 0x38f, 1ull << 48, true},
    {"skylake", 0x38f, 1ull << 48, false},
    /* branch records */
    {"skylake", 0x1c8, 0x3ff, true},
    {"skylake", 0x1c8, 0x400, false},
    {"sandy-bridge", 0x1c8, 0x1ff, true},
    {"sandy-bridge", 0x1c8, 0x200, false},
    {"skylake", 0x1c9, 31, true},
    {"skylake", 0x1c9, 32, false},
    {"sandy-bridge", 0x1c9, 16, false},
    {"lunar-lake", 0x1c9, 0, false},
    {"skylake", 0x69f, 0xffff800000001000, true},
    {"skylake", 0x69f, 1ull << 63, false},
    {"sandy-bridge", 0x68f, 1ull << 63 | 0x1000, true}, /* mispredicted */
    {"sandy-bridge", 0x690, 0, false},
    {"skylake", 0x6c0, 0x7fffffffffff, true},
    {"skylake", 0x6c0, 1ull << 47, false},
    {"goldmont", 0x6c0, 0x1234000000001000, true}, /* cycles */
    {"goldmont", 0xdc0, 0, false},
    {"goldmont-plus", 0x6c0, 0x1234000000001000, false},
    {"goldmont-plus", 0xddf, 0x800000000000ffff, true},
    {"goldmont-plus", 0x1c8, 0x3ff, true},
    {"skylake", 0xdc0, 0xe00000000000ffff, true},
    {"skylake", 0xdc0, 1ull << 16, false},
    {"sandy-bridge", 0xdc0, 0, false},
    {"unknown", 0x680, 0, false},
    {"ice-lake", 0x329, 0xffffffff, true},
    {"ice-lake", 0x329, 1ull << 32, false},
    {"skylake", 0x329, 0, false},
    {"ice-lake", 0x38d, 1ull << 14, false},
    {"yonah", 0x38f, 0, false},
    {"skylake", 0x390, 0xfc0000070000000f, true},
    {"skylake", 0x390, 1ull << 57, false},
    {"sandy-bridge", 0x390, 0xe00000070000000f, true},
    {"sandy-bridge", 0x390, 1ull << 59, false},
    {"conroe-b2", 0x390, 0xc000000700000003, true},
    {"conroe-b2", 0x390, 1ull << 61, false},
    {"skylake", 0x391, 0x7c0000070000000f, true},
    {"skylake", 0x391, 1ull << 63, false},
    {"sandy-bridge", 0x391, 0, false},
    {"bloomfield", 0x391, 1, false},
    /* debug control */
    {"skylake", 0x1d9, 0x5801, true},
    {"skylake", 0x1d9, 0x2, false},
    {"skylake", 0x1d9, 0x40, false},
    {"skylake", 0x1d9, 0x80, false},
    {"skylake", 0x1d9, 0x2000, false},
    {"skylake", 0x1d9, 0x8000, false},
    {"bonnell", 0x1d9, 0x4000, false},
    {"yonah", 0x1d9, 0x1000, false},
    /* debug store */
    {"skylake", 0x3f1, 0xf, true},
    {"skylake-8", 0x3f1, 0x10, false},
    {"skylake", 0x3f1, 1ull << 32, true},
    {"skylake", 0x3f1, 1ull << 36, false},
    {"skylake", 0x3f1, 1ull << 63, false},
    {"sandy-bridge", 0x3f1, 1ull << 35, true}, /* load latency: by the fourth counter only */
    {"sandy-bridge", 0x3f1, 1ull << 32, false},
    {"ice-lake", 0x3f1, 0xf000000ff, true},
    {"ice-lake", 0x3f1, 1ull << 60, false},
    {"unknown", 0x3f1, 0, false},
    {"silvermont", 0x3f1, 1, true},
    {"silvermont", 0x3f1, 2, false},
    {"skylake", 0x600, 0, true},
    {"skylake", 0x600, 0x1000, false},
    {"ice-lake", 0x3f2, 0x1f00000f, true},
    {"ice-lake", 0x3f2, 0x10, false},
    {"lunar-lake", 0x3f2, 0x000700ff1f00001f, true},
    {"lunar-lake", 0x3f2, 0x20, false},
    {"lunar-lake", 0x3f2, 1ull << 51, false},
    {"skylake", 0x3f2, 0, false},
    {"skylake", 0x3f6, 3, true},
    {"skylake", 0x3f6, 0x10000, false},
    {"silvermont", 0x3f6, 3, false},
    {"ice-lake", 0x38d, 0x100000000bbbb, false},
    {"ice-lake", 0x38d, 0x11110000bbbb, true},
    /* filters: the only bit without an effect of its own */
    {"skylake", 0x1c8, 1, true},
    {"skylake", 0x1a6, 1, true},
    {"skylake", 0x1a7, 0, true},
    {"skylake", 0x1a7, 0x10001, false},
    {"skylake", 0x1a8, 0, false},
    {"harpertown", 0x1a6, 0, false},
    {"unknown", 0x1c8, 0, false},
    {"lunar-lake", 0x1c8, 0, false},
    /* everything else never */
    {"skylake", 0x1a0, 0x850089, false},
    {"skylake", 0x392, 1, false},
    {"skylake", 0x393, 0, false},
    {"skylake", 0x395, 0, false},
    {"skylake", 0x345, 1, false},
    {"skylake", 0x199, 0, false},
    {"skylake", 0x19a, 0, false},
    {"skylake", 0x1b, 0xfee00900, false},
    {"skylake", 0x79, 0, false},
    {"skylake", 0xe2, 0, false},
    {"skylake", 0x122, 0, false},
    {"skylake", 0x10f, 0, false},
    {"skylake", 0x3f7, 0, false},
    {"skylake", 0x6e0, 0, false},
    {"skylake", 0x700, 0, false},
    {"skylake", 0x80b, 0, false},
    {"skylake", 0x1900, 0, false},
    {"skylake", 0xc0000080, 0x500, false},
    {"skylake", 0xffffffff, 0, false},
    {"none", 0x186, 0, false},
    {"none", 0x38f, 0, false},
};

CASE(table)
{
    for_each_row (writes, row)
        if (allows(row->cpu, row->msr, row->value) != row->allowed)
            fail_msg("%s: %#x := %#llx is %s", row->cpu, row->msr, (unsigned long long)row->value,
                     row->allowed ? "refused" : "allowed");
}

CASE(nothing_of_the_pmu_before_capabilities)
{
    const char *rule;
    for (u32 msr = 0; msr < 0x2000; msr++)
        if (row_allows(NULL, &nothing_known, msr, 0, &rule))
            fail_msg("%#x := 0 is allowed", msr);
    struct pmu_caps blank = {0};
    assert_false(row_allows(&blank, &nothing_known, 0x38f, 0, &rule));
}

CASE(sampling_only_while_stopped)
{
    const char *rule;
    struct pmu_caps caps = cpu_caps("skylake");
    assert_false(row_allows(&caps, &nothing_known, 0x3f1, 1, &rule));
    assert_true(row_allows(&caps, &nothing_known, 0x3f1, 0, &rule));
}

CASE(no_counting_while_sampling)
{
    const char *rule;
    struct pmu_caps caps = cpu_caps("skylake");
    struct gate_context sampling = {.sampling = true};
    assert_false(row_allows(&caps, &sampling, 0x38f, 1, &rule));
    assert_true(row_allows(&caps, &sampling, 0x38f, 0, &rule));
    sampling.handoff_known = true;
    sampling.handoff = 0xf; /* sampling that was set up at the start is restored */
    assert_true(row_allows(&caps, &sampling, 0x38f, 0xf, &rule));
    assert_false(row_allows(&caps, &sampling, 0x38f, 1, &rule));
    sampling.own_area = true; /* there is an area for records */
    assert_true(row_allows(&caps, &sampling, 0x38f, 1, &rule));
}

CASE(read_only_registers)
{
    static const u32 registers[] = {0x38e, 0x392, 0x345};
    const char *rule;
    struct pmu_caps skylake = cpu_caps("skylake"), unknown = cpu_caps("unknown"), conroe = cpu_caps("conroe-b2");
    struct gate_context reads5 = {.current_known = true, .current = 5};
    for_each_row (registers, msr) {
        assert_true(row_allows(&skylake, &reads5, *msr, 0, &rule));
        assert_true(row_allows(&skylake, &reads5, *msr, 5, &rule));
        assert_false(row_allows(&skylake, &reads5, *msr, 4, &rule));
        assert_false(row_allows(&skylake, &nothing_known, *msr, 5, &rule));
        assert_false(row_allows(&unknown, &reads5, *msr, 0, &rule));
        assert_false(row_allows(&conroe, &reads5, *msr, 0, &rule));
    }
}

/* Elsewhere from version 4 on: only what cannot change anything, and never the capabilities. */
CASE(read_only_registers_of_other_classes)
{
    const char *rule;
    struct pmu_caps ice_lake = cpu_caps("ice-lake"), guest = ice_lake, haswell = cpu_caps("haswell");
    struct gate_context reads5 = {.current_known = true, .current = 5};
    guest.hypervisor = true;
    for (u32 msr = 0x38e; msr <= 0x392; msr += 4) {
        assert_true(row_allows(&ice_lake, &reads5, msr, 5, &rule));
        assert_false(row_allows(&ice_lake, &reads5, msr, 0, &rule));
        assert_false(row_allows(&ice_lake, &reads5, msr, 4, &rule));
        assert_false(row_allows(&ice_lake, &nothing_known, msr, 5, &rule));
        assert_false(row_allows(&guest, &reads5, msr, 5, &rule));
        assert_false(row_allows(&haswell, &reads5, msr, 5, &rule));
    }
    assert_false(row_allows(&ice_lake, &reads5, 0x345, 5, &rule));
}

CASE(hand_off_values_can_be_put_back)
{
    const char *rule;
    struct pmu_caps caps = cpu_caps("skylake");
    struct gate_context odd = {.handoff_known = true, .handoff = 0x8000000000002042};
    static const u32 registers[] = {0x186, 0x38d, 0x38f, 0x1d9};
    for_each_row (registers, msr) {
        assert_true(row_allows(&caps, &odd, *msr, odd.handoff, &rule));
        assert_false(row_allows(&caps, &odd, *msr, odd.handoff ^ BIT(62), &rule));
        assert_false(row_allows(&caps, &nothing_known, *msr, odd.handoff, &rule));
    }
    struct gate_context status = {.handoff_known = true, .handoff = 5};
    assert_false(row_allows(&caps, &status, 0x38e, 5, &rule));
    assert_false(row_allows(&caps, &status, 0x1a0, 5, &rule));
}

/* The feature's own bits may change. Foreign bits must stay, or all be cleared together; none may be added. */
CASE(debug_control_beside_foreign_bits)
{
    static const struct {
        u64 current, value;
        bool allowed;
    } rows[] = {
        {0x2000, 0x2001, true},  {0x2004, 0x7805, true},  {0x2004, 0x3000, false}, {0x2004, 0x7804, true},
        {0x2800, 0x2000, true},  {0x2000, 0x2000, true},  {0x2000, 0x2004, false}, {0x2004, 0x2001, false},
        {0x0004, 0x5805, true},  {0x0004, 0x5803, false}, {0x8000, 0x8001, true},  {0x00c0, 0x00c1, true},
        {0x00c0, 0x0041, false}, {0x2000, 0, true},       {0, 0x2000, false},      {1ull << 63, 1, true},
    };
    const char *rule;
    struct pmu_caps skylake = cpu_caps("skylake"), yonah = cpu_caps("yonah");
    for_each_row (rows, row) {
        struct gate_context reads = {.current_known = true, .current = row->current};
        if (row_allows(&skylake, &reads, 0x1d9, row->value, &rule) != row->allowed)
            fail_msg("%#llx := %#llx", (unsigned long long)row->current, (unsigned long long)row->value);
    }
    struct gate_context reads = {.current = 0x2000};
    assert_false(row_allows(&skylake, &reads, 0x1d9, 0x2001, &rule)); /* read with a fault */
    reads.current_known = true;
    assert_false(row_allows(&yonah, &reads, 0x1d9, 0x3000, &rule));
    assert_false(row_allows(&skylake, &reads, 0x38d, 0x2001, &rule)); /* only this register faults */
    assert_false(row_allows(&skylake, &reads, 0x3f1, 0x2001, &rule));
}

CASE(local_apic_in_x2apic_mode)
{
    const char *rule;
    struct gate_context x2 = {.x2apic = true};
    assert_true(row_allows(NULL, &x2, 0x834, 0x100e0, &rule));
    assert_true(row_allows(NULL, &x2, 0x834, 0x400, &rule));
    assert_false(row_allows(NULL, &x2, 0x834, 0x200, &rule)); /* SMI */
    assert_false(row_allows(NULL, &x2, 0x834, 0x500, &rule)); /* INIT */
    assert_false(row_allows(NULL, &x2, 0x834, 0x700, &rule)); /* ExtINT */
    struct gate_context found_in_smi_mode = {.x2apic = true, .handoff_known = true, .handoff = 0x200};
    assert_true(row_allows(NULL, &found_in_smi_mode, 0x834, 0x200, &rule));
    assert_false(row_allows(NULL, &nothing_known, 0x834, 0x400, &rule));
    assert_false(row_allows(NULL, &x2, 0x80b, 0, &rule)); /* the driver's alone */
}

/* One bit changed from the register's value: on classes that are known to allow it, with no counter running. */
CASE(walks)
{
    static const struct {
        const char *cpu;
        u32 msr;
        u64 current, value;
        bool walking, stopped, unlocked, allowed;
    } rows[] = {
        {"skylake", 0x186, 0, 1ull << 63, true, true, false, true},
        {"skylake", 0x186, 0, 1ull << 63, false, true, false, false},
        {"skylake", 0x186, 0, 1ull << 63, true, false, false, false},
        {"skylake", 0x186, 0, 3ull << 62, true, true, false, false},
        {"skylake", 0x186, 1ull << 62, 3ull << 62, true, true, false, true},
        {"skylake", 0x186, 0, 1ull << 63 | 0x4300c0, true, true, false, true}, /* beside bits of its row */
        {"skylake", 0x186, 0, 3ull << 62 | 0x4300c0, true, true, false, false},
        {"skylake", 0x186, 0, 1ull << 63 | 0x4300c0, false, true, false, false},
        {"skylake", 0x38f, 0, 1ull << 20 | 0xf, true, true, false, true},
        {"skylake", 0x38f, 0, 1ull << 20 | 0xf, true, false, false, false},
        {"skylake", 0x18a, 0, 1ull << 63, true, true, false, false}, /* no such counter */
        {"skylake", 0x38d, 0, 1ull << 12, true, true, false, true},
        {"skylake", 0x38f, 0, 1ull << 20, true, true, false, true},
        {"skylake", 0x390, 0, 1ull << 57, true, true, false, true},
        {"skylake", 0x391, 0, 1ull << 57, true, true, false, true},
        {"sandy-bridge", 0x391, 0, 1, true, true, true, false}, /* an uncore control at that number */
        {"skylake", 0x393, 0, 1, true, true, true, false},
        {"skylake", 0x1d9, 0, 2, true, true, true, false},
        {"skylake", 0x3f1, 0, 1ull << 20, true, true, true, false},
        {"skylake", 0x392, 0, 1, true, true, true, false},
        {"harpertown", 0x38f, 0, 1ull << 40, true, true, false, true},
        {"bonnell", 0x186, 0, 1ull << 40, true, true, false, true},
        {"silvermont", 0x38d, 0, 1ull << 40, true, true, false, true},
        {"bloomfield", 0x186, 0, 1ull << 40, true, true, false, false},
        {"bloomfield", 0x186, 0, 1ull << 40, true, true, true, true},
        {"ice-lake", 0x38f, 0, 1ull << 40, true, true, false, false},
        /* Without a dump: where no more than a refused write can happen. */
        {"ice-lake", 0x186, 0, 1ull << 40, true, true, false, true},
        {"ice-lake", 0x186, 0, 1ull << 40, true, false, false, false},
        {"ice-lake", 0x38d, 0, 1ull << 40, true, true, false, true},
        {"ice-lake", 0x390, 0, 1ull << 57, true, true, false, true},
        {"ice-lake", 0x391, 0, 1ull << 57, true, true, false, false},
        {"ice-lake", 0x4c1, 0, 1ull << 60, true, true, false, true},
        {"haswell", 0x4c1, 0, 1ull << 60, true, true, false, false},
        {"haswell", 0x38d, 0, 1ull << 40, true, true, false, false},
        {"skylake", 0x345, 0x33c5, 0x33c4, true, true, false, true},
        {"skylake", 0x345, 0x33c5, 0x33c4, false, true, false, false},
        {"ice-lake", 0x345, 0x33c5, 0x33c4, true, true, false, false},
        {"unknown", 0x186, 0, 1ull << 40, true, true, false, false},
        {"unknown", 0x186, 0, 1ull << 40, true, true, true, true},
        {"none", 0x186, 0, 1ull << 40, true, true, true, false},
    };
    for_each_row (rows, row) {
        struct pmu_caps caps = cpu_caps(row->cpu);
        const char *rule;
        struct gate_context context = {.current_known = true,
                                       .current = row->current,
                                       .walking = row->walking,
                                       .counters_stopped = row->stopped,
                                       .unlocked = row->unlocked};
        if (row_allows(&caps, &context, row->msr, row->value, &rule) != row->allowed)
            fail_msg("%s: %#x := %#llx", row->cpu, row->msr, (unsigned long long)row->value);
    }
}

/* An E core of Lunar Lake: eight counters, of which 2 to 7 and fixed 0 and 1 reload each other. */
CASE(aliases)
{
    static const struct {
        u32 msr;
        u64 value;
        bool allowed;
    } rows[] = {
        {0x1900, 0xffffffffffff, true},
        {0x1900, 1ull << 48, false},
        {0x191c, 1, true},
        {0x1920, 0, false},
        {0x1901, 0x4300c0, true},
        {0x1901, 1ull << 19, false},
        {0x1901, 1ull << 34, true},
        {0x1901, 1ull << 35, false},
        {0x1901, 1ull << 36, true},
        {0x1902, 0, false},
        {0x1903, 0, false},
        {0x190a, 0x3000000fc, true},
        {0x190a, 1, false},
        {0x190b, 0xffffffff, true},
        {0x190b, 1ull << 63, false},
        {0x1980, 1, true},
        {0x1981, 0, false},
        {0x1982, 4, true},
        {0x1982, 2, false},
        {0x1987, 0xffffffff, true},
        {0x198a, 0, false},
        {0x198c, 0, false},
        {0x1990, 1, true},
    };
    struct caps_dump dump = cpu_dump("lunar-lake");
    dump.leaf0.eax = 0x23;
    dump.leaf1a.eax = 0x20000003;
    dump.leaf7_1.eax = BIT(8);
    dump.leaf23 = (struct cpuid_regs){0xf, 3, 8, 0};
    dump.leaf23_1 = (struct cpuid_regs){0xff, 0x77, 0, 0};
    dump.leaf23_2 = (struct cpuid_regs){0xfc, 3, 0xfc, 3};
    struct pmu_caps caps;
    caps_decode(&dump, &caps);
    const struct gate_context kept_in = {.records_kept_in = true};
    for_each_row (rows, row) {
        const char *rule;
        if (row_allows(&caps, &kept_in, row->msr, row->value, &rule) != row->allowed)
            fail_msg("%#x := %#llx", row->msr, (unsigned long long)row->value);
    }
    const char *rule;
    caps.lbr_logged = 3; /* of branch records: the first two have the bit under either name */
    for (u32 n = 0; n < 4; n++) {
        assert_int_equal(row_allows(&caps, &kept_in, 0x186 + n, 1ull << 35, &rule), n < 2);
        assert_int_equal(row_allows(&caps, &kept_in, 0x1901 + 4 * n, 1ull << 35, &rule), n < 2);
    }
    caps.leaf23_counters &= ~BIT(3); /* not named there */
    assert_false(row_allows(&caps, &kept_in, 0x190c, 0, &rule));
    assert_true(row_allows(&caps, &kept_in, 0x190e, 0, &rule));
    caps.reloads = caps.reload_causes = 0;
    caps.version = 5;
    assert_false(row_allows(&caps, &kept_in, 0x1900, 0, &rule));
    assert_false(row_allows(&caps, &kept_in, 0x190a, 0, &rule));
}

/* Control of architectural branch records: the bits of features in leaf 1CH; all others fault. */
CASE(branch_records_by_feature)
{
    static const struct {
        u32 ebx;
        u64 allowed;
    } rows[] = {{0, 0x1}, {1, 0x7}, {2, 0x7f0001}, {4, 0x9}, {7, 0x7f000f}};
    const struct gate_context none = {0};
    const char *rule;
    for_each_row (rows, row) {
        struct caps_dump dump = cpu_dump("lunar-lake");
        struct pmu_caps caps;
        dump.leaf0.eax = 0x23;
        dump.leaf7.edx |= BIT(19);
        dump.leaf1c = (struct cpuid_regs){0xb, row->ebx, 7, 0};
        caps_decode(&dump, &caps);
        for (unsigned bit = 0; bit < 64; bit++)
            assert_int_equal(row_allows(&caps, &none, 0x14ce, BIT(bit), &rule), row->allowed >> bit & 1);
    }
}

CASE(an_update_of_microcode)
{
    const char *rule;
    struct gate_context update = {.update_offered = true};
    assert_true(row_allows(NULL, &update, 0x79, 0x12345630, &rule));
    assert_false(row_allows(NULL, &nothing_known, 0x79, 0x12345630, &rule));
    assert_false(row_allows(NULL, &nothing_known, 0x79, 0, &rule));
}

CASE(virtual_machine_registers)
{
    const char *rule;
    struct gate_context plain = {.current_known = true, .current = 0x500};
    struct gate_context svm = {.current_known = true, .current = 0xd00, .svm = true};
    assert_false(row_allows(NULL, &plain, 0xc0000080, 0xd00, &rule));
    assert_false(row_allows(NULL, &plain, 0xc0000080, 0x1500, &rule));
    assert_false(row_allows(NULL, &plain, 0xc0000080, 0x400, &rule));
    assert_true(row_allows(NULL, &svm, 0xc0000080, 0x1d00, &rule));
    assert_true(row_allows(NULL, &svm, 0xc0010117, 0x123000, &rule));
    assert_false(row_allows(NULL, &svm, 0xc0010117, 0x123001, &rule));
    assert_false(row_allows(NULL, &plain, 0xc0010117, 0x123000, &rule));
    assert_false(row_allows(NULL, &svm, 0xc0010114, 0, &rule));
}

/* Under a hypervisor only registers that CPUID enumerates are written, not those known from the CPU's model. */
CASE(virtual_pmu)
{
    static const struct {
        u32 msr;
        u64 value;
        bool silicon, virtual;
    } rows[] = {
        {0x186, 0x4300c0, true, true},
        {0x38f, 0x70000000f, true, true},
        {0x4c1, 0xffffffffffff, true, true},
        {0x392, 0x10, true, false}, /* the value that it reads: this class is known to fault on it */
        {0x4c1, 1ull << 48 | 5, true, false},
        {0x309, 1ull << 63, true, false},
        {0x1a6, 1, true, false},
        {0x1c8, 1, true, true},
        {0x18a, 0, false, false},
    };
    for_each_row (rows, row) {
        struct pmu_caps caps = cpu_caps("skylake");
        struct gate_context context = {.current_known = true, .current = 0x10};
        const char *rule;
        assert_int_equal(row_allows(&caps, &context, row->msr, row->value, &rule), row->silicon);
        caps.hypervisor = true;
        assert_int_equal(row_allows(&caps, &context, row->msr, row->value, &rule), row->virtual);
    }
    struct pmu_caps caps = cpu_caps("skylake");
    struct gate_context none = {0};
    const char *rule;
    caps.hypervisor = true;
    caps.perf_capabilities &= ~PERF_CAP_LBR_FORMAT; /* no branch records are shown */
    assert_false(row_allows(&caps, &none, 0x1c8, 1, &rule));
    assert_false(row_allows(&caps, &none, 0x1c9, 1, &rule));
    assert_false(row_allows(&caps, &none, 0x680, 0, &rule));
}

CASE(bits_for_tests)
{
    struct pmu_caps caps = cpu_caps("skylake");
    assert_int_equal(gate_bits(&caps, 0x38f), 0x70000000full);
    assert_int_equal(gate_bits(&caps, 0x390), 0xfc0000070000000full);
    assert_int_equal(gate_bits(&caps, 0x391), 0x7c0000070000000full);
    assert_int_equal(gate_bits(&caps, 0x3f1), 0xf0000000full);
    assert_int_equal(gate_bits(&caps, 0x38e), 0);
    assert_int_equal(gate_bits(&caps, 0x1a0), 0);
    assert_int_equal(gate_bits(&caps, 0x18a), 0);
}

static bool same_register(const struct register_row *a, const struct register_row *b)
{
    for (unsigned n = 0; n < a->family.count; n++)
        for (unsigned k = 0; k < b->family.count; k++)
            if (register_index(a, n) == register_index(b, k))
                return true;
    return false;
}

/* The choice between two rows must not depend on their order. */
CASE(rows_do_not_overlap)
{
    for_each_register (a)
        for (const struct register_row *b = a + 1; b < register_rows + register_row_count; b++)
            if (a->netburst == b->netburst && same_register(a, b))
                fail_msg("rows at %#x and at %#x: \"%s\"", a->first, b->first, b->rule ? b->rule : b->name);
    assert_in_range(register_row_count, 60, REGISTER_ROWS_MAX);
}

/* A row that allows writes has the rule for other writes and the CPUs that have the register; no other row has them. */
CASE(rows_are_whole)
{
    for_each_register (row) {
        bool writable = row->fields || row->keep == ALIAS || row->zero || row->as_read || row->value || row->any_in ||
                        row->changes || row->changes_with_svm;
        if (writable != (row->rule != NULL) || !row->family.count || !row->family.apart || !row->manual)
            fail_msg("the row at %#x is not whole", row->first);
        if (row->rule && row->keep != OF_THE_MACHINE && !row->version && !row->there && !row->which && !row->ours)
            fail_msg("the row at %#x does not say which CPUs have it", row->first);
    }
}

/* A register that can be changed is restored, or shows in one that is; and the row names what restores it. */
CASE(rows_say_what_becomes_of_them)
{
    for_each_register (row) {
        bool changeable =
            row->fields || row->zero || row->value || row->any_in || row->changes || row->changes_with_svm;
        const struct register_row *see = row->see ? register_row_of(NULL, row->see) : NULL;
        if (!row->keep || (row->keep == ONLY_READ && changeable))
            fail_msg("the row at %#x does not say what becomes of it", row->first);
        if ((row->keep == COMMAND || row->keep == ALIAS || row->alias_where) &&
            !(see && (see->keep == KEPT || see->keep == HANDED_BACK)))
            fail_msg("the row at %#x does not say where it shows", row->first);
        if (row->put_by && register_row_of(NULL, row->put_by)->see != row->first)
            fail_msg("the row at %#x is not put back by that", row->first);
    }
}

int main(void)
{
    return run_cases();
}
