/* SPDX-License-Identifier: BSD-2-Clause */
/* An oracle that follows a CPU, walk after walk. Pure. */
#pragma once

#include "reference/lockstep/oracle.h"
#include "reference/lockstep/space.h"

/* The caller provides room for instances of the model: follow_room() bytes each, 16-byte aligned. */
u64 follow_room(void);

/* What decides which errata a CPU has. */
struct follow_cpu {
    u32 signature, microcode, threads; /* threads of a core; 0: unknown */
};

struct follower {
    struct model_setup setup;
    struct follow_cpu cpu;
    u64 info_kept, info_told; /* see oracle.h, as the next two */
    bool modelled;
    struct walk_places places;
    struct oracle oracle, kept;
    struct model *model, *before; /* as it is now, and as it was before the walk */
    u64 retold;                   /* instructions retold, in all attempts */
    bool undecided;               /* there were more possibilities than were tried: nothing is known of the last run */
};

void follow_begin(struct follower *follower, const struct model_setup *setup, struct model *model,
                  struct model *before);
/* The register_reader for walk_compile(). */
bool follow_read(void *follower, u32 msr, u64 *value);
/*
 * Retells the run, whose trace ends at `end`; `storm`: too many PMIs have ended it. True: the trace fits the model for
 * some arrival of the PMIs on their way, and for some results of the CPU's random draws. False: *difference is that of
 * the attempt that got furthest, and none if the run is undecided; the oracle is then as before the walk.
 */
bool follow_run(struct follower *follower, const struct lockstep_run *run, const u64 *end, bool storm,
                struct difference *difference);
