/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The library by its headers: structs of older and newer callers, errors, each call, and what a saved instance is: all
 * state of the model, and bytes that are refused if they are anybody else's.
 */
#include "tests/host/case.h"

#include "reference/library/instance.h"
#include "reference/test/library/library_rig.h"

struct library {
    struct pmumodel *pmu, *other;
    struct bench_host host;
    struct pmumodel_host callbacks;
    struct pmumodel_setup setup;
    uint8_t bytes[16384];
    size_t size;
};

static void open_library(struct library *l, const char *profile)
{
    memset(l, 0, sizeof(*l));
    l->host = (struct bench_host){.lvtpc = 0xf0, .time = 1000};
    l->callbacks = bench_callbacks(&l->host);
    l->setup = bench_choices(profile);
    l->pmu = bench_room();
    l->other = bench_room();
    assert_int_equal(pmumodel_reset(l->pmu, &l->setup, &l->callbacks), PMUMODEL_OK);
    assert_int_equal(pmumodel_reset(l->other, &l->setup, &l->callbacks), PMUMODEL_OK);
}

static void close_library(struct library *l)
{
    free(l->pmu);
    free(l->other);
}

static uint64_t value_of(struct pmumodel *pmu, uint32_t msr)
{
    uint64_t value = 0;
    assert_true(pmumodel_rdmsr(pmu, msr, &value));
    return value;
}

/* PMC0 counts instructions at CPL 0, from this value on, with a PMI. On Skylake the WRMSR that starts it counts. */
static void count_from(struct pmumodel *pmu, uint64_t value)
{
    assert_true(pmumodel_wrmsr(pmu, 0x38f, 0));
    assert_true(pmumodel_wrmsr(pmu, 0xc1, value));
    assert_true(pmumodel_wrmsr(pmu, 0x186, 0x5200c0));
    assert_true(pmumodel_wrmsr(pmu, 0x38f, 1));
    pmumodel_retire(pmu, &(struct pmumodel_retired){.kind = PMUMODEL_RETIRED_WRMSR});
}

static void retire(struct pmumodel *pmu, unsigned count)
{
    while (count--)
        pmumodel_retire(pmu, &(struct pmumodel_retired){.rip = 0x1000});
}

static void save(struct library *l, const struct pmumodel *pmu)
{
    assert_int_equal(pmumodel_save(pmu, l->bytes, sizeof(l->bytes), &l->size), PMUMODEL_OK);
}

/* ---- Versions and errors */

CASE(version_and_sizes)
{
    assert_int_equal(pmumodel_version(), PMUMODEL_VERSION);
    assert_in_range(pmumodel_size(), 1, PMUMODEL_SIZE_MOST);
    assert_in_range(pmumodel_core_size(), 1, PMUMODEL_CORE_SIZE_MOST);
    for (unsigned e = PMUMODEL_OK; e <= PMUMODEL_NO_DEVIATION; e++)
        for (unsigned other = PMUMODEL_OK; other < e; other++)
            assert_string_not_equal(pmumodel_error_text((enum pmumodel_error)e),
                                    pmumodel_error_text((enum pmumodel_error)other));
    assert_string_equal(pmumodel_error_text((enum pmumodel_error)99), "an error of a newer library");
}

/* What is behind an older caller's struct is not read. */
CASE(older_callers)
{
    struct library l;
    open_library(&l, "skylake");
    l.callbacks.memory_read = (bool (*)(void *, uint64_t, void *, uint32_t))(void *)&l;
    l.callbacks.size = offsetof(struct pmumodel_host, memory_read);
    l.setup.tsc_khz = 12345;
    l.setup.size = offsetof(struct pmumodel_setup, core);
    assert_int_equal(pmumodel_reset(l.pmu, &l.setup, &l.callbacks), PMUMODEL_OK);
    assert_null(l.pmu->model.host.memory_read);
    assert_int_equal(l.pmu->model.tsc_khz, 0);
    l.setup.size--;
    l.setup.size &= ~7u;
    assert_int_equal(pmumodel_reset(l.pmu, &l.setup, &l.callbacks), PMUMODEL_BAD_SIZE);
    l.setup.size = 0;
    assert_int_equal(pmumodel_reset(l.pmu, &l.setup, &l.callbacks), PMUMODEL_BAD_SIZE);
    close_library(&l);
}

