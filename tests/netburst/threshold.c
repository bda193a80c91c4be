/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * With CCCR.OVF_PMI set for its thread, a PMI comes once the index has reached the threshold, here with the fourth
 * record. If that many records were written, it must have come; how many are needed for it, and where the index is by
 * then, is measured, since no log of such a CPU exists. The handler disables the CCCR and MSR_PEBS_ENABLE.
 *
 * Also, records are whole, and nothing is written past the index.
 */
#include "harness/chapter/netburst.h"

#define THRESHOLD 4

static bool one_sample(struct test *t)
{
    struct netburst_setup setup = netburst_setup_of(t, 0);
    struct sampled block;
    setup.threshold = THRESHOLD;
    setup.pmi = true;
    pmi_listen(PMI_FIXED, PMI_STOP | PMI_UNMASK);
    netburst_sample(t, &setup, &block, NETBURST_ROUNDS);
    bool came = pmi_came();
    netburst_end(&setup, 0);
    pmi_close();
    measure(t, "pmi-came", "0-or-1", came);
    if (netburst_written(&setup) >= THRESHOLD * setup.size)
        check_true(t, "not-delivered", came, netburst_written(&setup) / setup.size, "a PMI at the threshold",
                   netburst_cccr(&setup));
    if (came)
        measure(t, "records-at-the-pmi", "records",
                (pmi_log()->record[0].pebs_index - (u64)setup.area.buffer) / setup.size);
    netburst_check_bounds(t, &setup);
    return sampling_more(t, 1);
}

TEST("netburst.threshold", .title = "With CCCR.OVF_PMI the threshold raises a PMI",
     .spec = "SDM 3B, Requirements to Program PEBS", .covers = "B-077",
     .needs = {.no_pmu = true, .netburst = true, .apic = true}, .scope = EACH_CPU_IN_TURN, .repeat = one_sample,
     .measures = true);
