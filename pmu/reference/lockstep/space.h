/*
 * What a walk on a CPU may consist of: its registers as the capabilities enumerate them, the bits that the write gate
 * lets through, and how careful it has to be. Pure.
 */
#pragma once

#include "pmu/cpu/caps.h"
#include "pmu/cpu/lbr.h"
#include "pmu/gate/gate.h"
#include "pmu/reference/lockstep/walk.h"

#define SPACE_REGISTERS 400

/* A register that walks may change: its value between walks is `rest`. */
struct space_register {
    u32 msr;
    u64 rest;
};

/* What a register reads. False: it faults. */
typedef bool (*register_reader)(void *context, u32 msr, u64 *value);

struct space {
    const struct pmu_caps *caps;
    struct gate_context gate; /* what of it does not change in a walk */
    bool careful;             /* silicon: nothing is done whose moment counts while something is on its way */
    bool x2apic;              /* the local APIC's registers are MSRs */
    u64 area;                 /* LOCKSTEP_AREA bytes for records, of this CPU's own; 0: none */
    bool apebs;               /* it is a buffer for architectural PEBS, and no debug store area */
    bool records;             /* there are branch records */
    struct lbr_stack lbr;
    u32 settle;        /* turns of a loop after which a PMI on its way has come */
    u32 settle_record; /* likewise the record that a stopped counter owes */
    /* What a walk may find changed, in the order in which it is put back; what can be read. */
    u32 changed_count, read_count;
    struct space_register changed[SPACE_REGISTERS];
    u32 read[SPACE_REGISTERS];
    /* Further ones that the table of registers has, to write and read; of these a walk's end reads some. */
    u32 further_count;
    u32 further[SPACE_REGISTERS];
    u32 refusing_count; /* that only read; and a write faults */
    u32 refusing[4];
};

/*
 * `read`: the CPU's registers while nothing is on. False: walks know nothing of this CPU's PMU.
 */
bool space_of(const struct pmu_caps *caps, bool careful, register_reader read, void *context, struct space *space);
/* What a register is between two walks. False: walks do not change it, or leave it as it comes. */
bool space_rest(const struct space *space, u32 msr, u64 *rest);
/* The counters, by GLOBAL_CTRL bits, whose records of this event and unit mask are of known occurrences. */
u64 space_precise(const struct space *space, u16 event);
/* Draws a walk. The same seed gives the same one wherever the space is the same. */
void walk_draw(const struct space *space, u64 seed, struct walk *walk);
/*
 * Makes of a walk what is run: `read` tells what a register holds now, of the model, so that what differs from its rest
 * is put there first. Steps that the write gate would refuse where they stand are left out. False: it is too long.
 */
bool walk_compile(const struct space *space, const struct walk *walk, register_reader read, void *context,
                  struct lockstep_run *run);
/* May the WRMSRs of this run be made, one after another? Told of each; its answer ends it. */
bool run_writes(const struct space *space, const struct lockstep_run *run,
                bool (*may)(void *, const struct gate_context *, u32 msr, u64 value), void *context);