CASE(newer_callers)
{
    struct {
        struct pmumodel_setup setup;
        uint64_t new;
    } newer = {bench_choices("skylake"), 0};
    struct library l;
    open_library(&l, "skylake");
    newer.setup.size = sizeof(newer);
    assert_int_equal(pmumodel_reset(l.pmu, &newer.setup, &l.callbacks), PMUMODEL_OK);
    newer.new = 1;
    assert_int_equal(pmumodel_reset(l.pmu, &newer.setup, &l.callbacks), PMUMODEL_NEWER);
    pmumodel_retire(l.other, &(struct pmumodel_retired){.kind = 200, .branch = 200, .execution = 200, .access = 255});
    assert_int_equal(value_of(l.other, 0xc1), 0);
    close_library(&l);
}

CASE(wrong_choices)
{
    struct library l;
    struct pmumodel_lab lab = {.size = sizeof(lab), .counter = 1};
    open_library(&l, "skylake");
    struct pmumodel_setup setup = l.setup;
    setup.profile = pmumodel_profile("no such CPU");
    assert_int_equal(pmumodel_reset(l.pmu, &setup, &l.callbacks), PMUMODEL_NO_PROFILE);
    setup = l.setup;
    setup.cpu = 4;
    assert_int_equal(pmumodel_reset(l.pmu, &setup, &l.callbacks), PMUMODEL_BAD_CPU);
    l.callbacks.nmi = NULL;
    assert_int_equal(pmumodel_reset(l.pmu, &l.setup, &l.callbacks), PMUMODEL_NO_CALLBACK);
    l.callbacks = bench_callbacks(&l.host);
    assert_int_equal(pmumodel_lab_reset(l.pmu, &l.setup, &l.callbacks, &lab), PMUMODEL_NO_DEVIATION);
    lab.size = 4;
    assert_int_equal(pmumodel_lab_reset(l.pmu, &l.setup, &l.callbacks, &lab), PMUMODEL_BAD_SIZE);
    close_library(&l);
}

CASE(profiles_by_name_and_number)
{
    const struct pmumodel_profile *profile;
    unsigned n = 0;
    for (; (profile = pmumodel_profile_at(n)); n++)
        assert_ptr_equal(pmumodel_profile(pmumodel_profile_name(profile)), profile);
    assert_int_equal(n, profile_count);
}

/* ---- Each call does what the model's own function does */

CASE(counts_and_interrupts)
{
    struct library l;
    open_library(&l, "skylake");
    assert_true(pmumodel_owns_msr(0x38f));
    assert_false(pmumodel_owns_msr(0x10));
    assert_false(pmumodel_wrmsr(l.pmu, 0x38e, 0));
    assert_false(pmumodel_stepping(l.pmu));
    count_from(l.pmu, 0xffffffff - 20);
    assert_true(pmumodel_stepping(l.pmu) && pmumodel_stepping_at(l.pmu, 0) && !pmumodel_stepping_at(l.pmu, 3));
    assert_false(pmumodel_wants_memory(l.pmu));
    assert_int_equal(pmumodel_wants_branches(l.pmu), PMUMODEL_BRANCHES_TOGETHER);
    assert_int_equal(value_of(l.pmu, 0xc1), 0xffffffffffec);
    assert_in_range(pmumodel_run_room(l.pmu), 10, 20);
    struct pmumodel_run run = {.instructions = 10, .rip = 0x1000};
    pmumodel_run_branch(&run, PMUMODEL_BRANCH_CONDITIONAL, true);
    pmumodel_run_branch(&run, PMUMODEL_BRANCH_CALL_INDIRECT, true);
    pmumodel_run_branch(&run, PMUMODEL_BRANCH_RETURN, true);
    assert_int_equal(run.branches * 1000 + run.taken * 100 + run.conditional * 10 + run.returns, 3311);
    assert_int_equal(run.calls * 100 + run.indirect_calls * 10 + run.indirect_jumps, 110);
    pmumodel_retire_run(l.pmu, &run);
    assert_int_equal(value_of(l.pmu, 0xc1), 0xfffffffffff6);
    retire(l.pmu, 100);
    assert_int_equal(l.host.interrupts, 1);
    assert_int_equal(l.host.lvtpc, 0x100f0);
    uint64_t value = 7;
    assert_true(pmumodel_rdpmc(l.pmu, 0, 3, true, &value) && !pmumodel_rdpmc(l.pmu, 0, 3, false, &value));
    assert_int_equal(value, value_of(l.pmu, 0xc1));
    assert_true(pmumodel_ticks(l.pmu) > 0);
    pmumodel_init_pmu(l.pmu);
    pmumodel_init_signal(l.pmu);
    assert_int_equal(value_of(l.pmu, 0x186), 0x5200c0);
    close_library(&l);
}

