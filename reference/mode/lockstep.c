/* SPDX-License-Identifier: BSD-2-Clause */
#include "reference/mode/lockstep.h"
#include "harness/core/place.h"
#include "harness/core/tally.h"
#include "harness/mode/modes.h"
#include "harness/mode/session.h"
#include "harness/report/report.h"
#include "harness/run/needs.h"
#include "kernel/core/time.h"
#include "kernel/cpu/cpus.h"
#include "kernel/interrupt/apic.h"
#include "kernel/log/log.h"
#include "kernel/register/cpuid.h"
#include "kernel/text/text.h"
#include "pmu/cpu/caps.h"
#include "pmu/cpu/class.h"
#include "reference/dumps/dumps.h"
#include "reference/lockstep/lockstep.h"
#include "reference/lockstep/oracle.h"
#include "reference/mode/prove.h"
#include "reference/mode/runs.h"
#include "reference/model/profile.h"

OPTION(lockstep, .kind = OPTION_TEXT, .argument = "SEED[:N]|walk:[N:]...|off",
       .help =
           "instead of the tests: N random walks (1000) over each CPU's PMU and, at the same time, a model of it, or "
           "one walk from a log; off: also without the walks that follow the tests");

#define WALKS_ALONE 1000
#define WALKS_QUICK 100 /* after the tests */
#define WALKS_NORMAL 1000
#define WALKS_SAME 3 /* on the reference PMU, where they are always the same, a third as many */
#define WALKS_MOST 100000000
#define SEED_ALWAYS 1 /* on the reference PMU, after the tests */

/* ---- The option. */

static struct {
    u64 seed;
    u64 walks;
    bool one; /* only this walk */
    struct walk walk;
    char error[WALK_ERROR + 20];
} asked;

static bool is_off(void)
{
    return !strcmp(option_lockstep.text, "off");
}

static bool requested(void)
{
    return option_lockstep.given && !is_off();
}

static bool follow(void)
{
    return !option_lockstep.given && !option_run.given && !planned_proof();
}

static bool can_make(u64 walks)
{
    return walks && walks <= WALKS_MOST;
}

/* What follows "walk:". */
static const char *one_walk_wrong(const char *text)
{
    u64 walks;
    char why[WALK_ERROR];
    const char *rest = number_parse(text, &walks);
    if (rest && *rest == ':') {
        asked.walks = walks;
        text = rest + 1;
    }
    asked.one = true;
    if (can_make(asked.walks) && walk_parse(text, &asked.walk, why))
        return NULL;
    format_text(asked.error, sizeof(asked.error), "lockstep=: %s",
                can_make(asked.walks) ? why : "the number of walks is 1 or more, as in walk:20:w38f=1");
    return asked.error;
}

static const char *plan_wrong(void)
{
    const char *text = option_lockstep.text, *rest;
    asked.walks = WALKS_ALONE;
    if (!strncmp(text, "walk:", 5))
        return one_walk_wrong(text + 5);
    rest = number_parse(text, &asked.seed);
    if (rest && *rest == ':')
        rest = number_parse(rest + 1, &asked.walks);
    if (!rest || *rest || !can_make(asked.walks))
        return "lockstep= takes a seed, and after a colon the number of walks: lockstep=7:1000; or a walk from a log; "
               "or off";
    return NULL;
}

static bool plan(char *error)
{
    const char *wrong = plan_wrong();
    if (wrong)
        format_text(error, RUN_ERROR_SIZE, "%s", wrong);
    return !wrong;
}

/* ---- Each CPU's model. */

static const struct profile *of_reference; /* NULL: the machine's own PMU */
static struct profile of_machine[DUMPED_CORES_MOST];

