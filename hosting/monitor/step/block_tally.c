/* SPDX-License-Identifier: BSD-2-Clause */
#include "hosting/monitor/step/block_tally.h"

void tally_report(const struct frame *f, struct tally *t)
{
    t->run.cpl = f->cs & 3;
    if (t->run.instructions)
        model_retire_run(t->model, &t->run);
    t->reported += t->run.instructions;
    t->run = (struct model_run){0};
}

/* Instructions that are added next begin at `rip`. */
static void begin(struct tally *t, u64 rip)
{
    if (!t->run.instructions)
        t->run.rip = rip;
}

/* The address of a block's branch. */
static u64 branch_of(const struct block *b)
{
    return b->top + b->starts[b->count - 1];
}

/* Tells the model the directions of a block's branch, which is part of the run. */
static void predict(const struct frame *f, struct tally *t, const struct block *b, bool taken, u32 times)
{
    if (b->branch == BRANCH_CONDITIONAL && model_predicts(t->model, f->cs & 3))
        model_run_predict(t->model, &t->run, branch_of(b), taken, times);
}

/* Reports a branch by itself, as it is recorded or traced. */
static void report_branch(const struct frame *f, struct tally *t, const struct block *b, bool taken)
{
    unsigned last = b->count - 1u;
    struct retired branch = {.kind = RETIRED_BRANCH,
                             .cpl = f->cs & 3,
                             .cpl_after = f->cs & 3,
                             .taken = taken,
                             .branch = b->branch,
                             .access = b->access[last],
                             .rip = b->top + b->starts[last]};
    model_retire(t->model, &branch);
    t->reported++;
}

/* Returns the block of a note and marks it as executed in this go. */
static const struct block *gone_through(const struct tally *t, u16 note)
{
    struct translated *way = &t->blocks->each[note / 2];
    way->gone_through = t->blocks->goes;
    return &way->block;
}

/* Reports what a note says, its branch by itself if it is wanted. */
static void report_note(const struct frame *f, struct tally *t, u16 note, enum model_branches wanted)
{
    const struct block *b = gone_through(t, note);
    bool taken = note & 1;
    begin(t, b->top);
    if (!taken && !(wanted == BRANCHES_EACH && b->end == BLOCK_CONDITIONAL)) {
        block_count(&t->run, b, 1, false);
        predict(f, t, b, false, 1);
        return;
    }
    block_count_part(&t->run, b, b->count - 1u);
    tally_report(f, t);
    report_branch(f, t, b, taken);
}

/* The number of notes that are the same, from `note` downwards. */
static u32 same_notes(const u16 *note, const u16 *end)
{
    u32 count = 1;
    while (note - count >= end && note[-(ptrdiff_t)count] == *note)
        count++;
    return count;
}

/* Reports `turns` of a block that leads to itself: together from the third on, if they leave the same branch record. */
static void report_loop(const struct frame *f, struct tally *t, u16 note, u32 turns, enum model_branches wanted)
{
    const struct block *b = gone_through(t, note);
    bool alike = turns > 2 && (note & 1) && b->branch != BRANCH_RETURN && model_turns_alike(t->model);
    for (u32 turn = 0; turn < (alike ? 2 : turns); turn++)
        report_note(f, t, note, wanted);
    if (!alike)
        return;
    begin(t, b->top);
    block_count(&t->run, b, turns - 2, true);
    predict(f, t, b, true, turns - 2);
    t->run.alike = true;
    tally_report(f, t);
}

/* Reports wanted branches by themselves, in order. */
static void report_each(const struct frame *f, struct tally *t, const u16 *first, const u16 *end,
                        enum model_branches wanted)
{
    for (const u16 *note = first; note > end;) {
        u32 turns = same_notes(note - 1, end);
        report_loop(f, t, note[-1], turns, wanted);
        note -= turns;
    }
}

/* ---- Predictions. Order matters only between branches at the same place of the predictor, if they differ. */

struct directions {
    u64 seen[2][MODEL_PREDICTOR_PLACES / 64]; /* not taken, and taken; bit = place */
};

static const struct block *noted(const struct tally *t, u16 note)
{
    return &t->blocks->each[note / 2].block;
}

static void see(struct directions *d, const struct block *b, bool taken)
{
    u8 place = model_predictor_place(branch_of(b));
    if (b->branch == BRANCH_CONDITIONAL)
        d->seen[taken][place / 64] |= BIT(place % 64);
}

static bool both_seen(const struct directions *d, const struct block *b)
{
    u8 place = model_predictor_place(branch_of(b));
    return d->seen[0][place / 64] & d->seen[1][place / 64] & BIT(place % 64);
}

static void predict_in_order(const struct frame *f, struct tally *t, const struct directions *d, const u16 *first,
                             const u16 *end)
{
    for (const u16 *note = first; note > end;) {
        const struct block *b = noted(t, note[-1]);
        u32 turns = 1;
        if (b->branch == BRANCH_CONDITIONAL && both_seen(d, b)) {
            turns = same_notes(note - 1, end);
            predict(f, t, b, note[-1] & 1, turns);
        }
        note -= turns;
    }
}

/* Of all that was executed; `ways` are the `count` different notes. */
static void predict_all(const struct frame *f, struct tally *t, const u16 *first, const u16 *end, unsigned count)
{
    const u16 *hits = t->blocks->hits, *ways = t->blocks->ways;
    struct directions d = {0};
    bool mixed = false;
    for (unsigned i = 0; i < count; i++)
        see(&d, noted(t, ways[i]), ways[i] & 1);
    for (unsigned i = 0; i < count; i++) {
        const struct block *b = noted(t, ways[i]);
        bool both = both_seen(&d, b);
        mixed |= both;
        if (!both)
            predict(f, t, b, ways[i] & 1, hits[ways[i]]);
    }
    if (mixed)
        predict_in_order(f, t, &d, first, end);
}

/* Counts how often each way was taken, then adds them all at once. */
static void count_all(const struct frame *f, struct tally *t, const u16 *first, const u16 *end)
{
    u16 *hits = t->blocks->hits, *ways = t->blocks->ways, count = 0;
    for (const u16 *note = first; note-- > end;)
        if (!hits[*note]++)
            ways[count++] = *note;
    if (model_predicts(t->model, f->cs & 3))
        predict_all(f, t, first, end, count);
    for (unsigned i = 0; i < count; i++) {
        block_count(&t->run, gone_through(t, ways[i]), hits[ways[i]], ways[i] & 1);
        hits[ways[i]] = 0;
    }
}

bool tally_spin(const struct frame *f, struct tally *t, const struct block *b, u32 most)
{
    u32 before = t->run.taken;
    begin(t, b->top);
    bool ends = block_spin(b, &t->blocks->state, most, &t->run);
    predict(f, t, b, true, t->run.taken - before);
    if (ends)
        predict(f, t, b, false, 1);
    return ends;
}

u64 tally_go_through(const struct frame *f, struct tally *t, const u16 *first, u64 rip)
{
    const u16 *end = (const u16 *)t->blocks->state.note;
    if (first == end)
        return rip;
    enum model_branches wanted = model_wants_branches(t->model);
    if (wanted) {
        report_each(f, t, first, end, wanted);
    } else {
        begin(t, noted(t, first[-1])->top);
        count_all(f, t, first, end);
    }
    return block_next(noted(t, *end), &t->blocks->state, *end & 1);
}

void tally_part(struct tally *t, u32 number, unsigned instructions)
{
    const struct block *b = gone_through(t, (u16)(2 * number));
    begin(t, b->top);
    block_count_part(&t->run, b, instructions);
}
