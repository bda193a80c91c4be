#include "harness/mode/lockstep.h"
#include "harness/mode/options.h"
#include "harness/report/report.h"
#include "kernel/cpu/cpu_list.h"
#include "kernel/log/log.h"
#include "kernel/register/cpuid.h"
#include "kernel/text/format.h"
#include "kernel/text/number.h"
#include "kernel/text/string.h"
#include "pmu/cpu/caps.h"
#include "pmu/reference/dumps/dumps.h"
#include "pmu/reference/lockstep/lockstep.h"
#include "pmu/reference/lockstep/text.h"
#include "pmu/reference/model/profile.h"

OPTION(lockstep, .kind = OPTION_TEXT, .argument = "SEED[:N]|walk:...",
       .help =
           "in place of the tests: N random walks (1000) over the PMU of each CPU and over a model of it at once, or "
           "one that a log names");

#define WALKS_ALONE 1000
#define WALKS_MOST 100000000

/* ---- What is asked for. */

static struct {
    u64 seed;
    u64 walks;
    bool one; /* this walk */
    struct walk walk;
    char error[WALK_ERROR + 20];
} asked;

bool lockstep_asked(void)
{
    return option_lockstep.given;
}

const char *lockstep_plan_wrong(void)
{
    const char *text = option_lockstep.text, *rest;
    char why[WALK_ERROR];
    asked.walks = WALKS_ALONE;
    if (!option_lockstep.given)
        return NULL;
    if (!strncmp(text, "walk:", 5)) {
        asked.one = true;
        if (walk_parse(text + 5, &asked.walk, why))
            return NULL;
        format_text(asked.error, sizeof(asked.error), "lockstep=: %s", why);
        return asked.error;
    }
    rest = number_parse(text, &asked.seed);
    if (rest && *rest == ':')
        rest = number_parse(rest + 1, &asked.walks);
    if (!rest || *rest || !asked.walks || asked.walks > WALKS_MOST)
        return "lockstep= takes a seed, and after a colon how many walks: lockstep=7:1000; or a walk of a log";
    return NULL;
}

/* ---- What each CPU is like. */

static const struct profile *of_reference; /* NULL: the machine's own PMU */
static struct profile of_machine[DUMPED_CORES_MOST];

/* The kind of core of a hybrid's that this CPU is. */
static const struct profile *kind_of(const struct profile *profile, const struct pmu_caps *caps)
{
    for (const struct profile *kind = profile; kind; kind = kind->second)
        for (unsigned i = 0; i < LEAVES_MAX && kind->leaves[i].leaf; i++)
            if (kind->leaves[i].leaf == 0x1a && kind->leaves[i].value[0] >> 24 == caps->core_type)
                return kind;
    return profile;
}

static const struct profile *find_machine(const struct pmu_caps *caps)
{
    for (unsigned i = 0; i < profile_count; i++)
        if (profiles[i]->signature == caps->signature)
            return kind_of(profiles[i], caps);
    for (unsigned i = 0; i < dumped_cpu_count; i++)
        if (dumped_cpus[i].signature == caps->signature)
            return kind_of(dump_profile(&dumped_cpus[i], of_machine), caps);
    return NULL;
}

static const struct profile *machine_profile; /* NULL: a CPU that nobody has dumped, or a hypervisor's PMU */

static bool setup_of(u32 cpu, struct model_setup *setup)
{
    *setup = (struct model_setup){.profile = of_reference, .cpu = cpu, .cpus = cpu_count()};
    if (of_reference)
        return true;
    setup->profile = machine_profile;
    setup->cpu = 0;
    setup->cpus = 1;
    return setup->profile;
}

/* ---- What the log says. */

static void print_walk(const struct walk *walk)
{
    char text[WALK_TEXT], line[STEP_TEXT];
    for (u32 i = 0; i < walk->body_count + walk->handler_count; i++) {
        bool handler = i >= walk->body_count;
        const struct walk_step *step = handler ? &walk->handler[i - walk->body_count] : &walk->body[i];
        log_line("# lockstep %s %s",
                 handler ? "handler:" : "step:", step_text(step->op, step->number, step->value, line));
    }
    if (walk_text(walk, text, sizeof(text)))
        log_line("# lockstep again=\"lockstep=walk:%s\"", text);
}

