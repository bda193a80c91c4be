/* SPDX-License-Identifier: BSD-2-Clause */
/* The CPUs that can sample, with their counters and events. */
#include "pmu/cpu/pebs.h"
#include "tests/host/case.h"
#include "tests/host/pmu/cpu_dumps.h"

static struct pmu_caps sampling_caps(const char *cpu)
{
    struct caps_dump dump = cpu_dump(cpu);
    struct pmu_caps caps;
    dump.leaf1.edx |= BIT(21);
    caps_decode(&dump, &caps);
    return caps;
}

static const struct {
    const char *cpu;
    u64 counters, precise;
    unsigned format;
    bool adaptive, latency;
} rows[] = {
    {"conroe-b2", 0x1, 0, 0, false, false},
    {"harpertown", 0x1, 0, 0, false, false},
    {"bonnell", 0x1, 0, 0, false, false},
    {"silvermont", 0x1, 0, 2, false, false},
    {"bloomfield", 0xf, 0, 1, false, true},
    {"sandy-bridge", 0xf, 0x2, 1, false, true},
    {"ivy-bridge-8", 0xf, 0x2, 1, false, true},
    {"broadwell", 0xf, 0x2, 2, false, true},
    {"skylake", 0xf, 0x2, 3, false, true},
    {"skylake-8", 0xf, 0x2, 3, false, true},
    {"goldmont-plus", 0x70000000f, 0, 3, false, false},
    {"ice-lake", 0xf000000ff, 0x100000000, 4, true, true},
    {"alder-lake", 0x70000003f, 0x100000000, 4, true, true},
    {"lunar-lake", 0x7000000ff, 0x100000003, 6, true, true},
    {"yonah", 0, 0, 0, false, false},
    {"unknown", 0, 0, 6, false, false},
    {"none", 0, 0, 0, false, false},
};

CASE(counters_by_class)
{
    for_each_row (rows, row) {
        struct pmu_caps caps = sampling_caps(row->cpu);
        char text[PEBS_TEXT];
        if (pebs_counter_bits(&caps) != row->counters || pebs_precise_bits(&caps) != row->precise ||
            pebs_format(&caps) != row->format || pebs_adaptive(&caps) != row->adaptive ||
            pebs_latency_exists(&caps) != row->latency)
            fail_msg("%s", row->cpu);
        assert_int_equal(pebs_unavailable(&caps, 0, text) == PEBS_USABLE, row->counters != 0);
    }
}

CASE(reasons_carry_the_value)
{
    struct pmu_caps caps = sampling_caps("skylake");
    char text[PEBS_TEXT];
    assert_int_equal(pebs_unavailable(&caps, 3, text), PEBS_USABLE);
    assert_int_equal(pebs_unavailable(&caps, 4, text), PEBS_LACKING);
    assert_string_equal(text, "IA32_PERF_CAPABILITIES[11:8]=3: PEBS format 4 is needed");
    caps.misc_enable |= BIT(12);
    caps.pebs_unavailable = true;
    assert_int_equal(pebs_unavailable(&caps, 0, text), PEBS_SWITCHED_OFF);
    assert_string_equal(text, "IA32_MISC_ENABLE[12]=1 (0x851089): PEBS unavailable");
    caps = sampling_caps("sandy-bridge");
    caps.microcode = 0x27;
    assert_int_equal(pebs_unavailable(&caps, 0, text), PEBS_BROKEN);
    assert_string_equal(text, "microcode 0x27: PEBS is broken below 0x28 (BJ106)");
    assert_int_equal(pebs_counter_bits(&caps), 0);
    assert_int_equal(netburst_pebs_unavailable(&caps, text), PEBS_LACKING);
    assert_string_equal(text, "CPUID.1:EAX=0x000206a7: no NetBurst");
    assert_false(netburst_pebs_usable(&caps));
}

/* Panther Lake's format; IA32_MISC_ENABLE[12] is also set there, but is not the reason. */
CASE(architectural_sampling_is_another_one)
{
    struct pmu_caps caps = sampling_caps("lunar-lake");
    char text[PEBS_TEXT];
    caps.perf_capabilities |= 0xf00;
    assert_false(ds_usable(&caps));
    assert_int_equal(pebs_counter_bits(&caps), 0);
    caps.pebs_unavailable = true;
    assert_int_equal(pebs_unavailable(&caps, 0, text), PEBS_LACKING);
    assert_string_equal(text, "IA32_PERF_CAPABILITIES[11:8]=15: architectural PEBS, not the debug store's");
}

CASE(every_event_has_a_counter)
{
    for_each_row (rows, row) {
        struct pmu_caps caps = sampling_caps(row->cpu);
        struct pebs_event event;
        unsigned count = 0;
        for (; pebs_event(&caps, count, &event); count++) {
            assert_true(event.counters != 0 && !(event.counters & ~row->counters));
            assert_true(event.event || !(event.counters & MASK(31, 0)));
        }
        assert_int_equal(count != 0, row->counters != 0);
        assert_int_equal(pebs_event_of(&caps, PEBS_INSTRUCTIONS, &event), row->counters != 0);
    }
}

/* Instructions are not listed for Silvermont, and on Sandy Bridge need a quiet core; loads are unreliable with two
 * threads. */
CASE(some_events_take_care)
{
    static const struct {
        const char *cpu;
        u8 threads;
        enum pebs_kind kind;
        enum pebs_care care;
        u16 basic;
    } events[] = {
        {"silvermont", 1, PEBS_INSTRUCTIONS, PEBS_UNLISTED, 0x00c4},
        {"sandy-bridge", 1, PEBS_INSTRUCTIONS, PEBS_CORE_QUIET, 0x04c4},
        {"sandy-bridge", 1, PEBS_LOADS, PEBS_ANY_TIME, 0x04c4},
        {"sandy-bridge", 2, PEBS_LOADS, PEBS_MAY_MISS, 0x04c4},
        {"sandy-bridge", 0, PEBS_LOADS, PEBS_MAY_MISS, 0x04c4},
        {"ivy-bridge-8", 1, PEBS_INSTRUCTIONS, PEBS_ANY_TIME, 0x01c0},
        {"ivy-bridge-8", 2, PEBS_LOADS, PEBS_ANY_TIME, 0x01c0}, /* eight counters: hyper-threading is off */
        {"skylake", 2, PEBS_LOADS, PEBS_ANY_TIME, 0x01c0},
        {"skylake", 2, PEBS_LATENCY, PEBS_ANY_TIME, 0x01c0},
    };
    for_each_row (events, row) {
        struct pmu_caps caps = sampling_caps(row->cpu);
        struct pebs_event event;
        caps.threads_per_core = row->threads;
        assert_true(pebs_event_of(&caps, row->kind, &event));
        if (event.care != row->care)
            fail_msg("%s, %u threads: care %u", row->cpu, row->threads, event.care);
        assert_true(pebs_basic_event(&caps, &event));
        assert_int_equal(event.event, row->basic);
    }
}

CASE(precise_distribution_has_its_own_counter)
{
    struct pmu_caps caps = sampling_caps("skylake");
    struct pebs_event event;
    assert_true(pebs_event_of(&caps, PEBS_INSTRUCTIONS, &event));
    assert_int_equal(event.event, 0x01c0);
    assert_int_equal(event.counters, 0x2);
}

int main(void)
{
    return run_cases();
}
