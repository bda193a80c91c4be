#include "pmu/nehalem.h"
#include "kernel/cpu/msr.h"
#include "pmu/class.h"
#include "pmu/registers.h"

#define SEQUENCE_CONTROL (EVTSEL_EN | EVTSEL_OS | EVTSEL_USR)
#define SEQUENCE_COUNTERS 4

static const u8 sequence_events[SEQUENCE_COUNTERS] = {0xb5, 0xd2, 0xb1, 0xb1};

bool nehalem_prepare(const struct pmu_caps *caps)
{
    if (cpu_class(caps) != CLASS_NEHALEM || caps->version < 3 || caps->gp_count < SEQUENCE_COUNTERS)
        return false;
    wrmsr(MSR_PERF_GLOBAL_CTRL, 0);
    for (unsigned n = 0; n < SEQUENCE_COUNTERS; n++) {
        wrmsr(MSR_PERFEVTSEL(n), SEQUENCE_CONTROL | EVTSEL_EVENT(sequence_events[n]));
        wrmsr(MSR_PMC(n), 0);
    }
    wrmsr(MSR_PERF_GLOBAL_CTRL, MASK(SEQUENCE_COUNTERS - 1, 0));
    wrmsr(MSR_PERF_GLOBAL_CTRL, 0);
    for (unsigned n = 0; n < SEQUENCE_COUNTERS; n++)
        wrmsr(MSR_PERFEVTSEL(n), 0);
    return true;
}
