/* SPDX-License-Identifier: BSD-2-Clause */
#include "harness/whole.h"
#include "pmu/cpu/class.h"
#include "pmu/cpu/pebs.h"
#include "pmu/registers.h"

static bool by_selects(const struct pmu_caps *caps, whole_reader read, struct whole *whole)
{
    for_each_gp (caps, n) {
        u64 select;
        if (!class_evtsel_reads_back(caps, n) || read(MSR_PERFEVTSEL(n), &select) != NO_FAULT)
            return false;
        whole->mask |= INUSE_GP(n);
        whole->want |= select & MASK(7, 0) ? INUSE_GP(n) : 0;
        whole->want |= select & EVTSEL_INT ? INUSE_PMI : 0;
    }
    return true;
}

static bool by_fixed_control(const struct pmu_caps *caps, whole_reader read, struct whole *whole)
{
    u64 control = 0;
    if (caps->fixed_bitmap && read(MSR_FIXED_CTR_CTRL, &control) != NO_FAULT)
        return false;
    for_each_fixed (caps, i) {
        if (i >= INUSE_FIXED_NAMED) { /* whether its PMI is a user the manual does not say */
            whole->mask &= control & FIXED_PMI(i) ? ~INUSE_PMI : ~0ull;
            continue;
        }
        whole->want |= control & FIXED_PMI(i) ? INUSE_PMI : 0;
        whole->mask |= INUSE_FIXED(i);
        whole->want |= control & (FIXED_OS(i) | FIXED_USR(i)) ? INUSE_FIXED(i) : 0;
    }
    return true;
}

/* Only sampling by a debug store is in the manual's sentence; architectural PEBS has no such register. */
static bool by_sampling(const struct pmu_caps *caps, whole_reader read, struct whole *whole)
{
    u64 enable = 0, bits = pebs_counter_bits(caps);
    if (bits && read(MSR_PEBS_ENABLE, &enable) != NO_FAULT)
        return false;
    whole->want |= enable & bits ? INUSE_PMI : 0;
    return true;
}

/* SDM 3B, "IA32_PERF_GLOBAL_INUSE MSR". */
static bool in_use(const struct pmu_caps *caps, whole_reader read, struct whole *whole)
{
    whole->mask = INUSE_PMI;
    bool known = by_selects(caps, read, whole) && by_fixed_control(caps, read, whole) && by_sampling(caps, read, whole);
    whole->want &= whole->mask;
    return known;
}

/*
 * What has no cause is 0, and what software has set stays. Not bits that the manual leaves to other units or to no
 * version: uncore, CondChgd. SDM 3B, "IA32_PERF_GLOBAL_STATUS MSR".
 */
static bool status(const struct pmu_caps *caps, const struct status_causes *causes, struct whole *whole)
{
    whole->mask = caps_counter_bits(caps) | STATUS_OVF_BUFFER;
    if (caps->version >= 4)
        whole->mask |= STATUS_CTR_FRZ | STATUS_LBR_FRZ | STATUS_ASCI | STATUS_TRACE_TOPA_PMI;
    whole->mask &= ~causes->caused;
    whole->mask |= causes->kept;
    whole->want = causes->kept;
    return caps->version >= 2;
}

bool whole_register(const struct pmu_caps *caps, u32 msr, const struct status_causes *causes, whole_reader read,
                    struct whole *whole)
{
    *whole = (struct whole){0};
    if (msr == MSR_PERF_GLOBAL_STATUS)
        return status(caps, causes, whole);
    return msr == MSR_PERF_GLOBAL_INUSE && in_use(caps, read, whole);
}
