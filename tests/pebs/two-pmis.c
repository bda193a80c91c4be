/*
 * A PMI of the buffer's threshold and one of a counter's overflow are told apart by IA32_PERF_GLOBAL_STATUS: bit 62 for
 * the one, the counter's bit for the other. One counter samples with the threshold at its first record, another counts
 * instructions and overflows later with its interrupt bit set. The handler stops everything at the first PMI; the
 * second counter then goes on alone.
 */
#include "harness/sampling.h"
#include "kernel/interrupt.h"

#define PERIOD 128
#define FAR 0x1000000
#define LATER 512 /* instructions until the plain counter overflows, once it goes on alone */
#define ROUNDS 12

struct where {
    u32 turn;
    struct sampling_pair pair;
    struct counter plain;
};

/* Runs the block with these counters until a PMI comes; returns the status that its handler saw, 0 if none came. */
static u64 status_of_pmi(struct sampling *s, u64 counters, u64 rounds)
{
    s->setup.start_stop = counters_switch(s->setup.caps, counters);
    pmi_open(PMI_FIXED, PMI_ACK);
    interrupts_on();
    sampling_run(s, rounds);
    bool came = pmi_wait(1);
    interrupts_off();
    pmi_close();
    return came ? pmi_log()->record[0].status : 0;
}

static bool one_sample(struct test *t, void *argument)
{
    struct where *where = argument;
    struct sampling s;
    u64 sampler = BIT(where->pair.counter.bit), plain = BIT(where->plain.bit);
    sampling_clear(t, &s);
    sampling_add(&s, &where->pair)->period = PERIOD;
    s.setup.threshold = 1;
    sampling_begin(t, &s);
    counter_setup(where->plain, ARCH_EVENT_INSTRUCTIONS, COUNT_OS | COUNT_INT, counter_preset(where->plain, FAR));
    u64 buffer = status_of_pmi(&s, sampler | plain, ROUNDS);
    sampling_end(&s);
    counter_write(where->plain, counter_preset(where->plain, LATER));
    u64 overflow = status_of_pmi(&s, plain, ROUNDS);
    check_true(t, "no-buffer-pmi", buffer & STATUS_OVF_BUFFER, buffer, MSR_PERF_GLOBAL_STATUS);
    check_true(t, "no-counter-pmi", overflow & plain, overflow, MSR_PERF_GLOBAL_STATUS);
    return sampling_more(t, &where->turn, 1);
}

static void two_pmis(struct test *t)
{
    struct where where = {.pair = sampling_need(t, PEBS_INSTRUCTIONS)};
    unsigned other = where.pair.counter.fixed || where.pair.counter.index ? 0 : 1;
    if (other >= t->caps->gp_count)
        skip(t, "CPUID.0AH:EAX[15:8]=%u: no second counter", t->caps->gp_count);
    where.plain = gp_counter(t->caps, other);
    repeat_clean(t, one_sample, &where);
}

TEST("pebs.two-pmis", .title = "Status tells a full buffer and an overflow apart",
     .spec = "SDM 3B, Processor Event Based Sampling (PEBS)", .covers = "B-083",
     .needs = {.pebs = true, .apic = true, .event = 2}, .scope = EACH_CPU, .run = two_pmis);
