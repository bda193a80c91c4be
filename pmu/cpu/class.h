/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Generations of Intel CPUs, by family, model and kind of core: write gate, register table and errata depend on them
 * where CPUID does not say enough. Pure.
 */
#pragma once

#include "pmu/cpu/caps.h"

enum cpu_class {
    CLASS_UNKNOWN, /* any CPU without a row: only what CPUID enumerates is touched */
    CLASS_NETBURST,
    CLASS_CORE2,
    CLASS_NEHALEM, /* Nehalem and Westmere */
    CLASS_SANDY_BRIDGE,
    CLASS_HASWELL,
    CLASS_BROADWELL,
    CLASS_SKYLAKE, /* to Comet Lake and Cannon Lake */
    CLASS_ICE_LAKE,
    CLASS_GOLDEN_COVE,
    CLASS_REDWOOD_COVE,
    CLASS_LION_COVE,
    CLASS_COUGAR_COVE, /* architectural PEBS, like Darkmont and all later ones */
    CLASS_PANTHER_COVE,
    CLASS_COYOTE_COVE,
    CLASS_BONNELL,
    CLASS_SILVERMONT,
    CLASS_GOLDMONT,
    CLASS_GOLDMONT_PLUS,
    CLASS_TREMONT,
    CLASS_GRACEMONT,
    CLASS_CRESTMONT,
    CLASS_SKYMONT,
    CLASS_DARKMONT,
    CLASS_ARCTIC_WOLF,
    CLASS_KNIGHTS, /* Xeon Phi 7200 */
    CLASSES,
};

/* CLASS_UNKNOWN unless the vendor is GenuineIntel. On a hybrid CPU it is the class of the core that caps was read
 * on. */
enum cpu_class cpu_class(const struct pmu_caps *caps);
/* The class's name in the log, lower-case and permanent: "golden-cove". */
const char *class_name(enum cpu_class class);
/*
 * True if the class is known to have the counters that its leaf 23H enumerates: from dumps, or, if none is published,
 * because drivers use them. For other classes it is unknown whether such counters can be used.
 */
bool class_has_leaf23(enum cpu_class class);
/* Has the class MSR_SMI_COUNT? SDM 4, "MSRs in the Intel Microarchitecture Code Name Nehalem" and later. */
bool class_has_smi_count(enum cpu_class class);
/*
 * How many MSR_OFFCORE_RSP_n the class has: the second one came with Westmere. SDM 3B, "Off-core Response". CPUID does
 * not enumerate them, so it is unknown whether a hypervisor offers them: under one the number is 0.
 */
unsigned offcore_rsps(const struct pmu_caps *caps);
/*
 * Fields of MSR_PERF_METRICS with a meaning: 4, or 8 with a second level; 0: the class is not known to have the
 * register, enumerated or not. The source is drivers.
 */
unsigned class_metrics_fields(enum cpu_class class);
/* Do drivers give the first level of top-down by plain events, without MSR_PERF_METRICS? */
bool class_topdown_events(enum cpu_class class);
/* Has the class MSR_LBR_SELECT? SDM 3B, "LBR Stack" of each microarchitecture; architectural LBRs do not use it. */
bool has_lbr_select(const struct pmu_caps *caps);
/*
 * The number of branch records from MSR_LBR_FROM(0) on; 0: the class has none there that are known, or architectural
 * ones. And: can MSR_LBR_SELECT make them a stack of open calls? SDM 3B, "LBR Stack" of each microarchitecture.
 */
unsigned class_lbr_depth(enum cpu_class class);
bool class_lbr_call_stack(enum cpu_class class);
/*
 * True if a sequence of writes must precede the programming of event selects (AAJ91, AAK100, AAP53, AAT43, BD53): on
 * Nehalem and Westmere, where drivers always do it. Not under a hypervisor, whose own driver does it.
 */
bool needs_select_sequence(const struct pmu_caps *caps);
/*
 * The event select that counts retired conditional branches; 0: no event list covers this class.
 * BR_INST_RETIRED.CONDITIONAL, .COND or .JCC in Intel's event lists by kind of core.
 */
u64 class_conditional_branches(enum cpu_class class);
/* False if RDMSR of IA32_PERFEVTSELn may return an older value: Ivy Bridge with eight counters (BV80, BV86). */
bool class_evtsel_reads_back(const struct pmu_caps *caps, unsigned n);
/* May a pending PMI use the vector that is written to LVTPC together with the mask bit? */
bool class_takes_masked_vector(enum cpu_class class);
/* May the status bit of a counter that overflows as it is stopped stay set for good? Tests then avoid it. */
bool class_status_sticks(enum cpu_class class);
/*
 * May a second thread share the core, with any software on it? CPUID states the number of threads that the core was
 * made with, whether hyper-threading is on or not; but from Sandy Bridge to Skylake a core with hyper-threading on
 * enumerates 4 GP counters per thread.
 */
bool class_may_share_core(const struct pmu_caps *caps);
/* Is the class known, and does it have an architectural PMU? */
bool class_architectural(enum cpu_class class);
/* Has a dump of the class shown which bits its control registers refuse? And which writes above the width IA32_A_PMCn
 * refuses? */
bool class_reserved_dumped(enum cpu_class class);
bool class_above_width_dumped(enum cpu_class class);
/* Does a PMI that freezes disable at least the counter that overflowed? For Core 2 no source says so. */
bool class_freeze_disables(enum cpu_class class);
/* Do branch records freeze by IA32_PERF_GLOBAL_STATUS.LBR_FRZ? The manual's table for Goldmont has the older mechanism;
 * for Goldmont Plus nothing is known. */
bool class_lbr_frz(enum cpu_class class);

/*
 * Classes on whose silicon it has been seen what happens to a write that the manual leaves open or forbids. Never under
 * a hypervisor: it may show any signature, and no dump says what it does with such a write or passes on to the silicon.
 * To a virtual PMU only what CPUID and IA32_PERF_CAPABILITIES enumerate is written. Pure.
 */

/* Every bit of every architectural PMU register has been tried, by dumps that show the outcome. */
bool walk_tested(const struct pmu_caps *caps);
/* A write to the read-only registers has been seen to fault. */
bool read_only_tested(const struct pmu_caps *caps);
/*
 * A known class of version 4 or later: the bits of its PMU registers are known, so that a write to them that the manual
 * leaves open either faults or changes no more than is known. No dump need show which.
 */
bool known_since_version_4(const struct pmu_caps *caps);
/* May a bit above a counter's width be tried: because it has been seen to fault, or can only be ignored? */
bool width_tried(const struct pmu_caps *caps);
/* May any value be written to IA32_PERF_CAPABILITIES: where the fault has been seen, or a program answers instead of a
 * CPU? */
bool capabilities_tried(const struct pmu_caps *caps);
