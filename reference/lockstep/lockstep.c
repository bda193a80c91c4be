/* SPDX-License-Identifier: BSD-2-Clause */
#include "reference/lockstep/lockstep.h"
#include "kernel/core/memory.h"
#include "kernel/core/time.h"
#include "kernel/cpu/cpus.h"
#include "kernel/interrupt/apic.h"
#include "kernel/interrupt/interrupt.h"
#include "kernel/register/instructions.h"
#include "kernel/register/msr.h"
#include "kernel/text/text.h"
#include "pmu/area/ds.h"
#include "pmu/area/trace_area.h"
#include "pmu/cpu/class.h"
#include "pmu/cpu/pebs.h"
#include "pmu/gate/write.h"
#include "pmu/run/bracket.h"
#include "pmu/run/pmi.h"
#include "pmu/sampling/trace.h"
#include "reference/lockstep/oracle.h"

#define PORTION 64          /* walks between two reports to the boot CPU, unless a difference comes before */
#define TIMEOUT_MS 60000    /* for such a portion */
#define RETOLD_MOST 1000000 /* instructions retold to make a walk with a difference shorter: a second or two */
#define USER_STACK_PAGES 1
#define TURNS 2      /* as many threads as a core of NetBurst has */
#define AREA_ORDER 1 /* so that a buffer has LOCKSTEP_AREA bytes */

/* A CPU's data. CPL 3 accesses the run, its trace and the stack, too. */
struct worker {
    bool complete;
    struct space space;
    struct model_setup setup; /* of a CPU without choices */
    struct follower follower;
    struct model *room, *room_before; /* for a model that varies */
    struct lockstep_context context;
    struct lockstep_run *run;
    u8 *user_stack; /* end of the stack */
    struct walk walk;
    struct walks_kept last; /* this one, too */
    struct interest interest;
    struct lockstep_result result;
    struct guard_result guard;
    bool begun, over;
};
static PER_CPU struct worker *workers;
static const struct lockstep_plan *plan;

/* code.asm */
u64 *lockstep_run(struct lockstep_context *context, const struct lockstep_step *body, u64 *trace, volatile u32 *apic,
                  u8 *user_stack, u8 *memory);
extern const u8 lockstep_pmi[], lockstep_nmi[], lockstep_fault[], lockstep_back[];

/* ---- Memory, which is allocated once. */

static void *pages_of(void *(*alloc)(u64), u64 bytes)
{
    return alloc((bytes + PAGE_SIZE - 1) / PAGE_SIZE);
}

static struct worker *worker_of(u32 cpu)
{
    struct worker **w = &of_cpu(workers, cpu);
    if (!*w && (*w = pages_of(pages_alloc, sizeof(**w)))) {
        u64 size = follow_room();
        u8 *models = pages_of(pages_alloc, 4 * size), *stack = user_stack_alloc(USER_STACK_PAGES);
        (*w)->follower.model = (struct model *)(void *)models;
        (*w)->follower.before = (struct model *)(void *)(models + size);
        (*w)->room = (struct model *)(void *)(models + 2 * size);
        (*w)->room_before = (struct model *)(void *)(models + 3 * size);
        (*w)->run = pages_of(user_stack_alloc, sizeof(struct lockstep_run));
        (*w)->user_stack = stack + USER_STACK_PAGES * PAGE_SIZE;
        (*w)->complete = models && stack && (*w)->run;
    }
    return *w && (*w)->complete ? *w : NULL;
}

/* ---- On each CPU. */

static struct worker *self(void)
{
    return of_cpu(workers, cpu_index());
}

static bool reads_here(void *unused, u32 msr, u64 *value)
{
    (void)unused;
    return rdmsr_try(msr, value) == NO_FAULT;
}

static void writes_here(void *unused, u32 msr, u64 value)
{
    (void)unused;
    wrmsr_try(msr, value);
}

static const struct space_cpu this_cpu = {.read = reads_here, .write = writes_here};

/* Brings everything to its state between two walks, whatever has happened, by ordinary writes. */
static void calm(struct worker *w)
{
    const struct space *s = &w->space;
    apic_write(APIC_LVT_PC, (u32)LVT_MASKED | VECTOR_PMI);
    apic_write(APIC_TPR, 0);
    space_calm(s, &this_cpu);
    for (volatile u32 turn = 0; space_memory(s)->records && turn < s->settle_record; turn++)
        ; /* a counter that was stopped while armed owes a record, which reloads it and may set a bit in STATUS */
    space_calm(s, &this_cpu);
    pmi_take_stray();
}