static const struct profile *find_machine(const struct pmu_caps *caps)
{
    for (unsigned i = 0; i < profile_count; i++)
        if (profiles[i]->signature == caps->signature)
            return profiles[i];
    char name[DUMPED_NAME];
    format_text(name, sizeof(name), "%x", caps->signature);
    for (unsigned i = 0; i < dumped_cpu_count; i++)
        if (!strcmp(dumped_cpus[i].name, name))
            return dump_profile(&dumped_cpus[i], of_machine);
    return NULL;
}

static const struct profile *machine_profile; /* NULL: no dump of this CPU is known, or the PMU is a hypervisor's */

/* The kind of core of a hybrid CPU's profile that this CPU has. */
static const struct profile *kind_of(const struct profile *profile, const struct pmu_caps *caps)
{
    for (const struct profile *kind = profile; kind; kind = kind->second)
        for (unsigned i = 0; i < LEAVES_MAX && kind->leaves[i].leaf; i++)
            if (kind->leaves[i].leaf == 0x1a && kind->leaves[i].value[0] >> 24 == caps->core_type)
                return kind;
    return profile;
}

static bool setup_of(u32 cpu, struct model_setup *setup)
{
    *setup = (struct model_setup){.profile = of_reference, .cpu = cpu, .cpus = cpu_count()};
    setup->microcode = pmu_caps_of(cpu)->microcode;
    if (of_reference)
        return true;
    setup->profile = machine_profile ? kind_of(machine_profile, pmu_caps_of(cpu)) : NULL;
    setup->cpu = 0;
    setup->cpus = 1;
    return setup->profile;
}

/* ---- The log's lines. */

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

static struct cpu_set walked; /* the CPUs that made the last walks */

#define KNOWN_MOST 4

/* The sum over all CPUs. */
struct sum {
    struct lockstep_sums of;
    u32 without;
    const char *why;
    u32 known;
    const char *errata[KNOWN_MOST]; /* the errata that they showed; KNOWN_MOST at most */
};

static void add(struct sum *to, const struct lockstep_sums *more, u32 without, const char *why)
{
    to->of.walks += more->walks;
    to->of.pmis += more->pmis;
    to->of.steps += more->steps;
    to->of.us += more->us;
    to->of.oracle_us += more->oracle_us;
    to->of.differences += more->differences;
    to->of.spoiled += more->spoiled;
    to->of.undecided += more->undecided;
    to->without += without;
    to->why = why ? why : to->why;
}

static struct sum sum_up(void)
{
    struct sum sum = {0};
    for (u32 cpu = 0; cpu < cpu_count(); cpu++) {
        const struct lockstep_result *result = lockstep_result(cpu);
        if (cpu_set_has(&walked, cpu))
            add(&sum, &result->sums, !!result->why, result->why);
    }
    return sum;
}

static void print_differences(void)
{
    for (u32 cpu = 0, shown = 0; cpu < cpu_count() && shown < LOCKSTEP_KEPT; cpu++)
        for (u32 i = 0; cpu_set_has(&walked, cpu) && i < lockstep_result(cpu)->sums.differences; i++, shown++)
            if (shown < LOCKSTEP_KEPT)
                print_difference(cpu, &lockstep_result(cpu)->found[i]);
}

static const char *erratum_of(u32 cpu, const struct deviation *deviation)
{
    return deviation->kind == KIND_DEFECT ? mimicked_erratum(&lockstep_result(cpu)->cpu, deviation) : NULL;
}

static void choices(walks_choice *tell, void *context)
{
    for (unsigned i = 0; i < deviation_count; i++) {
        struct cpu_set which = {0};
        const char *erratum = NULL;
        for (u32 cpu = 0; cpu < cpu_count(); cpu++)
            for (u32 n = 0; cpu_set_has(&walked, cpu) && choice(&lockstep_result(cpu)->choices, n); n++)
                if (choice(&lockstep_result(cpu)->choices, n) == deviations[i]) {
                    cpu_set_add(&which, cpu);
                    erratum = erratum_of(cpu, deviations[i]);
                }
        if (cpu_set_count(&which))
            tell(context, deviations[i]->name, erratum, &which);
    }
}

