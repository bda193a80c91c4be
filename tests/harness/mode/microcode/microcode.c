/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/mode/microcode/microcode.h"
#include "boot/boot_info.h"
#include "harness/core/place.h"
#include "harness/mode/backend.h"
#include "harness/mode/microcode/changes.h"
#include "harness/run/worker.h"
#include "kernel/core/memory.h"
#include "kernel/core/time.h"
#include "kernel/cpu/cpus.h"
#include "kernel/interrupt/interrupt.h"
#include "kernel/log/log.h"
#include "kernel/text/text.h"
#include "pmu/cpu/caps.h"
#include "pmu/gate/gate.h"

#define LOOK_MS 10000
#define GIVE_US 20000000 /* for all cores, one after the other */
#define GIVE_MS 30000

/* A CPU's view of the update, and the outcome. */
static PER_CPU struct own_update {
    struct microcode_cpu cpu;
    struct microcode_update update;
    const char *why; /* why this CPU is not updated; NULL: it is */
    char text[MICROCODE_TEXT];
    bool writes, wrote;    /* this thread writes for its core; it has written */
    const char *unwritten; /* why it did not write after all */
    fault_t fault;
    u32 after; /* the revision afterwards */
} own_updates;

/* ---- The file. */

static const char *no_update(struct own_update *own)
{
    const struct boot_info *boot = boot_info();
    const struct pmu_caps *caps = pmu_caps();
    if (!caps->intel || caps->family < 6)
        return "this CPU takes no update: vendor or family";
    if (caps->hypervisor)
        return "a hypervisor runs below, and microcode is its own business";
    own->cpu = microcode_of_cpu();
    if (!boot->modules)
        return "the loader gave no module (docs/lab.md)";
    u64 start = boot->module[boot->modules - 1].start, end = boot->module[boot->modules - 1].end;
    const char *why = microcode_choose((const void *)start, end - start, &own->cpu, &own->update, own->text);
    return why || !((u64)own->update.data % 16) ? why : "the module is not at a multiple of 16 bytes";
}

static void look_here(void *argument)
{
    (void)argument;
    struct own_update *own = &of_cpu(own_updates, cpu_index());
    *own = (struct own_update){0};
    own->why = no_update(own);
}

static bool same_before(const struct own_update *a, const struct own_update *b)
{
    return a->cpu.signature == b->cpu.signature && a->cpu.platform == b->cpu.platform &&
           a->cpu.revision == b->cpu.revision && a->update.revision == b->update.revision &&
           (a->why && b->why ? !strcmp(a->why, b->why) : a->why == b->why);
}

static void print_before(const struct own_update *own, const char *cpus)
{
    char why[2 * MICROCODE_TEXT];
    if (own->why && !own->cpu.signature)
        log_line("# microcode cpus=%s state=unfit why=%s", cpus, format_quoted(why, sizeof(why), own->why));
    else if (own->why)
        log_line("# microcode cpus=%s signature=%08x platform=%u revision=%08x state=unfit why=%s", cpus,
                 own->cpu.signature, own->cpu.platform, own->cpu.revision, format_quoted(why, sizeof(why), own->why));
    else
        log_line(
            "# microcode cpus=%s signature=%08x platform=%u revision=%08x state=fits update=%08x date=%04x-%02x-%02x",
            cpus, own->cpu.signature, own->cpu.platform, own->cpu.revision, own->update.revision,
            own->update.date & 0xffff, own->update.date >> 24, own->update.date >> 16 & 0xff);
}

static bool same_after(const struct own_update *a, const struct own_update *b)
{
    return same_before(a, b) && a->after == b->after && a->fault == b->fault && a->unwritten == b->unwritten;
}

static bool has(const struct own_update *own)
{
    return !own->why && own->after == own->update.revision;
}

