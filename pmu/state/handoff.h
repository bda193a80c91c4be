/* SPDX-License-Identifier: BSD-2-Clause */
/* The state of a CPU's PMU: what was found in it, what that says of the firmware, and which counters are in use. */
#pragma once

#include "pmu/cpu/caps.h"
#include "pmu/state/register.h"

/*
 * PMU registers and LVTPC, saved and compared; pmu/run/bracket.h restores them. The table of registers (register.h)
 * says which registers there are, which CPUs share them and which bits are compared. It contains every register that
 * the write gate allows to be written, by its own name or by that of the register that it changes.
 */

#define SNAPSHOT_MAX 192

/* Parts of the table, one bit each. */
enum snapshot_part {
    SNAPSHOT_OWN = 1,    /* registers of the thread alone */
    SNAPSHOT_SHARED = 2, /* other threads of the core or module write them too, which may cause a difference */
    /* Registers that the hardware writes while it records branches: never compared, and restored only at the end. */
    SNAPSHOT_RECORDS = 4,
    SNAPSHOT_ALL = 7,
};

struct snapshot_entry {
    u32 msr; /* REGISTER_LVTPC for the local APIC's entry */
    const struct register_row *row;
    u8 part;       /* enum snapshot_part */
    bool readable; /* false: RDMSR faulted */
    bool moved;    /* it read differently at a later look */
    u64 value;
};

struct snapshot {
    unsigned count;
    struct snapshot_entry entry[SNAPSHOT_MAX];
};

/* Saves these parts (enum snapshot_part) of the calling CPU's registers. Only reads. */
void snapshot_take(const struct pmu_caps *caps, unsigned parts, struct snapshot *snapshot);
/* Adds LVTPC, for a local APIC that was found only after snapshot_take(). */
void snapshot_add_lvtpc(struct snapshot *snapshot);
/* The entry of a register, or NULL. */
const struct snapshot_entry *snapshot_find(const struct snapshot *snapshot, u32 msr);
/*
 * The first register whose compared bits differ between the two snapshots of one CPU (its entry in `to`), or NULL. Not
 * compared are branch records, the value of a counter that was running in `from`, and bits that change by themselves or
 * by an SMI.
 */
const struct snapshot_entry *snapshot_difference(const struct pmu_caps *caps, const struct snapshot *from,
                                                 const struct snapshot *to);
/*
 * False if this CPU cannot restore the entry's value: a GP counter without full-width writes whose value is not a
 * sign-extended 32-bit one, a status bit below version 4 or one that software cannot set.
 */
bool snapshot_restorable(const struct pmu_caps *caps, const struct snapshot_entry *entry);

/* Lists the registers of these parts that this CPU has, in the order of restoring, without reading them. Pure. */
void snapshot_list(const struct pmu_caps *caps, unsigned parts, struct snapshot *snapshot);

/*
 * What the registers of a CPU show at the hand-off: which are not at their reset values, what that means, who did it,
 * how it affects an operating system, and how firmware can correct it. Advice for the authors of firmware, never a
 * verdict on the CPU. Pure: decided from captured values.
 */

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

/* ---- What a CPU's PMU is used for, from its registers. */

struct pmu_state {
    u64 in_use;   /* IA32_PERF_GLOBAL_INUSE, or computed if it does not exist: GLOBAL_CTRL bits, and INUSE_PMI */
    u64 computed; /* what INUSE should say by the registers that it summarises: both must agree */
    u64 left;     /* counters whose control is 0 and whose value is not */
    u64 evtsel[GP_COUNTERS_MAX];
    u64 fixed_control, global_ctrl, debugctl;
    u64 pebs_enable; /* only the bits that let a counter sample */
    u64 latency;     /* IA32_PEBS_ENABLE[35:32], if these are the bits of load latency */
    u64 offcore[2];  /* MSR_OFFCORE_RSP_0 and 1; 0 if not known to exist */
    u64 lbr_filter;  /* IA32_LBR_CTL with architectural records, else MSR_LBR_SELECT; 0 if not known to exist */
    bool frozen;     /* version 4: nothing counts until IA32_PERF_GLOBAL_STATUS[59] is cleared */
};

/* What IA32_PERF_GLOBAL_INUSE must read for these registers. Pure. */
u64 in_use_computed(const struct pmu_caps *caps, const struct pmu_state *state);
