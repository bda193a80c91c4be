/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/mode/peek/peek.h"
#include "harness/mode/modes.h"
#include "harness/report/fold.h"
#include "harness/run/run.h"
#include "kernel/core/option.h"
#include "kernel/cpu/cpus.h"
#include "kernel/interrupt/interrupt.h"
#include "kernel/log/log.h"
#include "kernel/register/msr.h"
#include "kernel/screen/screen.h"
#include "kernel/text/text.h"
#include "pmu/gate/gate.h"
#include "pmu/gate/write.h"
#include "pmu/state/register.h"

/* Parses the register at the start of an item; returns the text after it, or NULL. */
static const char *take_register(char *item, u32 *msr)
{
    char *value = strchr(item, ':');
    u64 number;
    if (value)
        *value++ = 0;
    const char *end = number_parse(item, &number);
    if (end && !*end && number <= 0xffffffff)
        *msr = (u32)number;
    else if (!register_number(item, msr))
        return NULL;
    return value ? value : "";
}

bool peek_parse(const char *text, const char *option, bool values, struct peeks *peeks, char *error)
{
    char item[64];
    peeks->count = 0;
    while (list_next(&text, item, sizeof(item))) {
        struct peek peek = {0};
        const char *value = take_register(item, &peek.msr), *end = value ? number_parse(value, &peek.value) : NULL;
        const char *wrong = NULL;
        if (!value)
            wrong = "no register has this name: use the manual's name of a PMU register, or a number in 0x";
        else if (values && (!end || *end))
            wrong = "the value is missing: REGISTER:VALUE, in decimal or 0x";
        else if (!values && *value)
            wrong = "it is only read: write= takes a value";
        else if (peeks->count == PEEKS_MOST)
            wrong = "too many registers";
        if (wrong) {
            format_text(error, PEEK_ERROR_SIZE, "%s=%.40s: %s", option, item, wrong);
            return false;
        }
        peeks->peek[peeks->count++] = peek;
    }
    return true;
}

OPTION(read, .kind = OPTION_TEXT, .argument = "REGISTER,...",
       .help = "before the tests: read MSRs, by the manual's name or a number in 0x, on each CPU, and log the answers");
OPTION(write, .kind = OPTION_TEXT, .argument = "REGISTER:VALUE,...",
       .help =
           "before the tests, after read=: write MSRs on each CPU, if the write gate allows it, and log what they held "
           "before and after");

#define TIMEOUT_MS 10000
#define ANSWER_SIZE 160

static struct peeks reads, writes;

/* The current request, and each CPU's answer. */
static struct {
    struct peek peek;
    bool write;
} now;
static PER_CPU struct {
    char text[ANSWER_SIZE]; /* the end of a line of the log */
    bool failed;
} answers;

/* " before=0x5", " before-fault=#GP[0000]"; returns its length. */
static size_t add_look(char *text, const char *what, const char *fault_what)
{
    char fault[FAULT_TEXT_SIZE];
    u64 value;
    fault_t came = rdmsr_try(now.peek.msr, &value);
    int length = came ? format_text(text, ANSWER_SIZE, " %s=%s", fault_what, fault_text(came, fault))
                      : format_text(text, ANSWER_SIZE, " %s=0x%lx", what, value);
    return (size_t)length;
}

/* The gate's rule that refused the write on this CPU. */
static const char *rule_of(const struct peek *peek)
{
    struct gate_refusal refusal = gate_refusal();
    bool asked = refusal.rule && refusal.msr == peek->msr && refusal.value == peek->value;
    return asked ? refusal.rule : "no row allows a write to this register";
}

