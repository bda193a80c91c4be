/* SPDX-License-Identifier: BSD-2-Clause */
/* Nothing that comes unasked is lost. */
#include "harness/report/report.h"
#include "harness/report/report_text.h"
#include "harness/run/run.h"
#include "kernel/core/time.h"
#include "kernel/cpu/cpus.h"
#include "kernel/interrupt/apic.h"
#include "kernel/interrupt/interrupt.h"
#include "kernel/log/log.h"
#include "kernel/screen/screen.h"
#include "kernel/text/text.h"

#define DRAIN_US 10
#define LINES_MOST 64 /* in a run: a broken CPU may need lines in each test */
#define LOOK_TIMEOUT_MS 2000

static PER_CPU struct told {
    struct unasked all;
    u32 nmis, spurious, others;
    u32 seen[STRAYS_KEPT], strays[STRAYS_KEPT]; /* per row: seen so far, and reported in the sum of a run */
    bool named[STRAYS_KEPT];                    /* reported in this run */
    u64 banks[MACHINE_CHECK_BANKS];             /* each bank's last reported status: nobody clears the banks */
} told;
static struct {
    u32 lines;
    bool quiet;
} state;

static struct unasked look(u32 cpu)
{
    struct interrupt_counts counts = interrupt_counts_of(cpu);
    return (struct unasked){pmi_unasked(cpu), counts.foreign_nmis, counts.machine_checks};
}

static struct unasked came_since(u32 cpu)
{
    struct unasked now = look(cpu), came = unasked_between(&of_cpu(told, cpu).all, &now);
    of_cpu(told, cpu).all = now;
    return came;
}

static void say(const char *line)
{
    state.lines++;
    if (state.lines <= LINES_MOST)
        log_line("%s", line);
    else if (state.lines == LINES_MOST + 1)
        log_line("# more events that came unasked are not logged in this run");
}

/* Was this same error reported before? Its status also has a count of corrected errors. */
static bool already_logged(u32 cpu, const struct machine_check *check)
{
    u64 *last = check->bank < MACHINE_CHECK_BANKS ? &of_cpu(told, cpu).banks[check->bank] : NULL;
    bool same = last && *last == check->status;
    if (last)
        *last = check->status;
    return same;
}

/* `again`: also errors that were reported before. */
static void say_banks(u32 cpu, const char *when, const char *test, bool again)
{
    char line[UNASKED_LINE];
    const struct machine_checks *all = machine_checks_of(cpu);
    for (u32 i = 0; i < all->count; i++)
        if (!already_logged(cpu, &all->kept[i]) || again)
            say(unasked_bank_line(line, cpu, when, test, &all->kept[i]));
    if (all->dropped) {
        format_text(line, sizeof(line), "# machine-check cpu=%u %s=%s more=%u", cpu, when, test, all->dropped);
        say(line);
    }
    machine_checks_forget(cpu);
}

/* Looks at the interrupts on each vector. Logs the first of a run, or all of them; the sum has the others. */
static void say_strays(u32 cpu, const char *when, const char *test, bool all)
{
    char line[UNASKED_LINE];
    struct told *t = &of_cpu(told, cpu);
    const struct strays *strays = interrupt_strays_of(cpu);
    for (u32 i = 0; i < strays->kept; i++) {
        struct stray came = strays->row[i];
        came.count -= t->seen[i];
        t->seen[i] += came.count;
        if (!came.count || (!all && (t->named[i] || state.quiet)))
            continue;
        t->named[i] = true;
        say(unasked_stray_line(line, cpu, when, test, &came));
    }
}

static void say_all(u32 cpu, const char *when, const char *test, const struct unasked *came)
{
    char line[UNASKED_LINE];
    if (unasked_pmi_line(line, cpu, when, test, came) && !state.quiet)
        say(line);
    say_banks(cpu, when, test, true);
}

/* A message that a device sent before it was switched off waits in IRR until interrupts are first enabled. */
static void look_here(void *argument)
{
    (void)argument;
    machine_check_look();
    u64 flags = interrupts_off();
    interrupts_on();
    time_delay_us(DRAIN_US);
    interrupts_restore(flags);
}

static void tell_start(u32 cpu)
{
    struct told *t = &of_cpu(told, cpu);
    say_banks(cpu, "at", "start", true);
    say_strays(cpu, "at", "start", true);
    for (u32 i = 0; i < STRAYS_KEPT; i++)
        t->strays[i] = t->seen[i];
}

void unasked_at_start(void)
{
    struct cpu_set all = cpus_all();
    for (u32 cpu = 0; cpu < cpu_count(); cpu++)
        say_banks(cpu, "before", "start", true);
    cpus_run(&all, look_here, NULL, LOOK_TIMEOUT_MS, NULL);
    for (u32 cpu = 0; cpu < cpu_count(); cpu++)
        tell_start(cpu);
}

static void look_at_banks(void *argument)
{
    (void)argument;
    machine_check_look();
}

