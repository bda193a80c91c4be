/* SPDX-License-Identifier: BSD-2-Clause */
#include "pmu/cpu/class.h"
#include "pmu/cpu/pebs.h"
#include "tests/host/case.h"
#include "tests/host/pmu/cpu_dumps.h"

static const struct {
    const char *name;
    enum cpu_class class;
    u8 version, gp, gp_width, fixed, fixed_width;
    u32 bitmap;
    bool full_width, understates;
} expected[] = {
    {"yonah", CLASS_UNKNOWN, 1, 2, 40, 0, 0, 0, false, false},
    {"conroe-b2", CLASS_CORE2, 2, 2, 40, 3, 40, 7, false, true},
    {"merom-l", CLASS_CORE2, 2, 2, 40, 3, 40, 7, false, true},
    {"conroe-g0", CLASS_CORE2, 2, 2, 40, 3, 40, 7, false, false},
    {"harpertown", CLASS_CORE2, 2, 2, 40, 3, 40, 7, false, false},
    {"bonnell", CLASS_BONNELL, 3, 2, 40, 3, 40, 7, false, true},
    {"silvermont", CLASS_SILVERMONT, 3, 2, 40, 3, 40, 7, true, false},
    {"bloomfield", CLASS_NEHALEM, 3, 4, 48, 3, 48, 7, false, false},
    {"sandy-bridge", CLASS_SANDY_BRIDGE, 3, 4, 48, 3, 48, 7, true, false},
    {"ivy-bridge-8", CLASS_SANDY_BRIDGE, 3, 8, 48, 3, 48, 7, true, false},
    {"broadwell", CLASS_BROADWELL, 3, 4, 48, 3, 48, 7, true, false},
    {"skylake", CLASS_SKYLAKE, 4, 4, 48, 3, 48, 7, true, false},
    {"goldmont", CLASS_GOLDMONT, 4, 4, 48, 3, 48, 7, true, false},
    {"goldmont-plus", CLASS_GOLDMONT_PLUS, 4, 4, 48, 3, 48, 7, true, false},
    {"ice-lake", CLASS_ICE_LAKE, 5, 8, 48, 4, 48, 0xf, true, false},
    {"alder-lake", CLASS_GOLDEN_COVE, 5, 6, 48, 3, 48, 7, true, false},
    {"lunar-lake", CLASS_LION_COVE, 6, 8, 48, 3, 48, 7, true, false},
    {"unknown", CLASS_UNKNOWN, 7, 4, 48, 7, 48, 0x7f, true, false},
};

CASE(decodes_real_cpus)
{
    for_each_row (expected, row) {
        struct pmu_caps caps = cpu_caps(row->name);
        print_message("%s\n", row->name);
        assert_true(caps.present && caps.intel && caps.perfmon_available);
        assert_int_equal(cpu_class(&caps), row->class);
        assert_int_equal(caps.version, row->version);
        assert_int_equal(caps.gp_count, row->gp);
        assert_int_equal(caps.gp_width, row->gp_width);
        assert_int_equal(caps.fixed_count, row->fixed);
        assert_int_equal(caps.fixed_width, row->fixed_width);
        assert_int_equal(caps.fixed_bitmap, row->bitmap);
        assert_int_equal(caps.full_width, row->full_width);
        assert_int_equal(caps.leaf_understates, row->understates);
    }
}

CASE(no_pmu_is_no_pmu)
{
    struct pmu_caps caps = cpu_caps("none");
    assert_false(caps.present);
    assert_int_equal(caps_counter_bits(&caps), 0);
    assert_false(caps_event_available(&caps, 0));
}

CASE(signature_fields)
{
    struct pmu_caps caps = cpu_caps("skylake");
    assert_int_equal(caps.family, 6);
    assert_int_equal(caps.model, 0x5e);
    assert_int_equal(caps.stepping, 3);
    struct caps_dump dump = cpu_dump("none");
    dump.leaf1.eax = 0x00f43; /* Prescott */
    caps_decode(&dump, &caps);
    assert_int_equal(caps.family, 15);
    assert_int_equal(caps.model, 4);
    assert_int_equal(cpu_class(&caps), CLASS_NETBURST);
    dump.leaf1.eax = 0x00800f12; /* the extended family is used for family 15 only */
    caps_decode(&dump, &caps);
    assert_int_equal(caps.family, 0x17);
}

