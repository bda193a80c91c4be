#include "harness/run.h"
#include "harness/identity.h"
#include "harness/needs.h"
#include "harness/protocol.h"
#include "kernel/apic.h"
#include "kernel/format.h"
#include "kernel/interrupt.h"
#include "kernel/memory.h"
#include "kernel/string.h"
#include "kernel/symbols.h"
#include "kernel/time.h"
#include "pmu/gate.h"
#include "pmu/handoff.h"
#include "pmu/pmi.h"
#include "pmu/snapshot.h"

#define TEST_TIMEOUT_MS 20000

/* What each CPU needs to run a test by itself. */
struct worker {
    struct test test;
    struct results results;
    struct snapshot base, after; /* registers as the test found them, and as it left them */
    struct guard_result guard;
    u32 lvtpc; /* before the test */
    bool left; /* the test did not return by itself */
};

static struct {
    struct worker *worker;
    enum pmu_kind kind;
    struct cpu_set cpus;
    u32 count;
    bool dumps; /* faults are dumped in full */
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
        if (cpu_set_has(&state.cpus, cpu) && cpu_set_has(&answering, cpu))
            cpu_set_add(&set, cpu);
    return set;
}

static bool same_core(const struct pmu_caps *a, const struct pmu_caps *b)
{
    return a->signature == b->signature && a->core_type == b->core_type && a->version == b->version &&
           a->gp_count == b->gp_count && a->gp_width == b->gp_width && a->fixed_bitmap == b->fixed_bitmap &&
           a->fixed_width == b->fixed_width && a->perf_capabilities == b->perf_capabilities;
}

u32 run_group(u32 cpu)
{
    for (u32 first = 0; first < cpu; first++)
        if (same_core(pmu_caps_of(first), pmu_caps_of(cpu)))
            return first;
    return cpu;
}

/* ---- On the CPU that runs the test. */

static void quiet_counter(struct counter counter)
{
    if (!counter.fixed)
        wrmsr_try(MSR_PERFEVTSEL(counter.index), 0);
    wrmsr_try(counter.msr, 0);
}

static void clear_status(const struct pmu_caps *caps)
{
    u64 status;
    if (rdmsr_try(MSR_PERF_GLOBAL_STATUS, &status) == NO_FAULT && status)
        wrmsr_try(MSR_PERF_GLOBAL_STATUS_RESET, status & gate_bits(caps, MSR_PERF_GLOBAL_STATUS_RESET));
}

/*
 * Nothing counts, nothing is programmed, no PMI is on its way: what every test finds. A register that does not answer
 * is a test's affair, so nothing here may fault.
 */
static void pmu_quiet(const struct pmu_caps *caps)
{
    struct counter list[COUNTERS_MAX];
    if (caps->version >= 2)
        wrmsr_try(MSR_PERF_GLOBAL_CTRL, 0);
    if (apic_present()) {
        apic_write(APIC_TPR, 0);
        pmi_close();
    }
    if (caps->version >= 2)
        wrmsr_try(MSR_FIXED_CTR_CTRL, 0);
    unsigned n = caps->present ? counters(caps, list) : 0;
    for (unsigned i = 0; i < n; i++)
        quiet_counter(list[i]);
    if (caps->version >= 2)
        clear_status(caps);
}

static void begin_here(void *argument)
{
    (void)argument;
    u64 flags = interrupts_off();
    pmu_quiet(pmu_caps());
    interrupts_restore(flags);
}

/* Controls, values and STATUS are a test's own to use; a counter left running or an open LVTPC is a leak. */
static void check_left_running(struct worker *w)
{
    const struct pmu_caps *caps = w->test.caps;
    u64 running = 0;
    char text[REASON_SIZE];
    if (caps->version >= 2 && !rdmsr_try(MSR_PERF_GLOBAL_CTRL, &running) && running) {
        format_text(text, sizeof(text), "the test left IA32_PERF_GLOBAL_CTRL=0x%lx", running);
        results_raise(&w->results, OUTCOME_ERROR, text);
    }
    if (!apic_present())
        return;
    if (!(apic_read(APIC_LVT_PC) & LVT_MASKED))
        results_raise(&w->results, OUTCOME_ERROR, "the test left LVTPC unmasked");
    if (apic_read(APIC_TPR))
        results_raise(&w->results, OUTCOME_ERROR, "the test left the task priority raised");
}

