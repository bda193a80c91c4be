/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A profile: the data of one real CPU's PMU. Each is a text file, profiles/NAME.profile, in which values have their
 * source and unknown ones say "assumed"; the build turns it into this structure (tools/profile-compile). Nothing here
 * is code: another generation is just another file. Everything that a profile does not name is 0: absent.
 */
#pragma once

#include "reference/model/event.h"
#include "reference/model/model.h"

#define GP_MAX 10         /* most GP counters of any generation; every profile intercepts that many */
#define FIXED_MAX 7       /* the same for fixed counters */
#define LEAVES_MAX 16     /* CPUID leaves that a profile answers in full */
#define NETBURST_COUNT 18 /* counters of NetBurst, each with its own CCCR */
#define EVENTS_MAX 48     /* rows of a table of events */
#define PEBS_EVENTS_MAX 24
#define PEBS_EVERY_UMASK 0x10000u
#define PEBS_EVERY_EVENT 0x20000u

/* Registers that hold what was written, each with the rule for writing it. */
enum stored_register {
    STORED_FIXED_CTR_CTRL,
    STORED_GLOBAL_CTRL,
    STORED_DEBUGCTL,
    STORED_MISC_ENABLE,
    STORED_PEBS_ENABLE,
    STORED_PEBS_DATA_CFG,
    STORED_PEBS_LD_LAT,
    STORED_PEBS_FRONTEND,
    STORED_PEBS_BASE,
    STORED_PEBS_INDEX,
    STORED_DS_AREA,
    STORED_PERF_METRICS,
    STORED_OFFCORE_RSP0,
    STORED_OFFCORE_RSP1,
    STORED_THERM_STATUS,
    STORED_PACKAGE_THERM_STATUS,
    STORED_LBR_SELECT,
    STORED_COUNT,
};

/* Who shares a register: the logical processors of one core, or all of a package, have the same register. */
enum register_scope { SCOPE_THREAD, SCOPE_CORE, SCOPE_PACKAGE };

/* What WRMSR does to a register. A bit that no mask names is kept as written. */
struct write_rule {
    bool exists;          /* false: RDMSR and WRMSR fault */
    bool canonical;       /* #GP unless the value is a canonical 48-bit address */
    uint64_t faults;      /* setting one of these bits is a #GP */
    uint64_t flip_faults; /* changing one is a #GP */
    uint64_t dropped;     /* writes are accepted, and the bit does not change */
    uint64_t clear_only;  /* bits that writing 0 clears, and writing 1 does not change */
    uint64_t reset;       /* value at hand-off; of a register that only takes commands: its value when read */
    enum register_scope scope;
};

/* Freeze_PerfMon_On_PMI: no effect, clears GLOBAL_CTRL (v2, v3), sets STATUS.CTR_FRZ (v4). */
enum freeze_kind { FREEZE_NONE, FREEZE_LEGACY, FREEZE_STREAMLINED };

/* Which of the WRMSRs that start and stop a counter the counter itself counts. No manual says. */
enum start_stop { COUNT_NEITHER = 0, COUNT_START = 1, COUNT_STOP = 2, COUNT_BOTH = 3 };

/* A CPUID leaf whose four registers the profile answers. */
struct profile_leaf {
    uint32_t leaf, subleaf, value[4]; /* EAX, EBX, ECX, EDX */
};

struct profile {
    const char *name;
    const char *core;             /* core kind in a hybrid: "p", "e" or "l"; else NULL */
    const struct profile *second; /* the hybrid's next kind of core, for an equal part of a run's CPUs; or NULL */

    /* CPUID */
    const char *vendor; /* 12 characters */
    const char *brand;  /* at most 47 characters */
    uint32_t signature;
    uint32_t leaf1_ecx, leaf1_edx; /* feature bits of the PMU's CPU, which replace the machine's */
    uint32_t leaf6_eax, leaf6_ecx; /* likewise: thermal sensors; MPERF and APERF */
    /* Leaf 7, sub-leaf 0, and EAX of sub-leaf 1: bits that the PMU's users read come only from here. If leaf7_1_eax is
     * not 0, EAX of sub-leaf 0 has to enumerate sub-leaf 1. */
    uint32_t leaf7_ebx, leaf7_edx, leaf7_1_eax;
    uint32_t leaf0a[4]; /* EAX, EBX, ECX, EDX */
    /* 0: the machine's own, at least 0AH. Leaves above the machine's own that the profile does not answer are zero. */
    uint32_t max_leaf;
    struct profile_leaf leaves[LEAVES_MAX]; /* further leaves: 1AH, 23H; leaf 0 ends the list */
    uint32_t hypervisor;                    /* leaf 1 ECX bits of a hypervisor */
    const char *hypervisor_name;            /* 12 characters at most; NULL: the reference PMU's own */

    /* What the hardware has, whatever CPUID says */
    uint8_t version;
    uint8_t gp_count, gp_width;
    uint8_t gp_count_alone; /* GP counters of a core without hyper-threading; 0: the same number */
    uint8_t threads;        /* logical processors of a core; 0 counts as 1 */
    uint8_t fixed_bitmap, fixed_width;
    bool full_width;         /* IA32_A_PMCn exist */
    bool gp_drops_upper;     /* writes to them above the width are accepted, and bits above it ignored */
    bool fixed_drops_upper;  /* writes above the width are accepted, and bits above it ignored, as on early Core 2 */
    enum freeze_kind freeze; /* on PMI */
    uint8_t event_length;    /* architectural events below this index count, except events_dead */
    uint32_t events_dead;    /* bit = index: these do not count, whatever CPUID says */
    bool any_thread;         /* AnyThread counts the other thread, too; else these bits have no effect */

