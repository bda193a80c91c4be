/* SPDX-License-Identifier: BSD-2-Clause */
/* The judging protocol: blocks are bracketed, disturbed ones repeated, and the most frequent value is judged. */
#include "harness/protocol.h"
#include "harness/core/results.h"
#include "harness/report/report.h"
#include "harness/test.h"
#include "kernel/core/time.h"
#include "kernel/cpu/cpus.h"
#include "kernel/firmware/pci.h"
#include "pmu/gate/write.h"
#include "pmu/run/bracket.h"
#include "pmu/state/handoff.h"
#include "pmu/state/register.h"

#define REPEATS_MOST 100000 /* fast silicon has time for more than anybody needs */
#define REPEATS_SHARE 6     /* of the time that a test has */
#define SPOILT_MOST 50      /* disturbed blocks in a row without a clean one: give up */
#define GAP_SAMPLES 8       /* before the median of a block's time is meaningful */
#define BATCH 4             /* blocks in one bracket: reading all that could have changed costs more than a block */

void settle(void)
{
    pmi_settle();
}

struct repetition {
    bool (*body)(struct test *t, void *argument);
    void (*accept)(struct test *t, void *argument, u32 blocks); /* the last `blocks` were clean; may be NULL */
    void *argument;
    struct bracket bracket;
    u32 least;         /* minimum of clean repeats; 0: the budget's */
    u32 dirty;         /* disturbed repeats */
    u32 clean, failed; /* failed: clean repeats in which a check failed */
    u32 again;         /* how often the last blocks were repeated */
    unsigned spoilt;   /* everything that disturbed a repeat: bits of enum bracket_finding */
};

/* The end of one bracket is the beginning of the next, so events in between disturb the next repeat. */
static void carry_over(struct bracket *bracket)
{
    bracket->opened = bracket->closed;
    bracket->opened.tsc = time_now();
}

/* If the machine does not count its SMIs, a block that took far too long counts as disturbed by one. */
static bool had_gap(struct test *t, const struct repetition *r)
{
    struct histogram *ticks = &t->results->ticks;
    if (t->caps->smi_count)
        return false;
    bool gap = ticks->n >= GAP_SAMPLES && bracket_gap(bracket_ticks(&r->bracket), histogram_quantile(ticks, 500));
    histogram_add(ticks, bracket_ticks(&r->bracket));
    return gap;
}

static _Noreturn void no_clean_repeat(struct test *t, const struct repetition *r)
{
    char name[REGISTER_NAME_SIZE], source[INTERRUPT_SOURCE_TEXT];
    const struct bracket *b = &r->bracket;
    u8 stray = b->closed.counts.stray;
    if (r->spoilt & BRACKET_FOREIGN_WRITE)
        error_for(t, REASON_NOISE_FOREIGN_WRITE, "foreign write to %s: 0x%lx became 0x%lx",
                  register_name(t->caps, b->foreign, name), b->programmed, b->found);
    if (r->spoilt & BRACKET_SMI)
        error_for(t, REASON_NOISE_SMI, "no clean repeat in %u: SMIs", t->results->discarded);
    if (r->spoilt & BRACKET_STRAY)
        error_for(t, REASON_NOISE_STRAY, "no clean repeat in %u: stray interrupts on vector 0x%x (%s)",
                  t->results->discarded, stray, interrupt_source_text(stray, source));
    error_for(t, REASON_NOISE_NMI, "no clean repeat in %u: foreign NMIs, machine checks or APIC errors",
              t->results->discarded);
}

/*
 * Runs blocks, up to a batch, until the body wants no more or the minimum is reached. Returns their number. After a
 * disturbed bracket each has only one block: if disturbances are frequent, a longer bracket would never be clean.
 */
static u32 run_blocks(struct test *t, struct repetition *r, bool *more)
{
    u32 blocks = 0;
    do {
        if (!r->accept)
            cell_enter(t);
        around_enter(t);
        *more = r->body(t, r->argument);
        t->turn++;
        blocks++;
    } while (*more && !r->dirty && blocks < BATCH && r->clean + blocks < r->least);
    return blocks;
}

/*
 * A check that failed in a cell but held in others is repeated in that cell until it is known whether it always fails
 * there. Returns whether that is known.
 */
static bool again(struct test *t, struct repetition *r, bool failed, u32 blocks)
{
    bool all = r->failed == r->clean && r->clean >= CELL_TRIES * BATCH;
    if (!t->cells || t->around || r->accept || !failed || all || r->again == CELL_TRIES - 1) {
        r->again = 0;
        return false;
    }
    r->again++;
    t->turn -= blocks;
    return true;
}

/* Returns whether the blocks must be repeated. */
static bool judge_blocks(struct test *t, struct repetition *r, unsigned found, u32 blocks)
{
    bool failed = results_close(t->results, found == BRACKET_CLEAN);
    r->spoilt |= found;
    if (found & BRACKET_FOREIGN_WRITE)
        no_clean_repeat(t, r);
    if (found) {
        r->dirty++;
        t->turn -= t->cells && !r->accept ? blocks : 0; /* each cell gets a clean turn */
        return true;
    }
    r->clean += blocks;
    r->failed += failed ? blocks : 0;
    if (r->accept)
        r->accept(t, r->argument, blocks);
    return again(t, r, failed, blocks);
}