/* Status bits were cleared just before: what does not clear is the hardware's failing, not the test's. */
static void forgive_status(struct worker *w)
{
    const struct snapshot_entry *before = snapshot_find(&w->base, MSR_PERF_GLOBAL_STATUS);
    for (unsigned i = 0; before && i < w->after.count; i++)
        if (w->after.entry[i].msr == before->msr)
            w->after.entry[i].value = before->value;
}

static void check_leak(struct worker *w)
{
    char name[REGISTER_NAME_SIZE], text[REASON_SIZE];
    snapshot_take(w->test.caps, &w->after);
    forgive_status(w);
    const struct snapshot_entry *leak = snapshot_difference(w->test.caps, &w->base, &w->after);
    if (!leak)
        return;
    format_text(text, sizeof(text), "the test left %s=0x%lx", register_name(leak->msr, name), leak->value);
    results_raise(&w->results, OUTCOME_ERROR, text);
    snapshot_restore(w->test.caps, &w->base);
}

static void call_test(void *argument)
{
    struct worker *w = argument;
    w->left = true;
    if (__builtin_setjmp(w->results.leave))
        return;
    w->test.declaration->run(&w->test);
    w->left = false;
}

static void note_fault(struct worker *w, const struct guard_result *guard)
{
    char text[REASON_SIZE], fault[FAULT_TEXT_SIZE];
    u64 offset = 0;
    const char *function = symbol_name(guard->rip, &offset);
    if (guard->storm)
        results_raise(&w->results, OUTCOME_ERROR, "interrupt storm");
    if (guard->timeout)
        results_raise(&w->results, OUTCOME_ERROR, "took too long");
    if (guard->fault == NO_FAULT)
        return;
    format_text(text, sizeof(text), "unexpected %s in %s+0x%lx", fault_text(guard->fault, fault),
                function ? function : "?", offset);
    results_raise(&w->results, OUTCOME_ERROR, text);
}

/* A test that ended early may have left freezing on, in bits that are not compared because an SMI may clear them. */
static void put_back_debugctl(struct worker *w)
{
    const struct snapshot_entry *before = snapshot_find(&w->base, MSR_DEBUGCTL);
    if (before && before->readable)
        wrmsr_try(MSR_DEBUGCTL, before->value);
}

static void clean_up(void *argument)
{
    struct worker *w = argument;
    if (w->left) {
        barrier_leave();
        put_back_debugctl(w);
    } else {
        check_left_running(w);
    }
    pmu_quiet(w->test.caps);
    if (apic_present())
        apic_write(APIC_LVT_PC, w->lvtpc);
    check_leak(w);
}

static void test_here(void *argument)
{
    (void)argument;
    struct worker *w = &state.worker[cpu_index()];
    u64 flags = interrupts_off();
    w->lvtpc = apic_present() ? apic_read(APIC_LVT_PC) : 0;
    snapshot_take(w->test.caps, &w->base);
    w->results.deadline = time_now() + time_ticks(budget().us);
    w->guard = guarded_call(call_test, w);
    interrupts_off();
    if (w->results.open)
        results_close(&w->results, false);
    note_fault(w, &w->guard);
    struct guard_result guard = guarded_call(clean_up, w);
    note_fault(w, &guard);
    interrupts_off();
    interrupts_restore(flags);
}

/* ---- On the boot CPU. */

/* The reference PMU hands over its own state, with what firmware is said to have left in it. */
static void recapture_here(void *argument)
{
    (void)argument;
    handoff_recapture(budget().us);
}

void run_begin(enum pmu_kind kind, const struct cpu_set *cpus, bool dumps)
{
    state.dumps = dumps;
    state.kind = kind;
    state.cpus = *cpus;
    struct cpu_set set = run_cpus(), all = cpus_all();
    if (kind == PMU_REFERENCE)
        cpus_run(&all, recapture_here, NULL, TEST_TIMEOUT_MS, NULL);
    pmu_caps_refresh();
    cpus_run(&set, begin_here, NULL, TEST_TIMEOUT_MS, NULL);
}

/* Threads of a core have APIC ids that differ only in the low bits. SDM 3A, "Hierarchical Mapping of Shared Resources".
 */