static void show_progress(u32 walks)
{
    report_step(", %u walks", walks);
}

/* Notes an erratum once: a soak meets it in every round. */
static void note_known(struct sum *sum, const char *erratum)
{
    for (u32 i = 0; i < sum->known; i++)
        if (!strcmp(sum->errata[i], erratum))
            return;
    if (sum->known < KNOWN_MOST)
        sum->errata[sum->known++] = erratum;
}

/* "BJ54,BJ89" */
static const char *known_text(const struct sum *sum)
{
    static char text[KNOWN_MOST * 16];
    text[0] = 0;
    for (u32 i = 0; i < sum->known; i++) {
        size_t used = strlen(text);
        format_text(text + used, sizeof(text) - used, "%s%s", used ? "," : "", sum->errata[i]);
    }
    return text;
}

static void print_choice(void *sum, const char *name, const char *erratum, const struct cpu_set *cpus)
{
    char text[CPU_SET_TEXT];
    cpu_set_text(cpus, text, sizeof(text));
    if (!erratum) {
        log_line("# lockstep choice=%s cpus=%s", name, text);
        return;
    }
    log_line("# lockstep erratum=%s as=%s cpus=%s", erratum, name, text);
    note_known(sum, erratum);
}

/* What every test needs; NetBurst has a PMU of its own. */
static const struct needs *needs_of(const struct pmu_caps *caps)
{
    static const struct needs needs = {.apic = true}, on_netburst = {.apic = true, .no_pmu = true, .netburst = true};
    return cpu_class(caps) == CLASS_NETBURST ? &on_netburst : &needs;
}

/* The run's CPUs that can make walks. `why`: what the others lack. */
static struct cpu_set able(struct unmet *why)
{
    char vendor[VENDOR_SIZE];
    struct environment environment = {.vendor = vendor, .apic = apic_present()};
    struct cpu_set all = run_cpus(), able = {0};
    identity_vendor(vendor);
    why->text[0] = 0;
    for (u32 cpu = 0; cpu < cpu_count(); cpu++)
        if (cpu_set_has(&all, cpu) && !needs_unmet(needs_of(pmu_caps_of(cpu)), pmu_caps_of(cpu), &environment, why))
            cpu_set_add(&able, cpu);
    return able;
}

static void print_sum(const struct sum *sum, u64 seed)
{
    char quoted[2 * NEEDS_TEXT];
    if (sum->of.walks)
        log_line("# lockstep seed=%lu walks=%u steps=%lu pmis=%u spoiled=%u undecided=%u differences=%u", seed,
                 sum->of.walks, sum->of.steps, sum->of.pmis, sum->of.spoiled, sum->of.undecided, sum->of.differences);
    if (sum->of.walks && sum->why)
        log_line("# lockstep without=%u reason=%s", sum->without, format_quoted(quoted, sizeof(quoted), sum->why));
}

/* ---- What was reached. */

/* The situations in which the walks of all CPUs have called this rule, as bits. */
static u16 seen(u32 rule)
{
    u16 all = 0;
    for (u32 cpu = 0; cpu < cpu_count(); cpu++)
        if (cpu_set_has(&walked, cpu) && lockstep_result(cpu)->interest)
            all |= lockstep_result(cpu)->interest->seen[rule];
    return all;
}

/* Number of rules that were called in one of these situations. */
static u32 rules_in(u16 situations)
{
    u32 count = 0;
    for (u32 n = 0; model_rule_name(n); n++)
        count += !!(seen(n) & situations);
    return count;
}

/* All situations in which the bits of `mask` are those of `value`. */
static u16 situations(u32 mask, u32 value)
{
    u16 all = 0;
    for (u32 n = 0; n < SITUATIONS; n++)
        all |= (u16)((n & mask) == value ? BIT(n) : 0);
    return all;
}

