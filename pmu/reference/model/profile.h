/*
 * A profile: the data of one real CPU's PMU. Each is a text file, profiles/NAME.profile, where values carry their
 * source and unknown ones say "assumed"; the build turns it into this structure (tools/profile-compile). Nothing here
 * is code: a further generation is one more file. Everything that a profile does not name is 0: absent.
 */
#pragma once

#include "pmu/reference/model/event.h"
#include "pmu/reference/model/model.h"

#define GP_MAX 10         /* most GP counters of any generation; every profile's range is intercepted that far */
#define FIXED_MAX 7       /* likewise fixed */
#define LEAVES_MAX 16     /* CPUID leaves that a profile answers as they are */
#define NETBURST_COUNT 18 /* counters of NetBurst, each with its CCCR */
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

/* Who shares a register: logical processors of one core, or all of a package, see and change the same one. */
enum register_scope { SCOPE_THREAD, SCOPE_CORE, SCOPE_PACKAGE };

/* What WRMSR does to a register. A bit that none of the masks names is kept as written. */
struct write_rule {
    bool exists;          /* false: RDMSR and WRMSR fault */
    bool canonical;       /* #GP unless the value is a canonical 48-bit address */
    uint64_t faults;      /* setting one of these bits is a #GP */
    uint64_t flip_faults; /* changing one is a #GP */
    uint64_t dropped;     /* accepted, and the bit stays as it was */
    uint64_t clear_only;  /* log bits: written 0 they clear, written 1 they stay */
    uint64_t reset;       /* value at hand-off; of a register that only takes commands: what it reads as */
    enum register_scope scope;
};

/* Freeze_PerfMon_On_PMI: none, GLOBAL_CTRL is cleared (v2, v3), STATUS.CTR_FRZ is set (v4). */
enum freeze_kind { FREEZE_NONE, FREEZE_LEGACY, FREEZE_STREAMLINED };

/* Which of the WRMSRs that start and stop a counter it counts itself. No manual says. */
enum start_stop { COUNT_NEITHER = 0, COUNT_START = 1, COUNT_STOP = 2, COUNT_BOTH = 3 };

/* A CPUID leaf with all four registers, answered as it is. */
struct profile_leaf {
    uint32_t leaf, subleaf, value[4]; /* EAX, EBX, ECX, EDX */
};

struct profile {
    const char *name;
    const char *core;             /* core kind in a hybrid: "p", "e" or "l"; else NULL */
    const struct profile *second; /* the hybrid's next core kind, of the next of equal parts of a run's CPUs; or NULL */

    /* CPUID */
    const char *vendor; /* 12 characters */
    const char *brand;  /* at most 47 characters */
    uint32_t signature;
    uint32_t leaf1_ecx, leaf1_edx; /* feature bits that the PMU's CPU has, set over the machine's own */
    uint32_t leaf6_eax, leaf6_ecx; /* likewise: thermal sensors; MPERF and APERF */
    /* Leaf 7, sub-leaf 0, and EAX of sub-leaf 1: what the PMU's users look at there comes from here alone. If
     * leaf7_1_eax is not 0, sub-leaf 0 has to say in EAX that sub-leaf 1 exists. */
    uint32_t leaf7_ebx, leaf7_edx, leaf7_1_eax;
    uint32_t leaf0a[4]; /* EAX, EBX, ECX, EDX */
    /* 0: the machine's own, at least 0AH. Above the machine's own, what the profile does not answer is zero. */
    uint32_t max_leaf;
    struct profile_leaf leaves[LEAVES_MAX]; /* further ones: 1AH, 23H; the first with leaf 0 ends them */
    uint32_t hypervisor;                    /* leaf 1 ECX bits of a hypervisor */
    const char *hypervisor_name;            /* 12 characters at most; NULL: the reference PMU's own */

    /* What the hardware has, whatever CPUID says */
    uint8_t version;
    uint8_t gp_count, gp_width;
    uint8_t gp_count_alone; /* GP counters of a core without hyper-threading; 0: as many */
    uint8_t threads;        /* logical processors of a core; 0 counts as 1 */
    uint8_t fixed_bitmap, fixed_width;
    bool full_width;         /* IA32_A_PMCn exist */
    bool gp_drops_upper;     /* writes to them above the width are accepted and cut */
    bool fixed_drops_upper;  /* writes above the width are accepted and cut, as on early Core 2 */
    enum freeze_kind freeze; /* on PMI */
    uint8_t event_length;    /* architectural events below this index count, but for events_dead */
    uint32_t events_dead;    /* bit = index: these do not count, whatever CPUID says of them */
    bool any_thread;         /* AnyThread counts the sibling too; else the bits have no effect, if they can be set */

