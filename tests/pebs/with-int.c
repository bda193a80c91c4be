/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A counter that samples must not have its interrupt bit set. If it has, the overflow requests its own PMI in addition
 * to that of the threshold, which the record of the same overflow reaches: drivers have seen two PMIs, the second with
 * nothing to do. How many come, and which status bits the first one finds, is measured.
 *
 * Judged is that at least one comes, and that the records are whole.
 */
#include "harness/chapter/sampling.h"

#define PERIOD 1024
#define RECORDS 2 /* the first record reaches the threshold */

static bool one_overflow(struct test *t)
{
    struct sampling_pair pair = sampling_basic(t);
    struct sampling s;
    sampling_clear(t, &s);
    struct pebs_counter *c = sampling_add(&s, &pair);
    c->period = sampling_period(&pair, PERIOD);
    c->flags |= COUNT_INT;
    s.setup.threshold = 1;
    sampling_begin(t, &s);
    pmi_listen(PMI_FIXED, PMI_ACK);
    sampling_run(&s, sampling_rounds(&s, RECORDS));
    u32 came = pmi_settled();
    sampling_end(&s);
    pmi_close();
    check_whole(t, &s);
    measure(t, "pmis", "pmis", came);
    if (!check_true(t, "not-delivered", came, came, "1 PMI or more", pair.counter.msr))
        return sampling_more(t, 1);
    measure(t, "first-has-counter-bit", "0-or-1", pmi_log()->record[0].status >> pair.counter.bit & 1);
    measure(t, "first-has-buffer-bit", "0-or-1", !!(pmi_log()->record[0].status & sampling_status_bit(t->caps)));
    return sampling_more(t, 1);
}

TEST("pebs.with-int", .title = "PMIs of a sampling counter with its interrupt bit set",
     .spec = "SDM 3B, Processor Event Based Sampling (PEBS)", .covers = "B-083",
     .needs = {.sampling = true, .apic = true}, .scope = EACH_CPU, .repeat = one_overflow, .measures = true);
