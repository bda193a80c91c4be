/* SPDX-License-Identifier: BSD-2-Clause */
/* The gate's decisions about memory that a PMU writes to: debug store, traces, architectural PEBS. */
#include "pmu/area/trace_area.h"
#include "pmu/cpu/counters.h"
#include "pmu/cpu/pebs.h"
#include "tests/host/case.h"
#include "tests/host/pmu/cpu_dumps.h"
#include "tests/host/pmu/gate_question.h"

/* The write gate's rules for debug store: records go to our own memory or nowhere. Numbers from the manual. */

CASE(areas_of_our_own)
{
    const char *rule;
    struct pmu_caps caps = cpu_caps("skylake");
    struct gate_context running = {.area_offered = true}, stopped = {.counters_stopped = true, .area_offered = true};
    assert_true(gate_wants(register_row_of(&caps, 0x600)).area);
    assert_true(row_allows(&caps, &stopped, 0x600, 0x123000, &rule));
    assert_false(row_allows(&caps, &running, 0x600, 0x123000, &rule));
    assert_true(row_allows(&caps, &running, 0x600, 0, &rule));
    stopped.area_offered = false;
    assert_false(row_allows(&caps, &stopped, 0x600, 0x123000, &rule));
    assert_string_equal(rule, "DS area: none, one of ours or not canonical, counters stopped, known class");
    assert_true(row_allows(&caps, &stopped, 0x600, 1ull << 63, &rule));  /* a #GP */
    assert_false(row_allows(&caps, &stopped, 0x600, 1ull << 47, &rule)); /* canonical with five levels of paging */
    running.area_offered = false;
    assert_false(row_allows(&caps, &running, 0x600, 1ull << 63, &rule));
}

static struct pmu_caps prescott(void)
{
    struct caps_dump dump = {.leaf0 = {5, 0x756e6547, 0x6c65746e, 0x49656e69},
                             .leaf1 = {0xf43, 0, 0x649d, 0xbfebfbff},
                             .misc_enable = 0x850089};
    struct pmu_caps caps;
    caps_decode(&dump, &caps);
    return caps;
}

static const struct {
    u32 msr;
    u64 value;
    bool stopped, allowed;
} netburst_writes[] = {
    {0x310, 0xffffffffff, true, true},
    {0x311, 1, true, true},
    {0x310, 1ull << 40, true, false},
    {0x30f, 0, true, true},
    {0x312, 0, true, false},
    {0x370, 0x3b000, true, true},
    {0x371, 0x0803f000, true, true},
    {0x370, 1, true, false},
    {0x36f, 0, true, true},
    {0x3cc, 0x10000200, true, true},
    {0x3cd, 1ull << 31, true, false},
    {0x3bc, 0x04000400, true, true},
    {0x3bb, 0, true, false},
    {0x3f1, 0x3000001, true, true},
    {0x3f1, 0x3000001, false, false},
    {0x3f1, 0, false, true},
    {0x3f1, 1ull << 26, true, false},
    {0x3f2, 0x1fff, true, true},
    {0x3f2, 0x2000, true, false},
    {0x600, 0, true, true},
    {0x600, 0x123000, true, false},
    {0x309, 0, true, true},
    {0x186, 0, true, false},
    {0x38f, 0, true, false},
    {0x1d9, 0, true, false},
    {0x35f, 0, true, false},
    {0x372, 0, true, false},
};

CASE(netburst)
{
    struct pmu_caps caps = prescott();
    const char *rule;
    for_each_row (netburst_writes, row) {
        struct gate_context context = {.counters_stopped = row->stopped};
        if (row_allows(&caps, &context, row->msr, row->value, &rule) != row->allowed)
            fail_msg("%#x := %#llx is %s", row->msr, (unsigned long long)row->value,
                     row->allowed ? "refused" : "allowed");
    }
    struct gate_context sampling = {.sampling = true}, offered = {.counters_stopped = true, .area_offered = true};
    assert_false(row_allows(&caps, &sampling, 0x370, 0x3b000, &rule));
    sampling.own_area = true;
    assert_true(row_allows(&caps, &sampling, 0x370, 0x3b000, &rule));
    assert_true(row_allows(&caps, &offered, 0x600, 0x123000, &rule));
    caps.pebs_unavailable = true;
    assert_false(row_allows(&caps, &offered, 0x310, 0, &rule));
}

