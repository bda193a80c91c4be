/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Walks, with a model that plays the CPU: a good one shows no difference on any profile, whenever its PMIs come; one
 * that deviates does; and a walk as text can be parsed again.
 */
#include "reference/lockstep/oracle.h"
#include "reference/model/model_state.h"
#include "reference/test/lockstep/bench.h"
#include "tests/host/case.h"

#define WALKS 150

/* The entries to which code.asm passes interrupts outside of walks. They are not executed here. */
const u8 stubs[4096];

static bool differs_in_nothing(const struct profile *profile, unsigned kind)
{
    struct bench b;
    struct difference d;
    char text[STEP_TEXT];
    bool knows = bench_open(&b, profile, kind, NULL, NULL);
    for (u64 seed = 0; knows && seed < WALKS; seed += each_nth(10))
        if (!bench_walk(&b, seed, false, &d))
            fail_msg("%s, seed %lu, step %u: %s", profile->name, (unsigned long)seed, d.step,
                     difference_text(&d, text));
    bench_close(&b);
    return knows;
}

CASE(good_ones_differ_in_nothing)
{
    for (unsigned i = 0; i < profile_count; i++)
        for (unsigned kind = 0; kind < bench_kinds(profiles[i]); kind++)
            assert_true(differs_in_nothing(profiles[i], kind));
}

/* ---- What chance may decide on hardware. */

static void hardware_differs_in_nothing(struct bench *b, const char *what, unsigned walks)
{
    struct difference d;
    char text[STEP_TEXT];
    for (u64 seed = 0; seed < walks; seed += each_nth(10))
        if (!bench_guided(b, seed, true, &d))
            fail_msg("%s, seed %lu, step %u: %s", what, (unsigned long)seed, d.step, difference_text(&d, text));
    assert_null(choice(&b->choices, 0));
    bench_close(b);
}

CASE(good_hardware_differs_in_nothing)
{
    struct bench b;
    for (unsigned i = 0; i < profile_count; i++)
        for (unsigned kind = 0; kind < bench_kinds(profiles[i]); kind++)
            if (bench_open_as(&b, profiles[i], kind, NULL, NULL, true))
                hardware_differs_in_nothing(&b, profiles[i]->name, WALKS);
            else
                bench_close(&b);
}

CASE(a_write_to_a_running_counter_may_count_or_not)
{
    struct bench b;
    assert_true(
        bench_open_as(&b, model_profile("lunar-lake"), 0, deviations[deviation_find("write-uncounted")], NULL, true));
    hardware_differs_in_nothing(&b, "write-uncounted", 3 * WALKS);
}

/* A CPU whose reads miss the count of the last instruction, the fence. */
static struct counters_state after_last, before_last;

static void notes_counters(struct model *m, const struct retired *instruction)
{
    (void)instruction;
    before_last = after_last;
    after_last = m->counters;
}

static uint64_t reads_early(struct model *m, unsigned bit, uint8_t cpl)
{
    bool counts = model_counting_at(m, cpl) >> bit & 1;
    const struct counters_state *shown = counts ? &before_last : &m->counters;
    return bit < 32 ? shown->pmc[bit] : shown->fixed[bit - 32];
}

static void replaces(struct model *m, const void *unused)
{
    (void)unused;
    m->rules.after_instruction = notes_counters;
    m->rules.rdpmc_shown = reads_early;
}

static void open_early(struct bench *b, bool silicon)
{
    assert_true(bench_open_as(b, model_profile("skylake"), 0, NULL, NULL, silicon));
    b->plays.change = replaces;
    bench_start(b);
}

/* On the reference PMU it would be a difference. */
CASE(a_read_may_miss_its_fence)
{
    struct bench b;
    struct difference d;
    unsigned differ = 0;
    open_early(&b, true);
    hardware_differs_in_nothing(&b, "reads early", 3 * WALKS);
    open_early(&b, false);
    for (u64 seed = 0; !differ && seed < WALKS; seed++)
        differ += !bench_walk(&b, seed, false, &d);
    assert_int_equal(differ, 1);
    bench_close(&b);
}

