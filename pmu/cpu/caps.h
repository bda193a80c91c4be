/*
 * What one CPU's PMU says it has: CPUID leaves 0AH and 23H, IA32_PERF_CAPABILITIES, IA32_MISC_ENABLE, the identity that
 * errata and write rules key on. Decoding is pure (a captured dump decodes the same on the build host); reading is
 * separate.
 */
#pragma once

#include "boot/bits.h"
#include "boot/cpuid.h"

/* What is read from one CPU before decoding. */
struct caps_dump {
    struct cpuid_regs leaf0, leaf1, leaf4, leaf6, leaf7, leaf0a, leaf0b, leaf1a, leaf1c, leaf14,
        leaf80000001;               /* 0 where absent */
    struct cpuid_regs leaf40000000; /* 0 without a hypervisor */
    /* sub-leaf 1 of leaves 7 and 14H; 0 to 2, 4 and 5 of leaf 23H */
    struct cpuid_regs leaf7_1, leaf14_1, leaf23, leaf23_1, leaf23_2, leaf23_4, leaf23_5;
    u64 perf_capabilities; /* 0 if PDCM is clear */
    u64 misc_enable;
    u32 microcode;
    u64 tsx_force_abort;           /* IA32_TSX_FORCE_ABORT; 0 where CPUID does not tell of it, or RDMSR faulted */
    bool smi_count;                /* MSR 34H answers */
    bool misc_enable_unread;       /* not asked for, or RDMSR faulted: the value is unknown, not 0 */
    bool perf_capabilities_unread; /* likewise, where PDCM says that it exists */
    u64 silent;                    /* as pmu_caps has it */
    bool trace_answers;            /* IA32_RTIT_CTL reads, where CPUID tells of processor trace */
    bool tracing;                  /* its TraceEn */
    bool metrics_answers;          /* MSR_PERF_METRICS reads, of a class that has it */
};

#define CAPS_LEAF_HYPERVISOR 0x40000000u
/* Twelve characters and an end. */
#define HYPERVISOR_NAME 13
/* From this version on IA32_PERF_GLOBAL_STATUS tells that counters and branch records are frozen. */
#define VERSION_STREAMLINED 4

struct pmu_caps {
    bool present;                          /* leaf 0AH exists and its version is not 0 */
    bool intel;                            /* vendor GenuineIntel: only these are judged */
    bool hypervisor;                       /* CPUID.1:ECX[31] */
    char hypervisor_name[HYPERVISOR_NAME]; /* as CPUID.40000000H spells it; "": there is none, or it has no name */
    u32 signature;                         /* CPUID.1:EAX */
    u32 family, model, stepping;
    u32 microcode;
    u8 core_type;     /* CPUID.1AH:EAX[31:24]: 40H Core, 20H Atom, 0 not told */
    u32 native_model; /* CPUID.1AH:EAX[23:0]: tells kinds of one type apart (Arrow Lake-H has two of Atom) */
    u32 max_leaf;     /* CPUID.0:EAX */
    u8 version;
    u8 gp_count, gp_width;       /* how many gp_bitmap has */
    u8 fixed_count, fixed_width; /* fixed_count: those from 0 on without a gap */
    u32 gp_bitmap, fixed_bitmap; /* every counter that is enumerated and can be reached; there may be gaps */
    /* Which of the two leaves names a counter, and who does not answer: as bits of IA32_PERF_GLOBAL_CTRL. */
    u64 leaf0a_counters; /* what all kinds of core of the CPU have; known understatements are mended */
    u64 leaf23_counters; /* what this kind of core has, as told, used here or not; 0: no such leaf */
    u64 silent;          /* named by leaf 23H alone, and RDMSR of its registers faults: not used */
    u32 leaf23_features; /* CPUID.23H.0 EBX: fields of event selects that this kind of core has; 0: no such leaf */
    /* CPUID.23H.2, as bits of IA32_PERF_GLOBAL_CTRL: counters that can be reloaded, and whose overflow can do it. */
    u64 reloads, reload_causes;
    /*
     * Architectural PEBS: CPUID.23H.4 EBX, the groups of its records; CPUID.23H.5, the counters that sample and those
     * with the precise distribution, as bits of IA32_PERF_GLOBAL_CTRL. All 0 unless sub-leaves 4 and 5 are both there.
     */
    u32 pebs_groups;
    u64 pebs_counters, pebs_precise;
    u8 event_length;
    u32 events_unavailable; /* leaf 0AH EBX */
    bool anythread_deprecated;
    bool pdcm;
    u64 perf_capabilities;
    bool perf_capabilities_unread; /* although it exists */
    bool full_width;               /* IA32_A_PMCx exist */
    bool metrics; /* PERF_METRICS: told of, or there on a core of known class beside others that have none (RPL18) */
    u64 misc_enable;
    bool misc_enable_unread;
    bool perfmon_available; /* IA32_MISC_ENABLE[7] */
    bool pebs_unavailable;  /* IA32_MISC_ENABLE[12] */
    bool smi_count;         /* MSR_SMI_COUNT answers */
    bool leaf_understates;  /* a known understatement of leaf 0AH was mended */
    bool cpuid_limited;     /* IA32_MISC_ENABLE[22] hides leaf 0AH: a firmware option, not a missing PMU */
    u8 lbr_depths;          /* architectural branch records: bit n, a depth of 8 * (n + 1); 0: there are none */
    bool lbr_levels;        /* IA32_LBR_CTL selects privilege levels */
    bool lbr_filters;       /* IA32_LBR_CTL selects kinds of branches */
    bool lbr_call_stack;    /* IA32_LBR_CTL has call-stack mode */
    bool lbr_types;         /* records tell the kind of branch */
    u8 lbr_logged;          /* bit n: records tell how often the event of GP counter n happened */
    bool ds;                /* debug store: CPUID.1:EDX[21] */
    bool rtm, sgx, pt;      /* CPUID.7.0:EBX[11], [2], [25] */
    u32 trace_features, trace_outputs; /* CPUID.14H:EBX, ECX; 0: no trace, or IA32_RTIT_CTL does not answer */
    u32 trace_ranges;                  /* of addresses, CPUID.14H.1:EAX[2:0] */
    bool trace_period_0;               /* MTCFreq may be 0, CPUID.14H.1:EAX[16] */
    bool trace_threshold_0;            /* CYCThresh may be 0, CPUID.14H.1:EBX[0] */
    bool tracing;                      /* somebody else traced when this was read: nothing of the trace is touched */
    bool tsx_takes_pmc3;               /* CPUID.7.0:EDX[13] without [11], and IA32_TSX_FORCE_ABORT[0] is 0 */
    bool counter_held;                 /* of a guest's counters one stood still, all of them on at once */
    bool therm_status, package_therm_status; /* the MSRs of these names exist */
    u8 threads_per_core;                     /* CPUID.0BH, before it leaves 1 and 4; 0: not told */
    struct cpuid_regs leaf0a;
};

