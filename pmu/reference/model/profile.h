/*
 * A profile: the data of one real CPU's PMU. Values carry their source in the profile's file; unknown ones say
 * "assumed". Nothing here is code: a further generation is one more table.
 */
#pragma once

#include "pmu/reference/model/model.h"

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
    STORED_DS_AREA,
    STORED_PERF_METRICS,
    STORED_OFFCORE_RSP0,
    STORED_OFFCORE_RSP1,
    STORED_THERM_STATUS,
    STORED_PACKAGE_THERM_STATUS,
    STORED_COUNT,
};

/* What WRMSR does to a register. A bit that none of the masks names is kept as written. */
struct write_rule {
    bool exists;          /* false: RDMSR and WRMSR fault */
    bool canonical;       /* #GP unless the value is a canonical 48-bit address */
    uint64_t faults;      /* setting one of these bits is a #GP */
    uint64_t flip_faults; /* changing one is a #GP */
    uint64_t dropped;     /* accepted, and the bit stays as it was */
    uint64_t clear_only;  /* log bits: written 0 they clear, written 1 they stay */
    uint64_t reset;       /* value at hand-off */
};

/* Freeze_PerfMon_On_PMI: none, GLOBAL_CTRL is cleared (v2, v3), STATUS.CTR_FRZ is set (v4). */
enum freeze_kind { FREEZE_NONE, FREEZE_LEGACY, FREEZE_STREAMLINED };

/* Which of the WRMSRs that start and stop a counter it counts itself. No manual says. */
enum start_stop { COUNT_NEITHER = 0, COUNT_START = 1, COUNT_STOP = 2, COUNT_BOTH = 3 };

struct profile {
    const char *name;

    /* CPUID */
    const char *vendor; /* 12 characters */
    const char *brand;  /* at most 47 characters */
    uint32_t signature;
    uint32_t leaf1_ecx, leaf1_edx; /* feature bits that the PMU's CPU has, set over the machine's own */
    uint32_t leaf6_eax, leaf6_ecx; /* likewise: thermal sensors; MPERF and APERF */
    uint32_t leaf0a[4];            /* EAX, EBX, ECX, EDX */
    uint32_t max_leaf;             /* 0: the machine's own, at least 0AH */
    uint32_t hypervisor;           /* leaf 1 ECX bits of a hypervisor */

    /* What the hardware has, whatever CPUID says */
    uint8_t version;
    uint8_t gp_count, gp_width;
    uint8_t fixed_bitmap, fixed_width;
    bool full_width;         /* IA32_A_PMCn exist */
    bool gp_drops_upper;     /* writes to them above the width are accepted and cut */
    bool fixed_drops_upper;  /* writes above the width are accepted and cut, as on early Core 2 */
    enum freeze_kind freeze; /* on PMI */
    uint8_t event_length;    /* architectural events that count, by index */

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
    uint64_t platform_id, platform_info;
    uint32_t microcode;
    bool smi_count;                  /* MSR 34H exists */
    bool apic_x2, apic_x2_available; /* the local APIC is in x2APIC mode; it has one */

    /* Simulated time: per instruction, in core cycles by kind of instruction */
    uint16_t core_ratio, tsc_ratio; /* core clock : TSC */
    uint16_t crystal_divider;       /* TSC ticks per tick of event 013CH; 0: counts TSC ticks */
    uint16_t ref_step;              /* fixed counter 2 advances by multiples of this */
    uint8_t slots;                  /* issue slots per cycle */
    bool throttled;                 /* every second core cycle is lost */

    /* Simulated memory and branches: one in so many instructions or branches; 0: never */
    uint16_t llc_reference_every, llc_miss_every, branch_miss_every;

    /* Interrupt */
    uint16_t skid_min, skid_spread; /* instructions between overflow and delivery: min .. min + spread - 1 */
    enum start_stop start_stop;
};

extern const struct profile profile_skylake;

extern const struct profile *const profiles[];
extern const unsigned profile_count;
/* NULL if there is none of that name. */
const struct profile *profile_find(const char *name);
const char *profile_name(const struct profile *profile);