/* Sampling and tracing apart from all else still show these. */
CASE(samples_and_traces_of_hardware_are_looked_at)
{
    static const struct {
        const char *name;
        enum difference_kind kind;
    } rows[] = {{"pebs-rip-wrong", DIFFERENCE_RECORD},        {"pebs-registers-swapped", DIFFERENCE_RECORD},
                {"pebs-fixed-dead", DIFFERENCE_RECORD},       {"pebs-ignores-cpl", DIFFERENCE_RECORD},
                {"pebs-index-one-more", DIFFERENCE_RECORD},   {"apebs-ip-wrong", DIFFERENCE_RECORD},
                {"apebs-fixed-silent", DIFFERENCE_RECORD},    {"pebs-maximum-ignored", DIFFERENCE_RECORD},
                {"trace-silent", DIFFERENCE_RECORD},          {"trace-direction-lost", DIFFERENCE_RECORD},
                {"trace-target-wrong", DIFFERENCE_RECORD},    {"trace-writes-behind", DIFFERENCE_RECORD},
                {"trace-boundary-missing", DIFFERENCE_RECORD}};
    for_each_row (rows, row) {
        struct bench b;
        struct difference d = {0};
        const struct deviation *deviation = deviations[deviation_find(row->name)];
        const char *profile = deviation->profile ? deviation->profile : "skylake";
        assert_true(bench_open_as(&b, model_profile(profile), 0, deviation, NULL, true));
        for (u64 seed = 0; !d.kind && seed < 1000; seed++)
            bench_walk(&b, seed, false, &d);
        bench_close(&b);
        if (!d.kind || (row->kind && d.kind != row->kind))
            fail_msg("%s: %s", row->name, difference_name(d.kind));
    }
}

/* The number of walks until a kind of CPU with this deviation shows a difference; 0: none does. */
static unsigned walks_of_kind(const struct deviation *deviation, const struct profile *profile, unsigned kind,
                              const char *believed, struct difference *d)
{
    struct bench b;
    unsigned walks = 0, most = believed ? 1000 / each_nth(10) : 1000;
    assert_true(bench_open(&b, profile, kind, deviation, believed ? deviations[deviation_find(believed)] : NULL));
    for (u64 seed = 0; !walks && seed < most; seed++)
        walks = bench_walk(&b, seed, false, d) ? 0 : (unsigned)seed + 1;
    bench_close(&b);
    return walks;
}

static unsigned walks_until(const char *name, const char *believed, struct difference *d)
{
    const struct deviation *deviation = deviations[deviation_find(name)];
    const struct profile *profile = model_profile(deviation->profile ? deviation->profile : "skylake");
    unsigned walks = 0;
    for (unsigned kind = 0; !walks && kind < bench_kinds(profile); kind++)
        walks = walks_of_kind(deviation, profile, kind, believed, d);
    return walks;
}

CASE(deviations_differ)
{
    static const struct {
        const char *name;
        enum difference_kind kind; /* DIFFERENCE_NONE: it may show in several ways */
    } rows[] = {{"lvtpc-not-masked", DIFFERENCE_NONE},      {"pmi-ignores-if-and-tpr", DIFFERENCE_PMI},
                {"start-stop-both", DIFFERENCE_VALUE},      {"evtsel-any-faults", DIFFERENCE_FAULT},
                {"evtsel-pc-kept", DIFFERENCE_NO_FAULT},    {"reload-missing", DIFFERENCE_NONE},
                {"metrics-dead", DIFFERENCE_VALUE},         {"leaf-23-gp-missing", DIFFERENCE_VALUE},
                {"apebs-ip-wrong", DIFFERENCE_RECORD},      {"cccr-ovf-missing", DIFFERENCE_VALUE},
                {"netburst-pmi-lost", DIFFERENCE_NO_PMI},   {"netburst-fast-read-faults", DIFFERENCE_FAULT},
                {"netburst-never-records", DIFFERENCE_NONE}};
    for_each_row (rows, row) {
        struct difference d = {0};
        if (!walks_until(row->name, NULL, &d))
            fail_msg("%s is not noticed", row->name);
        if (row->kind && d.kind != row->kind)
            fail_msg("%s: %s, and not %s", row->name, difference_name(d.kind), difference_name(row->kind));
    }
}

/* An oracle that knows of a legal variation sees no difference. */
CASE(known_choices_differ_in_nothing)
{
    static const char *const names[] = {"start-stop-both", "start-stop-none", "start-stop-stop", "freeze-without-int"};
    struct difference d;
    for_each_row (names, name) {
        assert_int_not_equal(walks_until(*name, NULL, &d), 0);
        assert_int_equal(walks_until(*name, *name, &d), 0);
    }
}

