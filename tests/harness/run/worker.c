/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/run/worker.h"
#include "harness/protocol.h"
#include "harness/run/run.h"
#include "harness/test.h"
#include "kernel/core/time.h"
#include "kernel/interrupt/apic.h"
#include "kernel/text/text.h"
#include "pmu/gate/gate.h"
#include "pmu/run/bracket.h"
#include "pmu/state/register.h"

#define AROUND_SHARE 8 /* of the time for repeats, for surroundings beyond the least number */

/* Reads each register once, as after a test: a late change at a first read must not be blamed on the next test. */
void worker_begin(struct worker *w)
{
    u64 flags = interrupts_off();
    pmu_end_freezing(pmu_caps());
    pmu_quiet(pmu_caps());
    snapshot_take(pmu_caps(), SNAPSHOT_OWN, &w->base);
    interrupts_restore(flags);
}

/* Tests restore what they change, so this state holds before each of them. */
void worker_begin_shared(struct worker *w)
{
    snapshot_take(pmu_caps(), SNAPSHOT_SHARED, &w->shared);
}

/* A test may leave controls, values and STATUS in any state; a counter left running or an open LVTPC is a leak. */
static void check_left_running(struct worker *w)
{
    const struct pmu_caps *caps = w->test.caps;
    u64 running = 0;
    char text[REASON_SIZE];
    if (caps->version >= 2 && !rdmsr_try(MSR_PERF_GLOBAL_CTRL, &running) && running) {
        format_text(text, sizeof(text), "the test left IA32_PERF_GLOBAL_CTRL=0x%lx", running);
        results_raise(&w->results, OUTCOME_ERROR, REASON_NONE, text);
    }
    if (!apic_present())
        return;
    if (!(apic_read(APIC_LVT_PC) & LVT_MASKED))
        results_raise(&w->results, OUTCOME_ERROR, REASON_NONE, "the test left LVTPC unmasked");
    if (apic_read(APIC_TPR))
        results_raise(&w->results, OUTCOME_ERROR, REASON_NONE, "the test left the task priority raised");
}

/*
 * Status bits were cleared just before: a bit that does not clear is a failure of the hardware, not of the test, and is
 * cleared here so that it is not taken for a leak. It is never ignored: unless an erratum of this CPU says that the bit
 * of a counter that overflowed as it was stopped may stay, an overflow bit that is still set asks for review.
 */
static u64 may_stay(const struct worker *w)
{
    return erratum_number(&erratum_facts[FACT_STUCK], w->test.caps) ? w->beside_stop : 0;
}

static void forgive_status(struct worker *w)
{
    const struct snapshot_entry *before = snapshot_find(&w->base, MSR_PERF_GLOBAL_STATUS);
    char text[REASON_SIZE];
    for (unsigned i = 0; before && i < w->after.count; i++) {
        struct snapshot_entry *after = &w->after.entry[i];
        if (after->msr != before->msr)
            continue;
        u64 left = after->value & ~before->value & (caps_counter_bits(w->test.caps) | STATUS_OVF_BUFFER);
        after->value = before->value;
        if (!(left & ~may_stay(w)))
            continue;
        format_text(text, sizeof(text), "IA32_PERF_GLOBAL_STATUS=0x%lx: cleared after the test, and still set", left);
        results_raise(&w->results, OUTCOME_REVIEW, REASON_NONE, text);
    }
}

static bool still_left(const struct snapshot_entry *left)
{
    u64 now;
    return left->msr != REGISTER_LVTPC && left->readable && rdmsr_try(left->msr, &now) == NO_FAULT &&
           now == left->value;
}

/*
 * Reported after it was restored: a register that cannot be restored is a failure of the hardware, not of the test. A
 * test that ended early had no time to clean up, and was reported for that.
 */
static void tell_leak(struct worker *w, const struct snapshot_entry *left)
{
    char name[REGISTER_NAME_SIZE], text[REASON_SIZE];
    bool stays = still_left(left);
    if (w->left)
        return;
    if (!left->readable)
        format_text(text, sizeof(text), "the test left %s unreadable", register_name(w->test.caps, left->msr, name));
    else
        format_text(text, sizeof(text),
                    stays ? "%s=0x%lx: put back after the test, and still there" : "the test left %s=0x%lx",
                    register_name(w->test.caps, left->msr, name), left->value);
    results_raise(&w->results, stays ? OUTCOME_REVIEW : OUTCOME_ERROR, REASON_NONE, text);
}