/* A bracket around some blocks; returns whether the body wants more. */
static bool one_bracket(struct test *t, struct repetition *r)
{
    bool more;
    results_open(t->results);
    u32 blocks = run_blocks(t, r, &more);
    unsigned found = bracket_close(&r->bracket, t->caps);
    t->results->throttled |= !!(found & BRACKET_THROTTLED);
    found &= ~(unsigned)BRACKET_THROTTLED; /* this invalidates times, but not counts */
    if (had_gap(t, r))
        found |= BRACKET_SMI;
    carry_over(&r->bracket);
    return judge_blocks(t, r, found, blocks) || more;
}

/* Enough repeats to see the required number of events. */
static u32 repeats_for_events(u64 events_each)
{
    u64 repeats = events_each ? (budget().events + events_each - 1) / events_each : 0;
    return repeats < REPEATS_MOST ? (u32)repeats : REPEATS_MOST;
}

/*
 * A body may take one counter per repeat, and a test one cell: each gets its turn, however small the budget. Of one
 * surrounding there is one repeat, in any cell.
 */
static u32 least_repeats(const struct test *t, const struct repetition *r)
{
    struct counter list[COUNTERS_MAX];
    if (t->around)
        return 1;
    u32 turns = r->accept ? 0 : own_share(counters(t->caps, list));
    turns = t->cells > turns && !r->accept ? t->cells : turns;
    return turns > budget().repeats ? turns : budget().repeats;
}

/* If every repeat has failed so far, the rest would too: then repeating stops, because each repeat may cost a wait. */
static bool wants_more(const struct test *t, const struct repetition *r, struct allowance *limit)
{
    struct cpu_set self = {0};
    cpu_set_add(&self, t->cpu);
    if (r->failed == r->clean && r->clean >= budget().hopeless)
        return false;
    if (!r->clean && r->dirty > SPOILT_MOST)
        return false;
    bool turns_left = !t->around && !r->accept && t->turn < (t->cells > t->turns ? t->cells : t->turns);
    if (r->clean < r->least || turns_left || r->again)
        return !cpus_over(&self, limit);
    return time_now() < t->results->deadline && r->clean < REPEATS_MOST;
}

static u64 percent(u64 done, u64 of)
{
    return done < of ? done * 100 / of : 100;
}

/* Between two brackets, so that the cost of drawing is in neither. */
static void show_progress(struct test *t, struct repetition *r, u64 begun)
{
    if (t->cpu != 0)
        return;
    u64 deadline = t->results->deadline, repeats = percent(r->clean, r->least),
        time = deadline > begun ? percent(time_now() - begun, deadline - begun) : 100;
    if (report_step(", %lu %%", repeats < time ? repeats : time))
        carry_over(&r->bracket);
}

static u32 repeat(struct test *t, struct repetition *r)
{
    /* A machine with very many SMIs may never reach the minimum; the test must still end by itself. */
    struct cpu_set self = {0};
    cpu_set_add(&self, t->cpu);
    struct allowance limit = cpus_allow(&self, budget().timeout_ms * 1000ul / REPEATS_SHARE);
    u64 begun = time_now();
    bool more = true;
    histogram_clear(&t->results->ticks);
    if (!r->accept)
        cells_begin(t);
    t->turn = t->around ? around_turn(t->around, t->cells) : 0;
    t->turns = 0;
    u32 least = least_repeats(t, r);
    r->least = r->least > least && !t->around ? r->least : least;
    bracket_open(&r->bracket, t->caps);
    while (more && wants_more(t, r, &limit)) {
        more = one_bracket(t, r);
        show_progress(t, r, begun);
    }
    if (!r->clean)
        no_clean_repeat(t, r);
    return r->clean;
}

u32 repeat_clean(struct test *t, bool (*body)(struct test *t, void *argument), void *argument)
{
    return repeat(t, &(struct repetition){.body = body, .argument = argument});
}

bool throttled(const struct test *t)
{
    return t->results->throttled;
}

struct slope_job {
    const struct workload *workload;
    const struct counter *list;
    unsigned n;
    u64 k1, k2, mask;
    struct switch_write start_stop;
    bool begun;
    u64 last[COUNTERS_MAX]; /* values after the last repeat */
    u32 blocks;             /* number so far */
    u64 difference[BATCH][COUNTERS_MAX];
};

static bool count_at_cpl_3(struct test *t, void *argument)
{
    struct slope_job *job = argument;
    u64 *difference = job->difference[job->blocks++ % BATCH];
    count_settled(t, job->workload->user_work, job->list, job->n, job->k1, job->k2, difference);
    return true;
}