CASE(leaves_clocks_and_sleep)
{
    static const uint32_t native[4];
    uint32_t out[4];
    struct library l;
    open_library(&l, "skylake");
    pmumodel_cpuid(l.pmu, 0x0a, 0, native, out);
    assert_int_equal(out[0], 0x07300404);
    assert_int_equal(pmumodel_apic_timer_khz(l.pmu), model_apic_timer_khz(&l.pmu->model));
    assert_int_equal(pmumodel_has_tsc_adjust(l.pmu), model_has_tsc_adjust(&l.pmu->model));
    assert_int_equal(pmumodel_tsc_ahead(l.pmu), 0);
    uint64_t smis = value_of(l.pmu, 0x34), mperf = value_of(l.pmu, 0xe7);
    pmumodel_smi_asked(l.pmu);
    assert_int_equal(value_of(l.pmu, 0x34), smis + 1);
    pmumodel_halted(l.pmu, true);
    l.host.time += 100000;
    pmumodel_halted(l.pmu, false);
    assert_int_equal(value_of(l.pmu, 0xe7), mperf);
    pmumodel_slept(l.pmu);
    assert_false(pmumodel_transaction_begins(l.pmu));
    pmumodel_transaction_aborts(l.pmu);
    pmumodel_apic_written(l.pmu);
    close_library(&l);
}

/* An interrupt is received by event 01CBH of Skylake, and its handler's entry is a branch record. */
CASE(interrupts_and_branch_records)
{
    struct library l;
    uint64_t tos;
    open_library(&l, "skylake");
    count_from(l.pmu, 0);
    assert_true(pmumodel_wrmsr(l.pmu, 0x186, 0x4201cb));
    pmumodel_interrupted(l.pmu, 0);
    assert_int_equal(value_of(l.pmu, 0xc1), 2);
    assert_true(pmumodel_wrmsr(l.pmu, 0x1d9, 1));
    assert_int_equal(pmumodel_wants_branches(l.pmu), PMUMODEL_BRANCHES_TAKEN);
    assert_true(pmumodel_branch_room(l.pmu) > 0);
    tos = value_of(l.pmu, 0x1c9);
    pmumodel_delivered(l.pmu, 0xf0, 0, 0x7000);
    assert_int_equal(value_of(l.pmu, 0x1c9), (tos + 1) % 32);
    assert_int_equal(value_of(l.pmu, 0x680 + (uint32_t)(tos + 1) % 32), 0x7000);
    assert_int_equal(pmumodel_turns_alike(l.pmu), model_turns_alike(&l.pmu->model));
    close_library(&l);
}

/* ---- For laboratories */