/* A variation is found from its differences, and explains all later ones. What draws may go by another one's name. */
CASE(choices_are_named)
{
    static const struct {
        const char *name, *profile;
        bool draws;
    } rows[] = {{"start-stop-both", "skylake", false},
                {"freeze-without-int", "skylake", false},
                {"iret-counted-twice", "skylake", true},
                {"write-while-running-carries", "prescott", false}};
    for_each_row (rows, row) {
        struct bench b;
        struct difference d;
        char text[STEP_TEXT];
        assert_true(bench_open(&b, model_profile(row->profile), 0, deviations[deviation_find(row->name)], NULL));
        for (u64 seed = 0; seed < 60; seed++)
            if (!bench_walk(&b, seed, true, &d))
                fail_msg("%s, seed %lu, step %u: %s", row->name, (unsigned long)seed, d.step,
                         difference_text(&d, text));
        assert_non_null(choice(&b.choices, 0));
        if (!row->draws)
            assert_string_equal(choice(&b.choices, 0)->name, row->name);
        assert_null(choice(&b.choices, 1));
        bench_close(&b);
    }
}

/* Walks of a CPU with a defect that mimics an erratum of Sandy Bridge: how many remain unexplained? */
static unsigned unexplained(const struct follow_cpu *cpu, const char *defect, const char **erratum)
{
    struct bench b;
    struct difference d;
    unsigned differ = 0;
    assert_true(bench_open(&b, model_profile("sandy-bridge"), 0, deviations[deviation_find(defect)], NULL));
    b.follower.cpu = *cpu;
    for (u64 seed = 0; !differ && seed < 300; seed++)
        differ += !bench_walk(&b, seed, true, &d);
    *erratum = choice(&b.choices, 0) ? mimicked_erratum(cpu, choice(&b.choices, 0)) : NULL;
    bench_close(&b);
    return differ;
}

CASE(errata_of_this_cpu_are_known)
{
    static const struct follow_cpu has = {.signature = 0x206a7, .microcode = 0x2f},
                                   other = {.signature = 0x506e3, .microcode = 0xf0};
    const char *erratum;
    assert_int_equal(unexplained(&has, "pmi-at-buffer-full", &erratum), 0);
    assert_string_equal(erratum, "BJ101");
    assert_int_not_equal(unexplained(&other, "pmi-at-buffer-full", &erratum), 0);
    assert_null(erratum);
}

struct again {
    const struct deviation *deviation;
};

static void make_again(void *context, const struct walk *walk, struct difference *difference)
{
    struct bench b;
    const struct again *again = context;
    assert_true(bench_open(&b, model_profile("skylake"), 0, again->deviation, NULL));
    bench_make(&b, walk, false, difference);
    bench_close(&b);
}

CASE(a_difference_becomes_small)
{
    struct again again = {deviations[deviation_find("lvtpc-not-masked")]};
    struct difference d = {0};
    struct bench b;
    u64 seed = 0;
    do {
        assert_true(bench_open(&b, model_profile("skylake"), 0, NULL, NULL));
        walk_draw(&b.space, seed++, &b.walk);
        bench_close(&b);
        make_again(&again, &b.walk, &d);
    } while (!d.kind);
    struct difference before = d;
    u32 steps = b.walk.body_count;
    assert_true(walk_shrink(&b.walk, &d, make_again, &again) > 0);
    assert_true(same_difference(&before, &d));
    assert_true(b.walk.body_count < steps && b.walk.body_count <= 12);
    make_again(&again, &b.walk, &d);
    assert_true(same_difference(&before, &d));
}

static void same_walk(const struct walk *a, const struct walk *b)
{
    assert_int_equal(a->body_count, b->body_count);
    assert_int_equal(a->handler_count, b->handler_count);
    assert_memory_equal(a->body, b->body, a->body_count * sizeof(a->body[0]));
    assert_memory_equal(a->handler, b->handler, a->handler_count * sizeof(a->handler[0]));
}

CASE(text_is_the_walk)
{
    struct bench b;
    assert_true(bench_open(&b, model_profile("lunar-lake"), 0, NULL, NULL));
    for (u64 seed = 0; seed < 300; seed++) {
        struct walk again;
        char text[2 * WALK_TEXT], error[WALK_ERROR] = "";
        walk_draw(&b.space, seed, &b.walk);
        assert_true(walk_text(&b.walk, text, sizeof(text)));
        assert_true(walk_parse(text, &again, error));
        same_walk(&b.walk, &again);
    }
    bench_close(&b);
}