static void print_difference(u32 cpu, const struct lockstep_found *found)
{
    char text[STEP_TEXT], quoted[2 * STEP_TEXT];
    const struct difference *d = &found->difference;
    log_line("# lockstep difference=%s cpu=%u seed=%lu repeats=%u/%u what=%s", difference_name(d->kind), cpu,
             found->seed, found->repeats, LOCKSTEP_REPEATS,
             format_quoted(quoted, sizeof(quoted), difference_text(d, text)));
    print_walk(&found->walk);
}

/* All CPUs together. */
struct sum {
    u32 walks, pmis, differences, spoiled, without;
    u64 steps;
    const char *why;
};

static struct sum sum_up(const struct cpu_set *cpus)
{
    struct sum sum = {0};
    for (u32 cpu = 0; cpu < cpu_count(); cpu++) {
        if (!cpu_set_has(cpus, cpu))
            continue;
        const struct lockstep_result *result = lockstep_result(cpu);
        sum.walks += result->walks;
        sum.pmis += result->pmis;
        sum.steps += result->steps;
        sum.differences += result->differences;
        sum.spoiled += result->spoiled;
        sum.without += !!result->why;
        sum.why = result->why ? result->why : sum.why;
    }
    return sum;
}

static void print_differences(const struct cpu_set *cpus)
{
    for (u32 cpu = 0, shown = 0; cpu < cpu_count() && shown < LOCKSTEP_KEPT; cpu++)
        for (u32 i = 0; cpu_set_has(cpus, cpu) && i < lockstep_result(cpu)->differences; i++, shown++)
            if (shown < LOCKSTEP_KEPT)
                print_difference(cpu, &lockstep_result(cpu)->found[i]);
}

void lockstep_choices(void (*tell)(const char *name, const struct cpu_set *cpus))
{
    struct cpu_set cpus = run_cpus();
    for (unsigned i = 0; i < deviation_count; i++) {
        struct cpu_set which = {0};
        for (u32 cpu = 0; cpu < cpu_count(); cpu++)
            for (u32 n = 0; cpu_set_has(&cpus, cpu) && choice(&lockstep_result(cpu)->choices, n); n++)
                if (choice(&lockstep_result(cpu)->choices, n) == deviations[i])
                    cpu_set_add(&which, cpu);
        if (cpu_set_count(&which))
            tell(deviations[i]->name, &which);
    }
}

static void print_choice(const char *name, const struct cpu_set *cpus)
{
    char text[CPU_SET_TEXT];
    log_line("# lockstep choice=%s cpus=%s", name, cpu_set_text(cpus, text, sizeof(text)));
}

static struct sum make(const struct pmu_run *run)
{
    struct lockstep_plan plan = {.setup = setup_of,
                                 .careful = !session_on_reference(),
                                 .seed = asked.seed,
                                 .walks = (u32)asked.walks,
                                 .one = asked.one ? &asked.walk : NULL};
    struct cpu_set cpus = run_cpus();
    of_reference = run_profile(run);
    machine_profile = of_reference || cpuid_has(CPUID_HYPERVISOR) ? NULL : find_machine(pmu_caps());
    lockstep(&cpus, &plan);
    struct sum sum = sum_up(&cpus);
    log_line("# lockstep seed=%lu walks=%u steps=%lu pmis=%u spoiled=%u differences=%u", asked.seed, sum.walks,
             sum.steps, sum.pmis, sum.spoiled, sum.differences);
    if (sum.why) {
        char quoted[120];
        log_line("# lockstep without=%u reason=%s", sum.without, format_quoted(quoted, sizeof(quoted), sum.why));
    }
    lockstep_choices(print_choice);
    print_differences(&cpus);
    return sum;
}

static enum outcome outcome_of(const struct sum *sum)
{
    if (sum->differences)
        return session_on_reference() ? OUTCOME_FAIL : OUTCOME_REVIEW;
    return sum->walks ? OUTCOME_PASS : OUTCOME_SKIP;
}

void lockstep_all(const struct pmu_run *run, struct totals *totals)
{
    log_line("1..1");
    struct sum sum = make(run);
    enum outcome outcome = outcome_of(&sum);
    totals->count[outcome]++;
    totals->counted += outcome == OUTCOME_PASS;
    if (outcome == OUTCOME_SKIP)
        log_line("ok 1 lockstep # SKIP %s", sum.why ? sum.why : "no walks");
    else
        log_line("%sok 1 lockstep", outcome == OUTCOME_PASS ? "" : "not ");
    run_end();
    totals->count[OUTCOME_ERROR] += run_errors();
    report_progress(totals);
}
