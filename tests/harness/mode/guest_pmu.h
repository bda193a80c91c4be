/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a hypervisor really provides: a line "# guest-pmu" for each run on its PMU, with the counters of CPU 0 that
 * CPUID enumerates, how many of them count when all are on at once, and which stand still because the host uses a
 * counter. This is a measurement: tests judge each counter by itself. If exactly one stands still, the judge is told
 * (errata: counters-taken), as it is told what the options judge= and host-kernel= say.
 */
#pragma once

#include <stdbool.h>

/* On the boot CPU, before the tests; leaves all counters stopped and clear. Without a line if `quiet`. */
void guest_pmu_look(bool quiet);
