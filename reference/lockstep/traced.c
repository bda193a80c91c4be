/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a processor trace of a few blocks must have left on hardware: whole packets from the start of its region on, a
 * PSB, a beginning where the trace was turned on, and an end; the directions of all conditional branches and the
 * targets of all others that were executed at a traced level, each in its order; and nothing behind the position. A
 * trace that has lost packets says so, and is not looked at. SDM 3C, "Intel Processor Trace".
 */
#include "kernel/text/text.h"
#include "pmu/area/trace_area.h"
#include "reference/lockstep/player.h"

#define COARSEST 16 /* bytes that a position may lag behind */

static void differs(struct player *p, u64 offset, u64 want, u64 got)
{
    player_differs(p, DIFFERENCE_RECORD, want, got);
    p->difference->number = 0;
    p->difference->step = LOCKSTEP_AREA + (u32)offset;
}

/* Of the words outside the bytes that the trace may have been written to, each as it was. */
static bool keeps_rest(struct player *p, u64 bytes)
{
    const u8 *expected = p->o->memory + LOCKSTEP_AREA, *found = p->run->traced;
    u64 end = TRACE_REGION_OFFSET + (bytes + COARSEST + sizeof(u64)) / sizeof(u64) * sizeof(u64);
    for (u64 offset = 0; offset < LOCKSTEP_TRACE; offset += sizeof(u64)) {
        u64 want, got;
        memcpy(&want, expected + offset, sizeof(want));
        memcpy(&got, found + offset, sizeof(got));
        if (want == got || (offset >= TRACE_REGION_OFFSET && offset < end))
            continue;
        differs(p, offset, want, got);
        return false;
    }
    return true;
}

static bool directions_fit(struct player *p, const struct trace_told *told)
{
    for (u32 i = 0; i < p->traced.directions && i < told->directions; i++)
        if (told->taken[i] != p->traced.taken[i]) {
            differs(p, TRACE_REGION_OFFSET, i, told->taken[i]);
            return false;
        }
    if (told->directions != p->traced.directions)
        differs(p, TRACE_REGION_OFFSET, p->traced.directions, told->directions);
    return told->directions == p->traced.directions;
}

static bool targets_fit(struct player *p, const struct trace_told *told)
{
    for (u32 i = 0; i < p->traced.targets && i < told->targets; i++)
        if (told->target[i] != p->traced.target[i]) {
            differs(p, TRACE_REGION_OFFSET, p->traced.target[i], told->target[i]);
            return false;
        }
    if (told->targets != p->traced.targets)
        differs(p, TRACE_REGION_OFFSET, p->traced.targets, told->targets);
    return told->targets == p->traced.targets;
}

/* A beginning, an end and the way between. */
static bool path_fits(struct player *p, const struct trace_told *told)
{
    bool whole = !told->wanted && (told->boundaries || !told->begins), begun = told->begins || !p->traced.begin;
    if (whole && begun && told->ends >= told->begins &&
        (!told->begin || !p->traced.begin || told->begin == p->traced.begin))
        return directions_fit(p, told) && targets_fit(p, told);
    differs(p, TRACE_REGION_OFFSET + told->end, p->traced.begin, told->begin);
    return false;
}

static void compare_status(struct player *p, u64 status)
{
    if (!(status & (RTIT_STATUS_ERROR | RTIT_STATUS_STOPPED)))
        return;
    player_differs(p, DIFFERENCE_VALUE, 0, status);
    p->difference->op = OP_RDMSR;
    p->difference->number = MSR_RTIT_STATUS;
}

void player_compare_trace(struct player *p)
{
    struct trace_told told;
    if (!p->run->tracing.there || !p->run->traced || p->noted_count < TRACING_READS)
        return;
    const u64 *noted = &p->noted[p->noted_count - TRACING_READS];
    u64 bytes = noted[1] >> 32;
    p->o->vague = true;
    trace_read(p->run->traced + TRACE_REGION_OFFSET, TRACE_REGION_BYTES, &told);
    if (told.lost)
        return;
    if (bytes >= TRACE_REGION_BYTES)
        differs(p, TRACE_REGION_OFFSET, 0, bytes);
    else if (keeps_rest(p, bytes) && path_fits(p, &told))
        compare_status(p, noted[0]);
}
