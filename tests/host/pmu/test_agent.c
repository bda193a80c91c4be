/* SPDX-License-Identifier: BSD-2-Clause */
/* The sharing library's decisions: counters in use, counters that may be used, and the counter for each request. */
#include "pmu/sharing/agent.h"
#include "tests/host/case.h"
#include "tests/host/pmu/cpu_dumps.h"

static const struct agent_wish everything = {ARCH_EVENT_INSTRUCTIONS, COUNT_OS | COUNT_USR};
static const struct agent_wish kernel_only = {ARCH_EVENT_INSTRUCTIONS, COUNT_OS};
static const struct agent_wish branches = {ARCH_EVENT_BRANCHES, COUNT_OS | COUNT_USR};

static struct pmu_state looked(const struct pmu_caps *caps, struct pmu_state state)
{
    state.computed = state.in_use = in_use_computed(caps, &state);
    return state;
}

CASE(every_rule_decides_its_example)
{
    for (unsigned i = 0; i < use_rule_count; i++) {
        assert_int_equal(use_rules[i].fixed, use_rules[i].example.fixed);
        if (use_of(&use_rules[i].example) != &use_rules[i])
            fail_msg("rule %u: %s", i, use_rules[i].state);
    }
}

CASE(in_use_by_the_registers)
{
    struct pmu_caps caps = cpu_caps("skylake");
    static const struct {
        struct pmu_state state;
        u64 in_use;
    } rows[] = {
        {{.evtsel = {0x4300c0}}, 1},
        {{.evtsel = {0, 0x420100}}, 0},
        {{.evtsel = {0, 0, 0x100000}}, 1ull << 63},
        {{.fixed_control = 0x330}, 6ull << 32},
        {{.fixed_control = 0x800}, 1ull << 63},
        {{.fixed_control = 0x001}, 1ull << 32},
        {{.pebs_enable = 4}, 1ull << 63},
        {{.global_ctrl = 0xf}, 0},
    };
    for_each_row (rows, row)
        assert_int_equal(in_use_computed(&caps, &row->state), row->in_use);
}

/* -1: nothing; else the bit in IA32_PERF_GLOBAL_CTRL. */
static int chosen(const char *cpu, struct pmu_state given, const struct agent_wish *wish)
{
    struct pmu_caps caps = cpu_caps(cpu);
    struct pmu_state state = looked(&caps, given);
    struct counter counter;
    return agent_choose(&caps, &state, wish, &counter) ? counter.bit : -1;
}

CASE(least_capable_first)
{
    struct pmu_state none = {0}, fixed_taken = {.fixed_control = 1}, hidden = {.evtsel = {0, 0, 0, 0x420000}};
    struct pmu_state last = {.evtsel = {0, 0x4300c0, 0x4300c0, 0x4300c0}};
    struct pmu_state full = {.evtsel = {0x3c, 0x3c, 0x3c, 0x3c}, .fixed_control = 0xbbb};
    assert_int_equal(chosen("skylake", none, &everything), 32);
    assert_int_equal(chosen("skylake", none, &kernel_only), 3);
    assert_int_equal(chosen("skylake", fixed_taken, &everything), 3);
    assert_int_equal(chosen("skylake", none, &branches), 3);
    assert_int_equal(chosen("skylake-8", none, &branches), 7);
    assert_int_equal(chosen("skylake", hidden, &branches), 2);
    assert_int_equal(chosen("skylake", last, &branches), 0);
    assert_int_equal(chosen("skylake", full, &branches), -1);
    assert_int_equal(chosen("conroe-g0", none, &branches), 1);
    /* The upper four do not read back (BV80), only PMC3 samples loads by latency, PMC1 samples at constant
     * distances. */
    assert_int_equal(chosen("ivy-bridge-8", none, &branches), 2);
    assert_int_equal(chosen("yonah", none, &everything), 1);
    last.evtsel[0] = 0x3c;
    assert_int_equal(chosen("skylake", last, &kernel_only), 32); /* a fixed counter in the last resort */
}

/* The dumps do not show debug store; with it, counters that can sample come last. */
CASE(sampling_counters_last)
{
    struct pmu_caps caps = cpu_caps("silvermont");
    struct pmu_state none = {0};
    struct counter counter;
    caps.ds = true;
    assert_true(agent_choose(&caps, &none, &branches, &counter));
    assert_int_equal(counter.bit, 1);
}

/* Features that no counter's control shows. */
CASE(features)
{
    static const struct {
        struct pmu_state state;
        unsigned features;
    } rows[] = {
        {{0}, 0},
        {{.pebs_enable = 1}, FEATURE_SAMPLING},
        {{.latency = 1ull << 35}, FEATURE_LOAD_LATENCY},
        {{.offcore = {1, 0}}, FEATURE_OFFCORE_0},
        {{.offcore = {0, 1ull << 37}}, FEATURE_OFFCORE_1},
        {{.lbr_filter = 0x1c1}, FEATURE_LBR_FILTER},
        {{.evtsel = {0x4301b7}, .global_ctrl = 1}, 0},
    };
    for_each_row (rows, row)
        assert_int_equal(agent_features(&row->state), row->features);
}

CASE(sharing)
{
    struct pmu_caps caps = cpu_caps("skylake");
    static const struct {
        u64 field;
        bool running, shareable;
    } rows[] = {{3, true, true},  {3, false, false}, {0xb, true, false}, {1, true, false},
                {2, true, false}, {7, true, false},  {0, true, false},   {8, true, false}};
    for_each_row (rows, row) {
        struct pmu_state state_now =
            looked(&caps, (struct pmu_state){.fixed_control = row->field, .global_ctrl = row->running ? BIT(32) : 0});
        struct counter counter;
        const char *why = NULL;
        assert_int_equal(agent_shareable(&caps, &state_now, &everything, &counter, &why), row->shareable);
        assert_non_null(why);
        assert_false(agent_shareable(&caps, &state_now, &kernel_only, &counter, &why));
        assert_false(agent_shareable(&caps, &state_now, &branches, &counter, &why));
    }
}

CASE(interrupts_and_freezing)
{
    struct pmu_caps caps = cpu_caps("skylake");
    struct pmu_state mine = looked(&caps, (struct pmu_state){.evtsel = {0, 0, 0, 0x5300c4}});
    struct pmu_state his = looked(&caps, (struct pmu_state){.fixed_control = 0xb0});
    assert_true(agent_pmi_free(&caps, &mine, BIT(3)));
    assert_false(agent_pmi_free(&caps, &mine, BIT(2)));
    assert_false(agent_pmi_free(&caps, &his, BIT(3)));
    assert_true(agent_pmi_free(&caps, &his, BIT(33)));
    assert_int_equal(agent_others(&caps, &mine, BIT(3)), 0);
    assert_int_equal(agent_others(&caps, &his, BIT(3)), BIT(33));
}

CASE(records)
{
    struct pmu_caps caps = cpu_caps("skylake");
    struct agent agent = {.name = "tool", .claims = 2};
    struct agent_record record;
    agent.claim[0] = (struct agent_claim){fixed_counter(&caps, 1), 0x30};
    agent.claim[1] = (struct agent_claim){gp_counter(&caps, 3), 0x4300c4};
    agent_record(&agent, &record);
    assert_true(agent_record_good(&record));
    assert_int_equal(record.claim[0].bit, 33);
    record.claim[1].control ^= 1;
    assert_false(agent_record_good(&record));
    record = (struct agent_record){.claims = AGENT_COUNTERS + 1};
    assert_false(agent_record_good(&record));
}

int main(void)
{
    return run_cases();
}
