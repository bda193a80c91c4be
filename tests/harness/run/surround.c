/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Runs a test that has passed with nothing around it once more in each of several surroundings, and finds out what a
 * failure there needs.
 */
#include "harness/core/budget.h"
#include "harness/run/worker.h"
#include "harness/test.h"
#include "kernel/core/option.h"
#include "kernel/core/time.h"
#include "kernel/text/text.h"
#include "pmu/gate/gate.h"

OPTION(surroundings, .kind = OPTION_NUMBER, .argument = "SEED",
       .help = "what is drawn around each test, made from SEED; 0: nothing", .minimum = 0, .maximum = ~0ull);

#define SEED 1           /* of runs without the option, so that two machines are asked the same */
#define DRAWS_MOST 64    /* of a test, however fast it is */
#define SAMPLING_SHARE 2 /* of these draws, for a test that samples */
#define NARROW_SHARE 4   /* of a test's timeout, for finding out what a failure needs */

static u32 soak_round;

void surround_round(u32 round)
{
    soak_round = round;
}

static u64 seed(void)
{
    u64 first = option_surroundings.given ? option_surroundings.number : SEED;
    return first ? first + soak_round : 0;
}

/* NetBurst's tests, and those that only ask what is enumerated, use no counter that could have anything around it. */
static bool uses_counters(const struct needs *needs)
{
    return !needs->no_pmu && !needs->no_counter && !needs->netburst;
}

static bool samples(const struct needs *needs)
{
    return needs->sampling || needs->pebs || needs->apebs || needs->adaptive || needs->pebs_format;
}

static unsigned parts_for(const struct test_declaration *declaration)
{
    unsigned any = ASIDE_ANY;
    if (declaration->alone || declaration->scope == ALL_TOGETHER || !uses_counters(&declaration->needs))
        return 0;
    if (samples(&declaration->needs))
        any |= ASIDE_SAMPLING;
    if (declaration->needs.apic) /* some CPUs repeat a PMI as long as an overflow bit stands */
        any &= ~ASIDE_PMIS;
    return any | declaration->aside;
}

bool surround_wanted(const struct test *test, const struct results *results)
{
    bool failed = results->outcome != OUTCOME_NONE || results->denied.msr;
    for (unsigned i = 0; i < results->checks; i++)
        failed |= !!results->check[i].failed;
    return !failed && seed() && test->caps->version >= 2 && parts_for(test->declaration);
}

static u64 seed_for(const struct test *t, u32 draw)
{
    u64 sum = seed();
    for (const char *c = t->declaration->id; *c; c++)
        sum = sum * 31 + (u8)*c;
    return (sum * 1009 + draw) * 8191 + t->position;
}

/* The checks of the first run that a draw let fail. */
struct failed {
    u64 bits[CHECKS_MAX / 64];
};

static struct failed adopt(const struct surrounded *s)
{
    struct failed failed = {0};
    for (unsigned i = 0; i < s->again->checks; i++) {
        int place = s->again->check[i].failed ? results_adopt(s->results, &s->again->check[i]) : -1;
        if (place >= 0)
            failed.bits[place / 64] |= BIT(place % 64);
    }
    return failed;
}

/* Only the first of them. */
static struct failed first_of(const struct failed *failed)
{
    struct failed first = {0};
    for (unsigned i = 0; i < CHECKS_MAX / 64; i++)
        if (failed->bits[i]) {
            first.bits[i] = failed->bits[i] & -failed->bits[i];
            break;
        }
    return first;
}

static bool failed_again(const struct surrounded *s, const struct check *check)
{
    const struct check *other = results_find(s->again, check);
    return other && other->failed;
}

enum again { HELD, FAILED, ENDED };

/*
 * Another run with that around it: does any of these fail again? ENDED: the test did not come to its end. `settles`:
 * those that hold are told from the others, unless they failed twice in another surrounding.
 */
static enum again again(const struct surrounded *s, const struct surroundings *around, const struct failed *which,
                        bool settles)
{
    enum again any = HELD;
    if (!s->run(s->argument, around))
        return ENDED;
    for (unsigned i = 0; i < s->results->checks; i++) {
        struct check *check = &s->results->check[i];
        if (!(which->bits[i / 64] >> i % 64 & 1))
            continue;
        bool failed = failed_again(s, check);
        any = failed ? FAILED : any;
        check->cell_fails |= settles && failed;
        if (settles)
            check->held_again = !check->cell_fails;
    }
    return any;
}

