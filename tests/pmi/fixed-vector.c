/*
 * A counter with its interrupt bit set that overflows raises a performance monitoring interrupt. With fixed delivery it
 * arrives at LVTPC's vector, on every kind of counter, and IA32_PERF_GLOBAL_STATUS then shows which counter it was.
 *
 * When it arrives is no promise. It is waited for 20 ms; a further, empty one is legal.
 */
#include "harness/provoke.h"
#include "kernel/cpu/interrupt.h"

static void overflow(struct test *t, struct counter c)
{
    pmi_open(PMI_FIXED, PMI_ACK);
    interrupts_on();
    provoke_overflow(t, c, COUNT_OS | COUNT_INT);
    bool came = pmi_wait(1);
    interrupts_off();
    if (check_true(t, "not-delivered", came, pmi_log()->count, "1 PMI or more", c.msr))
        check_true(t, "no-status-bit", pmi_log()->record[0].status >> c.bit & 1, pmi_log()->record[0].status,
                   "this counter's bit set in IA32_PERF_GLOBAL_STATUS", c.msr);
    pmi_close();
    counter_clear(c);
}

static bool each_counter(struct test *t)
{
    overflow(t, next_counter(t));
    return true;
}

TEST("pmi.fixed-vector", .title = "An overflow raises a PMI at LVTPC's vector",
     .spec = "SDM 3B, Generating an Interrupt on Overflow", .covers = "A-083 A-108 B-047",
     .needs = {.version = 2, .event = 2, .apic = true}, .scope = EACH_CPU, .repeat = each_counter);