/* Counters that can be reached: above them the legacy addresses hold other registers (CEH is MSR_PLATFORM_INFO). */
#define GP_COUNTERS_MAX 10
#define FIXED_COUNTERS_MAX 7

/* leaf23_features: SDM 2A, "CPUID", leaf 23H, sub-leaf 0, EBX. */
#define LEAF23_UMASK2 BIT(0)
#define LEAF23_EQ BIT(1)
#define LEAF23_RDPMC_USER_DISABLE BIT(2)

/* The numbers of the enumerated counters of a kind. */
#define for_each_gp(caps, n)                       \
    for (unsigned n = 0; n < GP_COUNTERS_MAX; n++) \
        if ((caps)->gp_bitmap >> n & 1)
#define for_each_fixed(caps, i)                       \
    for (unsigned i = 0; i < FIXED_COUNTERS_MAX; i++) \
        if ((caps)->fixed_bitmap >> i & 1)

/* Answers as CPUID does; zeros for a leaf above the highest. */
typedef struct cpuid_regs caps_leaf(void *context, u32 leaf, u32 subleaf);
/* Pure: asks for the leaves of a dump, but for those that another leaf says are not there. */
void caps_ask(struct caps_dump *dump, caps_leaf *leaf, void *context);
/* Pure: decodes a dump. */
void caps_decode(const struct caps_dump *dump, struct pmu_caps *caps);
/* Reads and decodes the CPU that calls. */
void caps_read(struct caps_dump *dump, struct pmu_caps *caps);
/* The capabilities of the CPU that calls, as read at the start of the current run. All 0 before pmu_begin(). */
const struct pmu_caps *pmu_caps(void);
const struct pmu_caps *pmu_caps_of(u32 cpu);
/* For pmu_begin(): keeps what was read as the calling CPU's capabilities; forgets all CPUs'. */
void pmu_caps_keep(const struct pmu_caps *caps);
void pmu_caps_forget(void);
/* One of a guest's counters stands still while all of them are on: on each CPU, until they are read anew. */
void pmu_caps_counter_held(void);
/* True if architectural event `index` (bit of leaf 0AH EBX) is available. */
bool caps_event_available(const struct pmu_caps *caps, unsigned index);
/* Leaf 0AH tells of a PMU, and of none of its architectural events that it is available. */
bool caps_no_event(const struct pmu_caps *caps);
/* NULL if IA32_PERF_CAPABILITIES was read; else why its bits are not known: a text that lives for ever. */
const char *caps_no_capabilities(const struct pmu_caps *caps);
/* IA32_DEBUGCTL exists, with the bits of the architectural PMU. */
bool caps_has_debugctl(const struct pmu_caps *caps);
/* The same kind of core of the same model of CPU: signature, type of the core and its native model. */
bool caps_same_kind(const struct pmu_caps *a, const struct pmu_caps *b);
/* Fields of event selects that leaf 23H adds: the second unit mask, EQ, the one that hides a counter from RDPMC. */
u64 caps_evtsel_more(const struct pmu_caps *caps);
/* A trace can be led through a table of physical addresses, and nobody else traces. */
bool caps_can_trace(const struct pmu_caps *caps);
/* Leaf 23H's counters are used: the leaf is there, and this class was seen to have what it names there. */
bool caps_leaf23_used(const struct pmu_caps *caps);
/* The n-th of the enumerated GP counters, from 0 on and below gp_count: its number. */
unsigned caps_gp_index(const struct pmu_caps *caps, unsigned n);
/* The bits that a counter of `width` bits holds; 0 for width 0. */
u64 counter_mask(unsigned width);
/* The enumerated GP counters, and all enumerated counters, as bits of IA32_PERF_GLOBAL_CTRL. */
u64 caps_gp_bits(const struct pmu_caps *caps);
u64 caps_counter_bits(const struct pmu_caps *caps);