void unasked_at_end(void)
{
    struct cpu_set all = cpus_all();
    cpus_run(&all, look_at_banks, NULL, LOOK_TIMEOUT_MS, NULL);
    for (u32 cpu = 0; cpu < cpu_count(); cpu++)
        if (cpu_set_has(&all, cpu))
            say_banks(cpu, "at", "end", false);
}

void unasked_take(void *argument)
{
    (void)argument;
    u64 flags = interrupts_off();
    pmi_settle();
    if (apic_present())
        pmi_take_stray();
    interrupts_restore(flags);
}

void unasked_begin(bool quiet)
{
    state.quiet = quiet;
    state.lines = 0;
    for (u32 cpu = 0; cpu < cpu_count(); cpu++) {
        of_cpu(told, cpu).all.pmi = pmi_unasked(cpu);
        memset(of_cpu(told, cpu).named, 0, sizeof(of_cpu(told, cpu).named));
    }
}

void unasked_in_test(u32 cpu, const char *test, struct results *results)
{
    char reason[UNASKED_REASON];
    struct unasked came = came_since(cpu);
    enum reason code = unasked_reason(&came, reason);
    if (came.pmi.empty_seconds && results->measures < MEASURES_MAX)
        results_measure(results, "empty-second-pmi", "pmis", came.pmi.empty_seconds);
    results->unasked = unasked_label(&came);
    say_strays(cpu, "in", test, false);
    if (!code)
        return;
    say_all(cpu, "in", test, &came);
    results_raise(results, OUTCOME_ERROR, code, reason);
}

static void tell_after(u32 cpu, const char *test, const struct unasked *came, enum reason code, const char *reason)
{
    char quoted[2 * UNASKED_REASON];
    say_all(cpu, "after", test, came);
    if (state.quiet && !came->machine_checks)
        return;
    log_line("# error cpu=%u after=%s code=%s reason=%s", cpu, test, reasons[code].name,
             format_quoted(quoted, sizeof(quoted), reason));
    screen_finding("error: CPU %u, after %s: %s", cpu, test, reason);
    report_reason(code);
}

u32 unasked_after(const char *test)
{
    char reason[UNASKED_REASON];
    u32 wrong = 0;
    for (u32 cpu = 0; cpu < cpu_count(); cpu++) {
        struct unasked came = came_since(cpu);
        enum reason code = unasked_reason(&came, reason);
        say_strays(cpu, "after", test, false);
        if (!code)
            continue;
        wrong++;
        tell_after(cpu, test, &came, code, reason);
    }
    return wrong;
}

/* How many came on one CPU that no sum has reported; marks them as reported. */
static u32 take_strays(u32 cpu, u8 vector)
{
    struct told *t = &of_cpu(told, cpu);
    const struct strays *strays = interrupt_strays_of(cpu);
    u32 came = 0;
    for (u32 i = 0; i < strays->kept; i++)
        if (strays->row[i].vector == vector) {
            came = strays->row[i].count - t->strays[i];
            t->strays[i] += came;
        }
    return came;
}

static u32 take_spurious(u32 cpu, u8 vector)
{
    (void)vector;
    u32 all = interrupt_counts_of(cpu).spurious, came = all - of_cpu(told, cpu).spurious;
    of_cpu(told, cpu).spurious = all;
    return came;
}

static u32 take_others(u32 cpu, u8 vector)
{
    (void)vector;
    u32 all = interrupt_strays_of(cpu)->others, came = all - of_cpu(told, cpu).others;
    of_cpu(told, cpu).others = all;
    return came;
}

static void sum_vector(u8 vector, u32 (*take)(u32 cpu, u8 vector))
{
    char line[UNASKED_LINE], text[CPU_SET_TEXT];
    struct cpu_set cpus = {0};
    u32 count = 0;
    for (u32 cpu = 0; cpu < cpu_count(); cpu++) {
        u32 came = take(cpu, vector);
        count += came;
        if (came)
            cpu_set_add(&cpus, cpu);
    }
    if (!count || state.quiet)
        return;
    log_line("%s", unasked_stray_sum(line, cpu_set_text(&cpus, text, sizeof(text)), vector, count));
    if (vector != VECTOR_SPURIOUS)
        report_reason(REASON_NOISE_STRAY);
}

static void sum_strays(void)
{
    for (unsigned vector = EXCEPTIONS; vector < VECTOR_SPURIOUS; vector++)
        sum_vector((u8)vector, take_strays);
    sum_vector(UNASKED_OTHERS, take_others);
    sum_vector(VECTOR_SPURIOUS, take_spurious);
}

void unasked_sum(void)
{
    sum_strays();
    for (u32 cpu = 0; cpu < cpu_count(); cpu++) {
        u32 all = interrupt_counts_of(cpu).foreign_nmis, came = all - of_cpu(told, cpu).nmis;
        of_cpu(told, cpu).nmis = all;
        if (!came || state.quiet)
            continue;
        log_line("# foreign-nmi cpu=%u count=%u code=%s", cpu, came, reasons[REASON_NOISE_NMI].name);
        report_reason(REASON_NOISE_NMI);
    }
}