/* Families after 6 and 15, with an unknown model: CPUID is used, but not leaf 23H. */
CASE(families_beyond_15)
{
    static const struct {
        u32 signature, family, model;
    } rows[] = {{0x300f20, 18, 2}, {0x400f20, 19, 2}, {0x500f10, 20, 1}};
    for_each_row (rows, row) {
        struct caps_dump dump = cpu_dump("lunar-lake");
        struct pmu_caps caps;
        dump.leaf1.eax = row->signature;
        caps_decode(&dump, &caps);
        assert_int_equal(caps.family, row->family);
        assert_int_equal(caps.model, row->model);
        assert_int_equal(cpu_class(&caps), CLASS_UNKNOWN);
        assert_true(caps.present && caps.perfmon_available && caps.full_width && caps_has_debugctl(&caps));
        assert_int_equal(caps_counter_bits(&caps), 0x7000000ff);
    }
}

CASE(off_core_filters)
{
    static const struct {
        u32 signature;
        unsigned count;
    } rows[] = {{0x106a5, 1}, {0x106e5, 1}, {0x206e6, 1}, {0x20655, 2},
                {0x206c2, 2}, {0x206a7, 2}, {0x106c2, 0}, {0xd06d1, 2}};
    for_each_row (rows, row) {
        struct caps_dump dump = cpu_dump("bloomfield");
        struct pmu_caps caps;
        dump.leaf1.eax = row->signature;
        caps_decode(&dump, &caps);
        assert_int_equal(offcore_rsps(&caps), row->count);
        caps.hypervisor = true;
        assert_int_equal(offcore_rsps(&caps), 0);
    }
}

/* Nova Lake and Diamond Rapids: by the type of core only, because their native models are unknown. */
CASE(families_of_drivers)
{
    static const struct {
        u32 signature, kind;
        enum cpu_class class;
    } rows[] = {
        {0x300f10, 0x40000004, CLASS_COYOTE_COVE}, {0x300f30, 0x40000007, CLASS_COYOTE_COVE},
        {0x300f10, 0x20000004, CLASS_ARCTIC_WOLF}, {0x300f30, 0x20000001, CLASS_ARCTIC_WOLF},
        {0x300f10, 0, CLASS_COYOTE_COVE},          {0x400f10, 0x40000005, CLASS_PANTHER_COVE},
        {0x400f10, 0, CLASS_PANTHER_COVE},         {0x400f10, 0x20000004, CLASS_UNKNOWN},
    };
    for_each_row (rows, row) {
        struct caps_dump dump = cpu_dump("lunar-lake");
        struct pmu_caps caps;
        dump.leaf1.eax = row->signature;
        dump.leaf1a.eax = row->kind;
        caps_decode(&dump, &caps);
        assert_int_equal(cpu_class(&caps), row->class);
        assert_int_equal(class_has_leaf23(row->class), row->class != CLASS_UNKNOWN);
        assert_false(offcore_rsps(&caps) || has_lbr_select(&caps));
    }
}

/* The CPUs of AAJ91 and similar errata, and those that drivers treat the same way; none under a hypervisor. */
CASE(select_sequence)
{
    static const struct {
        u32 signature;
        bool needs;
    } rows[] = {{0x106a4, true}, {0x106a5, true}, {0x106e5, true},  {0x20652, true},  {0x20655, true}, {0x206c2, true},
                {0x206e6, true}, {0x206f2, true}, {0x1067a, false}, {0x206a7, false}, {0x206d7, false}};
    for_each_row (rows, row) {
        struct caps_dump dump = cpu_dump("bloomfield");
        struct pmu_caps caps;
        dump.leaf1.eax = row->signature;
        caps_decode(&dump, &caps);
        assert_int_equal(needs_select_sequence(&caps), row->needs);
        dump.leaf1.ecx |= (u32)BIT(31);
        caps_decode(&dump, &caps);
        assert_false(needs_select_sequence(&caps));
    }
}

CASE(understatements_are_mended_on_silicon_only)
{
    struct caps_dump dump = cpu_dump("conroe-b2");
    struct pmu_caps caps;
    dump.leaf1.ecx |= (u32)BIT(31);
    caps_decode(&dump, &caps);
    assert_true(caps.hypervisor);
    assert_int_equal(caps.fixed_count, 0);
    assert_false(caps.leaf_understates);
}

