/* SPDX-License-Identifier: BSD-2-Clause */
/* What a CPU's PMU is used for, from its registers. */
#include "pmu/cpu/class.h"
#include "pmu/registers.h"
#include "pmu/state/handoff.h"

u64 in_use_computed(const struct pmu_caps *caps, const struct pmu_state *state)
{
    u64 in_use = 0, interrupts = state->pebs_enable;
    for_each_gp (caps, n) {
        u64 select = class_evtsel_reads_back(caps, n) ? state->evtsel[n] : 0;
        in_use |= select & EVTSEL_EVENT(0xff) ? INUSE_GP(n) : 0;
        interrupts |= select & EVTSEL_INT;
    }
    for (unsigned i = 0; i < FIXED_COUNTERS_MAX; i++) {
        in_use |= state->fixed_control & (FIXED_OS(i) | FIXED_USR(i)) ? INUSE_FIXED(i) : 0;
        interrupts |= state->fixed_control & FIXED_PMI(i);
    }
    return in_use | (interrupts ? INUSE_PMI : 0);
}