/* The write gate's rules for processor trace, and its description in leaf 14H. Numbers from the manual and dumps. */

static struct pmu_caps tracer(const char *name, u32 ebx, u32 ecx, bool answers, bool tracing)
{
    struct caps_dump dump = cpu_dump(name);
    struct pmu_caps caps;
    dump.leaf7.ebx |= 1u << 25;
    dump.leaf14 = (struct cpuid_regs){1, ebx, ecx, 0};
    dump.leaf14_1 = (struct cpuid_regs){0x02490002, 0x003f3fff, 0, 0};
    dump.trace_answers = answers;
    dump.tracing = tracing;
    caps_decode(&dump, &caps);
    return caps;
}

CASE(enumeration)
{
    char text[TRACE_TEXT];
    struct pmu_caps skylake = tracer("skylake", 0xf, 7, true, false);
    struct pmu_caps broadwell = tracer("broadwell", 1, 1, true, false);
    assert_null(trace_unavailable(&skylake, text));
    assert_int_equal(trace_regions(&skylake), 2);
    assert_int_equal(skylake.trace_ranges, 2);
    assert_int_equal(trace_ctl_bits(&skylake), 0x2f8e);
    assert_int_equal(trace_ctl_absent(&skylake), 0x80000080001070);
    assert_int_equal(trace_regions(&broadwell), 1);
    assert_int_equal(trace_ctl_bits(&broadwell), 0x2d8c);
    struct pmu_caps silent = tracer("skylake", 0xf, 7, false, false), taken = tracer("skylake", 0xf, 7, true, true);
    struct pmu_caps none = cpu_caps("skylake");
    assert_non_null(trace_unavailable(&silent, text));
    assert_non_null(trace_unavailable(&taken, text));
    assert_string_equal(trace_unavailable(&none, text), "CPUID.7.0:EBX[25]=0: no processor trace");
    assert_true(trace_pointers_inside(0x7f));
    assert_true(trace_pointers_inside(4096ull << 32 | 511 << 7));
    assert_false(trace_pointers_inside(4097ull << 32));
    assert_false(trace_pointers_inside(512 << 7));
}

static const struct {
    u32 msr;
    u64 value;
    bool kept_in, allowed;
} writes[] = {
    {0x560, 0x123000, true, true}, {0x560, 0x123000, false, false},  {0x561, 0x7f, true, true},
    {0x561, 0x7f, false, false},   {0x570, 0x2105, true, true},      {0x570, 0x2105, false, false},
    {0x570, 0x10, true, true},     {0x570, 1ull << 60, true, false}, {0x571, 0x30, true, true},
    {0x571, 8, true, false},       {0x572, 0x12345000, true, true},  {0x572, 0x20, true, true},
    {0x572, 0x60, true, false},    {0x572, 1ull << 63, true, true},  {0x572, 0x10, true, false},
    {0x580, 0x1000, true, true},   {0x583, 1ull << 47, true, false}, {0x584, 0, true, false},
    {0x580, 0x1000, false, false}, {0x570, 0, false, false},
};

