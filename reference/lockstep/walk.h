/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * A walk: drawn from a seed, kept, shrunk and printed. Its frame, which first puts the PMU into a known state and in
 * the end reads everything, is not part of it. Pure.
 */
#pragma once

#include "pmu/cpu/caps.h"
#include "pmu/cpu/pebs.h"
#include "pmu/gate/gate.h"
#include "reference/lockstep/code.h"

#define VECTOR_PMI 0xe0 /* kernel/interrupt/interrupt.h */

#define WALK_BODY 72
#define WALK_HANDLER 10

struct walk_step {
    u32 op, number;
    u64 value;
};

struct walk {
    u32 body_count, handler_count;
    struct walk_step body[WALK_BODY], handler[WALK_HANDLER];
};

/* The last walks, the oldest of which is forgotten first. */
#define WALKS_KEPT 8
struct walks_kept {
    struct walk walk[WALKS_KEPT];
    u32 count;
};

static inline void walk_keep(struct walks_kept *kept, const struct walk *walk)
{
    kept->walk[kept->count++ % WALKS_KEPT] = *walk;
}

/* The walk that is so many walks before the last one, below WALKS_KEPT. If there were not so many, it has no steps. */
static inline const struct walk *walk_ago(const struct walks_kept *kept, u32 ago)
{
    return &kept->walk[(kept->count - 1 - ago) % WALKS_KEPT];
}

/* Where a CPU's memory for records and for traces is (code.h): addresses; 0: it has none. */
struct walk_places {
    u64 records, trace;
};

/* A counter that samples alone on hardware, at the end of a run. What the run leaves is compared as a set. */
struct run_sampling {
    bool there;
    u32 begins, starts, reads, ends; /* steps: the first one; that which starts the counter; the first of those that
                                        read the index, STATUS, the index again and the counter; behind the last */
    unsigned bit;                    /* of the counter, in IA32_PERF_GLOBAL_CTRL */
    unsigned format;                 /* of its records */
    u32 size, threshold;             /* bytes: of a record, 0 if that may vary; to the threshold, 0 if it is beyond */
    u32 whole;                       /* records up to the maximum, 0 if it is beyond; there, too? */
    bool one_more;
    bool strange;                     /* without a sequence of writes its event may be another one: BD53 */
    u32 turns, events, around;        /* of the loop; and at most so many more */
    u64 before, period, start, reset; /* events to the first overflow, and from a record to the next one; as values */
    u64 groups;                       /* that were asked for */
};

/* Some blocks that are traced on hardware, at the end of a run. */
struct run_tracing {
    bool there;
    u32 starts, stops, reads, ends; /* steps: those that turn the trace on and off; the first that reads; behind all */
    u64 levels;                     /* RTIT_CTL_OS and RTIT_CTL_USER, or one of them */
};

/* A walk with its frame, as it is run. */
#define RUN_BODY 400
#define RUN_HANDLER (2 * WALK_HANDLER + 2)
#define RUN_TRACE 2048
struct lockstep_run {
    u32 body_count, handler_count;
    struct lockstep_step body[RUN_BODY], handler[RUN_HANDLER];
    u64 trace[RUN_TRACE];
    u8 memory[512]; /* for OP_MEMORY */
    /* The memory for records, LOCKSTEP_AREA bytes, and for traces, LOCKSTEP_TRACE bytes, as it is after the run; NULL:
     * there is none. A trace may have been on: */
    const u8 *area, *traced;
    bool traces;
    u32 scenes; /* on hardware: the first step of scenes apart; 0: there are none */
    struct run_sampling sampling;
    struct run_tracing tracing;
};

/*
 * What a walk on a CPU may consist of: the registers that its capabilities enumerate, the bits that the write gate lets
 * through, and how careful it has to be. Pure.
 */

#define SPACE_REGISTERS 400

/* A register that walks may change: its value between walks is `rest`. */
struct space_register {
    u32 msr;
    u64 rest;
};