CASE(deviations_by_name)
{
    struct library l;
    const struct pmumodel_lab_deviation *deviation;
    unsigned n = 0, kinds[3] = {0};
    for (; (deviation = pmumodel_lab_deviation_at(n)); n++) {
        assert_ptr_equal(pmumodel_lab_deviation(pmumodel_lab_deviation_name(deviation)), deviation);
        assert_true(*pmumodel_lab_deviation_what(deviation) && *pmumodel_lab_deviation_source(deviation));
        kinds[pmumodel_lab_deviation_kind(deviation)]++;
    }
    assert_int_equal(n, deviation_count);
    assert_true(kinds[0] && kinds[1] && kinds[2]);
    assert_null(pmumodel_lab_deviation("no-such-thing"));
    assert_string_equal(pmumodel_lab_deviation_profile(pmumodel_lab_deviation("reload-missing")),
                        deviations[deviation_find("reload-missing")]->profile);
    struct pmumodel_lab lab = {
        .size = sizeof(lab), .deviation = pmumodel_lab_deviation("counter-dead"), .counter = 1, .cpu = 1};
    open_library(&l, "skylake");
    assert_int_equal(pmumodel_lab_reset(l.pmu, &l.setup, &l.callbacks, &lab), PMUMODEL_OK);
    count_from(l.pmu, 0);
    retire(l.pmu, 10);
    assert_int_equal(value_of(l.pmu, 0xc1), 0);
    assert_false(pmumodel_lab_never_returns(l.pmu, 0xc1, false));
    assert_int_equal(pmumodel_save(l.pmu, l.bytes, sizeof(l.bytes), &l.size), PMUMODEL_DEVIATES);
    save(&l, l.other);
    assert_int_equal(pmumodel_load(l.pmu, l.bytes, l.size), PMUMODEL_DEVIATES);
    close_library(&l);
}

CASE(lockstep)
{
    struct library l;
    struct pmumodel_lab_reached reached = {.now = 4};
    struct pmumodel_lab lab = {.size = sizeof(lab), .arrivals_told = true, .reached = &reached};
    open_library(&l, "skylake");
    assert_int_equal(pmumodel_lab_reset(l.pmu, &l.setup, &l.callbacks, &lab), PMUMODEL_OK);
    count_from(l.pmu, 0xffffffff - 5);
    assert_int_equal(pmumodel_lab_near_overflow(l.pmu, 10), 1);
    pmumodel_lab_take_over(l.other, l.pmu);
    retire(l.pmu, 100);
    assert_true(pmumodel_lab_pmi_on_its_way(l.pmu) && !l.host.interrupts && !pmumodel_lab_arrival_shows(l.pmu));
    pmumodel_lab_pmi_arrives(l.pmu);
    assert_true(!pmumodel_lab_pmi_on_its_way(l.pmu) && l.host.interrupts == 1);
    unsigned rules = 0, called = 0;
    for (; pmumodel_lab_rule_name(rules); rules++)
        called += reached.in[rules] == 4;
    assert_in_range(called, 5, rules - 1);
    assert_false(pmumodel_lab_may_differ(l.pmu, l.other, &reached));
    pmumodel_lab_counted_more(l.other, 0, 2);
    assert_int_equal(value_of(l.other, 0xc1), 0xfffffffffffd);
    close_library(&l);
}

/* A run that is told of its branches counts those that are mispredicted; a loaded instance predicts as the saved one.
 */
CASE(predicted_branches)
{
    struct library l;
    open_library(&l, "skylake");
    assert_true(pmumodel_wrmsr(l.pmu, 0x186, 0x4300c5) && pmumodel_wrmsr(l.pmu, 0x38f, 1));
    assert_true(pmumodel_predicts(l.pmu, 0) && pmumodel_predicts(l.pmu, 3));
    struct pmumodel_run run = {.instructions = 10, .branches = 10, .conditional = 10, .taken = 10, .rip = 0x1000};
    pmumodel_run_predict(l.pmu, &run, 0x1000, true, 10);
    assert_int_equal(run.missed_taken * 10 + run.missed_not_taken, 10);
    pmumodel_retire_run(l.pmu, &run);
    assert_int_equal(value_of(l.pmu, 0xc1), 1);
    save(&l, l.pmu);
    assert_int_equal(pmumodel_load(l.other, l.bytes, l.size), PMUMODEL_OK);
    run = (struct pmumodel_run){.instructions = 2, .branches = 2, .conditional = 2, .rip = 0x1000};
    pmumodel_run_predict(l.other, &run, 0x1000, false, 2);
    assert_int_equal(run.missed_not_taken, 2);
    close_library(&l);
}

/* ---- Save and load */

/* clang-format off */
#define PARTS(PART) \
    PART(controls) PART(counters) PART(status) PART(machine) PART(alias) PART(lbr) PART(sharing) PART(retire) \
    PART(events) PART(predictor) PART(topdown) PART(memory) PART(pmi) PART(lapic) PART(trace) PART(transaction) PART(pebs)
