/*
 * The machine as it was handed over: each CPU's PMU registers read before the image writes any of them, and put back
 * at the end. Firmware may be using counters; whoever started the image gets them back as far as the CPU allows.
 */
#pragma once

#include "pmu/snapshot.h"

/*
 * Captures the calling CPU's registers, once: later calls on the same CPU do nothing. kernel/cpu_start.h's
 * cpu_started() calls it on each CPU as it comes up. The local APIC is not known yet on the boot CPU, so LVTPC follows
 * by handoff_capture_lvtpc(), before anything writes it (pmu_caps_refresh() sees to that).
 */
void handoff_capture(void);
void handoff_capture_lvtpc(void);
/* What the calling CPU's register held at hand-off; false if it was not captured or could not be read. */
bool handoff_value(u32 msr, u64 *value);
/* The capture of a CPU, with the capabilities that it was taken by; NULL if that CPU never came up. */
const struct snapshot *handoff_of(u32 cpu);
const struct pmu_caps *handoff_caps(u32 cpu);
/*
 * Puts the calling CPU back as it was found and returns how many registers could not be (snapshot_restorable() says
 * which). The last thing done on a CPU: nothing may count afterwards. Not to be called under the reference PMU.
 */
unsigned handoff_restore(void);
