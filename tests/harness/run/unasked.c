#include "harness/run/unasked.h"
#include "harness/report/report.h"
#include "harness/report/unasked_text.h"
#include "kernel/cpu/apic.h"
#include "kernel/cpu/cpus.h"
#include "kernel/cpu/interrupt.h"
#include "kernel/cpu/per_cpu.h"
#include "kernel/log/log.h"
#include "kernel/screen/screen.h"
#include "kernel/text/format.h"

#define LINES_MOST 64 /* in a run: a broken CPU may have something to say in each test */
#define LOOK_TIMEOUT_MS 2000

static PER_CPU struct told {
    struct unasked all;
    u32 nmis;
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
        log_line("# more of what came unasked is not said in this run");
}

static void say_banks(u32 cpu, const char *when, const char *test)
{
    char line[UNASKED_LINE];
    const struct machine_checks *all = machine_checks_of(cpu);
    for (u32 i = 0; i < all->count; i++)
        say(unasked_bank_line(line, cpu, when, test, &all->kept[i]));
    if (all->dropped) {
        format_text(line, sizeof(line), "# machine-check cpu=%u %s=%s more=%u", cpu, when, test, all->dropped);
        say(line);
    }
    machine_checks_forget(cpu);
}

static void say_all(u32 cpu, const char *when, const char *test, const struct unasked *came)
{
    char line[UNASKED_LINE];
    if (unasked_pmi_line(line, cpu, when, test, came) && !state.quiet)
        say(line);
    say_banks(cpu, when, test);
}

static void look_here(void *argument)
{
    (void)argument;
    machine_check_look();
}

void unasked_at_start(void)
{
    struct cpu_set all = cpus_all();
    for (u32 cpu = 0; cpu < cpu_count(); cpu++)
        say_banks(cpu, "before", "start");
    cpus_run(&all, look_here, NULL, LOOK_TIMEOUT_MS, NULL);
    for (u32 cpu = 0; cpu < cpu_count(); cpu++)
        say_banks(cpu, "at", "start");
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
    for (u32 cpu = 0; cpu < cpu_count(); cpu++)
        of_cpu(told, cpu).all.pmi = pmi_unasked(cpu);
}

void unasked_in_test(u32 cpu, const char *test, struct results *results)
{
    char reason[UNASKED_REASON];
    struct unasked came = came_since(cpu);
    enum reason code = unasked_reason(&came, reason);
    if (came.pmi.empty_seconds && results->measures < MEASURES_MAX)
        results_measure(results, "empty-second-pmi", "pmis", came.pmi.empty_seconds);
    results->unasked = unasked_label(&came);
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
        if (!code)
            continue;
        wrong++;
        tell_after(cpu, test, &came, code, reason);
    }
    return wrong;
}

void unasked_sum(void)
{
    for (u32 cpu = 0; cpu < cpu_count(); cpu++) {
        u32 all = interrupt_counts_of(cpu).foreign_nmis, came = all - of_cpu(told, cpu).nmis;
        of_cpu(told, cpu).nmis = all;
        if (!came || state.quiet)
            continue;
        log_line("# foreign-nmi cpu=%u count=%u code=%s", cpu, came, reasons[REASON_NOISE_NMI].name);
        report_reason(REASON_NOISE_NMI);
    }
}
