#include "kernel/text/string.h"
#include "pmu/reference/lockstep/explain.h"

#define RETOLD_MOST 2000000 /* instructions retold in search of an explanation: a second or two */

/* The set-up of an oracle with these choices. */
static struct model_setup choices_setup(const struct model_setup *any, const struct choices *choices)
{
    struct model_setup setup = *any;
    setup.change = deviate;
    setup.how = &choices->how;
    return setup;
}

const struct deviation *choice(const struct choices *choices, u32 n)
{
    return n >= choices->count ? NULL : n ? choices->how.also : choices->how.deviation;
}

/* The run to be explained, and who explains it: kept together for all functions below. */
struct question {
    struct follower *follower;
    const struct lockstep_run *run;
    const u64 *end;
    bool storm;
    struct model *room, *room_before; /* of the instance that retells it */
};

/* Does the run fit a CPU with these choices that starts in the follower's state? may_draw: for some results of its
 * random draws, too. */
static bool fits(const struct question *q, const struct choices *choices, bool may_draw)
{
    struct follower *follower = q->follower;
    struct follower other = {.info_kept = follower->info_kept, .area_at = follower->area_at};
    struct difference difference;
    struct model_setup setup = choices_setup(&follower->setup, choices);
    follow_begin(&other, &setup, q->room, q->room_before);
    model_take_over(q->room, follower->model);
    memcpy(other.oracle.area, follower->oracle.area, LOCKSTEP_AREA);
    other.oracle.lvtpc = follower->oracle.lvtpc;
    bool fits = follow_run(&other, q->run, q->end, q->storm, &difference);
    follower->retold += other.retold;
    return fits && (may_draw || !other.oracle.draws);
}

static void choose(struct choices *choices, u32 at, const struct deviation *variation)
{
    if (!at)
        choices->how.deviation = variation;
    choices->how.also = at ? variation : NULL;
    choices->count = at + 1;
}

static bool chosen(const struct choices *choices, const struct deviation *variation)
{
    return choices->how.deviation == variation || choices->how.also == variation;
}

const char *mimicked_erratum(const struct follow_cpu *cpu, const struct deviation *defect)
{
    const struct deviation_erratum *row;
    for (unsigned n = 0; (row = deviation_erratum(defect, n)); n++) {
        bool fixed = row->fixed && cpu->microcode >= row->fixed,
             other = row->threads && cpu->threads && row->threads != cpu->threads;
        if (row->signature == cpu->signature && !fixed && !other)
            return row->id;
    }
    return NULL;
}

static bool may_be(const struct follower *follower, const struct deviation *deviation, bool erratum)
{
    if (!erratum)
        return deviation->kind == KIND_VARIATION;
    return deviation->kind == KIND_DEFECT && mimicked_erratum(&follower->cpu, deviation);
}

/* Tries each variation, or each erratum, in the place `at` of the choices. */
static bool explain_at(const struct question *q, struct choices *choices, u32 at, bool erratum, bool may_draw)
{
    for (unsigned i = 0; i < deviation_count && q->follower->retold < RETOLD_MOST; i++) {
        struct choices with = *choices;
        if (!may_be(q->follower, deviations[i], erratum) || chosen(choices, deviations[i]))
            continue;
        choose(&with, at, deviations[i]);
        if (!fits(q, &with, may_draw))
            continue;
        *choices = with;
        return true;
    }
    return false;
}

/* In addition to the choices so far, then in place of the last one. */
static bool explain_with(const struct question *q, struct choices *choices, bool erratum, bool may_draw)
{
    u32 at = choices->count < CHOICES_MOST ? choices->count : CHOICES_MOST - 1;
    do
        if (explain_at(q, choices, at, erratum, may_draw))
            return true;
    while (at--);
    return false;
}

/* What draws by chance explains more, and so comes last. */
static bool explain_by(const struct question *q, struct choices *choices, bool erratum)
{
    q->follower->retold = 0;
    return explain_with(q, choices, erratum, false) || explain_with(q, choices, erratum, true);
}

/* Were the choices wrong, and is this a CPU without any? */
static bool explain_without(const struct question *q, struct choices *choices)
{
    struct choices none = {.walks = choices->walks, .minds = choices->minds};
    if (!choices->count || !fits(q, &none, false))
        return false;
    *choices = none;
    return true;
}

static bool explain(const struct question *q, struct choices *choices)
{
    /* What the oracle believed after earlier walks was wrong: no other choice is needed. */
    if (fits(q, choices, true))
        return true;
    if (choices->minds == MINDS_MOST)
        return false;
    choices->minds++;
    return explain_without(q, choices) || explain_by(q, choices, false) || explain_by(q, choices, true);
}

/* `room` has retold the run; the follower continues in its state. */
static void adopt(struct follower *f, const struct choices *choices, const struct model *room)
{
    struct model_setup setup = choices_setup(&f->setup, choices);
    u32 lvtpc = f->oracle.lvtpc;
    follow_begin(f, &setup, f->model, f->before);
    model_take_over(f->model, room);
    memcpy(f->oracle.area, (const u8 *)room + (f->oracle.area - (const u8 *)f->model), LOCKSTEP_AREA);
    f->oracle.lvtpc = lvtpc; /* the next walk's first step writes it */
}

bool follow_explained(struct follower *follower, const struct lockstep_run *run, const u64 *end, bool storm,
                      struct choices *choices, struct model *room, struct model *room_before,
                      struct difference *difference)
{
    if (follow_run(follower, run, end, storm, difference) || follower->undecided)
        return !follower->undecided;
    const struct question question = {follower, run, end, storm, room, room_before};
    if (!explain(&question, choices))
        return false;
    choices->walks++;
    adopt(follower, choices, room);
    *difference = (struct difference){0};
    return true;
}