/* A hypervisor's name is used only if the bit says that there is one. */
CASE(hypervisors_name)
{
    struct caps_dump dump = cpu_dump("skylake");
    struct pmu_caps caps;
    dump.leaf40000000 = (struct cpuid_regs){0x40000001, 0x4b4d564b, 0x564b4d56, 0x4d};
    caps_decode(&dump, &caps);
    assert_string_equal(caps.hypervisor_name, "");
    dump.leaf1.ecx |= (u32)BIT(31);
    caps_decode(&dump, &caps);
    assert_string_equal(caps.hypervisor_name, "KVMKVMKVM");
    dump.leaf40000000 = (struct cpuid_regs){0, 0x566e6558, 0x65584d4d, 0x4d4d566e};
    caps_decode(&dump, &caps);
    assert_string_equal(caps.hypervisor_name, "XenVMMXenVMM");
}

CASE(events)
{
    struct pmu_caps bloomfield = cpu_caps("bloomfield"), lunar = cpu_caps("lunar-lake");
    assert_true(caps_event_available(&bloomfield, 5));
    assert_false(caps_event_available(&bloomfield, 6)); /* EBX bit 6 */
    assert_false(caps_event_available(&bloomfield, 7)); /* beyond the vector */
    assert_true(caps_event_available(&lunar, 12));
    assert_false(caps_event_available(&lunar, 7));
    assert_false(caps_event_available(&lunar, 40));
}

CASE(fixed_counters_with_a_hole)
{
    struct caps_dump dump = cpu_dump("lunar-lake");
    struct pmu_caps caps;
    dump.leaf0a.ecx = 0x77;
    caps_decode(&dump, &caps);
    assert_int_equal(caps.fixed_bitmap, 0x77);
    assert_int_equal(caps.fixed_count, 3);
    dump.leaf0a.eax = (dump.leaf0a.eax & ~0xffu) | 4; /* ECX means nothing below version 5 */
    caps_decode(&dump, &caps);
    assert_int_equal(caps.fixed_bitmap, 7);
}

/* A P core of Lunar Lake: ten GP counters and the one of slots, where leaf 0AH has eight and three for both kinds. */
static struct caps_dump dump_with_leaf23(u32 gp, u32 fixed)
{
    struct caps_dump dump = cpu_dump("lunar-lake");
    dump.leaf0.eax = 0x23;
    dump.leaf1a.eax = 0x40000003;
    dump.leaf7_1.eax = BIT(8);
    dump.leaf23.eax = 0xb;
    dump.leaf23_1 = (struct cpuid_regs){gp, fixed, 0, 0};
    return dump;
}

static void check_counters(const struct caps_dump *dump, u32 gp, u32 fixed, u8 gp_count, u8 fixed_count)
{
    struct pmu_caps caps;
    caps_decode(dump, &caps);
    assert_int_equal(caps.gp_bitmap, gp);
    assert_int_equal(caps.fixed_bitmap, fixed);
    assert_int_equal(caps.gp_count, gp_count);
    assert_int_equal(caps.fixed_count, fixed_count);
    assert_int_equal(caps_counter_bits(&caps), (u64)fixed << 32 | gp);
    assert_int_equal(caps.leaf0a_counters, 0x7000000ff);
}

CASE(leaf_23_adds_counters)
{
    struct caps_dump dump = dump_with_leaf23(0x3ff, 0xf);
    check_counters(&dump, 0x3ff, 0xf, 10, 4);
    dump = dump_with_leaf23(0x2ff, 0x77); /* with gaps */
    check_counters(&dump, 0x2ff, 0x77, 9, 3);
    dump = dump_with_leaf23(0xfffff0fc, 0xffffff78); /* has fewer than leaf 0AH, and some that cannot be reached */
    check_counters(&dump, 0xff, 0x7f, 8, 7);
}

