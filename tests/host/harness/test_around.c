/* SPDX-License-Identifier: BSD-2-Clause */
/* What is drawn around a test: legal on each CPU, of the parts that are asked for, the same for the same seed. */
#include "harness/core/around.h"
#include "pmu/gate/gate.h"
#include "pmu/registers.h"
#include "tests/host/case.h"
#include "tests/host/pmu/cpu_dumps.h"

#define SEEDS 300
#define ALL_PARTS ((1u << AROUND_PARTS) - 1)

static const char *const cpus[] = {"skylake", "haswell", "ice-lake", "sapphire-rapids"};

static struct surroundings draw(const char *cpu, unsigned parts, u64 seed)
{
    struct pmu_caps caps = cpu_caps(cpu);
    return around_draw(&caps, parts, seed, (u32)seed, gate_bits);
}

/* A control that the gate refuses would end the test that it is drawn for. */
CASE(controls_are_legal)
{
    for (unsigned cpu = 0; cpu < ARRAY_SIZE(cpus); cpu++) {
        struct pmu_caps caps = cpu_caps(cpus[cpu]);
        for (u64 seed = 0; seed < SEEDS; seed++) {
            struct surroundings around = draw(cpus[cpu], ALL_PARTS, seed);
            for_each_gp (&caps, n)
                assert_int_equal(around_select(&around, n) & ~gate_bits(&caps, MSR_PERFEVTSEL(n)), 0);
            for_each_fixed (&caps, i)
                assert_int_equal(around_field(&around, i) & ~(0xbull << 4 * i), 0);
        }
    }
}

CASE(bits_are_possible)
{
    for (unsigned cpu = 0; cpu < ARRAY_SIZE(cpus); cpu++) {
        struct pmu_caps caps = cpu_caps(cpus[cpu]);
        u64 counters = caps_counter_bits(&caps);
        for (u64 seed = 0; seed < SEEDS; seed++) {
            struct surroundings around = draw(cpus[cpu], ALL_PARTS, seed);
            for (unsigned part = AROUND_NEIGHBOURS; part < AROUND_TRACE; part++)
                assert_int_equal(around.part[part] & ~counters, 0);
            assert_int_equal(around.part[AROUND_RECORDING] & ~1ull, 0);
            assert_int_equal(around.part[AROUND_STANDING] & (3ull << 58), 0); /* freezing is a part of its own */
            assert_int_equal(around.part[AROUND_FREEZING] & ~(BIT(11) | BIT(12)), 0);
            assert_int_equal(around.part[AROUND_STANDING] & around.part[AROUND_FEATURES], 0);
            if (caps.version < 4)
                assert_int_equal(around.part[AROUND_STANDING] | around.part[AROUND_FROZEN], 0);
        }
    }
}

/* At first everything; later each bit is sometimes there and sometimes not. */
CASE(everything_and_each_alone)
{
    struct pmu_caps caps = cpu_caps("skylake");
    struct surroundings first = draw("skylake", ASIDE_COUNTERS, 0);
    u64 always = ~0ull, ever = 0;
    assert_int_equal(first.part[AROUND_NEIGHBOURS], caps_counter_bits(&caps));
    for (u64 seed = 1; seed < SEEDS; seed++) {
        struct surroundings around = draw("skylake", ASIDE_COUNTERS, seed);
        always &= around.part[AROUND_RUNNING];
        ever |= around.part[AROUND_RUNNING];
        assert_true(around.part[AROUND_NEIGHBOURS] | around.part[AROUND_RUNNING]);
        assert_int_equal(around.part[AROUND_STANDING], 0);
    }
    assert_int_equal(always, 0);
    assert_int_equal(ever, caps_counter_bits(&caps));
}

CASE(same_seed_same_drawing)
{
    for (u64 seed = 1; seed < SEEDS; seed++) {
        struct surroundings one = draw("skylake", ALL_PARTS, seed), other = draw("skylake", ALL_PARTS, seed);
        assert_memory_equal(&one, &other, sizeof(one));
        assert_int_equal(around_select(&one, 1), around_select(&other, 1));
        assert_true(around_turn(&one, 5) < 5 * AROUND_TURNS);
    }
}

/* Only what counts instructions counts something else, and at CPL 3 there is always a ring left. */
CASE(own_controls)
{
    unsigned changed = 0, alone = 0;
    for (u64 seed = 1; seed < SEEDS; seed++) {
        struct surroundings around = draw("skylake", ASIDE_FIELDS, seed);
        assert_int_equal(around_own_select(&around, 0, 0x410100, false), 0x410100); /* event 0 */
        assert_int_equal(around_own_select(&around, 0, 0x4100c4, false) & 0xffff, 0xc4);
        changed += (around_own_select(&around, 0, 0x4200c0, false) & 0xffff) != 0xc0;
        u64 field = around_own_field(&around, 1, 0x30, true);
        assert_true(field & 0x20);
        alone += !(field & 0x10);
        assert_int_equal(around_own_field(&around, 1, 0, true), 0);
    }
    assert_in_range(changed, SEEDS / 10, SEEDS * 9 / 10);
    assert_in_range(alone, SEEDS / 20, SEEDS * 9 / 10);
}

CASE(text_names_registers)
{
    struct pmu_caps caps = cpu_caps("skylake");
    struct surroundings around = {.seed = 1, .part = {[AROUND_STANDING] = 2, [AROUND_ENTRY] = 1}};
    char text[AROUND_TEXT];
    assert_non_null(strstr(around_text(&around, &caps, text, sizeof(text)), "IA32_PERF_GLOBAL_STATUS=0x2"));
    assert_non_null(strstr(text, "LVTPC=0x1"));
    around = draw("skylake", ALL_PARTS, 0);
    assert_true(strlen(around_text(&around, &caps, text, 20)) < 20);
}

int main(void)
{
    return run_cases();
}