/* One part or bit less, if it still fails then. Returns whether to go on. */
static bool less(const struct surrounded *s, struct surroundings *around, const struct failed *which, unsigned part,
                 u64 bits, u64 until)
{
    struct surroundings smaller = *around;
    smaller.part[part] &= ~bits;
    enum again found = time_now() < until ? again(s, &smaller, which, false) : ENDED;
    if (found == FAILED)
        *around = smaller;
    return found != ENDED;
}

/* Takes away whole parts, then bits of those that are left, as long as it still fails, and for a while. */
static bool narrow(const struct surrounded *s, struct surroundings *around, const struct failed *which)
{
    u64 until = time_now() + time_ticks(budget().timeout_ms * 1000ul / NARROW_SHARE);
    bool more = true;
    for (unsigned part = 0; part < AROUND_PARTS && more; part++)
        if (around->part[part])
            more = less(s, around, which, part, ~0ul, until);
    for (unsigned part = 0; part < AROUND_PARTS && more; part++)
        for (u64 left = around->part[part]; left && more; left &= left - 1)
            more = less(s, around, which, part, left & -left, until);
    return more;
}

static void tell(const struct surrounded *s, const struct surroundings *around, const struct failed *which)
{
    char text[AROUND_TEXT], quoted[AROUND_TEXT * 2];
    around_text(around, s->test->caps, text, sizeof(text));
    for (unsigned i = 0; i < s->results->checks; i++)
        if (which->bits[i / 64] >> i % 64 & 1) {
            note(s->test, "around", s->results->check[i].label, "", "only-with=%s",
                 format_quoted(quoted, sizeof(quoted), text[0] ? text : "nothing"));
            return;
        }
}

static bool any(const struct failed *failed)
{
    u64 all = 0;
    for (unsigned i = 0; i < CHECKS_MAX / 64; i++)
        all |= failed->bits[i];
    return all;
}

static bool by_noise(enum reason code)
{
    return code && !strncmp(reasons[code].name, "noise.", 6);
}

/* An error in such a run is the test's; but noise may come in any run, and this one was not asked for. */
static void take_error(const struct surrounded *s, const struct surroundings *around)
{
    char text[AROUND_TEXT], reason[REASON_SIZE];
    bool error = s->again->outcome == OUTCOME_ERROR && !by_noise(s->again->code);
    if (!error && !s->again->denied.msr)
        return;
    around_text(around, s->test->caps, text, sizeof(text));
    format_text(reason, sizeof(reason), "%s, with %s around",
                s->again->denied.msr ? s->again->denied.text : s->again->reason, text);
    if (s->again->denied.msr)
        results_deny(s->results, s->again->denied.msr, s->again->denied.fault, reason);
    else
        results_raise(s->results, OUTCOME_ERROR, s->again->code, reason);
}

/* What of this failure can be told: whether it comes again, and at first what it needs. Returns whether to go on. */
static bool settle_failure(const struct surrounded *s, struct surroundings *around, const struct failed *failed,
                           bool *narrowed)
{
    enum again found = again(s, around, failed, true);
    if (found != FAILED || *narrowed || budget().hurried)
        return found != ENDED;
    struct failed first = first_of(failed);
    *narrowed = true;
    bool more = narrow(s, around, &first);
    tell(s, around, &first);
    return more;
}

/* Returns whether another draw makes sense. */
static bool one_draw(const struct surrounded *s, u32 draw, bool *narrowed)
{
    struct surroundings around =
        around_draw(s->test->caps, parts_for(s->test->declaration), seed_for(s->test, draw), draw, gate_bits);
    if (!s->run(s->argument, &around))
        return false;
    take_error(s, &around);
    struct failed failed = adopt(s);
    if (any(&failed))
        return settle_failure(s, &around, &failed, narrowed);
    return s->results->outcome == OUTCOME_NONE && !s->results->denied.msr;
}

/*
 * A test that says nothing of what may be around it runs once with all that is around any; one that samples, where each
 * run takes another counter and event, some times.
 */
static u32 least_draws(const struct test *t)
{
    u32 some = samples(&t->declaration->needs) ? budget().draws / SAMPLING_SHARE : 1;
    return t->declaration->aside ? budget().draws : some;
}

/* Of CPUs that are alike each takes the next draw. */
static u32 drawers(const struct test *t)
{
    return budget().alike ? t->cpus : 1;
}

void surround(const struct surrounded *s)
{
    bool narrowed = false;
    u32 least = least_draws(s->test), most = s->test->declaration->aside ? DRAWS_MOST : least, all = drawers(s->test);
    u64 end = time_now() + time_ticks(s->us);
    for (u32 draw = s->test->position % all; draw < least || (draw < most && time_now() < end); draw += all)
        if (!one_draw(s, draw, &narrowed))
            return;
}
