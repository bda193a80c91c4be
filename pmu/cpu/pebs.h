/* SPDX-License-Identifier: BSD-2-Clause */
/* What this CPU's PEBS, architectural PEBS and branch records can do, from its class, CPUID and capabilities. */
#pragma once

#include "pmu/cpu/caps.h"

/*
 * What a CPU has of debug store and event-based sampling, and which counters and events can sample: by class, known
 * errata included. Pure. SDM 3B, "Debug Store (DS) Mechanism", "Processor Event Based Sampling (PEBS)".
 */

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
/* Counters that sample by debug store or by architectural PEBS, with the same bits. */
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

/* ---- The formats of PEBS records, by number. */

/* IA32_PERF_CAPABILITIES[11:8]; 0 on NetBurst and Core. PEBS_FORMAT_32: NetBurst without 64-bit debug store. */
#define PEBS_FORMAT_32 0xff
#define PEBS_FORMAT_ADAPTIVE 4 /* from this one on records state what they hold */
#define PEBS_FORMAT_VALUES 6   /* from this one on records may hold values of other counters */
#define PEBS_FORMAT_LAST 6
#define PEBS_FORMAT_ARCHITECTURAL 15 /* no debug store, no IA32_PEBS_ENABLE */

/*
 * Architectural PEBS: which parts of it a CPU has. All is enumerated, counter by counter and group by group; model
 * numbers do not matter. Records go to a physical buffer, IA32_PEBS_BASE; each counter's CFG_C turns sampling on and
 * selects the contents of its records; IA32_PEBS_ENABLE and the debug store are not involved. SDM 2A, "CPUID", leaf
 * 23H; SDM 3B, "Architectural PEBS". Pure.
 */

/*
 * NULL if this CPU has architectural PEBS that can be used; else why not, in `text`, with the value read.
 * IA32_MISC_ENABLE[12] does not matter: it is about the debug store's PEBS, and set where there is architectural PEBS.
 */
#define APEBS_TEXT 96
const char *apebs_unavailable(const struct pmu_caps *caps, char text[APEBS_TEXT]);
/* Like apebs_unavailable() without the reason. If true, the registers exist and may be written. */
bool apebs_usable(const struct pmu_caps *caps);
/* Counters that sample, as bits of IA32_PERF_GLOBAL_CTRL; and those with the precise distribution. 0: none. */
u64 apebs_counter_bits(const struct pmu_caps *caps);
u64 apebs_precise_bits(const struct pmu_caps *caps);
/* A sampling counter's bits of CFG_C above the reload value: its groups, and the bit that turns sampling on. */
u64 apebs_config_bits(const struct pmu_caps *caps);

/* Bytes of a buffer with this size field; 0: larger than this image ever uses. */
#define APEBS_ORDER_MOST 2
u64 apebs_buffer_bytes(u64 order);
/* Does a value for IA32_PEBS_BASE describe a buffer that lies completely in the `room` bytes from `first` on? */
bool apebs_base_within(u64 base, u64 first, u64 room);
/* Are the offsets in a value of IA32_PEBS_INDEX within a buffer of so many bytes, or exactly at its end? */
bool apebs_index_within(u64 index, u64 bytes);
/* IA32_PEBS_INDEX to its write offset, and offsets to its value; in bytes below 128 MiB, multiples of 16. */
u64 apebs_written(u64 index);
u64 apebs_index(u64 written, u64 threshold);

/*
 * Last-branch records: those of a class, in its own format, and architectural ones. SDM 3B, "Last Branch, Call Stack,
 * Interrupt, and Exception Recording".
 */

#define LBR_DEPTH_MAX 32
#define LBR_FORMAT_TSX 4 /* flags in the upper bits of FROM, those of transactions in 62:61 */
#define LBR_FORMAT_INFO 5
#define LBR_FORMAT_CYCLES 6     /* cycles in bits 63:48 of TO */
#define LBR_FORMAT_INFO_PLAIN 7 /* like 5, without transactions: Goldmont Plus */
#define LBR_FORMAT_ARCHITECTURAL 0x3f

/* The branch records of a CPU. */
struct lbr_stack {
    u32 from, to, infos; /* MSRs of record 0 */
    bool architectural;  /* leaf 1CH: entry 0 is the newest, there is no top-of-stack register */
    u8 depth;            /* the greatest number of records */
    bool info;           /* each has an MSR_LBR_INFO */
    bool select;         /* branches can be filtered, by MSR_LBR_SELECT or IA32_LBR_CTL */
    bool call_stack;     /* MSR_LBR_SELECT[9] */
    bool writable;       /* saved records can be written back: unknown for the oldest CPUs */
};
/* A stepping whose branch records drivers leave alone: early ones of Bonnell do not freeze on a PMI. Pure. */
bool lbr_distrusted(const struct pmu_caps *caps);
/* Describes this CPU's branch records; false if it has none that are known. Pure. */
bool lbr_stack(const struct pmu_caps *caps, struct lbr_stack *stack);
/* The IA32_LBR_CTL that enables architectural records with the filters of the MSR_LBR_SELECT value `select`. Pure. */
u64 lbr_control(u64 select);
/* The bits of a record's MSR_LBR_INFO that keep a written value; not those that the manual calls undefined. Pure. */
u64 lbr_info_kept(const struct pmu_caps *caps);
/*
 * The filters to set together with `select`, itself included, so that all other branches are still recorded. On most
 * classes this is `select` alone; on some a bit of MSR_LBR_SELECT suppresses more than its own kind of branch. Pure.
 */
u64 lbr_filter_whole(const struct pmu_caps *caps, u64 select);
