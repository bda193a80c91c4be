/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What is known of NetBurst's PMU at a step of a walk: which of its two counters are on, and how far the one that
 * samples is from its end. An overflow arms it, some instructions later: only if no occurrence lies among these is it
 * defined which one the record shows. So while a counter samples a walk consists of loops, and it overflows at the load
 * before one, or at the last load of the write that stops it. Only for compile.c and the scenes.
 */
#pragma once

#include "reference/lockstep/space.h"

#define NETBURST_LOOP 8 /* turns of a loop that is longer than any such time */

struct netburst_known {
    u8 enabled;   /* bit n: counter 4 + n */
    u8 other;     /* bit n: CRU_ESCRn counts the other thread at CPL 0, which executes an unknown number */
    bool samples; /* sampling is on for this thread */
    u64 value;    /* of the own counter: events until its end, as it was written; 0: unknown */
    u64 period;   /* the same after a record */
    u64 left;     /* loads until it overflows, while it samples */
    bool armed;   /* it has overflowed: the next load gives a record */
};

/* After a write of a register, or to the area of records. */
void netburst_after_write(const struct space *s, struct netburst_known *known, u32 msr, u64 value);
void netburst_after_poke(const struct space *s, struct netburst_known *known, u32 offset, u64 value);
/* Is the own counter sampling now? */
bool netburst_sampling(const struct space *s, const struct netburst_known *known);
/* Is everything that this step counts defined? The handler, at any time, turns no counter on. */
bool netburst_defined(const struct space *s, const struct netburst_known *known, const struct walk_step *step);
bool netburst_defined_in_handler(const struct walk_step *step);
/* After a loop, which was defined. */
void netburst_after_loop(const struct space *s, struct netburst_known *known);
/* Would the counter overflow in a write that stops it, at other loads than the last? Another loop must precede it. */
bool netburst_needs_loop(const struct space *s, const struct netburst_known *known);
/* Does this write turn a counter on that samples? No PMI may be on its way then. */
bool netburst_starts(const struct space *s, const struct netburst_known *known, const struct walk_step *step);