static void ask_here(void *argument)
{
    u32 cpu = cpu_index();
    char *text = of_cpu(answers, cpu).text, fault[FAULT_TEXT_SIZE];
    (void)argument;
    if (!now.write) {
        add_look(text, "value", "fault");
        return;
    }
    size_t length = add_look(text, "before", "before-fault");
    length += (size_t)format_text(text + length, ANSWER_SIZE - length, " value=0x%lx", now.peek.value);
    fault_t came = wrmsr_try(now.peek.msr, now.peek.value);
    of_cpu(answers, cpu).failed = came != NO_FAULT;
    if (came == FAULT_REFUSED)
        format_text(text + length, ANSWER_SIZE - length, " refused=\"%s\"", rule_of(&now.peek));
    else if (came)
        format_text(text + length, ANSWER_SIZE - length, " fault=%s", fault_text(came, fault));
    else
        add_look(text + length, "after", "after-fault");
}

/* One line per different answer, with the CPUs that gave it. */
static void print_answers(const struct cpu_set *cpus)
{
    char name[REGISTER_NAME_SIZE], list[CPU_SET_TEXT];
    struct cpu_set left = *cpus;
    for (u32 first = 0; first < cpu_count(); first++) {
        struct cpu_set same = {0};
        if (!cpu_set_has(&left, first))
            continue;
        for (u32 cpu = first; cpu < cpu_count(); cpu++)
            if (cpu_set_has(&left, cpu) && !strcmp(of_cpu(answers, cpu).text, of_cpu(answers, first).text)) {
                cpu_set_add(&same, cpu);
                cpu_set_remove(&left, cpu);
            }
        const char *reg = register_name(pmu_caps_of(first), now.peek.msr, name),
                   *set = cpu_set_text(&same, list, sizeof(list));
        log_line("# %s reg=%s cpus=%s%s", now.write ? "write" : "read", reg, set, of_cpu(answers, first).text);
        screen_finding("%s %s, CPUs %s:%s", now.write ? "write" : "read", reg, set, of_cpu(answers, first).text);
    }
}

/* Returns the number of CPUs on which a write was not made. */
static unsigned ask(const struct peek *peek, bool write, const struct cpu_set *cpus)
{
    unsigned failed = 0;
    now.peek = *peek;
    now.write = write;
    for (u32 cpu = 0; cpu < cpu_count(); cpu++) {
        format_text(of_cpu(answers, cpu).text, ANSWER_SIZE, " lost=1");
        of_cpu(answers, cpu).failed = write;
    }
    cpus_run(cpus, ask_here, NULL, TIMEOUT_MS, NULL);
    print_answers(cpus);
    for (u32 cpu = 0; cpu < cpu_count(); cpu++)
        failed += cpu_set_has(cpus, cpu) && of_cpu(answers, cpu).failed;
    return failed;
}

/* The tests must find the counters as always: stopped, and 0. */
static void quieten_here(void *argument)
{
    (void)argument;
    u64 flags = interrupts_off();
    pmu_quiet(pmu_caps());
    interrupts_restore(flags);
}

/* All reads, then all writes. Returns NULL, or why a write was not made. */
static const char *armed(void)
{
    static char why[PEEK_ERROR_SIZE];
    char name[REGISTER_NAME_SIZE];
    unsigned refused = 0;
    struct cpu_set cpus = run_cpus();
    for (unsigned i = 0; i < reads.count; i++)
        ask(&reads.peek[i], false, &cpus);
    for (unsigned i = 0; i < writes.count; i++)
        if (ask(&writes.peek[i], true, &cpus) && !refused++)
            format_text(why, sizeof(why), "write=%s:0x%lx was not made: the line # write says why",
                        register_name(pmu_caps(), writes.peek[i].msr, name), writes.peek[i].value);
    if (writes.count)
        cpus_run(&cpus, quieten_here, NULL, TIMEOUT_MS, NULL);
    return refused ? why : NULL;
}

static bool requested(void)
{
    return option_read.given || option_write.given;
}

static bool plan(char *error)
{
    return peek_parse(option_read.text, "read", false, &reads, error) &&
           peek_parse(option_write.text, "write", true, &writes, error);
}

MODE(peek, .name = "read= or write=", .asked = requested, .with = "soak=,microcode,resets=,states=", .plan = plan,
     .armed = armed);
