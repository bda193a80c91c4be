#include "pmu/cpu/class.h"
#include "pmu/reference/lockstep/space.h"
#include "pmu/registers.h"

#define SETTLE_TURNS                                                                                \
    1000 /* the reference PMU is sooner, but its fixed interrupts go through an emulated local APIC \
          */
#define SETTLE_TURNS_CAREFUL 20000

static void changes(struct space *s, u32 msr, u64 rest)
{
    if (s->changed_count < SPACE_REGISTERS)
        s->changed[s->changed_count++] = (struct space_register){msr, rest};
}

static void reads(struct space *s, u32 msr)
{
    if (s->read_count < SPACE_REGISTERS)
        s->read[s->read_count++] = msr;
}

static void both(struct space *s, u32 msr, u64 rest)
{
    changes(s, msr, rest);
    reads(s, msr);
}

static void add_counters(struct space *s)
{
    const struct pmu_caps *caps = s->caps;
    for_each_gp (caps, n) {
        both(s, MSR_PERFEVTSEL(n), 0);
        changes(s, caps->full_width ? MSR_A_PMC(n) : MSR_PMC(n), 0);
        reads(s, MSR_PMC(n));
        if (caps->full_width)
            reads(s, MSR_A_PMC(n));
    }
    if (caps->version < 2)
        return;
    for_each_fixed (caps, i)
        both(s, MSR_FIXED_CTR(i), 0);
    if (caps->fixed_bitmap)
        both(s, MSR_FIXED_CTR_CTRL, 0);
    reads(s, MSR_PERF_GLOBAL_STATUS);
    reads(s, MSR_PERF_GLOBAL_STATUS_RESET);
    if (caps->version >= 4) {
        reads(s, MSR_PERF_GLOBAL_STATUS_SET);
        reads(s, MSR_PERF_GLOBAL_INUSE);
    }
}

static void add_records(struct space *s)
{
    const struct lbr_stack *lbr = &s->lbr;
    s->records = lbr_stack(s->caps, &s->lbr) && lbr->writable;
    if (!s->records)
        return;
    if (lbr->architectural)
        both(s, MSR_ARCH_LBR_CTL, 0);
    else if (lbr->select)
        both(s, MSR_LBR_SELECT, 0);
    if (!lbr->architectural)
        reads(s, MSR_LBR_TOS);
    for (u32 n = 0; n < lbr->depth; n++) {
        reads(s, lbr->from + n);
        reads(s, lbr->to + n);
    }
}

bool space_of(const struct pmu_caps *caps, u64 debugctl, bool careful, struct space *s)
{
    *s = (struct space){.caps = caps, .careful = careful, .settle = careful ? SETTLE_TURNS_CAREFUL : SETTLE_TURNS};
    if (!caps->present || !caps->intel || !caps->gp_bitmap || cpu_class(caps) == CLASS_NETBURST)
        return false;
    u64 own = DEBUGCTL_LBR | DEBUGCTL_FREEZE_LBRS_ON_PMI | DEBUGCTL_FREEZE_PERFMON_ON_PMI | DEBUGCTL_FREEZE_WHILE_SMM;
    if (caps->version >= 2)
        both(s, MSR_PERF_GLOBAL_CTRL, 0);
    if (caps_has_debugctl(caps))
        both(s, MSR_DEBUGCTL, debugctl & ~own);
    add_records(s);
    add_counters(s);
    return true;
}
