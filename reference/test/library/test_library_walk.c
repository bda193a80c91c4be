/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Walks in which the model that plays the CPU is saved before each instruction, destroyed, and loaded: the trace, all
 * records in memory and the state at the end are those of a walk that nothing has interrupted.
 * Would catch state that a snapshot forgets, and a load that changes something.
 */
#include "tests/host/case.h"

#include "reference/library/instance.h"
#include "reference/lockstep/oracle.h"
#include "reference/test/lockstep/bench.h"

/* The entries to which code.asm passes interrupts outside of walks. They are not executed here. */
const u8 stubs[4096];

struct cpu {
    struct oracle oracle;
    struct pmumodel *pmu;
    u8 memory[LOCKSTEP_MEMORY];
    u64 trace[RUN_TRACE];
    u64 words;
};

static const struct model_setup *setup;
static u8 bytes[2][16384];
static unsigned cuts;

static size_t save(const struct pmumodel *pmu, u8 *to)
{
    size_t size;
    assert_int_equal(pmumodel_save(pmu, to, sizeof(bytes[0]), &size), PMUMODEL_OK);
    return size;
}

/* LVTPC and the time are the machine's. */
static void cut(struct oracle *oracle)
{
    struct pmumodel *pmu = (void *)((u8 *)oracle->model - offsetof(struct pmumodel, model));
    u32 lvtpc = oracle->lvtpc;
    u64 now;
    size_t size = save(pmu, bytes[0]);
    memset(&pmu->model, 0xa5, sizeof(pmu->model));
    model_reset(&pmu->model, setup, &oracle->host);
    oracle->lvtpc = lvtpc;
    now = oracle->time;
    assert_int_equal(pmumodel_load(pmu, bytes[0], size), PMUMODEL_OK);
    assert_int_equal(oracle->time, now);
    cuts++;
}

static void open_cpu(struct cpu *cpu, const struct bench *b)
{
    cpu->pmu = aligned_alloc(16, PMUMODEL_SIZE_MOST);
    memset(cpu->pmu, 0, sizeof(*cpu->pmu));
    oracle_reset(&cpu->oracle, &cpu->pmu->model, &b->plays, true);
    cpu->oracle.memory = cpu->memory;
    cpu->oracle.places = b->follower.places;
    walk_memory_rest(&cpu->oracle.places, cpu->memory, cpu->memory + LOCKSTEP_AREA);
}

/* False: PMIs without an end. */
static bool play(struct cpu *cpu, struct lockstep_run *run)
{
    const u64 *end = oracle_play(&cpu->oracle, run);
    cpu->words = end ? (u64)(end - run->trace) : 0;
    memcpy(cpu->trace, run->trace, cpu->words * sizeof(u64));
    return end;
}

static bool same(const struct cpu *whole, const struct cpu *pieces)
{
    size_t size = save(whole->pmu, bytes[0]);
    return whole->words == pieces->words && !memcmp(whole->trace, pieces->trace, whole->words * sizeof(u64)) &&
           !memcmp(whole->memory, pieces->memory, sizeof(whole->memory)) && size == save(pieces->pmu, bytes[1]) &&
           !memcmp(bytes[0], bytes[1], size);
}

static unsigned walks_of(const struct profile *profile, unsigned kind, u64 seeds)
{
    static struct bench b;
    static struct cpu whole, pieces;
    unsigned walks = 0;
    bool knows = bench_open(&b, profile, kind, NULL, NULL);
    b.plays.change = NULL; /* it deviates in nothing, and can so be saved */
    setup = &b.plays;
    open_cpu(&whole, &b);
    open_cpu(&pieces, &b);
    pieces.oracle.between = cut;
    for (u64 seed = 0; knows && seed < seeds; seed++) {
        walk_draw(&b.space, seed, &b.walk);
        if (!walk_compile(&b.space, &b.walk, follow_read, &b.follower, &b.run))
            continue;
        bool ends = play(&whole, &b.run);
        assert_int_equal(play(&pieces, &b.run), ends);
        if (!ends)
            break;
        if (!same(&whole, &pieces))
            fail_msg("%s, kind %u, seed %lu: cut into pieces, the walk is another one", profile->name, kind,
                     (unsigned long)seed);
        walks++;
    }
    free(whole.pmu);
    free(pieces.pmu);
    bench_close(&b);
    return walks;
}

CASE(cut_at_each_instruction)
{
    for (unsigned i = 0; i < profile_count; i++)
        for (unsigned kind = 0; kind < bench_kinds(profiles[i]); kind++)
            assert_true(walks_of(profiles[i], kind, 60 / each_nth(6)) > 0);
    assert_true(cuts > 1000);
    print_message("%u cuts\n", cuts);
}

int main(void)
{
    return run_cases();
}