/* Reads counts without writing the counters in between: c0, k1, c1, k2, c2 gives (c2 - c1) - (c1 - c0). */
static bool count_at_cpl_0(struct test *t, void *argument)
{
    struct slope_job *job = argument;
    u64 *difference = job->difference[job->blocks++ % BATCH];
    (void)t;
    for (unsigned i = 0; i < job->n; i++)
        difference[i] = job->begun ? job->last[i] : counter_read(job->list[i]);
    job->begun = true;
    job->workload->run(&job->start_stop, job->k1);
    for (unsigned i = 0; i < job->n; i++)
        difference[i] -= 2 * counter_read(job->list[i]);
    job->workload->run(&job->start_stop, job->k2);
    for (unsigned i = 0; i < job->n; i++) {
        job->last[i] = counter_read(job->list[i]);
        difference[i] = (difference[i] + job->last[i]) & counter_mask(job->list[i].width);
    }
    return true;
}

/*
 * Fixed counter 0 is started by its own control (fixed_switch()), with both enables off before, and from 0: errata ask
 * for this, and no other help is known. Users of Haswell have seen too high counts in that order too, so no exact count
 * is promised there (errata.c excuses it); before a preset, 0 is written.
 */
static void run_fixed(const struct slope_job *job, u64 k)
{
    wrmsr(MSR_PERF_GLOBAL_CTRL, 0);
    for (unsigned i = 0; i < job->n; i++)
        counter_write(job->list[i], 0);
    wrmsr(MSR_PERF_GLOBAL_CTRL, job->mask);
    job->workload->run(&job->start_stop, k);
}

static bool count_fixed_at_cpl_0(struct test *t, void *argument)
{
    struct slope_job *job = argument;
    u64 *difference = job->difference[job->blocks++ % BATCH];
    (void)t;
    run_fixed(job, job->k1);
    for (unsigned i = 0; i < job->n; i++)
        difference[i] = -counter_read(job->list[i]);
    run_fixed(job, job->k2);
    for (unsigned i = 0; i < job->n; i++)
        difference[i] = (difference[i] + counter_read(job->list[i])) & counter_mask(job->list[i].width);
    return true;
}

static void accept_slopes(struct test *t, void *argument, u32 blocks)
{
    struct slope_job *job = argument;
    for (u32 block = job->blocks - blocks; block < job->blocks; block++)
        for (unsigned i = 0; i < job->n; i++)
            tally_add(&t->results->slope[i], job->difference[block % BATCH][i]);
}

static void repeat_slope(struct test *t, struct slope_job *job, bool (*body)(struct test *t, void *argument))
{
    repeat(t, &(struct repetition){
                  .body = body,
                  .accept = accept_slopes,
                  .argument = job,
                  .least = repeats_for_events((job->k2 - job->k1) * job->workload->instructions_per_k),
              });
}

void count_slope(struct test *t, const struct workload *w, const struct counter *list, unsigned n, u64 k1, u64 k2,
                 bool user, struct slope *slope)
{
    struct slope_job job = {.workload = w, .list = list, .n = n, .k1 = k1, .k2 = k2};
    for (unsigned i = 0; i < n; i++) {
        job.mask |= BIT(list[i].bit);
        t->results->slope[i] = (struct tally){0};
    }
    t->results->started = job.mask;
    if (user) {
        repeat_slope(t, &job, count_at_cpl_3);
    } else if (job.mask & caps_gp_bits(t->caps)) {
        job.start_stop = counters_switch(t->caps, job.mask);
        repeat_slope(t, &job, count_at_cpl_0);
    } else {
        job.start_stop = fixed_switch(job.mask);
        repeat_slope(t, &job, count_fixed_at_cpl_0);
        fixed_switch_end(&job.start_stop);
    }
    for (unsigned i = 0; i < n; i++) {
        const struct tally *tally = &t->results->slope[i];
        unsigned mode = tally_mode(tally);
        slope[i] = (struct slope){.mode = tally->value[mode],
                                  .clean = tally->total,
                                  .outliers = tally->total - tally->count[mode],
                                  .all = tally};
    }
}

/* Values without room in the tally lie between its least and its greatest value. */
static void check_others(struct test *t, struct check *check, const struct tally *tally)
{
    if (!tally->other)
        return;
    check->got = tally->least;
    results_check_many(t->results, check, tally->other - 1, tally->other - 1);
    check->got = tally->most;
    results_check_many(t->results, check, 1, 1);
}

bool check_slope(struct test *t, const char *label, const struct counter *counter, const struct slope *slope, u64 want)
{
    const struct tally *tally = slope->all;
    struct check check = {.label = label,
                          .msr = counter->msr,
                          .bit = NO_BIT,
                          .kind = CHECK_EQUAL,
                          .want = want,
                          .repeated = true,
                          .difference = true,
                          .aspects = results_about(t->results, want ? ASPECT_INSTRUCTIONS : 0)};
    cell_note(t, &check);
    for (unsigned i = 0; i < tally->used; i++) {
        check.got = tally->value[i];
        results_check_many(t->results, &check, tally->count[i], check.got == want ? 0 : tally->count[i]);
    }
    check_others(t, &check, tally);
    return slope->mode == want;
}
