#include "kernel/text/string.h"
#include "pmu/reference/lockstep/follow.h"
#include "pmu/registers.h"

#define REDRAWN_MOST 300   /* combinations of draws, for each order of arrival */
#define RETOLD_MOST 400000 /* instructions that are retold in all attempts: a fifth of a second */

static u64 area_offset(void)
{
    return (model_size() + 15) & ~15ull;
}

u64 follow_room(void)
{
    return area_offset() + LOCKSTEP_AREA;
}

void follow_begin(struct follower *f, const struct model_setup *setup, struct model *model, struct model *before)
{
    f->setup = *setup;
    f->model = model;
    f->before = before;
    oracle_reset(&f->oracle, model, &f->setup, false);
    f->oracle.info_kept = f->info_kept;
    f->oracle.area_at = f->area_at;
    f->oracle.area = (u8 *)model + area_offset();
}

bool follow_read(void *follower, u32 msr, u64 *value)
{
    return model_rdmsr(((struct follower *)follower)->model, msr, value);
}

static void keep(struct follower *f)
{
    memcpy(f->before, f->model, follow_room());
    f->kept = f->oracle;
}

/* The model's callbacks have the oracle's address, which does not change. */
static void put_back(struct follower *f)
{
    memcpy(f->model, f->before, follow_room());
    f->oracle = f->kept;
}

/* The counter that a step reads, as its bit in IA32_PERF_GLOBAL_CTRL; 64: none. */
static u32 counter_of(const struct difference *d)
{
    if (d->op == OP_RDPMC)
        return d->number >= RDPMC_FIXED(0) ? 32 + (d->number - RDPMC_FIXED(0)) : d->number;
    if (d->op != OP_RDMSR)
        return 64;
    if (d->number - MSR_PMC(0) < GP_COUNTERS_MAX)
        return d->number - MSR_PMC(0);
    if (d->number - MSR_A_PMC(0) < GP_COUNTERS_MAX)
        return d->number - MSR_A_PMC(0);
    return d->number - MSR_FIXED_CTR(0) < FIXED_COUNTERS_MAX ? 32 + (d->number - MSR_FIXED_CTR(0)) : 64;
}

/* Explains a count by that counter's draws: raises the last ones by the difference. False: that is impossible. */
static bool redraw(struct oracle *o, const struct difference *d)
{
    u64 more = d->got - d->want;
    u32 counter = counter_of(d);
    if (d->kind != DIFFERENCE_VALUE || counter == 64 || more > DRAWS_MOST * 1000)
        return false;
    for (u32 i = o->draws; i-- && more;) {
        u64 room = o->of_counter[i] == counter ? o->most[i] - o->drawn[i] : 0, added = more < room ? more : room;
        o->drawn[i] += (u32)added;
        more -= added;
    }
    return !more;
}

/* Else the difference, such as an overflow's, may come from any draw: takes the next combination, last draws first. */
static bool draw_otherwise(struct oracle *o)
{
    for (u32 i = o->draws; i--; o->drawn[i] = 0)
        if (o->drawn[i] < o->most[i]) {
            o->drawn[i]++;
            return true;
        }
    return false;
}

/* Retells with one order of arrival, and with draws that fit. */
static u32 retell(struct follower *f, const struct lockstep_run *run, const u64 *end, bool storm, u64 ways, u32 *used,
                  struct difference *difference)
{
    u32 drawn[DRAWS_MOST] = {0}, done = 0;
    for (u32 again = 0; again < REDRAWN_MOST; again++) {
        f->oracle.draws = 0;
        memcpy(f->oracle.drawn, drawn, sizeof(drawn));
        done = oracle_retell(&f->oracle, run, end, storm, ways, used, difference);
        if (!difference->kind || !(redraw(&f->oracle, difference) || draw_otherwise(&f->oracle)))
            return done;
        memcpy(drawn, f->oracle.drawn, sizeof(drawn));
        put_back(f);
    }
    return done;
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

bool follow_run(struct follower *f, const struct lockstep_run *run, const u64 *end, bool storm,
                struct difference *difference)
{
    u32 used, best = 0;
    u64 ways = 0, retold = 0;
    *difference = (struct difference){0};
    f->undecided = false;
    keep(f);
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
        put_back(f);
        if (!next_way(&ways, used))
            return false;
    }
    f->undecided = true;
    *difference = (struct difference){0};
    return false;
}