CASE(leaf_23_is_there_or_not)
{
    struct caps_dump dump = dump_with_leaf23(0x3ff, 0xf);
    struct pmu_caps caps;
    dump.leaf7_1.eax = 0;
    check_counters(&dump, 0xff, 7, 8, 3);
    dump = dump_with_leaf23(0x3ff, 0xf);
    dump.leaf23.eax = 9; /* without the sub-leaf of counters */
    check_counters(&dump, 0xff, 7, 8, 3);
    dump = dump_with_leaf23(0x3ff, 0xf);
    dump.leaf0.eax = 0x22;
    check_counters(&dump, 0xff, 7, 8, 3);
    dump = dump_with_leaf23(0x3ff, 0xf);
    dump.leaf1.eax = 0x500f10; /* of no known class: shown, but not used */
    check_counters(&dump, 0xff, 7, 8, 3);
    caps_decode(&dump, &caps);
    assert_int_equal(caps.leaf23_counters, 0xf000003ff);
    assert_false(caps_leaf23_used(&caps));
    dump.leaf23.eax = 0xf; /* the counters that can be reloaded, of those that are used and have a CFG_B */
    dump.leaf23_2 = (struct cpuid_regs){0x3ff, 0xf, 0x3ff, 0xf};
    caps_decode(&dump, &caps);
    assert_int_equal(caps.reloads, 0x7000000fc);
    assert_int_equal(caps.reload_causes, 0x7000000ff);
}

/* Only counters that leaf 23H adds may be left out: counters of leaf 0AH are always tested. */
CASE(counters_that_do_not_answer_are_left_alone)
{
    struct caps_dump dump = dump_with_leaf23(0x3ff, 0xf);
    struct pmu_caps caps;
    dump.silent = BIT(9) | BIT(35) | BIT(0) | BIT(20);
    check_counters(&dump, 0x1ff, 7, 9, 3);
    caps_decode(&dump, &caps);
    assert_int_equal(caps.silent, BIT(9) | BIT(35));
    assert_true(caps_leaf23_used(&caps));
}

CASE(counters_by_their_place)
{
    struct pmu_caps caps = {.gp_bitmap = 0x2a5};
    static const unsigned numbers[] = {0, 2, 5, 7, 9};
    for (unsigned i = 0; i < ARRAY_SIZE(numbers); i++)
        assert_int_equal(caps_gp_index(&caps, i), numbers[i]);
    assert_int_equal(caps_gp_index(&caps, 5), 0);
}

CASE(extremes_stay_in_bounds)
{
    struct caps_dump dump;
    struct pmu_caps caps;
    memset(&dump, 0xff, sizeof(dump));
    dump.smi_count = dump.misc_enable_unread = dump.perf_capabilities_unread = true;
    dump.trace_answers = dump.tracing = true;
    caps_decode(&dump, &caps);
    assert_int_equal(caps.gp_count, GP_COUNTERS_MAX);
    assert_int_equal(caps.gp_width, 64);
    assert_int_equal(caps.fixed_bitmap, 0x7f);
    assert_false(caps.intel);
    assert_int_equal(counter_mask(0), 0);
    assert_int_equal(counter_mask(1), 1);
    assert_int_equal(counter_mask(64), ~0ull);
    assert_int_equal(counter_mask(255), ~0ull);
}

/* Microcode takes PMC3 if CPUID shows IA32_TSX_FORCE_ABORT, transactions do not abort anyway, and the register does not
 * force them to abort. */
CASE(microcode_may_take_pmc3)
{
    static const struct {
        u32 leaf7_edx;
        u64 tsx_force_abort;
        bool taken;
    } rows[] = {
        {0, 0, false}, {BIT(13), 0, true}, {BIT(13), 1, false}, {BIT(13) | BIT(11), 0, false}, {BIT(11), 0, false},
    };
    for_each_row (rows, row) {
        struct caps_dump dump = cpu_dump("skylake");
        struct pmu_caps caps;
        dump.leaf7.edx = row->leaf7_edx;
        dump.tsx_force_abort = row->tsx_force_abort;
        caps_decode(&dump, &caps);
        assert_int_equal(caps.tsx_takes_pmc3, row->taken);
    }
}

CASE(limited_cpuid_is_told)
{
    struct caps_dump dump = cpu_dump("sandy-bridge");
    struct pmu_caps caps;
    dump.leaf0.eax = 3;
    dump.leaf0a = (struct cpuid_regs){0};
    dump.misc_enable |= BIT(22);
    caps_decode(&dump, &caps);
    assert_false(caps.present);
    assert_true(caps.cpuid_limited);
}