static void begin_together(struct worker *w)
{
    const struct space *s = &w->space;
    struct model_setup setup = w->follower.setup;
    calm(w);
    follow_begin(&w->follower, &setup, w->follower.model, w->follower.before);
    const struct walk_places *memory = space_memory(s);
    walk_memory_rest(memory, w->follower.oracle.memory, w->follower.oracle.memory + LOCKSTEP_AREA);
    walk_memory_rest(memory, (u8 *)memory->records, (u8 *)memory->trace);
    space_begin(s, &this_cpu, w->follower.model);
}

static bool planned(void *unused, const struct gate_context *then, u32 msr, u64 value)
{
    (void)unused;
    return gate_planned(then, msr, value);
}

/* Counts events that may come unasked in the middle of a walk, and are not in its trace. */
static struct bracket_reading outside(const struct worker *w)
{
    struct bracket_reading now = {.counts = interrupt_counts()};
    if (w->space.caps->smi_count)
        rdmsr_try(MSR_SMI_COUNT, &now.smi_count);
    return now;
}

/* False: the walk was spoiled. */
static bool run_alone(struct worker *w, u64 **end)
{
    struct lockstep_run *run = w->run;
    struct bracket bracket = {.opened = outside(w)};
    u64 flags = interrupts_off();
    *end = lockstep_run(&w->context, run->body, run->trace, apic_page(), w->user_stack, run->memory);
    interrupts_restore(flags);
    if (w->context.storm) {
        apic_eoi(); /* of the handler in which the walk was ended; if there was none it has no effect */
        calm(w);    /* a counter that still counts would have everything that follows stepped */
    }
    bracket.closed = outside(w);
    return bracket_judge(&bracket) == BRACKET_CLEAN && bracket.closed.counts.wakes == bracket.opened.counts.wakes;
}

/* Makes the walk and retells it; `explains`: may change the choices of the CPU's oracle. */
static void make(struct worker *w, const struct walk *walk, bool explains, struct difference *difference)
{
    struct lockstep_run *run = w->run;
    *difference = (struct difference){0};
    if (!walk_compile(&w->space, walk, follow_read, &w->follower, run) || !run_writes(&w->space, run, planned, NULL))
        return;
    run->area = (const u8 *)space_memory(&w->space)->records;
    run->traced = (const u8 *)space_memory(&w->space)->trace;
    w->context = (struct lockstep_context){
        .handler = run->handler, .abort = (const volatile u8 *)&cpu_state()->abort, .left = LOCKSTEP_PMIS};
    u64 *end;
    if (!run_alone(w, &end)) {
        w->result.sums.spoiled++;
        begin_together(w);
        return;
    }
    w->result.sums.pmis += LOCKSTEP_PMIS - w->context.left;
    w->result.sums.steps += run->body_count;
    u64 begun = time_now();
    if (explains)
        follow_explained(&w->follower, run, end, w->context.storm, &w->result.choices, w->room, w->room_before,
                         difference);
    else
        follow_run(&w->follower, run, end, w->context.storm, difference);
    w->result.sums.oracle_us += time_us(time_now() - begun);
    w->result.sums.undecided += w->follower.undecided;
    if (w->follower.undecided || w->follower.vague)
        begin_together(w);
}

/* Makes the walk once more, from a known state. */
static void make_again(void *worker, const struct walk *walk, struct difference *difference)
{
    struct worker *w = worker;
    *difference = (struct difference){0};
    if (w->follower.retold > RETOLD_MOST)
        return;
    begin_together(w);
    make(w, walk, false, difference);
}

/* Does a choice explain it if the last walks are made again, too? Unseen, it may have begun there. */
static bool explained_anew(struct worker *w)
{
    u32 explained = w->result.choices.walks;
    struct difference again = {0};
    begin_together(w);
    for (u32 n = WALKS_KEPT; n-- && !again.kind;)
        make(w, walk_ago(&w->last, n), true, &again);
    return !again.kind && w->result.choices.walks != explained;
}

