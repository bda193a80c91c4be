/* SPDX-License-Identifier: BSD-2-Clause */
/* The reference PMU as the harness's backend: what harness/mode/backend.h promises, by the files beside this one. */
#include "harness/mode/backend.h"
#include "harness/report/report_text.h"
#include "kernel/log/log.h"
#include "reference/mode/lockstep.h"
#include "reference/mode/prove.h"
#include "reference/mode/runs.h"
#include "reference/step/stepper.h"

static unsigned count(void)
{
    return planned()->count;
}

static const struct pmu_run *run(unsigned n)
{
    return planned()->run[n].profile ? &planned()->run[n] : NULL;
}

static const char *name(const struct pmu_run *of, char *text)
{
    return run_name(of ? of : &(struct pmu_run){.deviation = -1}, text);
}

static void list(void)
{
    static char line[REPORT_LINE];
    for (unsigned i = 0; runs_reference(i, line, sizeof(line)); i++)
        log_line("%s", line);
    for (unsigned i = 0; i < deviation_count; i++)
        log_line("%s", runs_deviation(deviations[i], line, sizeof(line)));
}

static const struct pmu_backend reference_pmu = {
    .plan = planned_fill,
    .count = count,
    .run = run,
    .run_name = name,
    .list = list,
    .first = here_prove,
    .doubt = here_doubt,
    .arm = arm_run,
    .arm_again = arm_again,
    .disarm = arm_disarm,
    .active = arm_active,
    .leaves = stepper_leaves,
    .stays = stepper_stays,
    .comes_back = stepper_comes_back,
    .restore_text = stepper_restore_text,
    .describe = arm_describe,
    .unshown = arm_unshown,
    .bench_run = bench_stepping,
    .bench_begin = bench_test_begin,
    .bench_end = bench_test_end,
    .walks = &lockstep_walks,
};
BACKEND(reference_pmu);
