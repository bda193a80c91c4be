/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/run/run.h"
#include "harness/core/place.h"
#include "harness/protocol.h"
#include "harness/report/report.h"
#include "harness/run/needs.h"
#include "harness/run/worker.h"
#include "kernel/core/memory.h"
#include "kernel/interrupt/apic.h"
#include "kernel/interrupt/interrupt.h"
#include "kernel/log/log.h"
#include "kernel/text/text.h"
#include "pmu/run/bracket.h"
#include "pmu/state/handoff.h"

#define TIMEOUTS_MOST 2 /* in a run; each costs seconds, and the CPU will not recover */

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

/* ---- The workers, each on its own CPU. */

static struct worker *own_worker(void)
{
    return &state.worker[cpu_index()];
}

static void begin_here(void *argument)
{
    (void)argument;
    worker_begin(own_worker());
}

static void begin_shared_here(void *argument)
{
    (void)argument;
    worker_begin_shared(own_worker());
}

static void test_here(void *argument)
{
    (void)argument;
    worker_run(own_worker());
}

static void shared_here(void *argument)
{
    (void)argument;
    worker_end_shared(own_worker());
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
    struct worker *w = own_worker();
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
