/*
 * With NMI delivery in LVTPC an overflow raises a non-maskable interrupt: it arrives although interrupts are off.
 * Operating systems profile that way, to see code that runs with interrupts off. At least one has to come for each
 * overflow; other NMIs exist, and the status bit tells them apart.
 */
#include "harness/provoke.h"

static void overflow(struct test *t, struct counter c)
{
    pmi_open(PMI_NMI, PMI_ACK);
    provoke_overflow(t, c, COUNT_OS | COUNT_INT);
    bool came = pmi_wait(1);
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

TEST("pmi.nmi", .title = "With NMI delivery the PMI comes although interrupts are off",
     .spec = "SDM 3A, Local Vector Table", .covers = "B-043", .needs = {.version = 2, .event = 2, .apic = true},
     .scope = EACH_CPU, .repeat = each_counter);
