/* SPDX-License-Identifier: BSD-2-Clause */
/* The steps of the start. */
#include "kernel/core/option.h"
#include "kernel/log/kept.h"
#include "kernel/log/log.h"
#include "kernel/text/text.h"

OPTION_NAMED(skip_step, "skip-step", .kind = OPTION_TEXT, .argument = "acpi|clock|cpus|pci|screen,...",
             .help = "leave out these steps of the start, for a machine that hangs in one");

#define NAME_SIZE 24

/* The steps that the image can do without. */
static struct step {
    const char *name;
    const char *without; /* what a run without the step lacks */
    bool hung, told;
} steps[] = {
    {"screen", "nothing is shown", false, false},
    {"acpi", "one CPU, no clock but the CPU's and the PIT", false, false},
    {"pci", "no UART on PCI, device interrupts as they are", false, false},
    {"clock", "times are not known", false, false},
    {"cpus", "one CPU", false, false},
};

static struct step *find(const char *name)
{
    for (struct step *step = steps; step < steps + ARRAY_SIZE(steps); step++)
        if (!strcmp(step->name, name))
            return step;
    return NULL;
}

static bool is_requested(const char *name)
{
    char item[NAME_SIZE];
    for (const char *list = option_skip_step.text; list_next(&list, item, sizeof(item));)
        if (!strcmp(item, name))
            return true;
    return false;
}

static void tell(struct step *step)
{
    if (step->told)
        return;
    step->told = true;
    if (is_requested(step->name)) {
        log_line("# step %s state=left-out reason=skip-step lacks=\"%s\"", step->name, step->without);
        return;
    }
    log_line("# error step %s left out: the start before this one got no further; %s; after a cold start, or with "
             "skip-step= of other steps, it is tried again",
             step->name, step->without);
    log_finding("start: step \"%s\" left out, the start before got no further: %s", step->name, step->without);
}

bool start_step(const char *name)
{
    struct step *step = find(name);
    if (step && (is_requested(name) || (step->hung && !option_skip_step.given))) {
        tell(step);
        return false;
    }
    log_line(KEPT_STEP "%s", name);
    return true;
}

void start_step_hung(const char *name)
{
    struct step *step = find(name);
    if (step)
        step->hung = true;
}

unsigned start_steps_missing(void)
{
    unsigned count = 0;
    for (const struct step *step = steps; step < steps + ARRAY_SIZE(steps); step++)
        count += step->told && !is_requested(step->name);
    return count;
}

const char *start_step_unknown(void)
{
    static char item[NAME_SIZE];
    for (const char *list = option_skip_step.text; list_next(&list, item, sizeof(item));)
        if (!find(item))
            return item;
    return NULL;
}
