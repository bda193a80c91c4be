/*
 * What of debug store and event-based sampling a CPU has, and which counters and events can sample: by class, known
 * errata taken into account. Pure. SDM 3B, "Debug Store (DS) Mechanism", "Processor Event Based Sampling (PEBS)".
 */
#pragma once

#include "pmu/cpu/caps.h"

/* IA32_DS_AREA and IA32_PEBS_ENABLE exist, may be written, and are not broken by the CPU's microcode. */
bool ds_usable(const struct pmu_caps *caps);
/* Why PEBS cannot be used. */
enum pebs_lack {
    PEBS_USABLE,       /* it can */
    PEBS_SWITCHED_OFF, /* IA32_MISC_ENABLE[12]: by firmware, or by a hypervisor that keeps it to itself */
    PEBS_BROKEN,       /* an erratum of this microcode, which newer microcode does not have */
    PEBS_LACKING,      /* the CPU does not have it, or not what is asked for, or nothing is known of it */
};
/*
 * Whether PEBS can be used, with at least record format `format`; if not, text says why, with the value read. The first
 * row of "Requirements to Program PEBS".
 */
#define PEBS_TEXT 96
enum pebs_lack pebs_unavailable(const struct pmu_caps *caps, unsigned format, char *text);
/* As pebs_unavailable(), for NetBurst, which has neither leaf 0AH nor IA32_PERF_CAPABILITIES. */
enum pebs_lack netburst_pebs_unavailable(const struct pmu_caps *caps, char *text);
/* As netburst_pebs_unavailable() without the reason, which takes a thousand instructions to write. */
bool netburst_pebs_usable(const struct pmu_caps *caps);

/* The bits of IA32_PEBS_ENABLE that let a counter sample: PMCn at bit n, fixed counter i at bit 32 + i. */
u64 pebs_counter_bits(const struct pmu_caps *caps);
/* Counters that sample by debug store or by architectural PEBS (apebs.h), likewise. */
u64 sampling_counter_bits(const struct pmu_caps *caps);
/* Of these, the counters with the precise distribution (PDIR, PDIST): records come at constant distances. */
u64 pebs_precise_bits(const struct pmu_caps *caps);
/* IA32_PERF_CAPABILITIES[11:8]. */
unsigned pebs_format(const struct pmu_caps *caps);
/* Records with groups of MSR_PEBS_DATA_CFG, and the ADAPTIVE bits of counters that ask for them. */
bool pebs_adaptive(const struct pmu_caps *caps);
/* The IP of a record is of an instruction itself, not of the next one: adaptive and architectural records. */
bool pebs_names_instruction(const struct pmu_caps *caps);
/* The bit of IA32_PERF_GLOBAL_STATUS that the threshold of either kind of buffer sets. */
u64 sampling_status_bit(const struct pmu_caps *caps);
/* Pages that the buffer may have: a larger one than one page hangs the write of IA32_PERF_GLOBAL_CTRL on Core 2. */
unsigned pebs_pages_most(const struct pmu_caps *caps);
/* IA32_PEBS_ENABLE may be cleared while its counters count: neither precise distribution nor reduced skid is upset. */
bool pebs_clears_while_counting(const struct pmu_caps *caps);
/*
 * The records of sampled loads are known to hold the address: Haswell and later of the big cores, Goldmont. Of Darkmont
 * Intel's list of events says so of loads by latency alone, and for Panther Cove there is no list.
 */
bool pebs_load_address(const struct pmu_caps *caps);
/*
 * A record is written as long as the index is not above the absolute maximum: one may begin right at it. Goldmont and
 * later; before, none does. SDM 3B, "Processor Event Based Sampling (PEBS)" of Goldmont, on the bounds of the buffer.
 */
bool pebs_maximum_included(const struct pmu_caps *caps);
/*
 * The manual promises that a record out of bounds sets bit 62 of IA32_PERF_GLOBAL_STATUS and leaves its counters as
 * they are: Goldmont and Goldmont Plus. Of later CPUs it is not told.
 */
bool pebs_tells_skips(const struct pmu_caps *caps);
/* The bits of IA32_PEBS_ENABLE that let a counter sample loads by latency; 0 since the baseline, which has none. */
u64 pebs_latency_bits(const struct pmu_caps *caps);
/* The bit of IA32_PEBS_ENABLE that lets a counter sample precise stores; 0 but for Sandy Bridge and Ivy Bridge. */
u64 pebs_store_bits(const struct pmu_caps *caps);
/* MSR_PEBS_LD_LAT_THRESHOLD exists. */
bool pebs_latency_exists(const struct pmu_caps *caps);

/* The last two ask for more than a counter that is set up. */
enum pebs_kind { PEBS_INSTRUCTIONS, PEBS_BRANCHES, PEBS_LOADS, PEBS_LATENCY, PEBS_STORES };

/* What sampling an event asks of everything else, or does not promise. */
enum pebs_care {
    PEBS_ANY_TIME,   /* nothing: whatever counts beside it */
    PEBS_CORE_QUIET, /* no other counter of the core may count meanwhile, nor one of the other thread's */
    PEBS_MAY_MISS,   /* with hyper-threading, occurrences are dropped now and then, or counted by the other thread */
    PEBS_UNLISTED,   /* drivers sample it, the manual does not list it: no record need come */
    PEBS_IN_COMPANY, /* drivers count a second event beside it, and no document tells what comes without */
};

/* An event that a CPU can sample, and by which counters (bits as in IA32_PEBS_ENABLE). */
struct pebs_event {
    const char *name;
    enum pebs_kind kind;
    u16 event; /* umask:event; 0: a fixed counter's own */
    u64 counters;
    enum pebs_care care;
};
/* Event `index` of those that this CPU can sample, into *event; false after the last. */
bool pebs_event(const struct pmu_caps *caps, unsigned index, struct pebs_event *event);
/* The first event of a kind and the lowest counter for it; false if there is none. */
bool pebs_event_of(const struct pmu_caps *caps, enum pebs_kind kind, struct pebs_event *event);
/*
 * The event to sample where it does not matter which: instructions, or branches if instructions are not listed or need
 * a quiet core. PEBS_ANY_TIME; false if there is none.
 */
bool pebs_basic_event(const struct pmu_caps *caps, struct pebs_event *event);