CASE(writes_of_a_trace)
{
    struct pmu_caps caps = tracer("skylake", 0xf, 7, true, false), others = tracer("skylake", 0xf, 7, true, true);
    struct pmu_caps untested = tracer("ice-lake", 0xf, 7, true, false), none = cpu_caps("skylake");
    const char *rule;
    for_each_row (writes, row) {
        struct gate_context context = {.trace_kept_in = row->kept_in};
        if (row_allows(&caps, &context, row->msr, row->value, &rule) != row->allowed)
            fail_msg("%#x := %#llx", row->msr, (unsigned long long)row->value);
        assert_false(row_allows(&others, &context, row->msr, row->value, &rule));
        assert_false(row_allows(&none, &context, row->msr, row->value, &rule));
    }
    struct gate_context kept_in = {.trace_kept_in = true};
    assert_false(row_allows(&untested, &kept_in, 0x570, 0x10, &rule)); /* a reserved bit on an untried class */
}

/* Architectural PEBS: its description in leaf 23H, and the writes that the gate allows. Numbers from Panther Lake's
 * dumps. */

static struct caps_dump panther_lake(bool atom)
{
    struct caps_dump dump = cpu_dump("lunar-lake");
    dump.leaf0.eax = 0x28;
    dump.leaf1.eax = 0xc06c3;
    dump.leaf1a.eax = atom ? 0x20000004 : 0x40000004;
    dump.leaf7_1.eax = BIT(8);
    dump.leaf23 = atom ? (struct cpuid_regs){0x3f, 3, 8, 0} : (struct cpuid_regs){0x3b, 3, 0, 0};
    dump.leaf23_1 = atom ? (struct cpuid_regs){0xff, 0x77, 0, 0} : (struct cpuid_regs){0x3ff, 0xf, 0, 0};
    if (atom)
        dump.leaf23_2 = (struct cpuid_regs){0xfc, 3, 0xfc, 3};
    dump.leaf23_4.ebx = atom ? 0x60060338 : 0x60060378;
    dump.leaf23_5 = atom ? (struct cpuid_regs){0xff, 3, 0x77, 1} : (struct cpuid_regs){0x3ff, 3, 0xf, 1};
    dump.perf_capabilities = (dump.perf_capabilities & ~0x4f00ull) | 0xf00;
    dump.misc_enable = 0x851089;
    return dump;
}

static struct pmu_caps decoded(const struct caps_dump *dump)
{
    struct pmu_caps caps;
    caps_decode(dump, &caps);
    return caps;
}

CASE(enumeration_of_gate_apebs)
{
    struct caps_dump core = panther_lake(false), atom = panther_lake(true);
    struct pmu_caps p = decoded(&core), e = decoded(&atom);
    char text[APEBS_TEXT];
    assert_null(apebs_unavailable(&p, text));
    assert_int_equal(apebs_counter_bits(&p), 0xf000003ff);
    assert_int_equal(apebs_counter_bits(&e), 0x77000000ff);
    assert_int_equal(apebs_precise_bits(&p), 0x100000003);
    assert_int_equal(apebs_config_bits(&p), 0xe006037800000000);
    assert_int_equal(apebs_config_bits(&e), 0xe006033800000000);
    core.leaf23.eax &= ~BIT(4);
    p = decoded(&core);
    assert_string_equal(apebs_unavailable(&p, text), "CPUID.23H: sub-leaves 4 and 5 enumerate no counter that samples");
    assert_int_equal(apebs_config_bits(&p), 0);
    core = panther_lake(false);
    core.perf_capabilities = 0x6000;
    p = decoded(&core);
    assert_string_equal(apebs_unavailable(&p, text), "IA32_PERF_CAPABILITIES[11:8]=0: no architectural PEBS");
    core = panther_lake(false);
    core.leaf1.eax = 0xe06f0;
    p = decoded(&core);
    assert_string_equal(apebs_unavailable(&p, text), "signature 000e06f0: leaf 23H is not known for this class");
    struct pmu_caps skylake = cpu_caps("skylake");
    assert_false(apebs_usable(&skylake));
}

#define FIRST 0x200000
#define ROOM 0x4000

