/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What one CPU states about its PMU: CPUID leaves 0AH and 23H, IA32_PERF_CAPABILITIES, IA32_MISC_ENABLE, and the
 * identity that errata and write rules depend on. Decoding is pure (a captured dump decodes the same way on the build
 * host); reading is separate.
 */
#pragma once

#include "boot/bits.h"
#include "boot/cpuid.h"

/* What is read from one CPU, before decoding. */
struct caps_dump {
    struct cpuid_regs leaf0, leaf1, leaf4, leaf6, leaf7, leaf0a, leaf0b, leaf1a, leaf1c, leaf14,
        leaf80000001;               /* 0 if absent */
    struct cpuid_regs leaf40000000; /* 0 without a hypervisor */
    /* sub-leaf 1 of leaves 7 and 14H; 0 to 2, 4 and 5 of leaf 23H */
    struct cpuid_regs leaf7_1, leaf14_1, leaf23, leaf23_1, leaf23_2, leaf23_4, leaf23_5;
    u64 perf_capabilities; /* 0 if PDCM is clear */
    u64 misc_enable;
    u32 microcode;
    u64 tsx_force_abort;           /* IA32_TSX_FORCE_ABORT; 0 if CPUID does not enumerate it, or RDMSR faulted */
    bool smi_count;                /* MSR 34H can be read */
    bool misc_enable_unread;       /* not read, or RDMSR faulted: the value is unknown, not 0 */
    bool perf_capabilities_unread; /* the same, although PDCM says that it exists */
    u64 silent;                    /* see struct pmu_caps */
    bool trace_answers;            /* CPUID enumerates processor trace, and IA32_RTIT_CTL can be read */
    bool tracing;                  /* TraceEn was set */
    bool metrics_answers;          /* MSR_PERF_METRICS can be read, on a class that has it */
    struct cpuid_regs leaf1f;      /* 0 if absent */
    u8 siblings;                   /* CPUs of firmware's list with this one's id above its thread bits; 0: no list */
};

#define CAPS_LEAF_HYPERVISOR 0x40000000u
/* Twelve characters and a NUL. */
#define HYPERVISOR_NAME 13
/* From this version on IA32_PERF_GLOBAL_STATUS says when counters and branch records are frozen. */
#define VERSION_STREAMLINED 4

/* What a guest learns otherwise than from CPUID and registers. */
struct guest_facts {
    bool counter_held; /* one counter stood still while all of them were on */
    bool strict;       /* judge=virtual,strict: what its hypervisor is known for excuses nothing */
    u32 host_kernel;   /* the version of the Linux that hosts it, HOST_KERNEL(6, 8) or later; 0: not told */
};
#define HOST_KERNEL(major, minor) ((u32)(major) << 16 | (minor))

struct pmu_caps {
    bool present;                          /* leaf 0AH exists and its version is not 0 */
    bool intel;                            /* vendor GenuineIntel: only such CPUs are judged */
    bool hypervisor;                       /* CPUID.1:ECX[31] */
    char hypervisor_name[HYPERVISOR_NAME]; /* as in CPUID.40000000H; "": no hypervisor, or one without a name */
    u32 signature;                         /* CPUID.1:EAX */
    u32 family, model, stepping;
    u32 microcode;
    u8 core_type;     /* CPUID.1AH:EAX[31:24]: 40H Core, 20H Atom, 0 not stated */
    u32 native_model; /* CPUID.1AH:EAX[23:0]: distinguishes kinds of one type (Arrow Lake-H has two kinds of Atom) */
    u32 max_leaf;     /* CPUID.0:EAX */
    u8 version;
    u8 gp_count, gp_width;       /* gp_count: number of bits in gp_bitmap */
    u8 fixed_count, fixed_width; /* fixed_count: counters from 0 on without a gap */
    u32 gp_bitmap, fixed_bitmap; /* all counters that are enumerated and can be accessed; there may be gaps */
    /* As bits of IA32_PERF_GLOBAL_CTRL: counters that each of the two leaves enumerates, and those that do not
     * answer. */
    u64 leaf0a_counters; /* counters of all kinds of core of the CPU; known understatements are corrected */
    u64 leaf23_counters; /* counters of this kind of core, as stated, used here or not; 0: no such leaf */
    u64 silent;          /* enumerated by leaf 23H only, and RDMSR of their registers faults: not used */
    u32 leaf23_features; /* CPUID.23H.0 EBX: fields of this kind of core's event selects; 0: no such leaf */
    /* CPUID.23H.2, as bits of IA32_PERF_GLOBAL_CTRL: counters that can be reloaded, and those whose overflow does
     * it. */
    u64 reloads, reload_causes;
    /*
     * Architectural PEBS: CPUID.23H.4 EBX, the groups of its records; CPUID.23H.5, the counters that sample and those
     * of them with the precise distribution, as bits of IA32_PERF_GLOBAL_CTRL. All 0 without sub-leaf 4 or 5.
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
    bool metrics; /* PERF_METRICS: enumerated, or found on a core of known class beside others without it (RPL18) */
    u64 misc_enable;
    bool misc_enable_unread;
    bool perfmon_available; /* IA32_MISC_ENABLE[7] */
    bool pebs_unavailable;  /* IA32_MISC_ENABLE[12] */
    bool smi_count;         /* MSR_SMI_COUNT can be read */
    bool leaf_understates;  /* a known understatement of leaf 0AH was corrected */
    bool cpuid_limited;     /* IA32_MISC_ENABLE[22] hides leaf 0AH: by firmware's choice, the PMU may exist */
    u8 lbr_depths;          /* architectural branch records: bit n for a depth of 8 * (n + 1); 0: none */
    bool lbr_levels;        /* IA32_LBR_CTL selects privilege levels */
    bool lbr_filters;       /* IA32_LBR_CTL selects kinds of branches */
    bool lbr_call_stack;    /* IA32_LBR_CTL has call-stack mode */
    bool lbr_types;         /* records state the kind of branch */
    u8 lbr_logged;          /* bit n: records state how often the event of GP counter n occurred */
    bool ds;                /* debug store: CPUID.1:EDX[21] */
    bool rtm, sgx, pt;      /* CPUID.7.0:EBX[11], [2], [25] */
    u32 trace_features, trace_outputs;       /* CPUID.14H:EBX, ECX; 0: no trace, or IA32_RTIT_CTL cannot be read */
    u32 trace_ranges;                        /* number of address ranges, CPUID.14H.1:EAX[2:0] */
    u16 trace_periods;                       /* values that MTCFreq may have, as bits: CPUID.14H.1:EAX[31:16] */
    u16 trace_thresholds;                    /* those of CYCThresh, CPUID.14H.1:EBX[15:0] */
    u16 trace_boundaries;                    /* and of PSBFreq, CPUID.14H.1:EBX[31:16] */
    bool tracing;                            /* other software traces: the trace's registers are not touched */
    bool tsx_takes_pmc3;                     /* CPUID.7.0:EDX[13] without [11], and IA32_TSX_FORCE_ABORT[0] is 0 */
    struct guest_facts guest;                /* in a guest */
    bool therm_status, package_therm_status; /* the MSRs IA32_THERM_STATUS, IA32_PACKAGE_THERM_STATUS exist */
    u8 thread_bits;                          /* low bits of the APIC id that number a core's threads */
    /* As firmware lists them, or without its list as many as their bits can number; on CPUs before leaf 0BH by leaves 1
     * and 4. 0: not stated. */
    u8 threads_per_core;
    struct cpuid_regs leaf07, leaf0a;
};

