/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/run/run.h"
#include "harness/around.h"
#include "harness/core/errata.h"
#include "harness/core/topology.h"
#include "harness/protocol.h"
#include "harness/report/identity.h"
#include "harness/report/report.h"
#include "harness/run/errata_notes.h"
#include "harness/run/interference.h"
#include "harness/run/needs.h"
#include "harness/run/quiet.h"
#include "harness/run/second_look.h"
#include "harness/run/surround.h"
#include "harness/run/trouble.h"
#include "harness/run/unasked.h"
#include "kernel/core/memory.h"
#include "kernel/core/time.h"
#include "kernel/interrupt/apic.h"
#include "kernel/interrupt/guard_log.h"
#include "kernel/interrupt/interrupt.h"
#include "kernel/log/log.h"
#include "kernel/text/format.h"
#include "pmu/gate/caused.h"
#include "pmu/gate/side_effect.h"
#include "pmu/run/begin.h"
#include "pmu/run/pmi.h"
#include "pmu/run/restore.h"
#include "pmu/state/handoff.h"
#include "pmu/state/register_names.h"
#include "pmu/state/snapshot.h"

#define AROUND_SHARE 8  /* of the time for repeats, for surroundings beyond the least number */
#define TIMEOUTS_MOST 2 /* in a run; each costs seconds, and the CPU will not recover */

/* Each CPU's data for running a test by itself. */
struct worker {
    struct test test;
    struct results results, again; /* again: results of a second run, after a failure outside any bracket */
    struct snapshot base, after;   /* registers before the test, and after it */
    struct snapshot shared;        /* registers that other threads write too, before the run */
    struct guard_result beginning; /* of the beginning of the run on this CPU */
    struct guard_result guard;
    u32 us; /* for repeats beyond the minimum */
    u32 timeouts;
    u64 beside_stop;    /* in the whole run: bits of counters that overflowed as they were stopped */
    u32 lvtpc;          /* its value before the test */
    bool left;          /* the test did not return by itself */
    bool shared_differ; /* at the end of the test, registers that other threads may still have been using differed */
};

static struct {
    struct worker *worker;
    enum pmu_kind kind;
    bool probing; /* errata are provoked on hardware, too */
    struct cpu_set cpus, left_out;
    u32 count, errors;
    u32 round;        /* of a soak */
    bool dumps;       /* log unexpected faults in full */
    bool unseen;      /* log nothing of it */
    const char *last; /* the test that ran last, or "start" */
} state;

bool run_init(void)
{
    state.count = cpu_count();
    state.worker = pages_alloc((state.count * sizeof(struct worker) + PAGE_SIZE - 1) / PAGE_SIZE);
    return state.worker;
}

struct cpu_set run_cpus(void)
{
    struct cpu_set answering = cpus_all(), set = {0};
    for (u32 cpu = 0; cpu < state.count; cpu++)
        if (cpu_set_has(&state.cpus, cpu) && cpu_set_has(&answering, cpu) && !cpu_set_has(&state.left_out, cpu))
            cpu_set_add(&set, cpu);
    return set;
}

/* ---- On the CPU that runs the test. */

/* Reads each register once, as after a test: a late change at a first read must not be blamed on the next test. */
static void begin_here(void *argument)
{
    (void)argument;
    u64 flags = interrupts_off();
    pmu_end_freezing(pmu_caps());
    pmu_quiet(pmu_caps());
    snapshot_take(pmu_caps(), SNAPSHOT_OWN, &state.worker[cpu_index()].base);
    interrupts_restore(flags);
}