static u32 repeats(struct worker *w, const struct lockstep_found *found)
{
    u32 count = 0;
    for (u32 n = 0; n < LOCKSTEP_REPEATS; n++) {
        struct difference again;
        w->follower.retold = 0;
        make_again(w, &found->walk, &again);
        count += same_difference(&again, &found->difference);
    }
    return count;
}

static void found(struct worker *w, u64 seed, const struct difference *difference)
{
    struct lockstep_result *result = &w->result;
    struct lockstep_found *found = &result->found[result->sums.differences++];
    *found = (struct lockstep_found){.seed = seed, .difference = *difference, .walk = w->walk};
    w->follower.retold = 0;
    walk_shrink(&found->walk, &found->difference, make_again, w);
    found->repeats = repeats(w, found);
    begin_together(w);
}

/* True: no difference. */
static bool walk_of(struct worker *w, u64 seed)
{
    struct difference difference;
    if (plan->one)
        w->walk = *plan->one;
    else if (plan->guided)
        interest_draw(&w->interest, &w->space, seed, &w->walk);
    else
        walk_draw(&w->space, seed, &w->walk);
    walk_keep(&w->last, &w->walk);
    make(w, &w->walk, true, &difference);
    interest_learn(&w->interest, &w->walk);
    w->result.sums.walks++;
    bool differs = difference.kind && !explained_anew(w);
    if (differs)
        found(w, seed, &difference);
    else if (w->context.storm) /* the walk was ended in the middle, as it had to be */
        begin_together(w);
    return !differs;
}

static bool is_done(const struct worker *w)
{
    return w->over || w->result.sums.walks >= plan->walks || w->result.sums.differences == LOCKSTEP_KEPT;
}

static void walk(void *argument)
{
    struct worker *w = argument;
    bool same = true;
    u64 begun = time_now();
    begin_together(w);
    for (u32 n = 0; n < PORTION && same && !is_done(w); n++)
        same = walk_of(w, plan->seed + w->result.sums.walks + ((u64)cpu_index() << 32));
    calm(w);
    w->result.sums.us += time_us(time_now() - begun);
}

static void calm_guarded(void *argument)
{
    calm(argument);
}

static u64 place_for_records(const struct pmu_caps *caps)
{
    struct ds_area area;
    if (apebs_counter_bits(caps))
        return apebs_area_get(0, AREA_ORDER, &area) ? (u64)area.buffer : 0;
    bool samples = pebs_counter_bits(caps) || netburst_pebs_usable(caps);
    return samples && ds_area_get(caps, 0, &area) ? (u64)area.management : 0;
}

/* Of two threads of a core the lowest bit of the APIC id says which. SDM 3A, "Hierarchical Mapping of Shared
 * Resources". */
static unsigned thread_of(u32 cpu)
{
    return pmu_caps_of(cpu)->threads_per_core > 1 ? cpu_apic_id(cpu) & 1 : 0;
}

/* Firmware may have locked the registers of a trace, on silicon. */
static bool may_trace(const struct pmu_caps *caps)
{
    struct trace_area area;
    bool memory;
    if (!plan->careful)
        return true;
    return trace_prepare(caps, 0, 0, &area, &memory) == NO_FAULT && memory;
}

static struct walk_places places_of(const struct pmu_caps *caps)
{
    struct trace_area area;
    bool traces = caps_can_trace(caps) && may_trace(caps) && trace_area_get(&area);
    return (struct walk_places){place_for_records(caps), traces ? (u64)area.table : 0};
}

/* Prepares a CPU. False, with the reason in the result, if it can make no walks. */
static bool know(struct worker *w)
{
    w->result = (struct lockstep_result){.interest = &w->interest};
    if (!plan->setup(cpu_index(), &w->follower.setup)) {
        w->result.why = "there is no model of this CPU";
        return false;
    }
    struct walk_places places = places_of(pmu_caps());
    if (!space_of(pmu_caps(), plan->careful, &places, reads_here, NULL, &w->space) || !apic_present()) {
        w->result.why = "walks do not support such a PMU";
        return false;
    }
    w->follower.setup.reached = &w->interest.reached;
    w->follower.places = *space_memory(&w->space);
    w->follower.modelled = !plan->careful;
    w->space.apebs = apebs_counter_bits(pmu_caps());
    w->space.thread = thread_of(cpu_index());
    w->space.x2apic = w->space.gate.x2apic = apic_x2();
    w->follower.cpu = (struct follow_cpu){pmu_caps()->signature, pmu_caps()->microcode,
                                          class_may_share_core(pmu_caps()) ? pmu_caps()->threads_per_core : 1};
    w->result.cpu = w->follower.cpu;
    w->follower.info_kept = lbr_info_kept(pmu_caps());
    w->follower.info_told = space_info_told(&w->space);
    return true;
}

