/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Option soak=: all tests repeatedly for some minutes, each time in another order, on other CPUs, with longer periods
 * and more repeats, with the other CPUs asleep or busy. It is for defects that real CPUs show only now and then.
 */
#include "harness/core/budget.h"
#include "harness/core/place.h"
#include "harness/core/random.h"
#include "harness/core/tally.h"
#include "harness/mode/modes.h"
#include "harness/mode/session.h"
#include "harness/mode/soak/soak_book.h"
#include "harness/report/report.h"
#include "harness/run/run.h"
#include "kernel/core/option.h"
#include "kernel/core/time.h"
#include "kernel/cpu/cpus.h"
#include "kernel/log/log.h"
#include "kernel/register/msr.h"
#include "kernel/screen/screen.h"
#include "kernel/text/text.h"
#include "pmu/cpu/caps.h"
#include "pmu/registers.h"

OPTION(soak, .kind = OPTION_NUMBER, .argument = "MINUTES",
       .help = "all tests repeatedly for so long, in changing orders (shuffle= seeds them), on changing CPUs, with and "
               "without "
               "load; ends with failures per million repeats",
       .minimum = 1, .maximum = 100000);

#define SHOWN 3                 /* failing runs of a test that are logged at once */
#define ANSWER_MS 2000          /* the time for CPUs to return from a load or a look */
#define ROUNDS_OF_GROWTH 6      /* periods up to 32 times as long */
#define EMPTY_ROUNDS 4          /* on various CPUs: if all tests were skipped on them, so they will be */
#define BUDGET_US 20000         /* of a test in the first round */
#define BUDGET_MOST_US 10000000 /* of a test in any round */
#define WALK_US 200             /* of a walk; a round has as many walks as fit into the time of one test */

static struct {
    struct soak_book book;
    struct selection order;
    u64 random, begun, end; /* TSC */
    u32 shown[TESTS_MAX];
    struct cpu_set busy;
    volatile bool stop;
    volatile bool hot;
} state;

static u32 seconds(u64 ticks)
{
    return (u32)(time_us(ticks) / 1000000);
}

static bool time_left(void)
{
    return time_now() < state.end && !state.hot;
}

/* ---- Heat: hours of load may be too much for a fanless machine. SDM 3B, "Thermal Monitoring and Protection". */

static bool critical(bool exists, u32 msr)
{
    u64 value = 0;
    return exists && rdmsr_try(msr, &value) == NO_FAULT && (value & THERM_CRITICAL);
}

static void look_at_heat(void *argument)
{
    const struct pmu_caps *caps = pmu_caps();
    (void)argument;
    if (critical(caps->therm_status, MSR_THERM_STATUS) ||
        critical(caps->package_therm_status, MSR_PACKAGE_THERM_STATUS))
        state.hot = true;
}

static void watch_heat(const struct cpu_set *cpus)
{
    cpus_run(cpus, look_at_heat, NULL, ANSWER_MS, NULL);
    if (!state.hot)
        return;
    log_line("# error critical temperature: the soak ends after %u s", seconds(time_now() - state.begun));
    screen_finding("critical temperature: the soak has ended");
}

/* ---- The other CPUs. */

/* Arithmetic, branches and memory: the resources that a sibling thread shares with the tested one. */
static void keep_busy(void *argument)
{
    static PER_CPU u32 memory[64];
    volatile u32 *own = of_cpu(memory, cpu_index());
    (void)argument;
    for (u32 i = 0; !state.stop; i++) {
        own[i % 64] += i * 2654435761u;
        if (own[i * 7 % 64] & 1)
            own[i * 5 % 64]++;
        cpus_watch();
    }
}

static void load_begin(const struct cpu_set *chosen)
{
    struct cpu_set all = cpus_all();
    state.busy = (struct cpu_set){0};
    state.stop = false;
    for (u32 cpu = 1; cpu < cpu_count(); cpu++)
        if (cpu_set_has(&all, cpu) && !cpu_set_has(chosen, cpu))
            cpu_set_add(&state.busy, cpu);
    cpus_begin(&state.busy, keep_busy, NULL);
}

static void load_end(void)
{
    state.stop = true;
    cpus_join(&state.busy, ANSWER_MS, NULL);
}

/* All CPUs in the first round; later a random subset of at least one. */
static struct cpu_set choose(const struct cpu_set *all, u32 round)
{
    struct cpu_set chosen = {0};
    u32 count = 0;
    for (u32 cpu = 0; cpu < cpu_count(); cpu++)
        if (cpu_set_has(all, cpu) && (!round || random_below(&state.random, 2))) {
            cpu_set_add(&chosen, cpu);
            count++;
        }
    return count ? chosen : *all;
}

/* ---- A round. */

static void take_note(void *book, const struct test_declaration *test, u32 cpu, const struct results *results)
{
    soak_note(book, test, cpu, results);
}

static void show_failures(const struct test_declaration *test, const struct folded *folded)
{
    for (unsigned i = 0; i < state.book.selection->count; i++)
        if (state.book.selection->test[i] == test && folded->outcome >= OUTCOME_REVIEW && state.shown[i]++ < SHOWN)
            report_findings(test, folded);
}

static void show_progress(u32 round)
{
    u64 repeats = 0, failures = 0;
    for (unsigned i = 0; i < state.book.selection->count; i++) {
        repeats += state.book.row[i].repeats;
        failures += state.book.row[i].failures;
    }
    screen_set(SCREEN_TOTALS, "soak round %u: %lu failures in %lu repeats", round + 1, failures, repeats);
}

