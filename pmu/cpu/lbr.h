/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Last-branch records: those of a class, in its own format, and architectural ones. SDM 3B, "Last Branch, Call Stack,
 * Interrupt, and Exception Recording".
 */
#pragma once

#include "pmu/cpu/caps.h"

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
