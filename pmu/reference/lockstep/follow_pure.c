#include "kernel/text/string.h"
#include "pmu/reference/lockstep/follow.h"
#include "pmu/registers.h"

#define WAYS_MOST 6 /* places at which both ways are tried */

void follow_begin(struct follower *f, const struct model_setup *setup, struct model *model, struct model *before)
{
    f->setup = *setup;
    f->model = model;
    f->before = before;
    oracle_reset(&f->oracle, model, &f->setup, false);
    f->oracle.pce = f->pce;
    f->oracle.info_kept = f->info_kept;
}

bool follow_read(void *follower, u32 msr, u64 *value)
{
    return model_rdmsr(((struct follower *)follower)->model, msr, value);
}

static void keep(struct follower *f)
{
    memcpy(f->before, f->model, model_size());
    f->kept = f->oracle;
}

/* The model's callbacks know the oracle by its address, which stays. */
static void put_back(struct follower *f)
{
    memcpy(f->model, f->before, model_size());
    f->oracle = f->kept;
}

/* The counter that a step reads, by its bit in IA32_PERF_GLOBAL_CTRL; 64: none. */
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

/* A count that is off by what was drawn of that counter: the last ones are so much. False: they cannot be. */
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

/* One way of arrival, with what was drawn as it fits. */
static u32 retell(struct follower *f, const struct lockstep_run *run, const u64 *end, bool storm, u64 ways, u32 *used,
                  struct difference *difference)
{
    u32 drawn[DRAWS_MOST] = {0}, done = 0;
    for (u32 again = 0; again < DRAWS_MOST; again++) {
        f->oracle.draws = 0;
        memcpy(f->oracle.drawn, drawn, sizeof(drawn));
        done = oracle_retell(&f->oracle, run, end, storm, ways, used, difference);
        if (!difference->kind || !redraw(&f->oracle, difference))
            return done;
        memcpy(drawn, f->oracle.drawn, sizeof(drawn));
        put_back(f);
    }
    return done;
}

bool follow_run(struct follower *f, const struct lockstep_run *run, const u64 *end, bool storm,
                struct difference *difference)
{
    u32 used, most = 0, best = 0;
    *difference = (struct difference){0};
    keep(f);
    for (u64 ways = 0;; ways++) {
        struct difference now;
        u32 done = retell(f, run, end, storm, ways, &used, &now);
        if (!now.kind) {
            *difference = now;
            return true;
        }
        if (!ways || done > best) {
            best = done;
            *difference = now;
        }
        put_back(f);
        most = used > most ? used : most;
        if (ways + 1 >= 1ull << (most < WAYS_MOST ? most : WAYS_MOST))
            return false;
    }
}