CASE(hybrid_cores_have_their_class)
{
    struct caps_dump dump = cpu_dump("alder-lake");
    struct pmu_caps caps;
    dump.leaf1a.eax = 0x20000001;
    caps_decode(&dump, &caps);
    assert_int_equal(cpu_class(&caps), CLASS_GRACEMONT);
    dump.leaf1a.eax = 0x40000001;
    caps_decode(&dump, &caps);
    assert_int_equal(cpu_class(&caps), CLASS_GOLDEN_COVE);
    dump.leaf1a.eax = 0x20000009; /* an unknown native model */
    caps_decode(&dump, &caps);
    assert_int_equal(cpu_class(&caps), CLASS_UNKNOWN);
}

/* Arrow Lake-H: three kinds, two of them of one type. */
CASE(kinds_of_one_type_are_told_apart)
{
    static const u32 kinds[] = {0x40000003, 0x20000003, 0x20000002};
    struct caps_dump dump = cpu_dump("lunar-lake");
    struct pmu_caps caps[ARRAY_SIZE(kinds)];
    dump.leaf1.eax = 0xc0652;
    for (unsigned i = 0; i < ARRAY_SIZE(kinds); i++) {
        dump.leaf1a.eax = kinds[i];
        caps_decode(&dump, &caps[i]);
        for (unsigned other = 0; other <= i; other++)
            assert_int_equal(caps_same_kind(&caps[other], &caps[i]), other == i);
    }
    assert_int_equal(cpu_class(&caps[1]), CLASS_SKYMONT);
    assert_int_equal(cpu_class(&caps[2]), CLASS_CRESTMONT);
}

/* SDM 2A, "CPUID": a set bit of EBX marks a missing event. VMware marks all seven to its guests. */
CASE(no_event_is_available)
{
    struct caps_dump dump = cpu_dump("sandy-bridge");
    struct pmu_caps caps;
    dump.leaf0a = (struct cpuid_regs){0x07300401, 0x7f, 0, 0};
    caps_decode(&dump, &caps);
    assert_true(caps.present && caps.gp_count == 4 && caps_no_event(&caps));
    dump.leaf0a.ebx = 0x7e;
    caps_decode(&dump, &caps);
    assert_false(caps_no_event(&caps));
    dump.leaf0a = (struct cpuid_regs){0};
    caps_decode(&dump, &caps);
    assert_false(caps_no_event(&caps));
}

/* PERF_METRICS of Meteor Lake's P cores, which do not enumerate it: found by trying, and never under a hypervisor. */
CASE(metrics_by_class)
{
    static const struct {
        bool answers, hypervisor, leaf23;
        u32 kind;
        u64 capabilities;
        bool metrics;
    } rows[] = {
        {true, false, true, 0x40000002, 0x274ff, true},  {false, false, true, 0x40000002, 0x274ff, false},
        {true, true, true, 0x40000002, 0x274ff, false},  {true, false, false, 0x40000002, 0x274ff, false},
        {true, false, true, 0x20000002, 0x274ff, false}, {false, false, false, 0x40000002, 0x2f4ff, true},
    };
    for_each_row (rows, row) {
        struct caps_dump dump = cpu_dump("lunar-lake");
        struct pmu_caps caps;
        dump.leaf0.eax = 0x23;
        dump.leaf1.eax = 0xa06a4;
        dump.leaf1.ecx |= row->hypervisor ? 1u << 31 : 0;
        dump.leaf0a = (struct cpuid_regs){0x07300805, 0, 7, 0x8603};
        dump.leaf1a.eax = row->kind;
        dump.leaf7_1.eax = row->leaf23 ? 0x100 : 0;
        dump.leaf23.eax = 0xb;
        dump.leaf23_1 = (struct cpuid_regs){0xff, 0xf, 0, 0};
        dump.perf_capabilities = row->capabilities;
        dump.metrics_answers = row->answers;
        caps_decode(&dump, &caps);
        assert_int_equal(caps.metrics, row->metrics);
    }
}

CASE(debug_store_needs_known_good_cpus)
{
    struct pmu_caps skylake = cpu_caps("skylake-8"), unknown = cpu_caps("unknown"), sandy = cpu_caps("sandy-bridge");
    assert_int_equal(pebs_counter_bits(&skylake), 0xf);
    assert_false(ds_usable(&unknown));
    assert_true(ds_usable(&sandy));
    sandy.microcode = 0x27;
    assert_false(ds_usable(&sandy));
    skylake.pebs_unavailable = true;
    assert_int_equal(pebs_counter_bits(&skylake), 0);
    struct pmu_caps goldmont_plus = cpu_caps("goldmont-plus");
    assert_int_equal(pebs_counter_bits(&goldmont_plus), 0x70000000full);
}

