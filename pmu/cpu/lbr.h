/*
 * Last-branch records: those of a class with its own format, and architectural ones. SDM 3B, "Last Branch, Call Stack,
 * Interrupt, and Exception Recording".
 */
#pragma once

#include "pmu/cpu/caps.h"

#define LBR_DEPTH_MAX 32
#define LBR_FORMAT_TSX 4 /* flags in the upper bits of FROM, those of transactions in 62:61 */
#define LBR_FORMAT_INFO 5
#define LBR_FORMAT_CYCLES 6     /* they are in bits 63:48 of TO */
#define LBR_FORMAT_INFO_PLAIN 7 /* as 5, without transactions: Goldmont Plus */
#define LBR_FORMAT_ARCHITECTURAL 0x3f

/* The records of a CPU. */
struct lbr_stack {
    u32 from, to, infos; /* registers of their first record */
    bool architectural;  /* leaf 1CH: entry 0 is the newest, and there is no top */
    u8 depth;            /* how many at most */
    bool info;           /* each has an MSR_LBR_INFO */
    bool select;         /* branches are filtered, by MSR_LBR_SELECT or IA32_LBR_CTL */
    bool call_stack;     /* MSR_LBR_SELECT[9] */
    bool writable;       /* saved ones can be put back: not known of the oldest */
};
/* Has this CPU such records? Pure. */
bool lbr_stack(const struct pmu_caps *caps, struct lbr_stack *stack);
/* What architectural records are enabled with, for what MSR_LBR_SELECT would suppress by `select`. Pure. */
u64 lbr_control(u64 select);
/* The bits of a record's flags that are as they were written: not those that the manual calls undefined. Pure. */
u64 lbr_info_kept(const struct pmu_caps *caps);
/*
 * What has to be suppressed together with `select` so that what is let through is recorded, `select` among it: that
 * alone but on classes on which a bit of MSR_LBR_SELECT suppresses more than its own kind of branch. Pure.
 */
u64 lbr_filter_whole(const struct pmu_caps *caps, u64 select);

struct branch_record {
    u64 from, to, info; /* as they read; info 0 where there is none */
};
/* Record `age`, 0 the newest. Only where lbr_stack(). */
struct branch_record lbr_record(const struct lbr_stack *stack, u32 age);
/* Puts it to these values, without info where there is none. */
void lbr_put(const struct lbr_stack *stack, u32 age, const struct branch_record *record);