static void print_after(const struct own_update *own, const char *cpus)
{
    char fault[FAULT_TEXT_SIZE];
    if (own->why)
        return;
    char why[2 * MICROCODE_TEXT];
    log_line("# microcode cpus=%s before=%08x after=%08x state=%s%s%s%s%s", cpus, own->cpu.revision, own->after,
             has(own)         ? "loaded"
             : own->unwritten ? "not-written"
                              : "refused",
             own->fault != NO_FAULT ? " fault=" : "",
             own->fault != NO_FAULT ? format_quoted(why, sizeof(why), fault_text(own->fault, fault)) : "",
             own->unwritten ? " why=" : "", own->unwritten ? format_quoted(why, sizeof(why), own->unwritten) : "");
}

/* One line for all CPUs with the same content. */
static void print(const struct cpu_set *all, bool (*same)(const struct own_update *, const struct own_update *),
                  void (*line)(const struct own_update *, const char *))
{
    struct cpu_set left = *all;
    for (u32 first = 0; first < cpu_count(); first++) {
        struct cpu_set cpus = {0};
        char text[CPU_SET_TEXT];
        for (u32 cpu = first; cpu_set_has(&left, first) && cpu < cpu_count(); cpu++)
            if (cpu_set_has(&left, cpu) && same(&of_cpu(own_updates, first), &of_cpu(own_updates, cpu)))
                cpu_set_add(&cpus, cpu);
        for (u32 cpu = first; cpu < cpu_count(); cpu++)
            if (cpu_set_has(&cpus, cpu))
                cpu_set_remove(&left, cpu);
        if (cpu_set_count(&cpus))
            line(&of_cpu(own_updates, first), cpu_set_text(&cpus, text, sizeof(text)));
    }
}

void microcode_look(void)
{
    struct cpu_set all = cpus_all();
    cpus_run(&all, look_here, NULL, LOOK_MS, NULL);
    all = cpus_all();
    print(&all, same_before, print_before);
}

/* ---- The outcomes of the two runs. */

static struct changes *changes; /* allocated only in such a run, because of its size */

static void take(void *book, const struct test_declaration *test, u32 cpu, const struct results *results)
{
    (void)cpu;
    changes_results(book, test, results);
}

static void take_outcome(void *book, const struct test_declaration *test, enum outcome outcome)
{
    changes_outcome(book, test, outcome);
}

const struct observer *microcode_observer(void)
{
    static struct observer observer = {.note = take, .done = take_outcome};
    observer.book = changes = pages_alloc((sizeof(*changes) + PAGE_SIZE - 1) / PAGE_SIZE);
    if (changes)
        return &observer;
    log_line("# error no memory for the results before and after the update: nothing is compared");
    return NULL;
}

static void take_erratum(u32 core_type, const struct erratum_entry *entry)
{
    changes_erratum(changes, core_type, entry->number, entry->state);
}

static void take_choice(void *context, const char *name, const char *erratum, const struct cpu_set *cpus)
{
    (void)context, (void)cpus, (void)erratum;
    changes_choice(changes, name);
}

void microcode_take(void)
{
    if (!changes)
        return;
    errata_notes_each(take_erratum);
    if (backend()->walks)
        backend()->walks->choices(take_choice, NULL);
}

/* ---- Writing the update. SDM 3A, "Microcode Update Loader": once for each core, with its other threads held. */

enum { ARRIVING, COMPLETE, BROKEN };
static struct {
    struct cpu_set all;
    u32 cpus, arrived, state, turn; /* turn: the CPU that may write now */
} meeting;

static u32 load(const u32 *at)
{
    return __atomic_load_n(at, __ATOMIC_SEQ_CST);
}

static void decide(u32 state)
{
    u32 arriving = ARRIVING;
    __atomic_compare_exchange_n(&meeting.state, &arriving, state, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST);
}

/* A CPU that comes too late finds the attempt cancelled. */
static bool all_are_here(struct deadline *deadline)
{
    if (__atomic_add_fetch(&meeting.arrived, 1, __ATOMIC_SEQ_CST) == meeting.cpus)
        decide(COMPLETE);
    while (load(&meeting.state) == ARRIVING)
        if (deadline_passed(deadline))
            decide(BROKEN);
    return load(&meeting.state) == COMPLETE;
}