/* Counters that can be accessed: above them the legacy addresses hold other registers (CEH is MSR_PLATFORM_INFO). */
#define GP_COUNTERS_MAX 10
#define FIXED_COUNTERS_MAX 7

/* leaf23_features: SDM 2A, "CPUID", leaf 23H, sub-leaf 0, EBX. */
#define LEAF23_UMASK2 BIT(0)
#define LEAF23_EQ BIT(1)
#define LEAF23_RDPMC_USER_DISABLE BIT(2)

/* Walks the numbers of the enumerated counters of a kind. */
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
/*
 * How one CPU is asked: by its own instructions, or by answers that were recorded. `msr` returns false if RDMSR faults;
 * `microcode` 0 if the CPU states no revision; `siblings` the CPUs of firmware's list that share the core with this
 * one, whose APIC ids differ in the lowest `thread_bits` bits, 0 without a list.
 */
struct caps_asker {
    void *context;
    caps_leaf *leaf;
    bool (*msr)(void *context, u32 msr, u64 *value);
    u32 (*microcode)(void *context);
    u8 (*siblings)(void *context, u8 thread_bits);
};
/* Pure: asks for leaves and for the registers that they imply, and decodes both. Only reads. */
void caps_read_by(const struct caps_asker *asker, struct caps_dump *dump, struct pmu_caps *caps);
/* Is CPUID from here on another CPU's than firmware lists, as on the reference PMU? Then it alone counts threads. */
void caps_unlisted(bool model);
/* Reads and decodes the calling CPU. */
void caps_read(struct caps_dump *dump, struct pmu_caps *caps);
/* The calling CPU's capabilities, as read at the start of the current run. All 0 before pmu_begin(). */
const struct pmu_caps *pmu_caps(void);
const struct pmu_caps *pmu_caps_of(u32 cpu);
/* For pmu_begin(): stores what was read as the calling CPU's capabilities; forgets those of all CPUs. */
void pmu_caps_keep(const struct pmu_caps *caps);
void pmu_caps_forget(void);
/* Notes this on each CPU until it is read anew. */
void pmu_caps_guest(const struct guest_facts *guest);
/* Is architectural event `index` (bit of leaf 0AH EBX) available? */
bool caps_event_available(const struct pmu_caps *caps, unsigned index);
/* Leaf 0AH enumerates a PMU, but says that no architectural event is available. */
bool caps_no_event(const struct pmu_caps *caps);
/* NULL if IA32_PERF_CAPABILITIES was read; else why its bits are not known, as a constant text. */
const char *caps_no_capabilities(const struct pmu_caps *caps);
/* IA32_DEBUGCTL exists, with the bits of the architectural PMU. */
bool caps_has_debugctl(const struct pmu_caps *caps);
/* Is it the same kind of core of the same CPU model: equal signature, core type and native model? */
bool caps_same_kind(const struct pmu_caps *a, const struct pmu_caps *b);
/* Fields of event selects that leaf 23H adds: the second unit mask, EQ, and the bit that hides a counter from RDPMC. */
u64 caps_evtsel_more(const struct pmu_caps *caps);
/* A trace can be written through a table of physical addresses, and no other software traces. */
bool caps_can_trace(const struct pmu_caps *caps);
/* Are leaf 23H's counters used? The leaf must exist, and this class must be known to have what it enumerates. */
bool caps_leaf23_used(const struct pmu_caps *caps);
/* The number of the n-th enumerated GP counter, n from 0 to gp_count - 1. */
unsigned caps_gp_index(const struct pmu_caps *caps, unsigned n);
/* The bits that a counter of `width` bits holds; 0 for width 0. */
u64 counter_mask(unsigned width);
/* The enumerated GP counters, and all enumerated counters, as bits of IA32_PERF_GLOBAL_CTRL. */
u64 caps_gp_bits(const struct pmu_caps *caps);
u64 caps_counter_bits(const struct pmu_caps *caps);
