/* SPDX-License-Identifier: BSD-2-Clause */
/* Deviations of freezing: the effect of each. */
#include "reference/test/model/model_rig.h"

/* Freezes on the PMI of PMC0, or by software; PMC0 to 3 count. */
static void freeze_on_pmi(struct rig *r, bool interrupt)
{
    wr(r, MSR_DEBUGCTL, DEBUGCTL_FREEZE_PERFMON_ON_PMI | DEBUGCTL_FREEZE_LBRS_ON_PMI | DEBUGCTL_LBR);
    for (unsigned n = 0; n < 4; n++)
        wr(r, MSR_PERFEVTSEL(n), EVTSEL_BOTH | ARCH_EVENT_INSTRUCTIONS | (n || !interrupt ? 0 : EVTSEL_INT));
    wr(r, MSR_A_PMC(0), 0xfffffffffff6);
    plain(r, 10);
}

/* STATUS in digits: CTR_FRZ, LBR_FRZ, the overflow. */
static u64 status_digits(struct rig *r)
{
    u64 status = rd(r, MSR_PERF_GLOBAL_STATUS);
    return (status & STATUS_CTR_FRZ ? 0x100 : 0) | (status & STATUS_LBR_FRZ ? 0x10 : 0) | (status & 1);
}

static u64 frozen(struct rig *r)
{
    freeze_on_pmi(r, true);
    return status_digits(r);
}

static u64 frozen_without_int(struct rig *r)
{
    freeze_on_pmi(r, false);
    return status_digits(r);
}

static u64 enables(struct rig *r)
{
    freeze_on_pmi(r, true);
    return rd(r, MSR_DEBUGCTL) << 4 | rd(r, MSR_PERF_GLOBAL_CTRL);
}

/* The counts of PMC1 and of the last counter while CTR_FRZ was set. */
static u64 while_frozen(struct rig *r)
{
    freeze_on_pmi(r, true);
    wr(r, MSR_PMC(1), 0);
    wr(r, MSR_PMC(3), 0);
    plain(r, 7);
    return rd(r, MSR_PMC(1)) << 4 | rd(r, MSR_PMC(3));
}

static u64 thawed(struct rig *r)
{
    freeze_on_pmi(r, true);
    wr(r, MSR_PERF_GLOBAL_STATUS_RESET, STATUS_CTR_FRZ | STATUS_LBR_FRZ | 1);
    return status_digits(r);
}

/* The count of PMC1 after the thaw, and after GLOBAL_CTRL was written. */
static u64 after_thaw(struct rig *r)
{
    freeze_on_pmi(r, true);
    wr(r, MSR_PMC(1), 0);
    wr(r, MSR_PERF_GLOBAL_STATUS_RESET, STATUS_CTR_FRZ | STATUS_LBR_FRZ | 1);
    plain(r, 3);
    u64 at_once = rd(r, MSR_PMC(1));
    wr(r, MSR_PERF_GLOBAL_CTRL, 0xf);
    plain(r, 3);
    return at_once << 4 | rd(r, MSR_PMC(1));
}

static const struct probe_row rows[] = {
    {"freeze-missing", frozen, 0x111, 0x011},
    {"lbr-freeze-missing", frozen, 0x111, 0x101},
    {"debugctl-freeze-dropped", frozen, 0x111, 0x011},
    {"freeze-at-delivery", frozen, 0x111, 0x001},
    {"freeze-without-int", frozen_without_int, 0x001, 0x111},
    {"freeze-bit-cleared", enables, 0x1801f, 0x0801f},
    {"lbr-freeze-clears-lbr", enables, 0x1801f, 0x1800f},
    {"freeze-clears-global-ctrl", enables, 0x1801f, 0x18010},
    {"ctr-frz-ignored", while_frozen, 0x00, 0x77},
    {"ctr-frz-spares-last-gp", while_frozen, 0x00, 0x07},
    {"ctr-frz-needs-two-writes", thawed, 0x000, 0x100},
    {"lbr-frz-needs-two-writes", thawed, 0x000, 0x010},
    {"freeze-never-thaws", after_thaw, 0x36, 0x03},
};

CASE(each_does_what_it_says)
{
    check_probes(rows, ARRAY_SIZE(rows));
}

/* The second write clears the bit; the next freeze again needs two. */
CASE(second_write)
{
    struct rig r;
    rig_open(&r, "ctr-frz-needs-two-writes", 1, 0);
    for (unsigned round = 0; round < 2; round++) {
        wr(&r, MSR_PERF_GLOBAL_STATUS_SET, STATUS_CTR_FRZ);
        wr(&r, MSR_PERF_GLOBAL_STATUS_RESET, STATUS_CTR_FRZ);
        assert_int_equal(rd(&r, MSR_PERF_GLOBAL_STATUS), STATUS_CTR_FRZ);
        wr(&r, MSR_PERF_GLOBAL_STATUS_RESET, STATUS_CTR_FRZ);
        assert_int_equal(rd(&r, MSR_PERF_GLOBAL_STATUS), 0);
    }
    rig_close(&r);
}

int main(void)
{
    return run_cases();
}