    /* Version 6: aliases from MSR 1900H on. CFG_A is the event select; CFG_B is for reloads, CFG_C for PEBS */
    bool aliases;
    struct write_rule cfg_b, cfg_c; /* of GP counters */
    struct write_rule fixed_cfg_b, fixed_cfg_c;
    uint16_t reload_gp, reload_fixed; /* counters that have a CFG_B */

    /* NetBurst: counters, CCCRs and ESCRs instead of all architectural registers; version and gp_count are 0 */
    uint8_t netburst_count, netburst_width;
    struct write_rule netburst_counter, cccr, escr;

    /* PEBS and LBR, beyond perf_capabilities; bit = counter */
    uint16_t pebs_gp, pebs_fixed;                 /* can write records */
    uint16_t pebs_precise_gp, pebs_precise_fixed; /* with the precise distribution (PDIR, PDIST) */
    uint16_t pebs_latency_gp;                     /* can count loads by latency */
    uint16_t pebs_without_instructions;           /* write no records of instructions, event C0H */
    uint32_t pebs_events[PEBS_EVENTS_MAX];        /* events with records of GP counters, umask:event; ended by 0 */
    bool pebs_tells_skips;                        /* a record that does not fit sets OvfBuffer; no reload */
    uint16_t pebs_shadow;                         /* instructions from an overflow until PEBS is armed, at most */
    uint32_t pebs_residual;                       /* TSC ticks after which a stopped counter's record is written */
    uint8_t lbr_depth;                            /* branch records */
    const char *errata;                           /* of this signature and microcode: names between blanks, or NULL */
    const char *assumed;                          /* values that no dump has, likewise, for the log; or NULL */

    /* Write rules and values at hand-off */
    struct write_rule evtsel;
    uint64_t evtsel2_accepts; /* bits of evtsel.faults that IA32_PERFEVTSEL2 accepts nevertheless */
    struct write_rule status_reset, status_set;
    struct write_rule stored[STORED_COUNT];
    uint64_t status;                /* at hand-off */
    uint64_t last_evtsel, last_pmc; /* likewise, of the last GP counter */
    uint32_t lvtpc;                 /* likewise, of the local APIC; 0: left alone */
    bool inuse;                     /* IA32_PERF_GLOBAL_INUSE exists */
    uint64_t perf_capabilities;
    uint64_t platform_id, platform_info; /* 0: MSR CEH does not exist */
    uint32_t microcode;
    bool smi_count;                  /* MSR 34H exists */
    bool apic_x2, apic_x2_available; /* the local APIC is in x2APIC mode; it supports that mode */
    uint32_t apic_ids_above;         /* how much higher than in the page the ids of all CPUs but the boot CPU are */

    /* Simulated time: core cycles of each instruction, by its kind */
    uint16_t core_ratio, tsc_ratio; /* core clock : TSC */
    uint32_t crystal_khz;           /* the clock of leaf 15H, if that leaf exists, and of the APIC timer */
    bool crystal_told;              /* leaf 15H has it in ECX, too */
    uint32_t bus_khz;               /* the clock of ratios, and of the APIC timer without a crystal; 0: 100 MHz */
    bool tsc_adjust;                /* IA32_TSC_ADJUST exists */
    int32_t tsc_ahead_s;            /* seconds by which firmware has set the TSC ahead */
    uint16_t crystal_divider;       /* TSC ticks per tick of event 013CH; 0: counts TSC ticks */
    uint16_t ref_step;              /* fixed counter 2 advances by multiples of this */
    uint8_t slots;                  /* issue slots per cycle */
    uint8_t metrics_levels;         /* of PERF_METRICS: 1: its low four fields; 2: all eight */
    bool throttled;                 /* every second core cycle is lost */

    /* Simulated memory, branches and assists: each n-th instruction or branch; 0: never */
    uint16_t llc_reference_every, llc_miss_every, branch_miss_every, assist_every;
    uint16_t wrong_every; /* of what a two-bit predictor does wrong, each n-th is a misprediction; 0: all */

    /* Interrupt */
    uint16_t skid_min, skid_spread; /* instructions between overflow and delivery: min .. min + spread - 1 */
    enum start_stop start_stop;

    /* Events of this generation only, umask:event; 0: none */
    uint16_t event_prec_dist; /* instructions; with the precise distribution on counters that have it */
    uint16_t event_load_latency, event_precise_store;
    struct profile_event events[EVENTS_MAX]; /* further events; encoding 0 ends the list */
};

/*
 * The profile's CPU as a hypervisor with that name (at most 12 characters, which must stay) shows it to a guest: a PMU
 * of at most that version, without features of later ones; 0: none.
 */
void profile_virtual(struct profile *profile, const char *hypervisor, unsigned version);
/* The profile's CPU with only its first counters, as who starts a guest may choose: so many GP and fixed ones at most.
 * Below version 6, whose leaf 23H is left as it is. */
void profile_counters(struct profile *profile, unsigned gp, unsigned fixed);

/* Generated from the text files; the default profile is the first. */
extern const struct profile *const profiles[];
extern const unsigned profile_count;
