/* SPDX-License-Identifier: BSD-2-Clause */
/* The promises that a hypervisor's PMU does not owe its guest, for judge=virtual. */
#include "harness/core/judge.h"
#include "kernel/text/text.h"
#include "pmu/cpu/caps.h"

/*
 * Time belongs to the host, and a guest does not learn what happens meanwhile: so no promise holds for durations, above
 * all cycles, for the sleep state of the core, or for the time that firmware takes.
 */
static const struct {
    const char *test, *labels; /* a glob, globs with commas between */
    const char *what;
} unpromised[] = {
    {"pmi.skid", "too-late,too-late-by-nmi", "skid"},
    {"pebs.latency", "*", "latency"},
    {"pebs.time-stamp", "*", "the host's time in a record"},
    {"fixed.cycles", "*", "cycles"},
    {"gp.cycles", "*", "cycles"},
    {"gp.cycles-agree", "*", "cycles"},
    {"gp.halt", "*", "cycles of a sleep"},
    {"fixed.metrics", "*", "pipeline slots"},
    {"topdown.levels", "*", "pipeline slots"},
    {"freeze.smm", "*", "SMIs"},
    {"handoff.smi", "*", "SMIs"},
    {"handoff.canary", "*", "SMIs"},
    {"access.deep-sleep", "*", "C-states"},
};

const char *virtual_unpromised(const char *test, const char *label)
{
    for_each_row (unpromised, row)
        if (glob_match(row->test, test) && glob_list_match(row->labels, label))
            return row->what;
    return NULL;
}

bool virtual_counter_held(u64 enumerated, u64 counting)
{
    return counting + 1 == enumerated;
}

u32 virtual_host_kernel(const char *release)
{
    u32 major, minor;
    if (!number_take(&release, &major) || *release++ != '.' || !number_take(&release, &minor))
        return 0;
    return major > UINT16_MAX || minor > UINT16_MAX ? 0 : HOST_KERNEL(major, minor);
}