CASE(buffers)
{
    assert_true(apebs_base_within(FIRST | 2, FIRST, ROOM));
    assert_true(apebs_base_within(FIRST + 0x3000, FIRST, ROOM));
    assert_true(apebs_base_within((FIRST + 0x2000) | 1, FIRST, ROOM));
    assert_false(apebs_base_within((FIRST + 0x3000) | 1, FIRST, ROOM));
    assert_false(apebs_base_within(FIRST + 0x4000, FIRST, ROOM));
    assert_false(apebs_base_within(FIRST - 0x1000, FIRST, ROOM));
    assert_false(apebs_base_within(FIRST | 3, FIRST, ROOM));
    assert_false(apebs_base_within(FIRST | 0x40, FIRST, ROOM));
    assert_false(apebs_base_within(BIT(63) | FIRST, FIRST, ROOM));
    assert_false(apebs_base_within(0, FIRST, ROOM));
    assert_int_equal(apebs_buffer_bytes(0), 4096);
    assert_int_equal(apebs_buffer_bytes(2), 16384);
    assert_int_equal(apebs_buffer_bytes(3), 0);
    assert_int_equal(apebs_index(0x40, 0x1000), 0x100000000040);
    assert_int_equal(apebs_written(0x1234567f80000fffull), 0xff0);
    assert_true(apebs_index_within(0x0000100180001000, 4096));
    assert_false(apebs_index_within(0x0000101000000000, 4096));
    assert_false(apebs_index_within(0x1010, 4096));
}

static const struct {
    u32 msr;
    u64 value;
    bool core, atom; /* allowed while records stay within the buffer */
} writes_of_gate_apebs[] = {
    {0x3f4, FIRST | 2, true, true},
    {0x3f5, 0x0000100100000000, true, true},
    {0x3f5, 0x80000010, true, true},
    {0x3f5, 8, false, false},
    {0x3f5, 1ull << 27, false, false},
    {0x3f5, 1ull << 33, false, false},
    {0x3f5, 1ull << 59, false, false},
    {0x1903, 0xe0060378ffffffff, true, false},
    {0x1903, 0xe0060338ffffffff, true, true},
    {0x1903, 1ull << 53, false, false},
    {0x1903, 1ull << 32, false, false},
    {0x1902, 0, false, false}, /* nothing reloads PMC0 */
    {0x1923, 1ull << 63, true, false},
    {0x190a, 4, false, true},
    {0x1983, 1ull << 63, true, true},
    {0x198f, 1ull << 63, true, false},
    {0x199b, 1ull << 63, false, true},
    {0x390, 1ull << 54, true, true},
    {0x391, 1ull << 54, false, false},
    {0x3f1, 1, false, false},
    {0x3f2, 1, false, false},
    {0x600, 0, false, false},
};

CASE(rows)
{
    struct caps_dump core = panther_lake(false), atom = panther_lake(true), unknown = core;
    unknown.leaf1.eax = 0xe06f0;
    struct pmu_caps p = decoded(&core), e = decoded(&atom), none = decoded(&unknown);
    const struct gate_context good = {.records_kept_in = true, .counters_stopped = true};
    const char *rule;
    for_each_row (writes_of_gate_apebs, row) {
        bool got_p = row_allows(&p, &good, row->msr, row->value, &rule);
        bool got_e = row_allows(&e, &good, row->msr, row->value, &rule);
        if (got_p != row->core || got_e != row->atom)
            fail_msg("%#x := %#llx: core %d, atom %d", row->msr, (unsigned long long)row->value, got_p, got_e);
        assert_false(row_allows(&none, &good, row->msr, row->value, &rule));
    }
}

