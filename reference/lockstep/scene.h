/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Scenes on hardware whose exact moments no manual defines: they come at the end of a walk, apart from everything else,
 * and what they leave is compared as a set. Only for compile.c, the player and the scenes themselves. Pure.
 */
#pragma once

#include "reference/lockstep/walk.h"

#define SCENE_STEPS 40

/* Steps that are being put one behind the other. */
struct scene_steps {
    struct walk_step *to;
    u32 count;
};

static inline void scene_step(struct scene_steps *steps, u32 op, u32 number, u64 value)
{
    steps->to[steps->count++] = (struct walk_step){op, number, value};
}

static inline void scene_writes(struct scene_steps *steps, u32 msr, u64 value)
{
    scene_step(steps, OP_WRMSR, msr, value);
}

/* The steps of a scene that samples as OP_SAMPLE says; 0: this CPU has none. Places in `scene` are among these steps.
 */
u32 sampling_steps(const struct space *space, const struct walk_step *sample, struct walk_step to[SCENE_STEPS],
                   struct run_sampling *scene);
/* The same for OP_TRACE. */
u32 tracing_steps(const struct space *space, const struct walk_step *trace, struct walk_step to[SCENE_STEPS],
                  struct run_tracing *scene);
