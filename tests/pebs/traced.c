/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A counter samples while a trace of the same code is written, as profilers do that combine both: records come, each
 * with an address in the code that ran and the values of the registers, and the record that reaches the threshold sets
 * its bit and raises the PMI. A few counters and events take turns, at CPL 0 and at CPL 3.
 *
 * The trace asks for no PMI, and goes over the same pages again and again.
 */
#include "harness/chapter/sampling.h"
#include "harness/chapter/tracing.h"

#define THRESHOLD 1
#define RECORDS 2
#define PAIRS 2 /* of sampling_some(): a trace is slow */
#define USER_CONTROL ((TRACE_CONTROL & ~RTIT_CTL_OS) | RTIT_CTL_USER)

/* With interrupts off, since any handler in between would be sampled, too; the PMI is accepted afterwards. */
static bool run_traced(struct test *t, struct sampling *s)
{
    struct tracing tracing = tracing_begin(t, 0, 0);
    trace_put_region(&tracing.area, tracing.regions - 1, 0);
    sampling_begin(t, s);
    pmi_open(PMI_FIXED, PMI_ACK);
    trace_on(t->cell.user ? USER_CONTROL : TRACE_CONTROL);
    sampling_run(s, sampling_rounds(s, RECORDS));
    trace_off();
    interrupts_on();
    bool came = pmi_wait(1);
    interrupts_off();
    sampling_end(s);
    pmi_close();
    tracing_end(t);
    return came;
}

static void check_records(struct test *t, const struct sampling *s)
{
    for_each_record (s, record) {
        check_true(t, "outside-the-code", sampled_holds(record.ip), record.ip,
                   "an address in the code that was sampled", 0);
        unsigned wrong = record.has & PEBS_HAS_REGISTERS ? sampling_wrong_register(s, &record) : PEBS_REGISTERS;
        bool right = wrong == PEBS_REGISTERS;
        check_equal(t, "register", right ? 0 : record.reg[wrong], right ? 0 : s->block.reg[wrong], 0);
    }
}

static bool one_pair(struct test *t)
{
    struct sampling s;
    sampling_some(t, &s);
    s.setup.threshold = THRESHOLD;
    s.setup.counter[0].period /= 2;
    sampling_registers(&s);
    bool came = run_traced(t, &s);
    check_true(t, "not-delivered", came, pebs_written(&s.setup), "a PMI at the threshold",
               s.setup.counter[0].counter.msr);
    if (came)
        check_true(about(t, ASPECT_BUFFER_BIT), "no-buffer-bit",
                   pmi_log()->record[0].status & sampling_status_bit(t->caps), pmi_log()->record[0].status,
                   "the threshold's bit set", MSR_PERF_GLOBAL_STATUS);
    check_recorded(t, &s);
    check_whole(t, &s);
    check_records(t, &s);
    return sampling_more(t, PAIRS * t->cells);
}

TEST("pebs.traced", .title = "A counter samples while a trace is written as it does without",
     .spec = "SDM 3B, Processor Event Based Sampling (PEBS)", .needs = {.sampling = true, .version = 2, .apic = true},
     .scope = EACH_CPU, .prepare = need_trace, .repeat = one_pair, .cells = CELL_RINGS);