static u32 core_of(u32 cpu)
{
    u32 threads = pmu_caps_of(cpu)->threads_per_core, shift = 0;
    while (threads > 1u << shift)
        shift++;
    return cpu_apic_id(cpu) >> shift;
}

static bool first_of_core(const struct cpu_set *set, u32 cpu)
{
    for (u32 other = 0; other < cpu; other++)
        if (cpu_set_has(set, other) && core_of(other) == core_of(cpu))
            return false;
    return true;
}

static u32 lowest(const struct cpu_set *set)
{
    u32 cpu = 0;
    while (cpu < state.count && !cpu_set_has(set, cpu))
        cpu++;
    return cpu;
}

static bool in_scope(enum scope scope, const struct cpu_set *set, u32 cpu)
{
    switch (scope) {
    case ONCE:
        return cpu == lowest(set);
    case EACH_CORE:
        return first_of_core(set, cpu);
    default:
        return true;
    }
}

/* Those CPUs of the scope that have what the test needs; the others are folded as skipped. */
static struct cpu_set choose(const struct test_declaration *test, struct folded *folded)
{
    struct cpu_set available = run_cpus(), chosen = {0};
    char vendor[VENDOR_SIZE];
    struct environment environment = {.vendor = vendor, .apic = apic_present()};
    identity_vendor(vendor);
    for (u32 cpu = 0; cpu < state.count; cpu++)
        environment.cpus += cpu_set_has(&available, cpu);
    for (u32 cpu = 0; cpu < state.count; cpu++) {
        char text[NEEDS_TEXT];
        struct results *results = &state.worker[cpu].results;
        if (!cpu_set_has(&available, cpu) || !in_scope(test->scope, &available, cpu))
            continue;
        results_clear(results);
        const char *unmet = needs_unmet(&test->needs, pmu_caps_of(cpu), &environment, text);
        if (unmet) {
            results_raise(results, OUTCOME_SKIP, unmet);
            fold_add(folded, results, cpu, run_group(cpu));
        } else {
            cpu_set_add(&chosen, cpu);
        }
    }
    return chosen;
}

static u32 assign(const struct test_declaration *test, const struct cpu_set *set)
{
    u32 position = 0;
    for (u32 cpu = 0; cpu < state.count; cpu++)
        if (cpu_set_has(set, cpu)) {
            struct worker *w = &state.worker[cpu];
            w->test = (struct test){.declaration = test, .caps = pmu_caps_of(cpu), .cpu = cpu, .position = position++};
            w->test.results = &w->results;
        }
    for (u32 cpu = 0; cpu < state.count; cpu++)
        if (cpu_set_has(set, cpu))
            state.worker[cpu].test.cpus = position;
    return position;
}

static void collect(const struct test_declaration *test, struct proof *proof, u32 cpu, struct folded *folded)
{
    struct worker *w = &state.worker[cpu];
    if (state.dumps && (w->guard.fault || w->guard.storm || w->guard.timeout))
        guard_log(&w->guard);
    judge_results(&w->results, w->test.caps, test->id, state.kind);
    fold_add(folded, &w->results, cpu, run_group(cpu));
    if (proof)
        proof_note(proof, test, &w->results);
}

static void run_on(const struct test_declaration *test, struct proof *proof, const struct cpu_set *set,
                   struct folded *folded)
{
    struct cpu_set late = {0};
    u32 count = assign(test, set);
    if (!count)
        return;
    barrier_prepare(count);
    cpus_run(set, test_here, NULL, TEST_TIMEOUT_MS, &late);
    for (u32 cpu = 0; cpu < state.count; cpu++) {
        if (!cpu_set_has(set, cpu))
            continue;
        if (cpu_set_has(&late, cpu))
            fold_lost(folded, cpu, "did not come back within 20 s; left out from here on");
        else
            collect(test, proof, cpu, folded);
    }
}

void run_test(const struct test_declaration *test, struct proof *proof, struct folded *folded)
{
    fold_clear(folded);
    struct cpu_set chosen = choose(test, folded);
    if (test->scope != EACH_CPU_IN_TURN) {
        run_on(test, proof, &chosen, folded);
        return;
    }
    for (u32 cpu = 0; cpu < state.count; cpu++) {
        struct cpu_set one = {0};
        if (!cpu_set_has(&chosen, cpu))
            continue;
        cpu_set_add(&one, cpu);
        run_on(test, proof, &one, folded);
    }
}