/* Compares the present state with the earlier one, and restores what differs. */
static void check_leak(struct worker *w, unsigned part, const struct snapshot *before)
{
    snapshot_take(w->test.caps, part, &w->after);
    if (part == SNAPSHOT_OWN)
        forgive_status(w);
    const struct snapshot_entry *leak = snapshot_difference(w->test.caps, before, &w->after);
    if (!leak)
        return;
    snapshot_restore(w->test.caps, before);
    tell_leak(w, leak);
}

/* Another thread may be in the middle of the same test: differences are checked again once all have ended. */
static void note_shared(struct worker *w)
{
    snapshot_take(w->test.caps, SNAPSHOT_SHARED, &w->after);
    w->shared_differ = snapshot_difference(w->test.caps, &w->shared, &w->after);
}

/* No access that the test made has changed anything but what it wrote; also of a test that ended early. */
static void check_side_effects(struct test *t)
{
    struct side_effect change = side_effect_end();
    char name[REGISTER_NAME_SIZE], by[REGISTER_NAME_SIZE];
    if (!change.msr)
        return;
    note(t, "changed", register_name(t->caps, change.msr, name), "", "%s=%s from=0x%lx to=0x%lx",
         change.exact ? "by" : "before", register_name(t->caps, change.written, by), change.from, change.to);
    check_equal(about(t, ASPECT_COUNTER_VALUE | ASPECT_STATUS_BIT | ASPECT_STAYS_FROZEN), "changed-unasked", change.to,
                change.from, change.msr);
}

static void call_declared(void *argument)
{
    struct worker *w = argument;
    w->left = true;
    if (__builtin_setjmp(w->test.results->leave))
        return;
    run_declared(&w->test);
    w->left = false;
}

static void call_test(void *argument)
{
    struct worker *w = argument;
    side_effect_begin();
    caused_begin();
    call_declared(w);
    check_side_effects(&w->test);
}

static void note_trouble(struct worker *w, const struct guard_result *guard, const char *where)
{
    char text[TROUBLE_TEXT], reason[REASON_SIZE];
    u32 msr;
    fault_t fault;
    w->timeouts += guard->timeout;
    if (!in_trouble(guard))
        return;
    format_text(reason, sizeof(reason), "%s%s", where, trouble_text(w->test.caps, guard, text));
    if (!where[0] && trouble_denied(guard, &msr, &fault))
        results_deny(&w->results, msr, fault, reason);
    else
        results_raise(&w->results, OUTCOME_ERROR, guard->storm ? REASON_NOISE_STRAY : REASON_NONE, reason);
}

static void clean_up(void *argument)
{
    struct worker *w = argument;
    side_effect_end(); /* of a test that did not come to its end */
    if (w->left)
        barrier_leave();
    else
        check_left_running(w);
    pmu_quiet(w->test.caps);
    if (apic_present())
        apic_write(APIC_LVT_PC, w->lvtpc);
    check_leak(w, SNAPSHOT_OWN, &w->base);
    note_shared(w);
}

static void clean_up_shared(void *argument)
{
    struct worker *w = argument;
    check_leak(w, SNAPSHOT_SHARED, &w->shared);
}

static void prepare(void *argument)
{
    struct worker *w = argument;
    w->lvtpc = apic_present() ? apic_read(APIC_LVT_PC) : 0;
    snapshot_take(w->test.caps, SNAPSHOT_OWN, &w->base);
    w->shared_differ = false;
}

static void quieten(void *argument)
{
    pmu_quiet(((struct worker *)argument)->test.caps);
}

static void begin_test(struct worker *w, struct results *results)
{
    w->test.results = results;
    results->width = w->test.caps->gp_width;
    results->beside_stop = w->beside_stop;
    results->deadline = time_now() + time_ticks(w->us);
    pmi_patient();
}

