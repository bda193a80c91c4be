/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What can happen in one instruction, and the event selects that count it. events.c has the rule for each. Names are
 * those of Intel's event files, from which the profiles' rows (`event`) are taken.
 */
#pragma once

#include <stdint.h>

/* Index of a count. EVENT_NONE never happens. */
enum event {
    EVENT_NONE,
    EVENT_INSTRUCTIONS,
    EVENT_BRANCHES,
    EVENT_BRANCH_MISSES,
    EVENT_CORE_CYCLES,
    EVENT_REF_TSC,   /* fixed counter 2 */
    EVENT_REF_CLOCK, /* event 013CH, which may tick more slowly */
    EVENT_LLC_REFERENCE,
    EVENT_LLC_MISS,
    EVENT_SLOTS,
    EVENT_RETIRING,        /* slots, by what happened to them: */
    EVENT_BAD_SPECULATION, /* these four add up to EVENT_SLOTS */
    EVENT_FRONTEND_BOUND,
    EVENT_BACKEND_BOUND,
    EVENT_CONDITIONAL, /* branches by kind: near ones, except EVENT_TAKEN and the last */
    EVENT_CONDITIONAL_TAKEN,
    EVENT_NOT_TAKEN,
    EVENT_NEAR_TAKEN,
    EVENT_TAKEN, /* near and far ones */
    EVENT_NEAR_CALL,
    EVENT_DIRECT_CALL,
    EVENT_INDIRECT_CALL,
    EVENT_DIRECT_JUMP,
    EVENT_INDIRECT_JUMP,
    EVENT_INDIRECT, /* calls and jumps */
    EVENT_NEAR_RETURN,
    EVENT_INDIRECT_OR_RETURN,
    EVENT_FAR_BRANCH,
    EVENT_MISSED_KINDS, /* the same kinds in the same order, mispredicted */
    EVENT_MISSED_KINDS_END = EVENT_MISSED_KINDS + EVENT_FAR_BRANCH - EVENT_CONDITIONAL,
    EVENT_PREDICTED_TAKEN, /* correctly predicted */
    EVENT_PREDICTED_NOT_TAKEN,
    EVENT_SLOTS_USED,  /* uops that take issue slots */
    EVENT_ASSISTS,     /* of microcode */
    EVENT_PAUSES,      /* PAUSE instructions */
    EVENT_INTERRUPTS,  /* external, received */
    EVENT_LBR_INSERTS, /* branch records */
    EVENT_OFFCORE_0,   /* off-core responses that MSR_OFFCORE_RSP_0 selects */
    EVENT_OFFCORE_1,
    EVENT_UOPS,  /* an event of its own; needs memory operands, as all that follow */
    EVENT_LOADS, /* memory operands: */
    EVENT_STORES,
    EVENT_LOADS_AND_STORES,
    EVENT_LOAD_LATENCY,  /* loads that take at least MSR_PEBS_LD_LAT */
    EVENT_PRECISE_STORE, /* stores, counted to sample them */
    EVENT_L1_MISS,       /* loads that are replayed, on NetBurst */
    EVENT_L2_MISS,
    EVENT_TLB_LOAD_MISS,
    EVENT_TLB_STORE_MISS,
    EVENT_TLB_MISS, /* either */
    EVENT_TAGGED_0, /* tagged as executed by the first ESCR for it, by the second, by either; on NetBurst */
    EVENT_TAGGED_1,
    EVENT_TAGGED_ANY,
    EVENT_COUNT,
};

/* Number of kinds of branches that are counted. And the event of one kind, mispredicted. */
#define EVENT_KINDS (EVENT_FAR_BRANCH - EVENT_CONDITIONAL + 1)
#define EVENT_MISSED(kind) (EVENT_MISSED_KINDS + (kind)-EVENT_CONDITIONAL)

/* An event of one generation: bits 15:0 of an event select and, in bits 23:16, the second unit mask. */
struct profile_event {
    uint32_t encoding; /* 0: the end of the table */
    uint16_t counters; /* GP counters that count it; on others it never happens */
    uint8_t event;     /* enum event */
};

static inline uint32_t event_encoding(uint64_t evtsel)
{
    return (uint32_t)(evtsel & 0xffff) | (uint32_t)(evtsel >> 40 & 0xff) << 16;
}