/* Another owner's buffer, running counters, and a start without a buffer for the records. */
CASE(out_of_bounds)
{
    struct caps_dump core = panther_lake(false);
    struct pmu_caps p = decoded(&core);
    const struct gate_context astray = {.counters_stopped = true}, running = {.records_kept_in = true};
    struct gate_context sampling = {.sampling = true, .counters_stopped = true};
    const char *rule;
    assert_false(row_allows(&p, &astray, 0x3f4, FIRST, &rule));
    assert_false(row_allows(&p, &astray, 0x3f5, 0x100000000, &rule));
    assert_false(row_allows(&p, &astray, 0x1903, 1ull << 63, &rule));
    assert_false(row_allows(&p, &running, 0x3f4, FIRST, &rule));
    assert_true(row_allows(&p, &running, 0x3f4, 0, &rule));
    assert_false(row_allows(&p, &sampling, 0x38f, 1, &rule));
    assert_true(row_allows(&p, &sampling, 0x38f, 0, &rule));
    sampling.own_area = true;
    assert_true(row_allows(&p, &sampling, 0x38f, 1, &rule));
}

CASE(what_was_written)
{
    struct caps_dump core = panther_lake(false);
    struct pmu_caps p = decoded(&core);
    struct own own = {0};
    own_record(&own, own_slot(0x1923), 0xfffffc00);
    assert_false(own_samples(&own));
    own_record(&own, own_slot(0x1983), 1ull << 63 | 0xfffffc00);
    assert_true(own_samples(&own));
    unsigned slot = own_slot(0x1983);
    assert_int_equal(own_register(&p, slot), 0x1983);
    assert_true(own_agrees(&p, &own, slot, 1ull << 63));
    own_record(&own, own_slot(0x1983), 1ull << 63);
    assert_false(own_agrees(&p, &own, slot, 0));
    own_record(&own, own_slot(0x1983), 0);
    assert_false(own_samples(&own));
    assert_int_equal(alias_cfg_b(9), 0x1926);
    assert_int_equal(alias_cfg_b(33), 0x1986);
    assert_int_equal(alias_cfg_c(9), 0x1927);
    assert_int_equal(alias_cfg_c(32 + 6), 0x199b);
    assert_int_equal(alias_cfg_b_bit(0x1926), 9);
    assert_int_equal(alias_cfg_b_bit(0x1927), 64);
    assert_int_equal(alias_value_bit(0x4c9), 8);
    assert_int_equal(alias_value_bit(0xc9), 8);
    assert_int_equal(alias_value_bit(0x1920), 8);
    assert_int_equal(alias_value_bit(0x30b), 34);
    assert_int_equal(alias_value_bit(0x1988), 34);
    assert_int_equal(alias_value_bit(0x4c0), 64);
    assert_int_equal(alias_cfg_c_bit(0x1927), 9);
    assert_int_equal(alias_cfg_c_bit(0x199b), 38);
    assert_int_equal(alias_cfg_c_bit(0x192b), 64);
    assert_int_equal(alias_cfg_c_bit(0x1902), 64);
}

/* Is a register with our value `written` reported as changed by somebody else if it reads `found`? */
static bool foreign(const struct pmu_caps *p, u32 msr, u64 written, u64 found)
{
    struct own own = {0};
    own_record(&own, own_slot(msr), written);
    assert_int_equal(own_register(p, own_slot(msr)), msr);
    assert_false(own_samples(&own));
    return !own_agrees(p, &own, own_slot(msr), found);
}

/* The counter that reloads another, and the threshold for the PMI; the hardware writes_of_gate_apebs the address of the
 * next record. */
CASE(foreign_writes)
{
    struct caps_dump core = panther_lake(true);
    struct pmu_caps p = decoded(&core);
    assert_false(foreign(&p, 0x190a, 1ull << 3, 1ull << 3));
    assert_true(foreign(&p, 0x190a, 1ull << 3, 0));
    assert_true(foreign(&p, 0x191e, 0, 1ull << 32));
    assert_true(foreign(&p, 0x1986, 1ull << 2, 1ull << 3));
    assert_false(foreign(&p, 0x3f5, 0x40100000000, 0x40180000400));
    assert_true(foreign(&p, 0x3f5, 0x40100000000, 0x80100000000));
}

int main(void)
{
    return run_cases();
}