static struct folded folded; /* one test at a time */

static void begin(const char *what)
{
    report_begin_soaking(what, seconds(time_now() - state.begun) + 1, seconds(state.end - state.begun));
}

static void run_one(const struct test_declaration *test, u32 round)
{
    const struct observer observer = {.note = take_note, .book = &state.book};
    begin(test->id);
    run_test(test, &observer, &folded);
    show_failures(test, &folded);
    show_progress(round);
}

/* Repeats and periods grow from round to round; no round is planned to take more than half of the time left. */
static void set_budget(u32 round)
{
    u32 growth = round < ROUNDS_OF_GROWTH ? round : ROUNDS_OF_GROWTH - 1;
    u64 us = (u64)BUDGET_US << 2 * (round < 16 ? round : 16), now = time_now();
    u64 left = now < state.end ? time_us(state.end - now) / (2ul * state.order.count) : 0;
    us = us < BUDGET_MOST_US ? us : BUDGET_MOST_US;
    us = us < left ? us : left;
    budget_set_soak(us > BUDGET_US ? (u32)us : BUDGET_US, 1u << growth);
    watch_bound();
}

static void print_round(u32 round, const struct cpu_set *cpus, bool load)
{
    char text[CPU_SET_TEXT];
    log_line("# soak round=%u after=%u cpus=%s others=%s budget-us=%u periods=x%u", round + 1,
             seconds(time_now() - state.begun), cpu_set_text(cpus, text, sizeof(text)), load ? "busy" : "asleep",
             budget().us, budget().stretch);
}

static void one_round(const struct session *session, u32 round)
{
    struct cpu_set cpus = choose(&session->cpus, round);
    bool load = round & 1;
    set_budget(round);
    select_shuffle(&state.order, random_next(&state.random));
    print_round(round, &cpus, load);
    run_restrict(&cpus, round);
    if (load)
        load_begin(&cpus);
    for (unsigned i = 0; i < state.order.count && time_left(); i++) {
        run_one(state.order.test[i], round);
        watch_heat(&cpus);
    }
    if (session->last && time_left()) {
        begin(WALKS_TEST);
        backend()->walks->soak(random_next(&state.random) >> 32, budget().us / WALK_US);
    }
    if (load)
        load_end();
}

/* ---- The results. */

static void print_row(u32 number, unsigned n, struct totals *totals)
{
    const struct test_declaration *test = state.book.selection->test[n];
    const struct soak_row *row = &state.book.row[n];
    soak_result(&state.book, n, &folded);
    if (row->runs && row->failures)
        log_line("# soak test=%s runs=%u repeats=%lu failures=%lu per-million=%lu", test->id, row->runs, row->repeats,
                 row->failures, rate_per_million(row->failures, row->repeats));
    else if (row->runs)
        log_line("# soak test=%s runs=%u repeats=%lu failures=0 at-most-per-million=%lu", test->id, row->runs,
                 row->repeats, rate_excluded(row->repeats));
    report_soaked(number, test, &folded);
    session_add(totals, test, &folded);
}

/* The rates on all CPUs where a check failed, so that a single bad core is visible. */
static void print_failure(const struct soak_failure *f)
{
    struct place place = topology_place(f->cpu);
    log_line(
        "# soak-failure test=%s label=%s cpu=%u socket=%u die=%u module=%u core=%u thread=%u failures=%lu repeats=%lu "
        "per-million=%lu",
        f->test->id, f->label, f->cpu, place.socket, place.die, place.module, place.core, place.thread, f->failures,
        f->repeats, rate_per_million(f->failures, f->repeats));
}

static void print_book(const struct session *session, struct totals *totals)
{
    u32 tests = state.book.selection->count;
    log_line("1..%u", tests + !!session->last);
    session_begin_results(session);
    for (unsigned i = 0; i < tests; i++)
        print_row(i + 1, i, totals);
    if (session->last)
        backend()->walks->soaked(session, tests + 1, totals);
    report_outcomes(session_outcomes());
    for (unsigned i = 0; i < state.book.failed; i++)
        print_failure(&state.book.failure[i]);
    if (state.book.dropped)
        log_line("# more soak failures=%u", state.book.dropped);
    totals->count[OUTCOME_ERROR] += run_errors() + state.hot;
    report_untested(totals);
}

static bool requested(void)
{
    return option_soak.given;
}

/* A line for each round, then each test's results and where it failed. */
static void soak(struct session *session, struct totals *totals)
{
    u64 minutes = option_soak.number, seed = session->shuffle ? session->seed : time_now();
    const char *wrong = session_arm(session, backend()->run(0));
    if (wrong) {
        report_error(totals, wrong);
        return;
    }
    log_line("# soak minutes=%lu seed=%lu tests=%u", minutes, seed, session->selection.count);
    soak_open(&state.book, &session->selection);
    state.order = session->selection;
    state.random = random_begin(seed);
    state.begun = time_now();
    state.end = state.begun + time_ticks(minutes * 60000000);
    for (u32 round = 0; time_left() && (round < EMPTY_ROUNDS || soak_ran(&state.book)); round++)
        one_round(session, round);
    if (!soak_ran(&state.book))
        log_line("# soak over reason=\"no test applies to these CPUs\"");
    run_restrict(&session->cpus, 0);
    run_end();
    print_book(session, totals);
}

MODE(soak, .name = "soak=", .asked = requested, .with = "resets=", .one_pmu = true, .run = soak);
