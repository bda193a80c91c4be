/*
 * Generations of Intel CPUs, by family, model and kind of core: what the write gate, the register table and the errata
 * key on where CPUID does not say. Pure.
 */
#pragma once

#include "pmu/cpu/caps.h"

enum cpu_class {
    CLASS_UNKNOWN, /* any CPU that no row names: only what CPUID enumerates is touched */
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
    CLASS_COUGAR_COVE, /* architectural PEBS, as Darkmont and those after either */
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

/* CLASS_UNKNOWN unless the vendor is GenuineIntel. A hybrid CPU's class is that of the core that the caps are of. */
enum cpu_class cpu_class(const struct pmu_caps *caps);
/* Its name in the log, lower-case and permanent: "golden-cove". */
const char *class_name(enum cpu_class class);
/*
 * True if dumps of the class have leaf 23H, and so show which counters it names there, or, where nobody has published
 * one, drivers use what it names. Of any other class nobody knows whether what the leaf would name can be used.
 */
bool class_has_leaf23(enum cpu_class class);
/* True if the class has MSR_SMI_COUNT. SDM 4, "MSRs in the Intel Microarchitecture Code Name Nehalem" and later. */
bool class_has_smi_count(enum cpu_class class);
/*
 * How many MSR_OFFCORE_RSP_n the class has: the second one came with Westmere. SDM 3B, "Off-core Response". No bit of
 * CPUID tells of them, so nobody knows whether a hypervisor hands them on: under one there are none.
 */
unsigned offcore_rsps(const struct pmu_caps *caps);
/*
 * Fields of MSR_PERF_METRICS that tell something, 4, or with a second level of parts 8; 0: a class
 * that is not known to have it, enumerated or not. Drivers know.
 */
unsigned class_metrics_fields(enum cpu_class class);
/* True if the class has MSR_LBR_SELECT. SDM 3B, "LBR Stack" of each microarchitecture; architectural LBRs have none. */
bool has_lbr_select(const struct pmu_caps *caps);
/*
 * Branch records from MSR_LBR_FROM(0) on; 0: a class that has fewer, elsewhere, or architectural ones. Can
 * MSR_LBR_SELECT make a stack of open calls of them? SDM 3B, "LBR Stack" of each microarchitecture.
 */
unsigned class_lbr_depth(enum cpu_class class);
bool class_lbr_call_stack(enum cpu_class class);
/*
 * True where a sequence of writes has to go before event selects are programmed (AAJ91, AAK100, AAP53, AAT43, BD53):
 * Nehalem and Westmere, all of which drivers treat so. Not under a hypervisor, whose own driver sees to it.
 */
bool needs_select_sequence(const struct pmu_caps *caps);
/*
 * What an event select holds to count retired conditional branches; 0: no list of events tells of this class.
 * BR_INST_RETIRED.CONDITIONAL, .COND or .JCC in Intel's lists of events by kind of core.
 */
u64 class_conditional_branches(enum cpu_class class);
/* False where RDMSR of IA32_PERFEVTSELn may return an older value: Ivy Bridge with eight counters (BV80, BV86). */
bool class_evtsel_reads_back(const struct pmu_caps *caps, unsigned n);
/*
 * Counters with the precise distribution record at an exact instruction: PDIR++ and PDist. The older PDIR, and
 * Tremont's reduced skid, are only told to be less biased. Of the classes that have such counters at all.
 */
bool class_pdist_exact(enum cpu_class class);
/* May a PMI that is on its way take a vector that LVTPC is given with its mask? Not known of these. */
bool class_takes_masked_vector(enum cpu_class class);
/* A status bit may stay for good whose counter overflows as it is stopped: one keeps its distance. */
bool class_status_sticks(enum cpu_class class);
/*
 * May a second thread share the core, run by whomever? CPUID's count of threads is the one that the core was shipped
 * with, hyper-threading or not; but from Sandy Bridge to Skylake a core that has it on enumerates 4 GP counters a
 * thread.
 */
bool class_may_share_core(const struct pmu_caps *caps);
/* Is the class known, and one with an architectural PMU? */
bool class_architectural(enum cpu_class class);
/* Has a dump of the class shown which bits its control registers refuse; and which writes of IA32_A_PMCn above the
 * width? */
bool class_reserved_dumped(enum cpu_class class);
bool class_above_width_dumped(enum cpu_class class);
/* A PMI that freezes has disabled at least the counter that overflowed. Of Core 2 no source tells that it does. */
bool class_freeze_disables(enum cpu_class class);
/* Branch records freeze by IA32_PERF_GLOBAL_STATUS.LBR_FRZ: the manual's table of Goldmont has the older way, and of
 * Goldmont Plus none is known. */
bool class_lbr_frz(enum cpu_class class);
