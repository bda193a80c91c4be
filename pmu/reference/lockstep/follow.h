/* An oracle that goes along with a CPU, walk after walk. Pure. */
#pragma once

#include "pmu/reference/lockstep/oracle.h"
#include "pmu/reference/lockstep/space.h"

/* Rooms for instances are the caller's: follow_room() bytes each, 16-byte aligned. */
u64 follow_room(void);

/* By which errata are looked up. */
struct follow_cpu {
    u32 signature, microcode, threads; /* threads of a core; 0: not told */
};

struct follower {
    struct model_setup setup;
    struct follow_cpu cpu;
    bool pce;               /* CR4.PCE */
    u64 info_kept, area_at; /* see oracle.h */
    struct oracle oracle, kept;
    struct model *model, *before; /* as it is, and as it was before the walk */
    u64 retold;                   /* instructions, in all ways */
    bool undecided;               /* there were more ways than were tried: nothing is known of the last run */
};

void follow_begin(struct follower *follower, const struct model_setup *setup, struct model *model,
                  struct model *before);
/* As walk_compile() asks for it. */
bool follow_read(void *follower, u32 msr, u64 *value);
/*
 * Retells the run, which ended at `end` of its trace, by storm or not. True: it is what must come out, whatever could
 * not be seen of PMIs being the one way or the other. False with the difference of the way that goes furthest, which is
 * none where it is undecided; the oracle is then as before the walk. What the CPU may have drawn by chance is drawn so
 * that it fits.
 */
bool follow_run(struct follower *follower, const struct lockstep_run *run, const u64 *end, bool storm,
                struct difference *difference);