static void next_turn(u32 cpu)
{
    do
        cpu++;
    while (cpu < cpu_count() && !cpu_set_has(&meeting.all, cpu));
    __atomic_store_n(&meeting.turn, cpu, __ATOMIC_SEQ_CST);
}

/* A thread whose core has the update by now has nothing to write. If one thread makes no progress, all stop. */
static void give_in_turn(u32 cpu, struct own_update *own, struct deadline *deadline)
{
    while (load(&meeting.turn) != cpu)
        if (deadline_passed(deadline)) {
            own->unwritten = "its turn did not come in time";
            return;
        }
    if (own->writes && microcode_newer(own->update.revision, microcode_revision())) {
        own->unwritten = microcode_load(&own->update, own->text, &own->fault);
        own->wrote = !own->unwritten;
    }
    next_turn(cpu);
    while (load(&meeting.turn) < cpu_count())
        if (deadline_passed(deadline))
            return;
}

static void give_here(void *argument)
{
    (void)argument;
    u32 cpu = cpu_index();
    struct own_update *own = &of_cpu(own_updates, cpu);
    struct deadline deadline = deadline_us(GIVE_US);
    u64 flags = interrupts_off();
    if (all_are_here(&deadline))
        give_in_turn(cpu, own, &deadline);
    own->after = microcode_revision();
    interrupts_restore(flags);
}

/* The first thread of each core, unless the update does not fit one of the core's threads. */
static bool writes(const struct cpu_set *all, u32 cpu)
{
    bool fits = true;
    for (u32 other = 0; other < cpu_count(); other++) {
        if (!cpu_set_has(all, other) || topology_core(other) != topology_core(cpu))
            continue;
        if (other < cpu)
            return false;
        fits &= !of_cpu(own_updates, other).why;
    }
    return fits;
}

static void print_writers(const struct cpu_set *all)
{
    struct cpu_set writers = {0};
    char text[CPU_SET_TEXT];
    for (u32 cpu = 0; cpu < cpu_count(); cpu++)
        if (cpu_set_has(all, cpu) && of_cpu(own_updates, cpu).wrote)
            cpu_set_add(&writers, cpu);
    if (cpu_set_count(&writers))
        log_line("# microcode written-by=%s", cpu_set_text(&writers, text, sizeof(text)));
}

static bool prepare(const struct cpu_set *all)
{
    u32 writers = 0;
    meeting = (__typeof__(meeting)){.all = *all, .cpus = cpu_set_count(all)};
    while (!cpu_set_has(all, meeting.turn))
        meeting.turn++;
    for (u32 cpu = 0; cpu < cpu_count(); cpu++)
        if (cpu_set_has(all, cpu))
            writers += of_cpu(own_updates, cpu).writes = writes(all, cpu);
    return writers;
}

/* Why the first CPU with a reason is not updated. */
static const char *unfit(const struct cpu_set *all)
{
    for (u32 cpu = 0; cpu < cpu_count(); cpu++)
        if (cpu_set_has(all, cpu) && of_cpu(own_updates, cpu).why)
            return of_cpu(own_updates, cpu).why;
    return "the update does not fit";
}

const char *microcode_give(void)
{
    struct cpu_set all = cpus_all();
    if (cpus_lost())
        return "a CPU is missing, and nobody knows what it would do meanwhile";
    if (!prepare(&all))
        return unfit(&all);
    if (changes)
        changes->second = true;
    cpus_run(&all, give_here, NULL, GIVE_MS, NULL);
    if (load(&meeting.state) != COMPLETE)
        return "not all CPUs came together in time";
    print_writers(&all);
    print(&all, same_after, print_after);
    for (u32 cpu = 0; cpu < cpu_count(); cpu++)
        if (cpu_set_has(&all, cpu) && has(&of_cpu(own_updates, cpu)))
            return NULL;
    return "the CPU refused the update";
}

/* ---- The changes. */

static void tell(const char *line)
{
    log_line("%s", line);
}

void microcode_tell_changes(void)
{
    if (changes)
        changes_tell(changes, tell);
}