static void print_reached_in(const char *delivery, u32 mask, u32 value)
{
    for (u32 cpl = 0; cpl <= 3; cpl += 3) {
        u32 all = mask | SITUATION_CPL_3, which = value | (cpl ? SITUATION_CPL_3 : 0);
        log_line("# lockstep reached delivery=%s cpl=%u rules=%u while-on-its-way=%u", delivery, cpl,
                 rules_in(situations(all, which)),
                 rules_in(situations(all | SITUATION_ON_ITS_WAY, which | SITUATION_ON_ITS_WAY)));
    }
}

#define NAMES_LINE 100
static void print_unreached(void)
{
    char names[NAMES_LINE];
    size_t used = 0;
    for (u32 n = 0; model_rule_name(n); n++) {
        const char *name = model_rule_name(n);
        if (seen(n))
            continue;
        if (used + strlen(name) + 2 > sizeof(names)) {
            log_line("# lockstep not-reached=%s", names);
            used = 0;
        }
        used += format_text(names + used, sizeof(names) - used, "%s%s", used ? "," : "", name);
    }
    if (used)
        log_line("# lockstep not-reached=%s", names);
}

/* Which of the model's rules the walks so far have called, and in which situations. */
static void print_reached(void)
{
    print_reached_in("fixed", SITUATION_NMI | SITUATION_MASKED, 0);
    print_reached_in("nmi", SITUATION_NMI | SITUATION_MASKED, SITUATION_NMI);
    print_reached_in("masked", SITUATION_MASKED, SITUATION_MASKED);
    print_unreached();
}

/* ---- The result: that of a test which runs on each CPU, with a check for each kind of difference. */

static const struct test_declaration declaration = {
    .id = WALKS_TEST,
    .title = "the PMU does in random walks what its model does, which was made from the manual",
    .spec = "SDM 3B, Architectural Performance Monitoring",
};

static struct results results; /* of one CPU */

/* Judges what one CPU has found. `known`: the errata that the walks of any CPU have shown, "" for none. */
static void judge_cpu(u32 cpu, const char *known, struct folded *folded)
{
    const struct lockstep_result *found = lockstep_result(cpu);
    const struct check held = {.label = WALKS_LABEL, .bit = NO_BIT};
    results_clear(&results);
    for (u32 i = 0; i < found->sums.differences && i < LOCKSTEP_KEPT; i++) {
        struct check check = walk_check(&found->found[i].difference, pmu_caps_of(cpu));
        results_check_many(&results, &check, 1, 1);
    }
    if (!found->sums.walks)
        results_raise(&results, OUTCOME_SKIP, REASON_NONE, found->why ? found->why : "no walks");
    else if (known[0])
        results_raise(&results, OUTCOME_KNOWN, REASON_NONE, known);
    else if (!found->sums.differences)
        results_check_many(&results, &held, found->sums.walks, 0);
    judge_results(&results, pmu_caps_of(cpu), WALKS_TEST, session_kind());
    fold_add(folded, &results, cpu, topology_group(cpu));
}

/* Judges all CPUs of the run; `unable` is what those lack that made no walks at all. */
static void judge_all(const struct sum *sum, const char *unable, struct folded *folded)
{
    const struct cpu_set all = run_cpus();
    for (u32 cpu = 0; cpu < cpu_count(); cpu++)
        if (cpu_set_has(&walked, cpu)) {
            judge_cpu(cpu, known_text(sum), folded);
        } else if (cpu_set_has(&all, cpu)) {
            results_clear(&results);
            results_raise(&results, OUTCOME_SKIP, REASON_NONE, unable);
            fold_add(folded, &results, cpu, topology_group(cpu));
        }
    if (folded->outcome != OUTCOME_PASS)
        folded->labels = 0; /* walks are evidence for a class only if none of them differed */
}

