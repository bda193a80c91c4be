/* SPDX-License-Identifier: BSD-2-Clause */
/* Finds the legal variation that would have done what a CPU did, by retelling the same trace to models that vary. */
#include "kernel/text/text.h"
#include "reference/lockstep/oracle.h"

/* Instructions retold in search of an explanation: some ten seconds in the image. */
#define RETOLD_MOST 20000000

#define ANY_CHANCE (~0u)

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
    struct model_reached reached; /* the rules that a CPU with the choices so far has called, up to the difference */
};

/* Does the run fit a CPU that is set up so, and starts in the follower's state, for some results of random draws from 0
 * to `chance`? */
static bool fits_with(const struct question *q, const struct model_setup *setup, u32 chance)
{
    const struct follower *f = q->follower;
    struct follower other = {.info_kept = f->info_kept,
                             .info_told = f->info_told,
                             .modelled = f->modelled,
                             .uncounted = f->uncounted,
                             .places = f->places};
    struct difference difference;
    follow_begin(&other, setup, q->room, q->room_before);
    model_take_over(q->room, f->model);
    memcpy(other.oracle.memory, f->oracle.memory, LOCKSTEP_MEMORY);
    other.oracle.lvtpc = f->oracle.lvtpc;
    bool fits = follow_run(&other, q->run, q->end, q->storm, &difference);
    q->follower->retold += other.retold;
    q->follower->vague = other.vague;
    return fits && other.oracle.chance <= chance;
}

static bool fits(const struct question *q, const struct choices *choices, u32 chance)
{
    struct model_setup setup = choices_setup(&q->follower->setup, choices);
    return fits_with(q, &setup, chance);
}

/* Can these choices change anything in this run? Else it need not be retold. */
static bool matters(const struct question *q, const struct choices *choices)
{
    struct model_setup now = q->follower->setup, then = choices_setup(&q->follower->setup, choices);
    struct oracle unused = {.modelled = q->follower->modelled};
    oracle_reset(&unused, q->room_before, &now, false);
    oracle_reset(&unused, q->room, &then, false);
    return model_may_differ(q->room, q->room_before, &q->reached);
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
static bool explain_at(const struct question *q, struct choices *choices, u32 at, bool erratum, u32 chance)
{
    for (unsigned i = 0; i < deviation_count && q->follower->retold < RETOLD_MOST; i++) {
        struct choices with = *choices;
        if (!may_be(q->follower, deviations[i], erratum) || chosen(choices, deviations[i]))
            continue;
        choose(&with, at, deviations[i]);
        if (!matters(q, &with) || !fits(q, &with, chance))
            continue;
        *choices = with;
        return true;
    }
    return false;
}

/* In place of the last choice, then in addition to it, then in place of both. */
static bool explain_with(const struct question *q, struct choices *choices, bool erratum, u32 chance)
{
    u32 count = choices->count;
    return (count && explain_at(q, choices, count - 1, erratum, chance)) ||
           (count < CHOICES_MOST && explain_at(q, choices, count, erratum, chance)) ||
           (count == CHOICES_MOST && explain_at(q, choices, 0, erratum, chance));
}

/* What draws by chance explains more, and so comes last. */
static bool explain_by(const struct question *q, struct choices *choices, bool erratum)
{
    static const u32 chances[] = {0, 1, ANY_CHANCE};
    q->follower->retold = 0;
    for_each_row (chances, chance)
        if (explain_with(q, choices, erratum, *chance))
            return true;
    return false;
}

/* Were the choices wrong, and is this a CPU without any? */
static bool explain_without(const struct question *q, struct choices *choices)
{
    struct choices none = {.walks = choices->walks, .minds = choices->minds};
    if (!choices->count || !fits(q, &none, 0))
        return false;
    *choices = none;
    return true;
}

static bool explain(struct question *q, struct choices *choices)
{
    struct model_setup setup = choices_setup(&q->follower->setup, choices);
    setup.reached = &q->reached;
    /* What the oracle believed after earlier walks was wrong: no other choice is needed. */
    if (fits_with(q, &setup, ANY_CHANCE))
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
    memcpy(f->oracle.memory, (const u8 *)room + (f->oracle.memory - (const u8 *)f->model), LOCKSTEP_MEMORY);
    f->oracle.lvtpc = lvtpc; /* the next walk's first step writes it */
}

bool follow_explained(struct follower *follower, const struct lockstep_run *run, const u64 *end, bool storm,
                      struct choices *choices, struct model *room, struct model *room_before,
                      struct difference *difference)
{
    if (follow_run(follower, run, end, storm, difference) || follower->undecided)
        return !follower->undecided;
    struct question question = {follower, run, end, storm, room, room_before, {0}};
    if (!explain(&question, choices))
        return false;
    choices->walks++;
    adopt(follower, choices, room);
    *difference = (struct difference){0};
    return true;
}
