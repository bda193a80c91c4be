/* SPDX-License-Identifier: BSD-2-Clause */
/* The start of a run: forgets what an earlier run learnt about the PMU, and reads each CPU's anew. */
#include "kernel/cpu/cpus.h"
#include "kernel/log/log.h"
#include "pmu/cpu/caps.h"
#include "pmu/cpu/class.h"
#include "pmu/gate/gate.h"
#include "pmu/run/bracket.h"
#include "pmu/run/pmi.h"
#include "pmu/state/handoff.h"

#define TIMEOUT_MS 5000

static volatile bool prepared;
static PER_CPU struct guard_result ends; /* how begin() ended on each CPU */

static void begin(void *unused)
{
    (void)unused;
    struct caps_dump dump;
    struct pmu_caps caps;
    gate_forget();
    handoff_capture_lvtpc();
    handoff_look_again();
    caps_read(&dump, &caps);
    pmu_caps_keep(&caps);
    pmi_init();
    if (needs_select_sequence(&caps))
        prepared = true;
}

static void begin_guarded(void *unused)
{
    of_cpu(ends, cpu_index()) = guarded_call(begin, unused);
}

const struct guard_result *pmu_begin_end(u32 cpu)
{
    return &of_cpu(ends, cpu);
}

void pmu_begin(bool tell)
{
    struct cpu_set all = cpus_all();
    pmu_caps_forget();
    prepared = false;
    cpus_run(&all, begin_guarded, NULL, TIMEOUT_MS, NULL);
    if (prepared && tell)
        log_line("# prepared erratum=AAJ91 what=\"before each event select that is enabled while counters stand still, "
                 "the sequence of writes that makes it count the right event\"");
}