CASE(what_is_no_walk_is_named)
{
    static const struct {
        const char *text, *error;
    } rows[] = {{"", "no step at \"\""},
                {"x", "not a step of a walk at \"x\""},
                {"w38f", "not a step of a walk at \"w38f\""},
                {"b.w38f=", "not a step of a walk at \"w38f=\""},
                {"l0", "not a step of a walk at \"l0\""},
                {"b,b", "expected a dot between steps, or one slash before the handler's at \",b\""},
                {"b/v/v", "expected a dot between steps, or one slash before the handler's at \"/v\""}};
    for_each_row (rows, row) {
        struct walk walk;
        char error[WALK_ERROR] = "";
        assert_false(walk_parse(row->text, &walk, error));
        assert_string_equal(error, row->error);
    }
}

/* Interest: what has reached something new is kept, and a third of all walks are variations of that. */
CASE(news_are_kept)
{
    struct interest interest = {0};
    struct walk walk = {.body_count = 1, .body = {{OP_LOOP, 1, 0}}};
    interest.reached.in[7] = 1;
    interest_learn(&interest, &walk);
    assert_int_equal(interest.count, 1);
    assert_int_equal(interest.reached.in[7], 0);
    interest.reached.in[7] = 1;
    interest_learn(&interest, &walk);
    assert_int_equal(interest.count, 1);
    interest.reached.in[7] = 2;
    interest_learn(&interest, &walk);
    assert_int_equal(interest.count, 2);
    assert_int_equal(interest.seen[7], 3);
}

/* Each rule that a walk has called has a name, and its situations are those of the walk. */
CASE(walks_reach_rules)
{
    struct bench b;
    struct difference d;
    unsigned rules = 0, at_cpl_3 = 0;
    assert_true(bench_open(&b, model_profile("skylake"), 0, NULL, NULL));
    for (u64 seed = 0; seed < 100; seed++)
        assert_true(bench_guided(&b, seed, false, &d));
    for (unsigned n = 0; n < MODEL_RULES_MOST; n++) {
        assert_true(!b.interest.seen[n] || model_rule_name(n));
        rules += !!b.interest.seen[n];
        at_cpl_3 += !!(b.interest.seen[n] & 0xaaaa);
    }
    assert_in_range(rules, 60, MODEL_RULES_MOST);
    assert_in_range(at_cpl_3, 20, rules);
    assert_in_range(b.interest.count, 10, 100);
    bench_close(&b);
}

CASE(guided_ones_differ_in_nothing)
{
    static const char *const names[] = {"sapphire-rapids", "lunar-lake", "panther-lake", "nehalem", "prescott"};
    for_each_row (names, name) {
        struct bench b;
        struct difference d;
        assert_true(bench_open(&b, model_profile(*name), 0, NULL, NULL));
        for (u64 seed = 0; seed < 3 * WALKS; seed += each_nth(10))
            if (!bench_guided(&b, seed, false, &d))
                fail_msg("%s, seed %lu: %s", *name, (unsigned long)seed, difference_name(d.kind));
        bench_close(&b);
    }
}

/* No step of a walk makes a write that the gate would refuse at that place. */
static bool is_allowed(void *bench, const struct gate_context *then, u32 msr, u64 value)
{
    const char *rule;
    const struct pmu_caps *caps = &((struct bench *)bench)->caps;
    return gate_allows(register_row_of(caps, msr), caps, then, msr, value, &rule);
}

static void is_refused_nothing(bool silicon)
{
    for (unsigned i = 0; i < profile_count; i++) {
        struct bench b;
        if (bench_open_as(&b, profiles[i], 0, NULL, NULL, silicon))
            for (u64 seed = 0; seed < 100; seed += each_nth(10)) {
                if (seed < 50)
                    walk_draw(&b.space, seed, &b.walk);
                else
                    walk_vary(&b.space, seed, &b.walk);
                assert_true(walk_compile(&b.space, &b.walk, follow_read, &b.follower, &b.run));
                assert_true(run_writes(&b.space, &b.run, is_allowed, &b));
            }
        bench_close(&b);
    }
}

CASE(nothing_is_refused)
{
    is_refused_nothing(false);
    is_refused_nothing(true);
}

int main(void)
{
    return run_cases();
}
