/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What a CPU has of debug store and event-based sampling, and which counters and events can sample: by class, known
 * errata included. Pure. SDM 3B, "Debug Store (DS) Mechanism", "Processor Event Based Sampling (PEBS)".
 */
#pragma once

#include "pmu/cpu/caps.h"

/* IA32_DS_AREA and IA32_PEBS_ENABLE exist, may be written, and work with the CPU's microcode. */
bool ds_usable(const struct pmu_caps *caps);
/* Why PEBS cannot be used. */
enum pebs_lack {
    PEBS_USABLE,       /* it can be used */
    PEBS_SWITCHED_OFF, /* IA32_MISC_ENABLE[12] is set: by firmware, or by a hypervisor that does not offer PEBS */
    PEBS_BROKEN,       /* an erratum of this microcode, which newer microcode fixes */
    PEBS_LACKING,      /* the CPU lacks it, or the wanted format, or is not known well enough */
};
/*
 * Can PEBS be used, with at least record format `format`? If not, `text` says why, with the value read. The first row
 * of "Requirements to Program PEBS".
 */
#define PEBS_TEXT 96
enum pebs_lack pebs_unavailable(const struct pmu_caps *caps, unsigned format, char *text);
/* Like pebs_unavailable(), for NetBurst, which has neither leaf 0AH nor IA32_PERF_CAPABILITIES. */
enum pebs_lack netburst_pebs_unavailable(const struct pmu_caps *caps, char *text);
/* Like netburst_pebs_unavailable(), as a bool and without the reason, which takes a thousand instructions to write. */
bool netburst_pebs_usable(const struct pmu_caps *caps);

/* The bits of IA32_PEBS_ENABLE that let a counter sample: bit n for PMCn, bit 32 + i for fixed counter i. */
u64 pebs_counter_bits(const struct pmu_caps *caps);
/* Counters that sample by debug store or by architectural PEBS (apebs.h), with the same bits. */
u64 sampling_counter_bits(const struct pmu_caps *caps);
/* Of these, the counters with the precise distribution (PDIR, PDIST); and those of them that record at an exact
 * instruction (PDIR++, PDist), so that records come at constant distances. */
u64 pebs_precise_bits(const struct pmu_caps *caps);
u64 pebs_even_bits(const struct pmu_caps *caps);
/* IA32_PERF_CAPABILITIES[11:8]. */
unsigned pebs_format(const struct pmu_caps *caps);
/* Records have groups selected by MSR_PEBS_DATA_CFG, and counters have ADAPTIVE bits that ask for them. */
bool pebs_adaptive(const struct pmu_caps *caps);
/* The IP in a record is that of the instruction itself, not of the next one: adaptive and architectural records. */
bool pebs_names_instruction(const struct pmu_caps *caps);
/* The bit of IA32_PERF_GLOBAL_STATUS that is set when either kind of buffer reaches its threshold. */
u64 sampling_status_bit(const struct pmu_caps *caps);
/* Pages that the buffer may have: on Core 2 a buffer of more than one page hangs the write of IA32_PERF_GLOBAL_CTRL. */
unsigned pebs_pages_most(const struct pmu_caps *caps);
/* IA32_PEBS_ENABLE may be cleared while its counters count: there is no precise distribution or reduced skid to
 * upset. */
bool pebs_clears_while_counting(const struct pmu_caps *caps);
/*
 * The records of sampled loads are known to hold the address: big cores from Haswell on, Goldmont. For Darkmont Intel's
 * event list says so only of loads by latency, and for Panther Cove there is no list.
 */
bool pebs_load_address(const struct pmu_caps *caps);
/*
 * A record is written while the index is not above the absolute maximum, so one may begin right at it. Goldmont and
 * later; on earlier CPUs none does. SDM 3B, "Processor Event Based Sampling (PEBS)" of Goldmont, on the bounds of the
 * buffer.
 */
bool pebs_maximum_included(const struct pmu_caps *caps);
/*
 * The manual promises that a record out of bounds sets bit 62 of IA32_PERF_GLOBAL_STATUS and leaves its counters
 * unchanged: Goldmont and Goldmont Plus. It does not say so for later CPUs.
 */
bool pebs_tells_skips(const struct pmu_caps *caps);
/* The bits of IA32_PEBS_ENABLE that let a counter sample loads by latency; 0 with the PEBS baseline: it has none. */
u64 pebs_latency_bits(const struct pmu_caps *caps);
/* The bit of IA32_PEBS_ENABLE that lets a counter sample precise stores; 0 except on Sandy Bridge and Ivy Bridge. */
u64 pebs_store_bits(const struct pmu_caps *caps);
/* MSR_PEBS_LD_LAT_THRESHOLD exists. */
bool pebs_latency_exists(const struct pmu_caps *caps);

/* The last two need more than a counter that is set up. */
enum pebs_kind { PEBS_INSTRUCTIONS, PEBS_BRANCHES, PEBS_LOADS, PEBS_LATENCY, PEBS_STORES };

/* What else the sampling of an event needs, or what it does not promise. */
enum pebs_care {
    PEBS_ANY_TIME,   /* it needs nothing else, whatever counts at the same time */
    PEBS_CORE_QUIET, /* no other counter of the core, nor of the other thread, may count meanwhile */
    PEBS_MAY_MISS,   /* with hyper-threading some occurrences are lost, or counted by the other thread */
    PEBS_UNLISTED,   /* drivers sample it, but the manual does not list it: there may be no record */
    PEBS_IN_COMPANY, /* drivers count a second event with it, and no document says what comes without that */
};

/* An event that a CPU can sample, and the counters for it (bits as in IA32_PEBS_ENABLE). */
struct pebs_event {
    const char *name;
    enum pebs_kind kind;
    u16 event; /* umask:event; 0: a fixed counter's own event */
    u64 counters;
    enum pebs_care care;
};
/* Stores event `index` of those that this CPU can sample in *event; false after the last. */
bool pebs_event(const struct pmu_caps *caps, unsigned index, struct pebs_event *event);
/* The first event of a kind, with its counters; false if there is none. */
bool pebs_event_of(const struct pmu_caps *caps, enum pebs_kind kind, struct pebs_event *event);
/*
 * An event for tests that work with any: instructions, or branches if instructions are not listed or need a quiet core.
 * Its care is PEBS_ANY_TIME; false if there is none.
 */
bool pebs_basic_event(const struct pmu_caps *caps, struct pebs_event *event);
