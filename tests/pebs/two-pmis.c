/*
 * A PMI of the buffer's threshold and one of a counter's overflow are told apart by IA32_PERF_GLOBAL_STATUS: bit 62 for
 * the one, the counter's bit for the other. One counter samples with the threshold at its first record, another counts
 * instructions and overflows later with its interrupt bit set. Both bits are seen by the handler, in one PMI or in two.
 */
#include "harness/sampling.h"
#include "kernel/interrupt.h"

#define LATER 4096 /* instructions until the plain counter overflows */

struct where {
    u32 turn;
    struct sampling_pair pair;
    struct counter plain;
};

static void stop_sampling(struct pmi_record *record)
{
    if (record->status & STATUS_OVF_BUFFER)
        wrmsr_try(MSR_PEBS_ENABLE, 0);
}

static u64 seen_by_handler(void)
{
    const struct pmi_log *log = pmi_log();
    u64 seen = 0;
    for (u32 i = 0; i < log->count && i < PMI_RECORDS; i++)
        seen |= log->record[i].status;
    return seen;
}

static void run(struct sampling *s, u64 both)
{
    pmi_open(PMI_FIXED, PMI_CLEAR_STATUS | PMI_UNMASK);
    pmi_hook(stop_sampling);
    interrupts_on();
    s->setup.start_stop = counters_switch(s->setup.caps, both);
    sampling_run(s, 2 * LATER / SAMPLED_INSTRUCTIONS);
    pmi_wait(1);
    sampling_end(s);
    interrupts_off();
    pmi_close();
}

static bool one_sample(struct test *t, void *argument)
{
    struct where *where = argument;
    struct sampling s;
    sampling_clear(t, &s);
    sampling_add(&s, &where->pair);
    s.setup.threshold = 1;
    sampling_begin(t, &s);
    counter_setup(where->plain, ARCH_EVENT_INSTRUCTIONS, COUNT_OS | COUNT_INT, counter_preset(where->plain, LATER));
    run(&s, BIT(where->pair.counter.bit) | BIT(where->plain.bit));
    u64 seen = seen_by_handler();
    check_true(t, "no-buffer-pmi", seen & STATUS_OVF_BUFFER, seen, MSR_PERF_GLOBAL_STATUS);
    check_true(t, "no-counter-pmi", seen & BIT(where->plain.bit), seen, MSR_PERF_GLOBAL_STATUS);
    return sampling_more(t, &where->turn, 1);
}

static void two_pmis(struct test *t)
{
    struct where where = {0};
    sampling_pair(t, 0, &where.pair);
    unsigned other = where.pair.counter.fixed || where.pair.counter.index ? 0 : 1;
    if (other >= t->caps->gp_count)
        skip(t, "CPUID.0AH:EAX[15:8]=%u: no second counter", t->caps->gp_count);
    where.plain = gp_counter(t->caps, other);
    repeat_clean(t, one_sample, &where);
}

TEST("pebs.two-pmis", .title = "Status tells a full buffer and an overflow apart",
     .spec = "SDM 3B, Processor Event Based Sampling (PEBS)", .covers = "B-083",
     .needs = {.pebs = true, .apic = true, .event = 2}, .scope = EACH_CPU, .run = two_pmis);
