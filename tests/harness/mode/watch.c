/* SPDX-License-Identifier: BSD-2-Clause */
/* The watchdog (kernel/firmware/watchdog.h) during the runs. */
#include "harness/core/budget.h"
#include "harness/mode/session.h"
#include "harness/report/report.h"
#include "kernel/cpu/cpu_start.h"
#include "kernel/cpu/cpus.h"
#include "kernel/cpu/previous.h"
#include "kernel/firmware/watchdog.h"
#include "kernel/log/log.h"
#include "kernel/text/text.h"

static bool armed;
static u32 told; /* the time limit that was logged */

/* Every line is progress, except a heartbeat, which says that nothing has finished. */
static void see_line(const char *text, size_t length)
{
    static const char heartbeat[] = "# heartbeat ";
    while (length && *text == ' ') {
        text++;
        length--;
    }
    if (length < sizeof(heartbeat) || strncmp(text, heartbeat, sizeof(heartbeat) - 1))
        watchdog_progress();
}

static struct sink sink = {.name = "watchdog", .write = see_line};

static const char *start(void)
{
    /* A test is ended after its time-out, by several methods one after another, which take time. */
    u32 least = budget().timeout_ms / 1000 * 3 / 2, wanted = (u32)option_watchdog.number, bound = 0;
    const char *wrong = watchdog_start(wanted > least ? wanted : least, &bound);
    if (!wrong && bound != told)
        log_line("# watchdog state=armed device=tco seconds=%u", bound);
    told = bound;
    return wrong;
}

void watch_lines(void)
{
    if (option_watchdog.given)
        log_add_sink(&sink);
}

void watch_look(void)
{
    u32 seconds;
    if (!watchdog_runs_already(&seconds))
        return;
    log_line("# watchdog state=running device=tco seconds=%u", seconds);
    report_reason(REASON_FIRMWARE_WATCHDOG);
}

const char *watch_begin(void)
{
    if (!option_watchdog.given)
        return NULL;
    if (previous_hopeless())
        return "the machine hung again and again, until the watchdog reset it: # previous-run says where";
    const char *wrong = start();
    if (!wrong && !previous_watched()) {
        watchdog_stop();
        wrong = "no memory preserves the log over a reset";
    }
    armed = !wrong;
    if (wrong) {
        log_line("# watchdog state=refused reason=\"%s\"", wrong);
        log_finding("watchdog refused: %s", wrong);
        return NULL;
    }
    cpus_progress = watchdog_progress;
    return NULL;
}

void watch_bound(void)
{
    if (armed)
        start();
}

void watch_end(void)
{
    bool as_found = watchdog_stop();
    if (!armed)
        return;
    armed = false;
    cpus_progress = NULL;
    log_line("# watchdog state=off as-found=%s", as_found ? "yes" : "no");
}