/* What a reset makes, or what is only used within one call: not saved. */
#define MADE(PART) \
    PART(rules) PART(reached) PART(p) PART(host) PART(cpu) PART(cpus) PART(tsc_khz) PART(altered) \
    PART(counts_anew) PART(watching) PART(machine.threads_shown) PART(sharing.shares) PART(sharing.core) \
    PART(sharing.beside) PART(sharing.pair) PART(retire.before) PART(retire.before_count) PART(active) \
    PART(pmi.told) PART(trace.features) PART(trace.outputs) PART(trace.ranges) PART(trace.encodings) \
    PART(pebs.sample) PART(pebs.record) PART(aside) PART(made)
/* clang-format on */

/* Not 0: each byte of struct model that is state. GCC 12 clears the padding at the end of a variable alone. */
static const uint8_t *state_bytes(void)
{
    static struct model all;
#define IS_STATE(part)                            \
    {                                             \
        __typeof__(all.part) alone;               \
        memset(&alone, 0xff, sizeof(alone));      \
        __builtin_clear_padding(&alone);          \
        memcpy(&all.part, &alone, sizeof(alone)); \
    }
#define IS_MADE(part) memset(&all.part, 0, sizeof(all.part));
    PARTS(IS_STATE)
    IS_STATE(sharing.own)
    MADE(IS_MADE)
    return (const uint8_t *)&all;
}

/* The bytes of struct model that are in none of these members, and so between two of them: too few for another one. */
static size_t gaps(void)
{
    static struct model all;
#define IN_ALL(part) memset(&all.part, 0xff, sizeof(all.part));
    PARTS(IN_ALL)
    MADE(IN_ALL)
    size_t count = 0, longest = 0;
    for (size_t at = 0; at < sizeof(all); at++) {
        count = ((const uint8_t *)&all)[at] ? 0 : count + 1;
        longest = count > longest ? count : longest;
    }
    return longest;
}

CASE(all_state_is_saved)
{
    struct library l;
    static uint8_t again[16384];
    const uint8_t *state_byte = state_bytes();
    size_t size, saved = 0;
    open_library(&l, "skylake");
    save(&l, l.pmu);
    for (size_t at = 0; at < sizeof(struct model); at++) {
        uint8_t *byte = (uint8_t *)&l.pmu->model + at;
        if (!state_byte[at])
            continue;
        *byte ^= 1;
        assert_int_equal(pmumodel_save(l.pmu, again, sizeof(again), &size), PMUMODEL_OK);
        if (!memcmp(l.bytes, again, size))
            fail_msg("byte %zu of struct model is not saved", at);
        *byte ^= 1;
        saved++;
    }
    assert_in_range(saved, 1000, l.size);
    assert_in_range(gaps(), 0, 7);
    close_library(&l);
}

/* Of every profile: in another instance it goes on, and saves the same. */
CASE(goes_on_elsewhere)
{
    struct library l;
    for (unsigned i = 0; i < profile_count; i++) {
        static uint8_t again[sizeof(l.bytes)];
        size_t size;
        open_library(&l, profiles[i]->name);
        pmumodel_wrmsr(l.pmu, 0xc1, 0xfffffff0);
        pmumodel_wrmsr(l.pmu, 0x186, 0x5200c0);
        pmumodel_wrmsr(l.pmu, 0x38f, 1);
        retire(l.pmu, 3);
        save(&l, l.pmu);
        unsigned looks = l.host.looks;
        assert_int_equal(pmumodel_load(l.other, l.bytes, l.size), PMUMODEL_OK);
        assert_int_equal(l.host.looks, looks);
        for (unsigned step = 0; step < 100; step++) {
            retire(l.pmu, 1);
            retire(l.other, 1);
        }
        save(&l, l.pmu);
        assert_int_equal(pmumodel_save(l.other, again, sizeof(again), &size), PMUMODEL_OK);
        assert_int_equal(size, l.size);
        assert_memory_equal(again, l.bytes, size);
        close_library(&l);
    }
}

