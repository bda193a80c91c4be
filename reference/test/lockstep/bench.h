/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A CPU on the bench for walks: a model that plays it, and an oracle that retells what it did. Both have the same
 * profile; the CPU may deviate.
 */
#pragma once

#include "pmu/cpu/class.h"
#include "pmu/cpu/pebs.h"
#include "reference/deviations/deviations.h"
#include "reference/lockstep/oracle.h"
#include "reference/model/profile.h"
#include <stdlib.h>
#include <string.h>

/* The functions of the code that plays the CPU; a program may have another copy of it for that. */
#ifndef PLAYING
#define PLAYING(function) function
#endif

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
    struct walks_kept last; /* this one, too */
    struct interest interest;
    struct model_setup plays;
    u8 memory[LOCKSTEP_MEMORY];
    /* The other thread of the core, which makes a walk of its own before each walk, if it is there: */
    struct oracle other;
    struct model *other_model;
    struct model_core *core;
    u8 other_memory[LOCKSTEP_MEMORY];
};

#define BENCH_RECORDS 0x200000 /* if the CPU samples */
#define BENCH_TRACE 0x300000
#define BENCH_SETTLE 400 /* turns; for silicon, too, as a model's PMI is no later when it plays that */

static struct cpuid_regs bench_leaf(void *bench, u32 leaf, u32 subleaf)
{
    struct bench *b = bench;
    static const u32 native[4];
    u32 out[4];
    PLAYING(model_cpuid)(b->cpu_model, leaf, subleaf, native, out);
    return (struct cpuid_regs){out[0], out[1], out[2], out[3]};
}

static u64 bench_register(struct bench *b, u32 msr)
{
    u64 value = 0;
    PLAYING(model_rdmsr)(b->cpu_model, msr, &value);
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
    d.trace_answers = d.leaf7.ebx >> 25 & 1;
    d.tracing = bench_register(b, MSR_RTIT_CTL) & RTIT_CTL_TRACE_EN;
    caps_decode(&d, &b->caps);
}

static bool bench_read(void *bench, u32 msr, u64 *value)
{
    return PLAYING(model_rdmsr)(((struct bench *)bench)->cpu_model, msr, value);
}

static void bench_write(void *bench, u32 msr, u64 value)
{
    PLAYING(model_wrmsr)(((struct bench *)bench)->cpu_model, msr, value);
}

static bool bench_reads_other(void *bench, u32 msr, u64 *value)
{
    return PLAYING(model_rdmsr)(((struct bench *)bench)->other_model, msr, value);
}

static void bench_reset_other(struct bench *b)
{
    struct model_setup setup = b->plays;
    setup.cpu--;
    setup.reached = NULL;
    b->cpu.other = &b->other;
    b->other.other = &b->cpu;
    PLAYING(oracle_reset)(&b->other, b->other_model, &setup, true);
    b->other.memory = b->other_memory;
    b->other.places = b->follower.places;
    walk_memory_rest(&b->other.places, b->other_memory, b->other_memory + LOCKSTEP_AREA);
}

static void bench_reset(struct bench *b)
{
    struct model_setup oracle = b->follower.setup;
    if (b->other_model)
        bench_reset_other(b);
    PLAYING(oracle_reset)(&b->cpu, b->cpu_model, &b->plays, true);
    follow_begin(&b->follower, &oracle, b->oracle_model, b->kept_model);
}

/* CPU and oracle at their start. */
static void bench_start(struct bench *b)
{
    struct space_cpu cpu = {b, bench_read, bench_write};
    bench_reset(b);
    b->cpu.memory = b->memory;
    b->cpu.places = b->follower.places;
    walk_memory_rest(&b->cpu.places, b->memory, b->memory + LOCKSTEP_AREA);
    memcpy(b->follower.oracle.memory, b->memory, LOCKSTEP_MEMORY);
    space_calm(&b->space, &cpu);
    space_begin(&b->space, &cpu, b->oracle_model);
}

static unsigned bench_kinds(const struct profile *profile)
{
    unsigned kinds = 0;
    for (; profile; profile = profile->second)
        kinds++;
    return kinds;
}