    /* Version 6: MSRs 1900H and up name the counters too. CFG_A is the event select; CFG_B reloads, CFG_C is PEBS's */
    bool aliases;
    struct write_rule cfg_b, cfg_c; /* of GP counters */
    struct write_rule fixed_cfg_b, fixed_cfg_c;
    uint16_t reload_gp, reload_fixed; /* counters that have a CFG_B */

    /* NetBurst: counters, CCCRs and ESCRs in place of all architectural registers; version and gp_count are 0 */
    uint8_t netburst_count, netburst_width;
    struct write_rule netburst_counter, cccr, escr;

    /* PEBS and LBR, beside what perf_capabilities says; bit = counter */
    uint16_t pebs_gp, pebs_fixed;                 /* can write records */
    uint16_t pebs_precise_gp, pebs_precise_fixed; /* with the precise distribution (PDIR, PDIST) */
    uint16_t pebs_latency_gp;                     /* can count loads by latency */
    uint16_t pebs_without_instructions;           /* write no records of instructions, event C0H */
    uint32_t pebs_events[PEBS_EVENTS_MAX];        /* that GP counters write records of: umask:event; the first 0 ends */
    bool pebs_tells_skips;                        /* a record that does not fit sets OvfBuffer and reloads nothing */
    uint16_t pebs_shadow;                         /* instructions, at most, from an overflow until it has armed PEBS */
    uint32_t pebs_residual;                       /* TSC ticks after which a stopped counter's record is written */
    uint8_t lbr_depth;                            /* branch records */
    const char *errata;                           /* of this signature and microcode: names between blanks, or NULL */
    const char *assumed;                          /* what no dump of it tells, likewise, for the log; or NULL */

    /* Write rules and values at hand-off */
    struct write_rule evtsel;
    uint64_t evtsel2_accepts; /* bits of evtsel.faults that IA32_PERFEVTSEL2 takes all the same */
    struct write_rule status_reset, status_set;
    struct write_rule stored[STORED_COUNT];
    uint64_t status;                /* at hand-off */
    uint64_t last_evtsel, last_pmc; /* likewise, of the last GP counter */
    uint32_t lvtpc;                 /* likewise, of the local APIC; 0: left alone */
    bool inuse;                     /* IA32_PERF_GLOBAL_INUSE exists */
    uint64_t perf_capabilities;
    uint64_t platform_id, platform_info; /* platform_info 0: MSR CEH does not exist */
    uint32_t microcode;
    bool smi_count;                  /* MSR 34H exists */
    bool apic_x2, apic_x2_available; /* the local APIC is in x2APIC mode; it has one */
    uint32_t apic_ids_above;         /* by which the ids of all CPUs but the boot CPU, 0, are higher than on the page */

    /* Simulated time: per instruction, in core cycles by kind of instruction */
    uint16_t core_ratio, tsc_ratio; /* core clock : TSC */
    uint32_t crystal_khz;     /* what leaf 15H relates the TSC to, where that leaf exists, and the APIC timer counts; */
    bool crystal_told;        /* in ECX, too */
    uint32_t bus_khz;         /* what ratios multiply, and the APIC timer counts without a crystal; 0: 100 MHz */
    bool tsc_adjust;          /* IA32_TSC_ADJUST exists */
    int32_t tsc_ahead_s;      /* by so many seconds firmware has set the TSC ahead of what it would be */
    uint16_t crystal_divider; /* TSC ticks per tick of event 013CH; 0: counts TSC ticks */
    uint16_t ref_step;        /* fixed counter 2 advances by multiples of this */
    uint8_t slots;            /* issue slots per cycle */
    uint8_t metrics_levels;   /* of PERF_METRICS: 1, its low four fields; 2, all eight */
    bool throttled;           /* every second core cycle is lost */

    /* Simulated memory, branches and assists: one in so many instructions or branches; 0: never */
    uint16_t llc_reference_every, llc_miss_every, branch_miss_every, assist_every;

    /* Interrupt */
    uint16_t skid_min, skid_spread; /* instructions between overflow and delivery: min .. min + spread - 1 */
    enum start_stop start_stop;

    /* Events of this generation alone, umask:event; 0: none */
    uint16_t event_prec_dist; /* instructions; with the precise distribution, on the counters that have it */
    uint16_t event_load_latency, event_precise_store;
    struct profile_event events[EVENTS_MAX]; /* further ones; the first with encoding 0 ends them */
};

/*
 * What a hypervisor of that name (at most 12 characters, which stay) shows of the profile's CPU to a guest: at most
 * that version of the PMU, 0 for the profile's own, and nothing of what later ones added.
 */
void profile_virtual(struct profile *profile, const char *hypervisor, unsigned version);

/* Generated from the text files; the default one first. */
extern const struct profile *const profiles[];
extern const unsigned profile_count;