/* Two threads of a core: what they share is saved with each. */
CASE(a_core_is_saved)
{
    struct library l;
    struct pmumodel *thread[2] = {bench_room(), bench_room()};
    uint8_t bytes[2][16384];
    size_t size[2];
    open_library(&l, "prescott");
    struct pmumodel_core *core = calloc(1, pmumodel_core_size()), *elsewhere = calloc(1, pmumodel_core_size());
    l.setup.core = core;
    for (unsigned t = 0; t < 2; t++) {
        l.setup.cpu = t;
        assert_int_equal(pmumodel_reset(thread[t], &l.setup, &l.callbacks), PMUMODEL_OK);
    }
    assert_true(pmumodel_wrmsr(thread[0], 0x300, 12345));
    for (unsigned t = 0; t < 2; t++)
        assert_int_equal(pmumodel_save(thread[t], bytes[t], sizeof(bytes[t]), &size[t]), PMUMODEL_OK);
    l.setup.core = elsewhere;
    for (unsigned t = 0; t < 2; t++) {
        l.setup.cpu = t;
        assert_int_equal(pmumodel_load(thread[t], bytes[1 - t], size[1 - t]), PMUMODEL_OTHER_CPU);
        assert_int_equal(pmumodel_reset(thread[t], &l.setup, &l.callbacks), PMUMODEL_OK);
        assert_int_equal(pmumodel_load(thread[t], bytes[t], size[t]), PMUMODEL_OK);
    }
    assert_int_equal(value_of(thread[1], 0x300), 12345);
    assert_true(pmumodel_wrmsr(thread[1], 0x300, 77));
    assert_int_equal(value_of(thread[0], 0x300), 77);
    free(core);
    free(elsewhere);
    free(thread[0]);
    free(thread[1]);
    close_library(&l);
}

/* A revision of microcode that was loaded stays, also if the other instance had none, or the other way round. */
CASE(microcode_is_saved)
{
    struct library l;
    uint8_t before[16384];
    size_t size;
    open_library(&l, "skylake");
    uint64_t old = value_of(l.pmu, 0x8b);
    assert_int_equal(pmumodel_save(l.pmu, before, sizeof(before), &size), PMUMODEL_OK);
    l.pmu->model.made.anew(&l.pmu->model, 0xffff);
    save(&l, l.pmu);
    assert_int_equal(pmumodel_load(l.other, l.bytes, l.size), PMUMODEL_OK);
    assert_int_equal(value_of(l.other, 0x8b), 0xffffull << 32);
    assert_int_equal(pmumodel_load(l.other, before, size), PMUMODEL_OK);
    assert_int_equal(value_of(l.other, 0x8b), old);
    close_library(&l);
}

static void refuses(struct library *l, enum pmumodel_error error)
{
    static uint8_t before[PMUMODEL_SIZE_MOST];
    memcpy(before, l->other, pmumodel_size());
    assert_int_equal(pmumodel_load(l->other, l->bytes, l->size), error);
    assert_memory_equal(before, l->other, pmumodel_size());
}

CASE(other_bytes_are_refused)
{
    struct library l;
    open_library(&l, "skylake");
    count_from(l.pmu, 5);
    assert_int_equal(pmumodel_save(l.pmu, l.bytes, 100, &l.size), PMUMODEL_NO_ROOM);
    assert_in_range(l.size, 1000, sizeof(l.bytes));
    save(&l, l.pmu);
    size_t whole = l.size;
    for (l.size = 0; l.size < whole; l.size++)
        refuses(&l, l.size < 72 ? PMUMODEL_NOT_SAVED : PMUMODEL_DAMAGED);
    for (size_t at = 0; at < whole; at++) {
        l.bytes[at] ^= 0x10;
        refuses(&l, at < 8 ? PMUMODEL_NOT_SAVED : at < 12 ? PMUMODEL_OTHER_FORMAT : PMUMODEL_DAMAGED);
        l.bytes[at] ^= 0x10;
    }
    assert_int_equal(pmumodel_load(l.other, l.bytes, l.size), PMUMODEL_OK);
    assert_int_equal(value_of(l.other, 0xc1), value_of(l.pmu, 0xc1));
    l.setup = bench_choices("haswell");
    assert_int_equal(pmumodel_reset(l.other, &l.setup, &l.callbacks), PMUMODEL_OK);
    refuses(&l, PMUMODEL_OTHER_CPU);
    close_library(&l);
}

int main(void)
{
    return run_cases();
}