/* The second CPU of a kind, below bench_kinds(), taken for silicon or not. False: walks do not support it. */
static bool bench_open_as(struct bench *b, const struct profile *profile, unsigned kind,
                          const struct deviation *deviation, const struct deviation *believed, bool silicon)
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
    b->follower.modelled = !silicon;
    bench_reset(b);
    bench_caps(b);
    b->follower.info_kept = b->follower.oracle.info_kept = lbr_info_kept(&b->caps);
    bool apebs = apebs_counter_bits(&b->caps);
    bool samples = apebs || pebs_counter_bits(&b->caps) || cpu_class(&b->caps) == CLASS_NETBURST;
    b->follower.places = (struct walk_places){samples ? BENCH_RECORDS : 0, BENCH_TRACE};
    bool knows = space_of(&b->caps, silicon, &b->follower.places, bench_read, b, &b->space);
    b->follower.places = *space_memory(&b->space);
    b->space.settle = BENCH_SETTLE;
    b->space.apebs = apebs;
    b->follower.info_told = b->follower.oracle.info_told = space_info_told(&b->space);
    b->space.thread = b->caps.threads_per_core > 1 ? cpu & 1 : 0;
    bench_start(b);
    return knows;
}

static inline bool bench_open(struct bench *b, const struct profile *profile, unsigned kind,
                              const struct deviation *deviation, const struct deviation *believed)
{
    return bench_open_as(b, profile, kind, deviation, believed, false);
}

/* Adds the other thread. Not on NetBurst, whose threads share the counters that walks are about. */
static inline bool bench_accompany(struct bench *b)
{
    if (b->space.netburst)
        return false;
    b->other_model = aligned_alloc(16, follow_room());
    b->core = calloc(1, model_core_size());
    b->plays.core = b->core;
    return true;
}

/* A walk of the other thread, of which only what it does to this one is looked at. */
static inline void bench_other_walk(struct bench *b, u64 seed)
{
    struct walk walk;
    walk_draw(&b->space, ~seed, &walk);
    if (walk_compile(&b->space, &walk, bench_reads_other, b, &b->run))
        PLAYING(oracle_play)(&b->other, &b->run);
}

static void bench_close(struct bench *b)
{
    free(b->other_model);
    free(b->core);
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
    u64 smis = bench_register(b, MSR_SMI_COUNT), *end = PLAYING(oracle_play)(&b->cpu, &b->run);
    if (!end || smis != bench_register(b, MSR_SMI_COUNT)) { /* PMIs without an end, or an SMI: the walk tells nothing */
        bench_start(b);
        return true;
    }
    b->run.area = b->memory;
    b->run.traced = b->memory + LOCKSTEP_AREA;
    if (explains)
        follow_explained(&b->follower, &b->run, end, false, &b->choices, b->room, b->room_before, difference);
    else
        follow_run(&b->follower, &b->run, end, false, difference);
    if (b->follower.undecided || b->follower.vague)
        bench_start(b);
    return !difference->kind;
}

/* Explains differences, if need be by a choice that has begun, unseen, in an earlier walk. */
static bool bench_explain(struct bench *b, struct difference *difference)
{
    u32 explained = b->choices.walks;
    struct difference again = {0};
    walk_keep(&b->last, &b->walk);
    if (bench_make(b, &b->walk, true, difference))
        return true;
    bench_start(b);
    for (u32 n = WALKS_KEPT; n-- && !again.kind;)
        bench_make(b, walk_ago(&b->last, n), true, &again);
    return !again.kind && b->choices.walks != explained;
}

/* The walk of a seed. */
static inline bool bench_walk(struct bench *b, u64 seed, bool explains, struct difference *difference)
{
    if (b->other_model)
        bench_other_walk(b, seed);
    walk_draw(&b->space, seed, &b->walk);
    return explains ? bench_explain(b, difference) : bench_make(b, &b->walk, false, difference);
}

/* The walk of a seed and of what the walks before it have reached. */
static inline bool bench_guided(struct bench *b, u64 seed, bool explains, struct difference *difference)
{
    if (b->other_model)
        bench_other_walk(b, seed);
    interest_draw(&b->interest, &b->space, seed, &b->walk);
    bool same = explains ? bench_explain(b, difference) : bench_make(b, &b->walk, false, difference);
    interest_learn(&b->interest, &b->walk);
    return same;
}
