/*
 * What can happen in one instruction, and which event selects name it. events.c says by which rule each is counted. The
 * names are those of Intel's event files, where a profile's rows (`event`) have them from.
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
    EVENT_REF_CLOCK, /* event 013CH, which may tick slower */
    EVENT_LLC_REFERENCE,
    EVENT_LLC_MISS,
    EVENT_SLOTS,
    EVENT_RETIRING,        /* slots by what became of them: */
    EVENT_BAD_SPECULATION, /* the four add up to EVENT_SLOTS */
    EVENT_FRONTEND_BOUND,
    EVENT_BACKEND_BOUND,
    EVENT_CONDITIONAL, /* branches by kind: near ones, but for EVENT_TAKEN and the last */
    EVENT_CONDITIONAL_TAKEN,
    EVENT_NOT_TAKEN,
    EVENT_NEAR_TAKEN,
    EVENT_TAKEN, /* and far ones */
    EVENT_NEAR_CALL,
    EVENT_DIRECT_CALL,
    EVENT_INDIRECT_CALL,
    EVENT_DIRECT_JUMP,
    EVENT_INDIRECT_JUMP,
    EVENT_INDIRECT, /* calls and jumps */
    EVENT_NEAR_RETURN,
    EVENT_INDIRECT_OR_RETURN,
    EVENT_FAR_BRANCH,
    EVENT_MISSED_KINDS, /* the same, mispredicted, in the same order */
    EVENT_MISSED_KINDS_END = EVENT_MISSED_KINDS + EVENT_FAR_BRANCH - EVENT_CONDITIONAL,
    EVENT_PREDICTED_TAKEN, /* and not mispredicted */
    EVENT_PREDICTED_NOT_TAKEN,
    EVENT_SLOTS_USED,  /* uops as issue slots hold them */
    EVENT_ASSISTS,     /* of microcode */
    EVENT_PAUSES,      /* PAUSE instructions */
    EVENT_INTERRUPTS,  /* received */
    EVENT_LBR_INSERTS, /* branch records */
    EVENT_UOPS,        /* each by itself; needs memory operands, as all that follow */
    EVENT_LOADS,       /* memory operands: */
    EVENT_STORES,
    EVENT_LOADS_AND_STORES,
    EVENT_LOAD_LATENCY,  /* loads that take at least MSR_PEBS_LD_LAT */
    EVENT_PRECISE_STORE, /* stores, counted to sample them */
    EVENT_L1_MISS,       /* loads that replay, on NetBurst */
    EVENT_L2_MISS,
    EVENT_TLB_LOAD_MISS,
    EVENT_TLB_STORE_MISS,
    EVENT_TLB_MISS, /* either */
    EVENT_TAGGED_0, /* tagged as executed, by the first ESCR that can, the second, either; on NetBurst */
    EVENT_TAGGED_1,
    EVENT_TAGGED_ANY,
    EVENT_COUNT,
};

/* Kinds of branches that are counted. And one of them, mispredicted. */
#define EVENT_KINDS (EVENT_FAR_BRANCH - EVENT_CONDITIONAL + 1)
#define EVENT_MISSED(kind) (EVENT_MISSED_KINDS + (kind)-EVENT_CONDITIONAL)

/* An event of one generation: bits 15:0 of an event select and, in bits 23:16 here, the second unit mask. */
struct profile_event {
    uint32_t encoding; /* 0: none, and none follows */
    uint16_t counters; /* GP counters that count it; on the others it never happens */
    uint8_t event;     /* enum event */
};

static inline uint32_t event_encoding(uint64_t evtsel)
{
    return (uint32_t)(evtsel & 0xffff) | (uint32_t)(evtsel >> 40 & 0xff) << 16;
}
