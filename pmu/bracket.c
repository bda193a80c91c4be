#include "pmu/bracket.h"
#include "kernel/apic.h"
#include "kernel/msr.h"
#include "kernel/time.h"
#include "pmu/class.h"
#include "pmu/pebs.h"
#include "pmu/registers.h"
#include "pmu/snapshot.h"

static void own(struct bracket *bracket, u32 msr)
{
    if (bracket->owned < BRACKET_OWN_MAX)
        bracket->own[bracket->owned++] = msr;
}

static void choose_own(struct bracket *bracket, const struct pmu_caps *caps)
{
    bracket->owned = 0;
    for (unsigned n = 0; n < caps->gp_count; n++)
        if (class_evtsel_reads_back(caps, n))
            own(bracket, MSR_PERFEVTSEL(n));
    if (caps->version >= 2) {
        own(bracket, MSR_FIXED_CTR_CTRL);
        own(bracket, MSR_PERF_GLOBAL_CTRL);
        own(bracket, MSR_DEBUGCTL);
    }
    if (ds_usable(caps)) {
        own(bracket, MSR_PEBS_ENABLE);
        own(bracket, MSR_DS_AREA);
    }
    if (apic_present())
        own(bracket, SNAPSHOT_LVTPC);
}

/* A register that does not answer reads as 0 both times: that is an access test's affair, not the bracket's. */
static u64 read_own(u32 msr)
{
    u64 value = 0;
    if (msr == SNAPSHOT_LVTPC)
        return apic_read(APIC_LVT_PC) & ~(LVT_STATUS | LVT_MASKED);
    rdmsr_try(msr, &value);
    return value;
}

static u64 read_if(bool exists, u32 msr)
{
    u64 value = 0;
    if (exists)
        rdmsr_try(msr, &value);
    return value;
}

static void read_own_all(const struct bracket *bracket, struct bracket_reading *reading)
{
    for (unsigned i = 0; i < bracket->owned; i++)
        reading->own[i] = read_own(bracket->own[i]);
}

static void read_surroundings(struct bracket_reading *reading, const struct pmu_caps *caps)
{
    reading->therm_status = read_if(caps->therm_status, MSR_THERM_STATUS);
    reading->package_therm_status = read_if(caps->package_therm_status, MSR_PACKAGE_THERM_STATUS);
    reading->counts = interrupt_counts();
    reading->smi_count = read_if(caps->smi_count, MSR_SMI_COUNT);
    reading->tsc = time_now();
}

void bracket_open(struct bracket *bracket, const struct pmu_caps *caps)
{
    choose_own(bracket, caps);
    read_own_all(bracket, &bracket->opened);
    read_surroundings(&bracket->opened, caps);
}

void bracket_reopen(struct bracket *bracket, const struct pmu_caps *caps)
{
    read_surroundings(&bracket->opened, caps);
}

unsigned bracket_close(struct bracket *bracket, const struct pmu_caps *caps)
{
    read_surroundings(&bracket->closed, caps);
    read_own_all(bracket, &bracket->closed);
    return bracket_judge(bracket);
}
