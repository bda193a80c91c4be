/* SPDX-License-Identifier: BSD-2-Clause */
/* What an oracle notes of scenes apart on hardware: what they read, and the path under a trace. */
#include "reference/lockstep/player.h"

bool player_notes(struct player *p, u64 got)
{
    bool apart = p->run->scenes && p->step >= p->run->body + p->run->scenes;
    if (!player_on_hardware(p) || player_in_handler(p) || !apart)
        return false;
    if (p->noted_count < SAMPLING_READS + TRACING_READS)
        p->noted[p->noted_count++] = got;
    return true;
}

/* ---- The path that a trace has to tell. */

static bool is_traced(const struct player *p, u8 cpl)
{
    return p->run->tracing.levels & (cpl ? RTIT_CTL_USER : RTIT_CTL_OS);
}

bool player_is_traced(const struct player *p)
{
    const struct run_tracing *scene = &p->run->tracing;
    u32 step = (u32)(p->step - p->run->body);
    return player_on_hardware(p) && scene->there && !player_in_handler(p) && step >= scene->starts &&
           step <= scene->stops && p->traced.on;
}

void player_traces_write(struct player *p)
{
    const struct run_tracing *scene = &p->run->tracing;
    u32 step = (u32)(p->step - p->run->body);
    if (!player_on_hardware(p) || !scene->there || player_in_handler(p))
        return;
    if (step == scene->starts) {
        p->traced.on = true;
        p->traced.begin = is_traced(p, 0) ? p->row[1].at : 0;
    }
    if (step == scene->stops)
        p->traced.on = false;
}

void player_traces_branch(struct player *p, bool conditional, bool taken, u8 after)
{
    if (!is_traced(p, p->cpl))
        return;
    if (conditional && p->traced.directions < TRACED_MOST)
        p->traced.taken[p->traced.directions++] = taken;
    p->traced.leads = !conditional && is_traced(p, after);
}

void player_traces_target(struct player *p)
{
    if (p->traced.leads && p->traced.targets < TRACED_MOST)
        p->traced.target[p->traced.targets++] = p->row->at;
    p->traced.leads = false;
}
