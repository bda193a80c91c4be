/*
 * What a hypervisor really gives: a line "# guest-pmu" for each run on its PMU, which tells the counters of CPU 0 that
 * CPUID enumerates, how many of them count when all are on at once, and which stand still, since the host holds one of
 * those below. A measurement: tests judge each counter by itself. That it is one, and no more, is kept for the judge
 * (errata: counters-taken).
 */
#pragma once

/* For the boot CPU, before the tests; leaves all counters stopped and clear. */
void guest_pmu_print(void);
