/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/run/surround.h"
#include "harness/core/budget.h"
#include "harness/test.h"
#include "kernel/core/option.h"
#include "kernel/core/time.h"
#include "kernel/text/format.h"
#include "pmu/gate/gate.h"

OPTION(surroundings, .kind = OPTION_NUMBER, .argument = "SEED",
       .help = "what is drawn around each test, made from SEED; 0: nothing", .minimum = 0, .maximum = ~0ull);

#define SEED 1        /* of runs without the option, so that two machines are asked the same */
#define DRAWS_MOST 64 /* of a test, however fast it is */

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

static unsigned parts_for(const struct test_declaration *declaration)
{
    unsigned any = ASIDE_ANY;
    if (declaration->alone || declaration->scope == ALL_TOGETHER || !uses_counters(&declaration->needs))
        return 0;
    if (declaration->needs.apic) /* its PMIs are told from others by LVTPC and STATUS */
        any &= ~(ASIDE(AROUND_STANDING) | ASIDE(AROUND_ENTRY));
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

static bool is_same(const struct check *a, const struct check *b)
{
    return a->msr == b->msr && a->bit == b->bit && a->kind == b->kind && a->label == b->label;
}

static bool failed_again(const struct surrounded *s, const struct check *check)
{
    for (unsigned i = 0; i < s->again->checks; i++)
        if (is_same(&s->again->check[i], check))
            return s->again->check[i].failed;
    return false;
}

/* Another run with that around it: does any of these fail again? `settle`: those that hold are told from the others. */
static bool fails(const struct surrounded *s, const struct surroundings *around, const struct failed *which,
                  bool settles)
{
    bool any = false;
    if (!s->run(s->argument, around))
        return false;
    for (unsigned i = 0; i < s->results->checks; i++) {
        struct check *check = &s->results->check[i];
        if (!(which->bits[i / 64] >> i % 64 & 1))
            continue;
        bool again = failed_again(s, check);
        any |= again;
        check->held_again |= settles && !again;
    }
    return any;
}

/* Takes away whole parts, then bits of those that are left, as long as it still fails. */
static void narrow(const struct surrounded *s, struct surroundings *around, const struct failed *which)
{
    for (unsigned part = 0; part < AROUND_PARTS; part++) {
        struct surroundings less = *around;
        less.part[part] = 0;
        if (around->part[part] && fails(s, &less, which, false))
            *around = less;
    }
    for (unsigned part = 0; part < AROUND_PARTS; part++)
        for (u64 left = around->part[part]; left; left &= left - 1) {
            struct surroundings less = *around;
            less.part[part] &= ~(left & -left);
            if (fails(s, &less, which, false))
                *around = less;
        }
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

/* An error in such a run is the test's. */
static void take_error(const struct surrounded *s, const struct surroundings *around)
{
    char text[AROUND_TEXT], reason[REASON_SIZE];
    if (s->again->outcome != OUTCOME_ERROR && !s->again->denied.msr)
        return;
    around_text(around, s->test->caps, text, sizeof(text));
    format_text(reason, sizeof(reason), "%s, with %s around",
                s->again->denied.msr ? s->again->denied.text : s->again->reason, text);
    if (s->again->denied.msr)
        results_deny(s->results, s->again->denied.msr, s->again->denied.fault, reason);
    else
        results_raise(s->results, OUTCOME_ERROR, s->again->code, reason);
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
    if (!any(&failed))
        return s->results->outcome == OUTCOME_NONE && !s->results->denied.msr;
    if (fails(s, &around, &failed, true) && !*narrowed) {
        narrow(s, &around, &failed);
        tell(s, &around, &failed);
        *narrowed = true;
    }
    return true;
}

/* A test that says nothing of what may be around it runs once with all that is around any. */
static u32 least_draws(const struct test *t)
{
    return t->declaration->aside ? budget().draws : 1;
}

void surround(const struct surrounded *s)
{
    bool narrowed = false;
    u32 least = least_draws(s->test);
    u64 end = time_now() + time_ticks(budget().us);
    for (u32 draw = 0; draw < least || (draw < DRAWS_MOST && time_now() < end); draw++)
        if (!one_draw(s, draw, &narrowed))
            return;
}