static void walk_here(void *unused)
{
    struct worker *w = self();
    (void)unused;
    if (!w->begun && !know(w))
        w->over = true;
    w->begun = true;
    if (is_done(w))
        return;
    u64 cr4 = read_cr4();
    write_cr4(cr4 | CR4_PCE);
    w->guard = guarded_call(walk, w);
    write_cr4(cr4);
    if (w->guard.fault || w->guard.storm || w->guard.timeout) {
        w->result.why = w->guard.timeout ? "a walk did not come back" : "a walk was ended by a fault";
        w->over = true;
        guarded_call(calm_guarded, w);
    }
}

/* ---- On the boot CPU. */

static const struct {
    u8 vector;
    const u8 *entry;
} entries[] = {{VECTOR_PMI, lockstep_pmi},
               {VECTOR_NMI, lockstep_nmi},
               {VECTOR_GP, lockstep_fault},
               {VECTOR_RING3_RETURN, lockstep_back}};

static void entries_set(bool ours)
{
    for_each_row (entries, row)
        interrupt_entry(row->vector, ours ? row->entry : NULL);
}

static struct cpu_set still_walking(const struct cpu_set *cpus)
{
    struct cpu_set walking = {0};
    for (u32 cpu = 0; cpu < cpu_count(); cpu++)
        if (cpu_set_has(cpus, cpu) && !is_done(of_cpu(workers, cpu)))
            cpu_set_add(&walking, cpu);
    return walking;
}

static void tell_progress(const struct cpu_set *cpus)
{
    u32 most = 0;
    for (u32 cpu = 0; cpu < cpu_count(); cpu++)
        if (cpu_set_has(cpus, cpu) && of_cpu(workers, cpu)->result.sums.walks > most)
            most = of_cpu(workers, cpu)->result.sums.walks;
    plan->progress(most);
}

/* Until these CPUs have made all their walks. */
static void walk_on(struct cpu_set able)
{
    struct cpu_set all = able;
    while (cpu_set_count(&able)) {
        entries_set(true);
        bool answers = cpus_run(&able, walk_here, NULL, TIMEOUT_MS, NULL);
        entries_set(false);
        tell_progress(&all);
        able = answers ? still_walking(&all) : (struct cpu_set){0};
    }
}

/* The CPUs that make walks at the same time: on NetBurst, where threads share the whole PMU, one thread of each core.
 */
static struct cpu_set in_turn(const struct cpu_set *able, unsigned turn)
{
    struct cpu_set these = {0};
    for (u32 cpu = 0; cpu < cpu_count(); cpu++) {
        unsigned own = cpu_class(pmu_caps_of(cpu)) == CLASS_NETBURST ? thread_of(cpu) : 0;
        if (cpu_set_has(able, cpu) && own == turn)
            cpu_set_add(&these, cpu);
    }
    return these;
}

void lockstep(const struct cpu_set *cpus, const struct lockstep_plan *how)
{
    static const struct lockstep_result no_memory = {.why = "not enough memory"};
    struct cpu_set able = {0};
    plan = how;
    for (u32 cpu = 0; cpu < cpu_count(); cpu++) {
        if (cpu_set_has(cpus, cpu) && worker_of(cpu)) {
            of_cpu(workers, cpu)->begun = of_cpu(workers, cpu)->over = false;
            cpu_set_add(&able, cpu);
        } else if (of_cpu(workers, cpu))
            of_cpu(workers, cpu)->result = no_memory;
    }
    for (unsigned turn = 0; turn < TURNS; turn++)
        walk_on(in_turn(&able, turn));
}

const struct lockstep_result *lockstep_result(u32 cpu)
{
    static const struct lockstep_result none = {.why = "not enough memory"};
    return of_cpu(workers, cpu) ? &of_cpu(workers, cpu)->result : &none;
}
