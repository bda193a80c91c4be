/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A processor trace on hardware. No manual says in which packets a CPU tells of a path, nor when they are in memory, so
 * a few blocks are traced apart, at the end of a walk, and the path is looked at afterwards. OP_TRACE of a walk says
 * which blocks; here it becomes steps of the run.
 */
#include "pmu/area/trace_area.h"
#include "pmu/registers.h"
#include "reference/lockstep/scene.h"

#define BLOCKS_MOST 4
#define TURNS_MOST 8 /* of a loop: few enough for TRACED_MOST */

/* ---- The fields of OP_TRACE: any number and value are sensible. */

static u64 levels_of(const struct walk_step *trace)
{
    static const u64 levels[] = {RTIT_CTL_OS | RTIT_CTL_USER, RTIT_CTL_OS | RTIT_CTL_USER, RTIT_CTL_OS, RTIT_CTL_USER};
    return levels[trace->number & 3];
}

static bool at_user(const struct walk_step *trace)
{
    return !(trace->number >> 2 & 3);
}

/* Returns are told like other indirect branches. */
static u64 control_of(const struct walk_step *trace)
{
    return RTIT_CTL_TRACE_EN | levels_of(trace) | RTIT_CTL_TOPA | RTIT_CTL_BRANCH_EN | RTIT_CTL_DIS_RETC |
           (trace->number >> 4 & 1 ? RTIT_CTL_TSC_EN : 0);
}

/* ---- The steps. */

static void blocks(struct scene_steps *w, const struct walk_step *trace)
{
    static const u32 ops[] = {OP_LOOP, OP_BRANCHES, OP_STRAIGHT, OP_MEMORY,
                              OP_LOOP, OP_BRANCHES, OP_STRING,   OP_BRANCHES};
    u64 which = trace->value;
    if (at_user(trace))
        scene_step(w, OP_TO_USER, 0, 0);
    for (u64 n = 1 + (trace->number >> 5) % BLOCKS_MOST; n; n--, which >>= 8) {
        u32 op = ops[which & 7];
        scene_step(w, op, op == OP_LOOP ? 1 + (which >> 3) % TURNS_MOST : 0, 0);
    }
    if (at_user(trace))
        scene_step(w, OP_FROM_USER, 0, 0);
}

/* The table has one region, at whose end the trace would stop. */
u32 tracing_steps(const struct space *s, const struct walk_step *trace, struct walk_step to[SCENE_STEPS],
                  struct run_tracing *scene)
{
    struct scene_steps w = {.to = to};
    u64 table = s->areas.trace;
    if (!s->careful || !table)
        return 0;
    *scene = (struct run_tracing){.levels = levels_of(trace), .there = true};
    scene_writes(&w, MSR_RTIT_CTL, 0);
    scene_writes(&w, MSR_RTIT_STATUS, 0);
    scene_step(&w, OP_POKE, LOCKSTEP_AREA, (table + TRACE_REGION_OFFSET) | TOPA_STOP);
    scene_writes(&w, MSR_RTIT_OUTPUT_BASE, table);
    scene_writes(&w, MSR_RTIT_OUTPUT_MASK_PTRS, RTIT_PTRS_ONES);
    scene->starts = w.count;
    scene_writes(&w, MSR_RTIT_CTL, control_of(trace));
    blocks(&w, trace);
    scene->stops = w.count;
    scene_writes(&w, MSR_RTIT_CTL, 0);
    scene->reads = w.count;
    scene_step(&w, OP_RDMSR, MSR_RTIT_STATUS, 0);
    scene_step(&w, OP_RDMSR, MSR_RTIT_OUTPUT_MASK_PTRS, 0);
    scene_writes(&w, MSR_RTIT_OUTPUT_BASE, 0);
    scene_writes(&w, MSR_RTIT_OUTPUT_MASK_PTRS, RTIT_PTRS_ONES);
    return w.count;
}
