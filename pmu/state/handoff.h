/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The state of the PMU at the hand-off: each CPU's PMU registers, read before the image writes any of them, and
 * restored at the end. Firmware may be using counters; they are restored as far as the CPU allows.
 */
#pragma once

#include "pmu/state/snapshot.h"

/*
 * cpu_started() (kernel/cpu/cpu_start.h) captures the registers on each CPU as it comes up. On the boot CPU the local
 * APIC is not known by then, so this adds LVTPC, before anything writes it (pmu_begin() calls it).
 */
void handoff_capture_lvtpc(void);
/*
 * Forgets the capture and makes a new one: the CPU now has another PMU than the machine's own, with which this run
 * starts. The third look comes `late_us` after the first.
 */
void handoff_recapture(u32 late_us);
/* On a CPU that has the machine's own PMU again: its capture, as it was before the first handoff_recapture(). */
void handoff_as_found(void);
/*
 * Takes the second look 1 ms and the third 100 ms after the first, and waits for the rest of that time: a value means
 * little, but a change shows that somebody counts. Once per capture, before anything is written. Nothing without a PMU.
 */
void handoff_look_again(void);

struct handoff_looks {
    u64 in_use; /* IA32_PERF_GLOBAL_INUSE at the first look */
    bool in_use_known;
    u32 soon_us, late_us;       /* times of the second and third look; entries that changed by then are marked */
    bool smi_seen, smi_changes; /* an SMI came since then; it changed the PMU */
};
const struct handoff_looks *handoff_looks(u32 cpu);
/* A test saw an SMI on the calling CPU; `changed`: it changed the state of the PMU. */
void handoff_note_smi(bool changed);

/* Was the PMU in this capture left by a Linux that started the image by kexec? */
bool handoff_by_linux(void);
/* The value of the calling CPU's register at the hand-off; false if it was not captured or could not be read. */
bool handoff_value(u32 msr, u64 *value);
/* The capture of a CPU, and the capabilities with which it was made; NULL if that CPU never came up. */
const struct snapshot *handoff_of(u32 cpu);
const struct pmu_caps *handoff_caps(u32 cpu);