static void look_again(struct worker *w)
{
    guarded_call(quieten, w);
    results_clear(&w->again);
    begin_test(w, &w->again);
    struct guard_result guard = guarded_call(call_test, w);
    interrupts_off();
    if (!in_trouble(&guard) && !w->left)
        second_look_compare(&w->results, &w->again);
    w->results.beside_stop |= w->again.beside_stop;
    w->test.results = &w->results;
}

/* ---- With something around it. */

static void begin_around(void *argument)
{
    struct worker *w = argument;
    around_begin(&w->test, w->around);
}

static void remove_around(void *argument)
{
    struct worker *w = argument;
    side_effect_end();
    pmu_quiet(w->test.caps);
    if (apic_present())
        apic_write(APIC_LVT_PC, w->lvtpc);
    snapshot_take(w->test.caps, SNAPSHOT_OWN, &w->after);
    if (snapshot_difference(w->test.caps, &w->base, &w->after))
        snapshot_restore(w->test.caps, &w->base);
}

/* Into the results for a second run; what was wrong besides its checks goes to the test's own. */
static bool run_around(void *argument, const struct surroundings *around)
{
    struct worker *w = argument;
    u32 msr;
    fault_t fault;
    results_clear(&w->again);
    begin_test(w, &w->again);
    w->again.deadline = 0;
    w->around = around;
    struct guard_result guard = guarded_call(begin_around, w);
    if (!in_trouble(&guard) || trouble_denied(&guard, &msr, &fault)) /* that a register faults other tests say */
        guard = guarded_call(call_test, w);
    interrupts_off();
    around_end(&w->test);
    if (w->again.open)
        results_close(&w->again, false);
    w->test.results = &w->results;
    w->results.beside_stop |= w->again.beside_stop;
    w->results.loose |= w->again.loose;
    note_trouble(w, &guard, "with something around: ");
    bool left = w->left && w->again.outcome != OUTCOME_SKIP && !w->again.denied.msr;
    w->left = false;
    struct guard_result removal = guarded_call(remove_around, w);
    interrupts_off();
    note_trouble(w, &removal, "after a run with something around: ");
    return !in_trouble(&guard) && !in_trouble(&removal) && (!left || w->again.outcome == OUTCOME_ERROR);
}

static void clean_up_guarded(struct worker *w)
{
    struct guard_result guard = guarded_call(clean_up, w);
    interrupts_off();
    note_trouble(w, &guard, "after the test: ");
}

/* After what the first run has left has been told, and put back. */
static void look_around(struct worker *w)
{
    surround(&(struct surrounded){.test = &w->test,
                                  .results = &w->results,
                                  .again = &w->again,
                                  .us = w->us / AROUND_SHARE,
                                  .run = run_around,
                                  .argument = w});
    clean_up_guarded(w);
}

static void run_guarded(struct worker *w)
{
    struct interference before = interference_now(w->test.caps);
    w->guard = guarded_call(prepare, w);
    interrupts_off();
    note_trouble(w, &w->guard, "before the test: ");
    if (in_trouble(&w->guard))
        return;
    begin_test(w, &w->results);
    w->guard = guarded_call(call_test, w);
    interrupts_off();
    if (w->results.open)
        results_close(&w->results, false);
    note_trouble(w, &w->guard, "");
    if (!in_trouble(&w->guard) && second_look_wanted(&w->results, w->test.declaration->scope))
        look_again(w);
    clean_up_guarded(w);
    if (!in_trouble(&w->guard) && !w->left && surround_wanted(&w->test, &w->results))
        look_around(w);
    w->beside_stop |= w->results.beside_stop;
    interference_excuse(&w->results, &w->test, &before);
}

void worker_run(struct worker *w)
{
    u64 flags = interrupts_off();
    run_guarded(w);
    interrupts_restore(flags);
}

void worker_end_shared(struct worker *w)
{
    u64 flags = interrupts_off();
    struct guard_result guard = guarded_call(clean_up_shared, w);
    interrupts_off();
    note_trouble(w, &guard, "after the test: ");
    interrupts_restore(flags);
}
