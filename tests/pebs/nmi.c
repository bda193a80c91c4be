/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The PMI of the threshold goes through LVTPC like any other, also as an NMI, which is what operating systems use: one
 * comes while the block runs, or soon after it, and its handler finds bit 62 of IA32_PERF_GLOBAL_STATUS set and the
 * index at the threshold or beyond.
 */
#include "harness/chapter/sampling.h"

#define PERIOD 4096 /* so long that the handler reads the index before another record comes */
#define THRESHOLD 2
#define RECORDS 8

static bool one_nmi(struct test *t)
{
    struct sampling_pair pair = sampling_basic(t);
    struct sampling s;
    sampling_clear(t, &s);
    sampling_add(&s, &pair)->period = sampling_period(&pair, PERIOD);
    s.setup.threshold = THRESHOLD;
    sampling_begin(t, &s);
    pmi_listen(PMI_NMI, PMI_ACK);
    sampling_run(&s, sampling_rounds(&s, RECORDS));
    bool came = pmi_wait(1);
    sampling_end(&s);
    pmi_close();
    if (check_true(t, "not-delivered", came, pebs_written(&s.setup) / s.setup.size, "an NMI at the threshold",
                   pair.counter.msr)) {
        const struct pmi_record *pmi = &pmi_log()->record[0];
        check_true(about(t, ASPECT_BUFFER_BIT), "no-buffer-bit", pmi->status & sampling_status_bit(t->caps),
                   pmi->status, "the threshold's bit set", MSR_PERF_GLOBAL_STATUS);
        check_true(t, "below-threshold", pmi->pebs_index >= (u64)s.setup.area.buffer + THRESHOLD * s.setup.size,
                   pmi->pebs_index - (u64)s.setup.area.buffer, "2 records or more", 0);
    }
    return sampling_more(t, 1);
}

TEST("pebs.nmi", .title = "The PMI of the threshold comes as an NMI if LVTPC says so",
     .spec = "SDM 3A, Local Vector Table", .needs = {.sampling = true, .apic = true}, .scope = EACH_CPU,
     .repeat = one_nmi);
