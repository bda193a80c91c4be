/*
 * The machine as it was handed over: each CPU's PMU registers read before the image writes any of them, and put back
 * at the end. Firmware may be using counters; they are given back as far as the CPU allows.
 */
#pragma once

#include "pmu/state/snapshot.h"

/*
 * The capture is taken by cpu_started() (kernel/cpu/cpu_start.h) on each CPU as it comes up. The local APIC is not
 * known yet on the boot CPU: LVTPC follows with this, before anything writes it (pmu_begin() sees to that).
 */
void handoff_capture_lvtpc(void);
/*
 * Forgets the capture and takes it anew: another PMU is under the CPU than the machine's own, and its state is what
 * this run was handed. The third look is then due `late_us` after the first.
 */
void handoff_recapture(u32 late_us);
/*
 * The second look 1 ms and the third 100 ms after the first, waiting for what has not passed yet: a value says little,
 * one that moves says that somebody counts. Once a capture, and before anything is written. Nothing without a PMU.
 */
void handoff_look_again(void);

struct handoff_looks {
    u64 in_use; /* IA32_PERF_GLOBAL_INUSE at the first look */
    bool in_use_known;
    u32 soon_us, late_us;       /* when the second and third were; what moved until then says so in its entry */
    bool smi_seen, smi_changes; /* an SMI came since, and changed the PMU */
};
const struct handoff_looks *handoff_looks(u32 cpu);
/* A test saw an SMI on the calling CPU, and whether it changed PMU state. */
void handoff_note_smi(bool changed);

/* Was the PMU of this capture a Linux's, which started the image by kexec? */
bool handoff_by_linux(void);
/* What the calling CPU's register held at hand-off; false if it was not captured or could not be read. */
bool handoff_value(u32 msr, u64 *value);
/* The capture of a CPU, with the capabilities that it was taken by; NULL if that CPU never came up. */
const struct snapshot *handoff_of(u32 cpu);
const struct pmu_caps *handoff_caps(u32 cpu);