/* Reads a register. False: it faults. */
typedef bool (*register_reader)(void *context, u32 msr, u64 *value);

struct space {
    const struct pmu_caps *caps;
    struct gate_context gate;  /* the parts that do not change in a walk */
    bool careful;              /* silicon: no step whose exact moment matters while something is on its way */
    bool x2apic;               /* the local APIC's registers are MSRs */
    struct walk_places places; /* of this CPU's memory, for steps anywhere in a walk */
    struct walk_places areas;  /* the same on silicon, for scenes at its end */
    bool apebs;                /* the area is a buffer for architectural PEBS, not a debug store area */
    bool records;              /* the CPU has writable branch records */
    bool netburst;             /* NetBurst's PMU, of which the threads of a core make walks one after the other */
    unsigned thread;           /* on NetBurst: of its core */
    struct lbr_stack lbr;
    u32 settle;        /* turns of a loop after which a PMI on its way has arrived */
    u32 settle_record; /* the same for a record that a stopped counter owes */
    /* Registers that a walk may change, in the order in which they are restored; and those that it can read. */
    u32 changed_count, read_count;
    struct space_register changed[SPACE_REGISTERS];
    u32 read[SPACE_REGISTERS];
    /* Further registers of the table of registers, to write and read; the end of a walk reads some of them. */
    u32 further_count;
    u32 further[SPACE_REGISTERS];
    u32 refusing_count; /* read-only ones, to which a write faults */
    u32 refusing[4];
};

/* The memory that steps or scenes use. */
static inline const struct walk_places *space_memory(const struct space *space)
{
    return space->careful ? &space->areas : &space->places;
}

/*
 * `places`: memory for records and for traces. No manual says when anything is in it: silicon uses it in scenes apart.
 * `read`: reads the CPU's registers while nothing is on. False: walks do not know such a PMU.
 */
bool space_of(const struct pmu_caps *caps, bool careful, const struct walk_places *places, register_reader read,
              void *context, struct space *space);
/* Memory as it is before the first walk: LOCKSTEP_AREA and LOCKSTEP_TRACE bytes, each of which may be NULL. */
void walk_memory_rest(const struct walk_places *places, u8 *records, u8 *trace);
/* The value of a register between two walks. False: walks do not change it, or do not restore it. */
bool space_rest(const struct space *space, u32 msr, u64 *rest);
/* The flags of a branch record that are defined when it is recorded: those that keep a written value, and counts. */
u64 space_info_told(const struct space *space);
/* The counters, as GLOBAL_CTRL bits, whose records of this event and unit mask are of defined occurrences. */
u64 space_precise(const struct space *space, u16 event);
/* Draws a walk. The same seed and space give the same walk. */
void walk_draw(const struct space *space, u64 seed, struct walk *walk);
/* Changes a walk in one way: some of its steps are drawn again, are gone, or come twice; or it gets another handler. */
void walk_vary(const struct space *space, u64 seed, struct walk *walk);
/*
 * Makes a run of a walk. `read` reads a register of the model in its current state: registers that are not at rest are
 * restored first. Steps that the write gate would refuse at their place are left out. False: the run is too long.
 */
bool walk_compile(const struct space *space, const struct walk *walk, register_reader read, void *context,
                  struct lockstep_run *run);
/* Asks `may` of each WRMSR of this run, in order, until it returns false. True if all may be made. */
bool run_writes(const struct space *space, const struct lockstep_run *run,
                bool (*may)(void *, const struct gate_context *, u32 msr, u64 value), void *context);

/* A CPU whose PMU walks use. write() does nothing if the write faults. */
struct space_cpu {
    void *context;
    register_reader read;
    void (*write)(void *context, u32 msr, u64 value);
};
struct model;
/* Brings a CPU's registers to their state between two walks, whatever has happened. */
void space_calm(const struct space *space, const struct space_cpu *cpu);
/* Brings the model of such a CPU, after its reset, to the same state. */
void space_begin(const struct space *space, const struct space_cpu *cpu, struct model *model);