/* Once all CPUs are quiet: tests restore what they change, so this state holds before each of them. */
static void begin_shared_here(void *argument)
{
    (void)argument;
    snapshot_take(pmu_caps(), SNAPSHOT_SHARED, &state.worker[cpu_index()].shared);
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
    results_clear(&w->again);
    begin_test(w, &w->again);
    w->again.deadline = 0;
    around_begin(&w->test, around);
    struct guard_result guard = guarded_call(call_test, w);
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

static void test_here(void *argument)
{
    (void)argument;
    u64 flags = interrupts_off();
    run_guarded(&state.worker[cpu_index()]);
    interrupts_restore(flags);
}

static void shared_here(void *argument)
{
    struct worker *w = &state.worker[cpu_index()];
    (void)argument;
    u64 flags = interrupts_off();
    struct guard_result guard = guarded_call(clean_up_shared, w);
    interrupts_off();
    note_trouble(w, &guard, "after the test: ");
    interrupts_restore(flags);
}

/* ---- On the boot CPU. */

/* The reference PMU hands over its own state, including what firmware is assumed to have left in it. */
static void recapture_here(void *argument)
{
    (void)argument;
    handoff_recapture(budget().us);
}

static void begin_guarded(void *function)
{
    struct worker *w = &state.worker[cpu_index()];
    w->beginning = guarded_call((void (*)(void *))function, NULL);
}

/* A storm that continues costs seconds per test; the log says that there was one. */
static void leave_out(u32 cpu, const char *doing, const struct guard_result *guard)
{
    char text[TROUBLE_TEXT], quoted[2 * TROUBLE_TEXT];
    if (cpu_set_has(&state.left_out, cpu))
        return;
    cpu_set_add(&state.left_out, cpu);
    state.errors++;
    if (state.unseen)
        return;
    log_line("# error cpu=%u left-out-of=run at=%s reason=%s", cpu, doing,
             format_quoted(quoted, sizeof(quoted), trouble_text(pmu_caps_of(cpu), guard, text)));
}

/* Runs a part of the beginning on each CPU of the set; a CPU that does not complete it is left out of the run. */
static void begin_part(const struct cpu_set *set, void (*function)(void *), const char *doing)
{
    cpus_run(set, begin_guarded, (void *)function, budget().timeout_ms, NULL);
    struct cpu_set answering = cpus_all();
    for (u32 cpu = 0; cpu < state.count; cpu++)
        if (cpu_set_has(set, cpu) && cpu_set_has(&answering, cpu) && in_trouble(&state.worker[cpu].beginning))
            leave_out(cpu, doing, &state.worker[cpu].beginning);
}

static void read_caps(const struct cpu_set *all)
{
    pmu_begin(!state.unseen);
    for (u32 cpu = 0; cpu < state.count; cpu++)
        if (cpu_set_has(all, cpu) && in_trouble(pmu_begin_end(cpu)))
            leave_out(cpu, "capabilities", pmu_begin_end(cpu));
}

/* Capabilities, and the stopped state. */
static void begin_cpus(void)
{
    struct cpu_set all = cpus_all();
    read_caps(&all);
    struct cpu_set set = run_cpus();
    begin_part(&set, begin_here, "stopping");
    set = run_cpus();
    begin_part(&set, begin_shared_here, "stopping");
}

void run_set_probing(bool probing)
{
    state.probing = probing;
}

void run_renew(void)
{
    struct cpu_set all = cpus_all();
    if (state.kind == PMU_REFERENCE)
        begin_part(&all, recapture_here, "hand-off");
    begin_cpus();
}

static void begin(enum pmu_kind kind, const struct cpu_set *cpus, bool dumps)
{
    state.dumps = dumps;
    state.unseen = false;
    state.kind = kind;
    state.cpus = *cpus;
    state.left_out = (struct cpu_set){0};
    state.errors = 0;
    state.round = 0;
    surround_round(0);
    state.last = "start";
    unasked_begin(!dumps);
    errata_notes_begin();
    for (u32 cpu = 0; cpu < state.count; cpu++) {
        state.worker[cpu].timeouts = 0;
        state.worker[cpu].beside_stop = 0;
    }
}

void run_begin(enum pmu_kind kind, const struct cpu_set *cpus, bool dumps)
{
    begin(kind, cpus, dumps);
    run_renew();
}

void run_begin_unseen(const struct cpu_set *cpus)
{
    begin(PMU_REFERENCE, cpus, false);
    state.unseen = true;
    run_renew();
}

void run_go_on(enum pmu_kind kind, const struct cpu_set *cpus, bool dumps)
{
    begin(kind, cpus, dumps);
    begin_cpus();
}

void run_end(void)
{
    struct cpu_set set = run_cpus();
    cpus_run(&set, unasked_take, NULL, budget().timeout_ms, NULL);
    state.errors += unasked_after(state.last);
    unasked_sum();
    if (state.dumps)
        errata_notes_tell();
}

u32 run_errors(void)
{
    return state.errors;
}

/* The CPUs of the scope that meet the test's needs; the others are folded as skipped. */
static struct cpu_set choose(const struct test_declaration *test, struct folded *folded)
{
    struct cpu_set available = run_cpus(), chosen = {0};
    char vendor[VENDOR_SIZE];
    struct environment environment = {.vendor = vendor, .apic = apic_present()};
    identity_vendor(vendor);
    environment.cpus = cpu_set_count(&available);
    environment.probing = state.probing || state.kind == PMU_REFERENCE;
    for (u32 cpu = 0; cpu < state.count; cpu++) {
        struct unmet unmet;
        struct results *results = &state.worker[cpu].results;
        if (!cpu_set_has(&available, cpu) || !scope_has(test->scope, &available, cpu))
            continue;
        results_clear(results);
        if (needs_unmet(&test->needs, pmu_caps_of(cpu), &environment, &unmet)) {
            results_raise(results, OUTCOME_SKIP, unmet.code, unmet.text);
            fold_add(folded, results, cpu, topology_group(cpu));
        } else {
            cpu_set_add(&chosen, cpu);
        }
    }
    return chosen;
}

static u32 assign(const struct test_declaration *test, const struct cpu_set *set, u32 us)
{
    u32 position = 0;
    for (u32 cpu = 0; cpu < state.count; cpu++)
        if (cpu_set_has(set, cpu)) {
            struct worker *w = &state.worker[cpu];
            w->us = us;
            w->test = (struct test){.declaration = test, .caps = pmu_caps_of(cpu), .cpu = cpu, .position = position++};
            w->test.round = state.round;
            w->test.results = &w->results;
        }
    for (u32 cpu = 0; cpu < state.count; cpu++)
        if (cpu_set_has(set, cpu))
            state.worker[cpu].test.cpus = position;
    return position;
}

void run_restrict(const struct cpu_set *cpus, u32 round)
{
    state.cpus = *cpus;
    state.round = round;
    surround_round(round);
}

static void collect(const struct test_declaration *test, const struct observer *observer, u32 cpu,
                    struct folded *folded)
{
    struct worker *w = &state.worker[cpu];
    if (state.dumps && in_trouble(&w->guard))
        guard_log(&w->guard);
    unasked_in_test(cpu, test->id, &w->results);
    judge_results(&w->results, w->test.caps, test->id, state.kind);
    fold_add(folded, &w->results, cpu, topology_group(cpu));
    if (state.dumps)
        errata_notes_take(test, cpu, &w->results);
    if (observer)
        observer->note(observer->book, test, cpu, &w->results);
    if (w->timeouts >= TIMEOUTS_MOST)
        leave_out(cpu, test->id, &w->guard);
}

/* One CPU after another: the first of those that share a register reports its value, and restores it. */
static void look_at_shared(const struct cpu_set *set, struct cpu_set *late)
{
    for (u32 cpu = 0; cpu < state.count; cpu++) {
        struct cpu_set one = {0}, lost = {0};
        if (!cpu_set_has(set, cpu) || cpu_set_has(late, cpu) || !state.worker[cpu].shared_differ)
            continue;
        cpu_set_add(&one, cpu);
        cpus_run(&one, shared_here, NULL, budget().timeout_ms, &lost);
        if (cpu_set_has(&lost, cpu))
            cpu_set_add(late, cpu);
    }
}

static void run_on(const struct test_declaration *test, const struct observer *observer, const struct cpu_set *set,
                   u32 us, struct folded *folded)
{
    struct cpu_set late = {0};
    u32 count = assign(test, set, us);
    if (!count)
        return;
    state.errors += unasked_after(state.last);
    state.last = test->id;
    barrier_prepare(set);
    cpus_run(set, test_here, NULL, budget().timeout_ms, &late);
    look_at_shared(set, &late);
    for (u32 cpu = 0; cpu < state.count; cpu++) {
        if (!cpu_set_has(set, cpu))
            continue;
        if (cpu_set_has(&late, cpu))
            fold_lost(folded, cpu, REASON_ERROR_LOST, "did not come back; left out from here on");
        else
            collect(test, observer, cpu, folded);
    }
}

void run_test(const struct test_declaration *test, const struct observer *observer, struct folded *folded)
{
    fold_clear(folded);
    struct cpu_set chosen = choose(test, folded);
    if (test->scope != EACH_CPU_IN_TURN) {
        run_on(test, observer, &chosen, budget().us, folded);
        return;
    }
    u32 us = budget_turn_us(cpu_set_count(&chosen));
    for (u32 cpu = 0; cpu < state.count; cpu++) {
        struct cpu_set one = {0};
        if (!cpu_set_has(&chosen, cpu))
            continue;
        cpu_set_add(&one, cpu);
        report_step(", CPU %u", cpu);
        run_on(test, observer, &one, us, folded);
    }
}