/* Makes the walks, and adds the findings to the sum and to the result. */
static void make(const struct pmu_run *run, struct lockstep_plan plan, struct sum *to, struct folded *folded)
{
    static struct unmet unmet;
    walked = able(&unmet);
    of_reference = run ? run_profile(run) : NULL;
    machine_profile = of_reference || cpuid_has(CPUID_HYPERVISOR) ? NULL : find_machine(pmu_caps());
    plan.setup = setup_of;
    plan.careful = !arm_active();
    plan.progress = show_progress;
    lockstep(&walked, &plan);
    struct sum sum = sum_up();
    print_sum(&sum, plan.seed);
    bench_walks(sum.of.walks, sum.of.us, sum.of.oracle_us);
    choices(print_choice, to);
    print_differences();
    add(to, &sum.of, sum.without, sum.why);
    judge_all(to, unmet.text, folded);
}

static struct folded folded; /* one result at a time */

static void walks_instead(const struct session *session, const struct pmu_run *run, struct totals *totals)
{
    struct lockstep_plan plan = {
        .seed = asked.seed, .walks = (u32)asked.walks, .one = asked.one ? &asked.walk : NULL, .guided = true};
    log_line("1..1");
    report_begin(WALKS_TEST, 1, 1, true);
    struct sum sum = {0};
    fold_clear(&folded);
    make(run, plan, &sum, &folded);
    print_reached();
    session_begin_results(session);
    session_result(session, &declaration, 1, &folded, totals);
    run_end();
    report_outcomes(session_outcomes());
    totals->count[OUTCOME_ERROR] += run_errors();
}

/* ---- In a soak. */

static struct sum soaked; /* and `folded`, to which each round adds */

static void soak(u64 seed, u32 walks)
{
    make(arm_armed(), (struct lockstep_plan){.seed = seed, .walks = walks, .guided = true}, &soaked, &folded);
}

static void tell_soaked(const struct session *session, u32 number, struct totals *totals)
{
    u32 looked_at = soaked.of.walks - soaked.of.spoiled - soaked.of.undecided;
    if (looked_at && soaked.of.differences)
        log_line("# soak lockstep walks=%u steps=%lu differences=%u per-million=%lu", soaked.of.walks, soaked.of.steps,
                 soaked.of.differences, rate_per_million(soaked.of.differences, looked_at));
    else if (looked_at)
        log_line("# soak lockstep walks=%u steps=%lu differences=0 at-most-per-million=%lu", soaked.of.walks,
                 soaked.of.steps, rate_excluded(looked_at));
    print_reached();
    if (!folded.cpus)
        fold_skipped(&folded, "no walk was made");
    session_result(session, &declaration, number, &folded, totals);
    fold_clear(&folded);
}

/* ---- After the tests. */

/* On hardware different walks each time: many short runs see as much as one long run. */
static struct lockstep_plan plan_last(void)
{
    return (struct lockstep_plan){.seed = arm_active() ? SEED_ALWAYS : time_now() & 0xffffffff,
                                  .walks = (option_quick.given ? WALKS_QUICK : WALKS_NORMAL) /
                                           (arm_active() ? WALKS_SAME : 1),
                                  .guided = !arm_active()};
}

static void walks_last(const struct session *session, u32 number, struct totals *totals)
{
    report_begin(WALKS_TEST, number, number, session->quiet);
    fold_clear(&folded);
    if (session_over(session, totals)) {
        fold_skipped(&folded, SESSION_OVER);
    } else {
        u64 begun = time_now();
        struct sum sum = {0};
        make(arm_armed(), plan_last(), &sum, &folded);
        report_took(WALKS_TEST, time_us(time_now() - begun));
    }
    session_result(session, &declaration, number, &folded, totals);
}

const struct backend_walks lockstep_walks = {
    .follow = follow,
    .last = walks_last,
    .soak = soak,
    .soaked = tell_soaked,
    .choices = choices,
};

MODE(lockstep, .name = "lockstep=", .asked = requested, .with = "microcode,resets=,states=,read*", .plan = plan,
     .tests = walks_instead);
