/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the registers of a CPU show at the hand-off: which are not at their reset values, what that means, who did it,
 * how it affects an operating system, and how firmware can correct it. Advice for the authors of firmware, never a
 * verdict on the CPU. Pure: decided from captured values.
 */
#pragma once

#include "pmu/state/snapshot.h"

/* A machine's grade is that of its worst finding. */
enum handoff_grade {
    GRADE_CLEAN,   /* reset values */
    GRADE_BENIGN,  /* values that resets, loaders and idle firmware are known to leave */
    GRADE_CLAIMS,  /* counters in use, visibly for everybody */
    GRADE_HIDDEN,  /* a counter counts although it is free by the rules of sharing */
    GRADE_HOSTILE, /* an SMI changes the PMU while others use it */
};
const char *handoff_grade_name(enum handoff_grade grade);

struct handoff_meaning {
    const char *label; /* permanent: two logs are compared by their labels */
    enum handoff_grade grade;
    const char *text;     /* means="..." owner=... effect="..." fix="..." label=... */
    const char *by_linux; /* the same for a PMU that a Linux used before: it says nothing about firmware */
};

/* What a register's value can mean. */
enum handoff_meaning_id {
    NOTHING,
    GP_RUNNING,
    GP_CLAIMED,
    GP_HIDDEN,
    GP_INTERRUPT,
    GP_LEFT,
    VALUE_MOVES,
    VALUE_LEFT,
    FIXED_RUNNING,
    FIXED_METERED,
    FIXED_WATCHED,
    FIXED_WATCHED_OFF,
    FIXED_CLAIMED,
    FIXED_INTERRUPT,
    FIXED_LEFT,
    GLOBAL_VARIANT,
    STATUS_FROZEN,
    STATUS_CHANGED,
    STATUS_LEFT,
    PEBS_ON,
    DS_LEFT,
    APEBS_ON,
    PEBS_BASE_LEFT,
    TRACE_ON,
    PMI_FREEZE,
    LBR_ON,
    SMM_FREEZE,
    DEBUGCTL_LEFT,
    LVTPC_SMI,
    LVTPC_OPEN,
    LVTPC_LEFT,
    IN_USE_DISAGREES,
    REGISTER_LEFT, /* any other register that is kept */
    SMI_CHANGES,   /* only a test can find this */
};
extern const struct handoff_meaning handoff_meanings[];

struct handoff_view {
    const struct pmu_caps *caps;
    const struct snapshot *snapshot;
    u64 in_use;
    bool in_use_known;
    bool boot_cpu; /* false: INIT has reset the CPU's local APIC, so its LVTPC says nothing about firmware */
};

struct handoff_finding {
    const struct handoff_meaning *meaning;
    u32 msr; /* the first register of those with equal values */
    u64 found, reset;
    u64 counters; /* the counters concerned, as bits of IA32_PERF_GLOBAL_CTRL */
    u64 moving;   /* those of them whose values changed */
};

/* Further ones are merged into the last. */
#define HANDOFF_FINDINGS 16
/* Finds the registers that are not at their reset values, in the snapshot's order; returns the number of findings. */
unsigned handoff_find(const struct handoff_view *view, struct handoff_finding findings[HANDOFF_FINDINGS]);
enum handoff_grade handoff_grade(const struct handoff_finding *findings, unsigned count);

#define HANDOFF_TEXT 144
/* "found=0x330 reset=0x0 counters=fixed1,fixed2 moving=fixed1" (HANDOFF_TEXT bytes). */
const char *handoff_text(const struct handoff_finding *finding, char *text);

/*
 * The state of the PMU at the hand-off: each CPU's PMU registers, read before the image writes any of them, and
 * restored at the end. Firmware may be using counters; they are restored as far as the CPU allows.
 */

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
