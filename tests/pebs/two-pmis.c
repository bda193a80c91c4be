/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * IA32_PERF_GLOBAL_STATUS tells a PMI of the buffer's threshold from one of a counter's overflow: bit 62 is set for the
 * one, the counter's bit for the other. One counter samples while another counts instructions with its interrupt bit
 * set: first the threshold is at the first record and the overflow far away, then the other way round.
 */
#include "harness/chapter/sampling.h"

#define PERIOD 256
#define FAR 0x1000000
#define NEAR 640  /* instructions until the plain counter overflows: between two records */
#define ROUNDS 14 /* the block ends between two overflows */

struct where {
    struct sampling_pair pair;
    struct counter plain;
};

/* Returns whether a PMI came; *status is what the handler of the first one read, 0 if none came. */
static bool one_comes(struct test *t, const struct where *where, u32 threshold, u64 overflow_after, u64 *status)
{
    struct sampling s;
    sampling_clear(t, &s);
    sampling_add(&s, &where->pair)->period = sampling_period(&where->pair, PERIOD);
    s.setup.threshold = threshold;
    s.others = BIT(where->plain.bit);
    sampling_begin(t, &s);
    counter_setup(where->plain, ARCH_EVENT_INSTRUCTIONS, COUNT_OS | COUNT_INT,
                  counter_preset(where->plain, overflow_after));
    s.setup.start_stop = counters_switch(t->caps, BIT(where->pair.counter.bit) | BIT(where->plain.bit));
    pmi_listen(PMI_FIXED, PMI_ACK);
    sampling_run(&s, ROUNDS);
    bool came = pmi_came();
    sampling_end(&s);
    pmi_close();
    counter_clear(where->plain);
    *status = came ? pmi_log()->record[0].status : 0;
    return came;
}

static bool one_of_each(struct test *t, void *argument)
{
    struct where *where = argument;
    u64 plain = BIT(where->plain.bit);
    u64 buffer, overflow;
    bool came = one_comes(t, where, 1, FAR, &buffer);
    one_comes(t, where, 0, NEAR, &overflow);
    check_true(about(t, came ? ASPECT_BUFFER_BIT : 0), "no-buffer-pmi", buffer & sampling_status_bit(t->caps), buffer,
               "a PMI with the threshold's bit set", MSR_PERF_GLOBAL_STATUS);
    check_true(t, "no-counter-pmi", overflow & plain, overflow, "a PMI with the counter's bit set",
               MSR_PERF_GLOBAL_STATUS);
    check_true(t, "buffer-bit-at-overflow", !(overflow & sampling_status_bit(t->caps)), overflow,
               "the threshold's bit clear", MSR_PERF_GLOBAL_STATUS);
    return sampling_more(t, 1);
}

static void two_pmis(struct test *t)
{
    struct where where = {.pair = sampling_basic(t)};
    where.plain = sampling_beside(t, &where.pair);
    repeat_clean(t, one_of_each, &where);
}

TEST("pebs.two-pmis", .title = "Status tells a reached threshold and an overflow apart",
     .spec = "SDM 3B, Processor Event Based Sampling (PEBS)", .covers = "B-083",
     .needs = {.sampling = true, .apic = true, .event = 2}, .scope = EACH_CPU, .run = two_pmis);
