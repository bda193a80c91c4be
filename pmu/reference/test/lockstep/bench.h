/*
 * A CPU on the bench for walks: a model that plays it, and an oracle that retells what it did. Both have the same
 * profile; the CPU may deviate.
 */
#pragma once

#include "pmu/cpu/apebs.h"
#include "pmu/cpu/pebs.h"
#include "pmu/reference/deviations/deviations.h"
#include "pmu/reference/lockstep/explain.h"
#include "pmu/reference/lockstep/interest.h"
#include "pmu/reference/model/profile.h"
#include <stdlib.h>
#include <string.h>

struct bench {
    struct pmu_caps caps;
    struct space space;
    struct oracle cpu;
    struct follower follower;
    struct choices choices;
    struct model *cpu_model, *oracle_model, *kept_model, *room, *room_before;
    struct deviating deviating, believed;
    struct lockstep_run run;
    struct walk walk;
    struct interest interest;
    struct model_setup plays;
    u8 area[LOCKSTEP_AREA];
};

#define BENCH_AREA 0x200000 /* if the CPU has it */

static struct cpuid_regs bench_leaf(void *bench, u32 leaf, u32 subleaf)
{
    struct bench *b = bench;
    static const u32 native[4];
    u32 out[4];
    model_cpuid(b->cpu_model, leaf, subleaf, native, out);
    return (struct cpuid_regs){out[0], out[1], out[2], out[3]};
}

static u64 bench_register(struct bench *b, u32 msr)
{
    u64 value = 0;
    model_rdmsr(b->cpu_model, msr, &value);
    return value;
}

static void bench_caps(struct bench *b)
{
    struct caps_dump d = {0};
    caps_ask(&d, bench_leaf, b);
    d.perf_capabilities = bench_register(b, MSR_PERF_CAPABILITIES);
    d.misc_enable = bench_register(b, 0x1a0);
    d.microcode = (u32)(bench_register(b, MSR_BIOS_SIGN_ID) >> 32);
    d.leaf1.ecx &= ~0x80000000u;
    caps_decode(&d, &b->caps);
}

static bool bench_read(void *bench, u32 msr, u64 *value)
{
    return model_rdmsr(((struct bench *)bench)->cpu_model, msr, value);
}

/* CPU and oracle at their start. */
static void bench_start(struct bench *b)
{
    struct model_setup oracle = b->follower.setup;
    oracle_reset(&b->cpu, b->cpu_model, &b->plays, true);
    follow_begin(&b->follower, &oracle, b->oracle_model, b->kept_model);
    memset(b->area, 0, LOCKSTEP_AREA);
    memset(b->follower.oracle.area, 0, LOCKSTEP_AREA);
    b->cpu.area = b->area;
    b->cpu.area_at = BENCH_AREA;
}

static unsigned bench_kinds(const struct profile *profile)
{
    unsigned kinds = 0;
    for (; profile; profile = profile->second)
        kinds++;
    return kinds;
}

/* The second CPU of a kind, below bench_kinds(). False: walks do not support it. */
static bool bench_open(struct bench *b, const struct profile *profile, unsigned kind, const struct deviation *deviation,
                       const struct deviation *believed)
{
    u32 cpus = 2 * bench_kinds(profile), cpu = 2 * kind + 1;
    u64 size = follow_room();
    memset(b, 0, sizeof(*b));
    b->cpu_model = aligned_alloc(16, size);
    b->oracle_model = aligned_alloc(16, size);
    b->kept_model = aligned_alloc(16, size);
    b->room = aligned_alloc(16, size);
    b->room_before = aligned_alloc(16, size);
    b->deviating.deviation = deviation;
    b->believed.deviation = believed;
    struct model_setup plays = {.profile = profile, .cpu = cpu, .cpus = cpus, .change = deviate, .how = &b->deviating};
    struct model_setup oracle = {.profile = profile, .cpu = cpu, .cpus = cpus, .change = deviate, .how = &b->believed};
    b->plays = plays;
    b->follower.setup = oracle;
    b->follower.setup.reached = &b->interest.reached;
    b->follower.area_at = BENCH_AREA;
    bench_start(b);
    bench_caps(b);
    b->follower.info_kept = b->follower.oracle.info_kept = lbr_info_kept(&b->caps);
    return space_of(&b->caps, false, bench_read, b, &b->space);
}

/* From now on walks sample, if the CPU can. */
static void bench_samples(struct bench *b)
{
    b->space.apebs = apebs_counter_bits(&b->caps);
    b->space.area = pebs_counter_bits(&b->caps) || b->space.apebs ? BENCH_AREA : 0;
}

static void bench_close(struct bench *b)
{
    free(b->cpu_model);
    free(b->oracle_model);
    free(b->kept_model);
    free(b->room);
    free(b->room_before);
}

/* True: no difference, or with `explains` none that no variation explains. */
static bool bench_make(struct bench *b, const struct walk *walk, bool explains, struct difference *difference)
{
    *difference = (struct difference){0};
    if (!walk_compile(&b->space, walk, follow_read, &b->follower, &b->run))
        return true;
    u64 *end = oracle_play(&b->cpu, &b->run);
    if (!end) { /* PMIs without an end: the walk tells nothing */
        bench_start(b);
        return true;
    }
    b->run.area = b->cpu.area;
    if (!explains)
        return follow_run(&b->follower, &b->run, end, false, difference);
    return follow_explained(&b->follower, &b->run, end, false, &b->choices, b->room, b->room_before, difference);
}

/* The walk of a seed. */
static bool bench_walk(struct bench *b, u64 seed, bool explains, struct difference *difference)
{
    walk_draw(&b->space, seed, &b->walk);
    return bench_make(b, &b->walk, explains, difference);
}

/* The walk of a seed and of what the walks before it have reached. */
static bool bench_guided(struct bench *b, u64 seed, bool explains, struct difference *difference)
{
    interest_draw(&b->interest, &b->space, seed, &b->walk);
    bool same = bench_make(b, &b->walk, explains, difference);
    interest_learn(&b->interest, &b->walk);
    return same;
}
