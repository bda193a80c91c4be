/* SPDX-License-Identifier: BSD-2-Clause */
/* An oracle that follows a CPU, walk after walk. */
#include "kernel/text/text.h"
#include "pmu/registers.h"
#include "reference/lockstep/oracle.h"

#define REDRAWN_MOST 300   /* changes of draws after a difference */
#define RETOLD_MOST 400000 /* instructions that are retold in all attempts: a fifth of a second */

static u64 area_offset(void)
{
    return (model_size() + 15) & ~15ull;
}

u64 follow_room(void)
{
    return area_offset() + LOCKSTEP_MEMORY;
}

void follow_begin(struct follower *f, const struct model_setup *setup, struct model *model, struct model *before)
{
    f->setup = *setup;
    f->model = model;
    f->before = before;
    f->oracle.modelled = f->modelled;
    oracle_reset(&f->oracle, model, &f->setup, false);
    f->oracle.info_kept = f->info_kept;
    f->oracle.info_told = f->info_told;
    f->oracle.places = f->places;
    f->oracle.memory = (u8 *)model + area_offset();
}

bool follow_read(void *follower, u32 msr, u64 *value)
{
    return model_rdmsr(((struct follower *)follower)->model, msr, value);
}

/* The room of a model that this run can change. */
static u64 touched_by(const struct lockstep_run *run)
{
    return follow_room() - (run->traces ? 0 : LOCKSTEP_TRACE);
}

static void keep(struct follower *f, const struct lockstep_run *run)
{
    memcpy(f->before, f->model, touched_by(run));
    f->kept = f->oracle;
}

/* The model's callbacks have the oracle's address, which does not change. */
static void put_back(struct follower *f, const struct lockstep_run *run)
{
    memcpy(f->model, f->before, touched_by(run));
    f->oracle = f->kept;
}

/* The n-th other result of the first `count` draws, from 0: of one draw at a time, last draws first. */
static bool redraw_one(const struct oracle *o, u32 count, u32 *n, u32 drawn[DRAWS_MOST])
{
    for (u32 i = count; i--; *n -= o->most[i]) {
        if (*n >= o->most[i])
            continue;
        drawn[i] = (drawn[i] + *n + 1) % (o->most[i] + 1);
        return true;
    }
    return false;
}

/* The same, and then of two draws at a time. False: there are no more. */
static bool redraw(const struct oracle *o, u32 n, u32 drawn[DRAWS_MOST])
{
    if (redraw_one(o, o->draws, &n, drawn))
        return true;
    for (u32 i = o->draws; i--;)
        if (redraw_one(o, i, &n, drawn)) {
            drawn[i] = (drawn[i] + 1) % (o->most[i] + 1);
            return true;
        }
    return false;
}

/* An attempt: draws, and how far they led. */
struct attempt {
    bool uncounted;
    u64 got_to; /* instructions until the difference, and then words of memory */
    u32 done, used, drawn[DRAWS_MOST];
    struct difference difference;
};

/* Retells with these draws. */
static void try(struct follower *f, const struct lockstep_run *run, const u64 *end, bool storm, u64 ways,
                struct attempt *a)
{
    f->oracle.draws = 0;
    f->oracle.vague = f->oracle.wrote = false;
    f->oracle.uncounted = a->uncounted;
    memcpy(f->oracle.drawn, a->drawn, sizeof(a->drawn));
    a->done = oracle_retell(&f->oracle, run, end, storm, ways, &a->used, &a->difference);
    a->got_to = f->oracle.retold - f->kept.retold + (a->difference.kind == DIFFERENCE_RECORD ? a->difference.step : 0);
}

/* Also with the other habit of writes to running counters, if it matters. */
static void try_both(struct follower *f, const struct lockstep_run *run, const u64 *end, bool storm, u64 ways,
                     struct attempt *best, struct oracle *at_best)
{
    struct attempt other = {.uncounted = !f->uncounted};
    *best = (struct attempt){.uncounted = f->uncounted};
    try(f, run, end, storm, ways, best);
    *at_best = f->oracle;
    if (!best->difference.kind || !f->oracle.wrote)
        return;
    put_back(f, run);
    try(f, run, end, storm, ways, &other);
    if (other.difference.kind && other.got_to <= best->got_to)
        return;
    *best = other;
    *at_best = f->oracle;
}

/*
 * Retells with one order of arrival, and with draws that fit. After a difference each draw before it is changed; the
 * change with which more can be retold is kept, and the next difference changes further draws.
 */
static u32 retell(struct follower *f, const struct lockstep_run *run, const u64 *end, bool storm, u64 ways, u32 *used,
                  struct difference *difference)
{
    struct attempt best, now;
    struct oracle at_best;
    try_both(f, run, end, storm, ways, &best, &at_best);
    now = best;
    for (u32 change = 0; now.difference.kind && change < REDRAWN_MOST; change++) {
        memcpy(now.drawn, best.drawn, sizeof(now.drawn));
        if (!redraw(&at_best, change, now.drawn))
            break;
        put_back(f, run);
        try(f, run, end, storm, ways, &now);
        if (now.difference.kind && now.got_to <= best.got_to)
            continue;
        best = now;
        at_best = f->oracle;
        change = -1u;
    }
    if (!best.difference.kind)
        f->uncounted = best.uncounted;
    f->vague = at_best.vague;
    *used = best.used;
    *difference = best.difference;
    return best.done;
}

/* `used` arrivals were decided before the difference: decides the last possible of them the other way. */
static bool next_way(u64 *ways, u32 used)
{
    u64 open = used ? ~*ways & MASK(used - 1, 0) : 0;
    if (!open)
        return false;
    u64 last = 1ull << (63 - __builtin_clzll(open));
    *ways = (*ways & (last - 1)) | last;
    return true;
}

/* Nothing has fitted, but not everything that could fit was tried. */
static bool is_undecided(struct follower *f, bool undecided, struct difference *difference)
{
    f->undecided = undecided;
    if (undecided)
        *difference = (struct difference){0};
    return false;
}

bool follow_run(struct follower *f, const struct lockstep_run *run, const u64 *end, bool storm,
                struct difference *difference)
{
    u32 used, best = 0;
    u64 ways = 0, retold = 0;
    bool unsure = false;
    *difference = (struct difference){0};
    f->undecided = false;
    keep(f, run);
    for (u32 tried = 0; retold < RETOLD_MOST; tried++) {
        struct difference now;
        u32 done = retell(f, run, end, storm, ways, &used, &now);
        if (!now.kind) {
            *difference = now;
            return true;
        }
        if (!tried || done > best) {
            best = done;
            *difference = now;
        }
        retold += f->oracle.retold - f->kept.retold;
        f->retold += f->oracle.retold - f->kept.retold;
        unsure |= f->oracle.unsure;
        put_back(f, run);
        if (!next_way(&ways, used))
            return is_undecided(f, unsure, difference);
    }
    return is_undecided(f, true, difference);
}