#define ROOM 16u << 16, 0x4121 | 7u << 26

CASE(threads_of_a_core)
{
    static const struct {
        u32 max, leaf1_ebx, leaf4_eax;
        struct cpuid_regs leaf0b, leaf1f;
        u8 siblings;
        u64 misc_enable;
        unsigned bits, threads;
    } rows[] = {
        {5, 2u << 16, 0x4121, {0}, {0}, 0, 0, 1, 2},             /* Pentium 4 */
        {5, 2u << 16, 0x4121 | 1u << 26, {0}, {0}, 0, 0, 0, 1},  /* Pentium D */
        {10, 4u << 16, 0x4121 | 3u << 26, {0}, {0}, 0, 0, 0, 1}, /* Core 2 Quad */
        {10, 2u << 16, 0x4121, {0}, {0}, 0, 0, 1, 2},            /* Atom */
        {2, 2u << 16, 0, {0}, {0}, 0, 0, 1, 2},                  /* Xeon before leaf 4 */
        {3, 2u << 16, 0, {0}, {0}, 0, 1u << 22, 0, 0},           /* firmware hides it */
        {13, ROOM, {1, 2, 0x100, 0}, {0}, 0, 0, 1, 2},           /* leaf 0BH, firmware's list unread */
        {13, ROOM, {1, 2, 0x100, 0}, {0}, 2, 0, 1, 2},
        {13, ROOM, {1, 2, 0x100, 0}, {0}, 1, 0, 1, 1}, /* switched off, and EBX still states two */
        {13, ROOM, {1, 1, 0x100, 0}, {0}, 2, 0, 1, 2}, /* switched on, and EBX states one */
        {13, ROOM, {0, 1, 0x100, 0}, {0}, 0, 0, 0, 1}, /* no bit for a thread */
        {13, ROOM, {2, 4, 0x100, 0}, {0}, 3, 0, 2, 3}, /* Knights Landing with a thread that is off */
        {31, ROOM, {0, 1, 0x100, 0}, {1, 2, 0x100, 0}, 2, 0, 1, 2},
        {31, ROOM, {1, 2, 0x100, 0}, {0, 0, 0x001, 0}, 2, 0, 1, 2}, /* leaf 1FH is there and empty */
        {13, 2u << 16, 0x4121, {4, 8, 0x200, 0}, {0}, 1, 0, 1, 2},  /* no level of threads: by leaves 1 and 4 */
        {4, 0, 0, {0}, {0}, 0, 0, 0, 0},
    };
    for_each_row (rows, row) {
        struct caps_dump dump = cpu_dump("none");
        struct pmu_caps caps;
        dump.leaf0.eax = row->max;
        dump.leaf1.ebx = row->leaf1_ebx;
        dump.leaf4.eax = row->leaf4_eax;
        dump.leaf0b = row->leaf0b;
        dump.leaf1f = row->leaf1f;
        dump.siblings = row->siblings;
        dump.misc_enable |= row->misc_enable;
        caps_decode(&dump, &caps);
        assert_int_equal(caps.threads_per_core, row->threads);
        assert_int_equal(caps.thread_bits, row->bits);
    }
}

/* All of a core's counters without hyper-threading, or half of them: for the generations in which that matters. */
CASE(second_threads)
{
    static const struct {
        const char *cpu;
        u8 threads;
        bool may;
    } rows[] = {
        {"skylake", 2, true},    {"skylake", 1, false},      {"skylake", 0, true},
        {"skylake-8", 2, false}, {"ivy-bridge-8", 2, false}, {"broadwell", 2, true},
        {"ice-lake", 2, true},   {"bloomfield", 2, true},    {"bonnell", 1, false},
    };
    for_each_row (rows, row) {
        struct pmu_caps caps = cpu_caps(row->cpu);
        caps.threads_per_core = row->threads;
        assert_int_equal(class_may_share_core(&caps), row->may);
    }
}

int main(void)
{
    return run_cases();
}
