/* SPDX-License-Identifier: BSD-2-Clause */
/* The end of the image's life. */
#include "harness/mode/backend.h"
#include "harness/mode/session.h"
#include "harness/report/summary.h"
#include "harness/run/run.h"
#include "kernel/core/image.h"
#include "kernel/core/option.h"
#include "kernel/core/time.h"
#include "kernel/cpu/cpus.h"
#include "kernel/firmware/power.h"
#include "kernel/log/log.h"
#include "kernel/screen/screen.h"
#include "pmu/run/bracket.h"

#define HANDBACK_TIMEOUT_MS 2000

static u8 unrestored[MAX_CPUS];

static void hand_back_here(void *argument)
{
    (void)argument;
    unrestored[cpu_index()] = (u8)handoff_restore();
}

/* Restores the machine's own PMU as far as this CPU can; registers that it cannot restore are listed, not judged. */
void end_hand_back(void)
{
    struct cpu_set all = cpus_all(), some = {0};
    char text[CPU_SET_TEXT];
    u8 most = 0;
    if (backend()->active())
        return;
    cpus_run(&all, hand_back_here, NULL, HANDBACK_TIMEOUT_MS, NULL);
    for (u32 cpu = 0; cpu < cpu_count(); cpu++)
        if (unrestored[cpu]) {
            cpu_set_add(&some, cpu);
            most = unrestored[cpu] > most ? unrestored[cpu] : most;
        }
    if (most)
        log_line("# handback cpus=%s unrestored=%u", cpu_set_text(&some, text, sizeof(text)), most);
}

_Noreturn void end_log(struct totals *totals)
{
    static char line[REPORT_LINE];
    static const int colours[] = {
        [VERDICT_PASS] = 0, [VERDICT_FAIL] = 1, [VERDICT_UNTESTED] = 2, [VERDICT_ERROR] = 1, [VERDICT_REVIEW] = 2};
    totals->count[OUTCOME_ERROR] += cpus_lost() + unasked_after("all") + start_steps_missing();
    if (start_steps_missing())
        report_reason(REASON_START_STEP);
    unasked_at_end();
    backend()->restore_text();
    bool unchanged = image_unchanged();
    log_line("# image sum=%08x state=%s", image_sum(), unchanged ? "unchanged" : "changed");
    if (!unchanged) {
        log_line("# error the image was changed while it ran: nothing above is reliable; test the memory");
        totals->count[OUTCOME_ERROR]++;
    }
    unasked_sum();
    static char word[VERDICT_TEXT]; /* for the screen, which keeps the pointer */
    enum verdict verdict = verdict_of(totals);
    report_totals(line, totals);
    report_took("boot", 1000 * time_uptime_ms());
    report_advice();
    if (!backend()->active())
        report_in_words(totals);
    screen_print_cost();
    screen_set(SCREEN_RUNNING, "done");
    screen_progress(1, 1);
    report_progress(totals);
    const char *code = summary_code(line);
    log_line("# result %s code=%s", line, code);
    save_results();
    /* On a machine that does not stay no page turns; without any result one page says all. */
    bool codes = power_stays() && (totals->count[OUTCOME_PASS] || verdict != VERDICT_UNTESTED);
    screen_end(&(struct screen_end){verdict_text(totals, word), line, colours[verdict], code, machine_who(),
                                    codes ? summary_codes(screen_code_characters(), SCREEN_CODES_MOST) : NULL});
    log_end("%s", line);
    if (power_stays())
        screen_turn();
    power_end(verdict_code(verdict));
}
