/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the files of the grammar share: chance, the walk that is being drawn, and the scenes, each of which adds some
 * steps. Only for draw*.c and vary.c.
 */
#pragma once

#include "reference/lockstep/walk.h"

#define NEAR_MOST 60 /* events before an overflow, at most */
#define TURNS_MOST 40

struct drawing {
    const struct space *s;
    u64 state;
    u64 delivery; /* LVTPC's delivery mode in the whole walk: no NMI may come into the handler of a vectored PMI */
    struct walk *walk;
    bool opens; /* the handler has opened LVTPC; only once, as each time a PMI on its way may arrive */
};

/* ---- Chance. */

static inline u64 draw(struct drawing *d)
{
    u64 z = d->state += 0x9e3779b97f4a7c15ull;
    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
}

static inline u32 below(struct drawing *d, u32 n)
{
    return (u32)((draw(d) >> 32) % n);
}

static inline bool one_in(struct drawing *d, u32 n)
{
    return !below(d, n);
}

static inline u32 count_of(u64 bits)
{
    u32 count = 0;
    for (; bits; bits &= bits - 1)
        count++;
    return count;
}

/* One of the set bits of `bits`, which must not be 0. */
static inline unsigned one_bit_of(struct drawing *d, u64 bits)
{
    for (u32 n = below(d, count_of(bits)); n; n--)
        bits &= bits - 1;
    return (unsigned)__builtin_ctzll(bits);
}

/* ---- Steps. A walk that is full takes no more. */

static inline void step(struct drawing *d, u32 op, u32 number, u64 value)
{
    if (d->walk->body_count < WALK_BODY)
        d->walk->body[d->walk->body_count++] = (struct walk_step){op, number, value};
}

static inline void writes(struct drawing *d, u32 msr, u64 value)
{
    step(d, OP_WRMSR, msr, value);
}

/* ---- Values. */

/* Of a counter: 0, its largest, near its overflow or a carry, or any. `exact`: it is defined when it overflows. */
u64 draw_value(struct drawing *d, unsigned width, bool exact);
/* Some events before a carry out of the lower bits that is no overflow. */
u64 draw_before_carry(struct drawing *d, unsigned width);
/* The low half of CFG_C of the counter at a bit of IA32_PERF_GLOBAL_CTRL. */
u64 draw_reload_value(struct drawing *d, unsigned bit);
/* Is it defined when the counter at this bit of IA32_PERF_GLOBAL_CTRL overflows? */
bool draw_is_exact(unsigned bit);
/* EVTSEL_OS and EVTSEL_USR, or some of them. */
u64 draw_rings(struct drawing *d);
/* None, one, all, or some of `bits`. */
u64 draw_some_bits(struct drawing *d, u64 bits);
/* The bits of a register of which any may be drawn. */
u64 draw_bits_of(struct drawing *d, u32 msr);
/* IA32_DEBUGCTL between walks. */
u64 draw_debugctl_rest(const struct space *s);

/* ---- Scenes: counters. */

/* Writes all bits of a GP counter if there is such a name of it, else the lower ones. */
void draw_gp_value_of(struct drawing *d, unsigned n, u64 value);
void draw_event_select(struct drawing *d);
void draw_gp_value(struct drawing *d);
void draw_rough(struct drawing *d);
void draw_fixed_control(struct drawing *d);
void draw_fixed_value(struct drawing *d);
void draw_enable(struct drawing *d);
void draw_disable(struct drawing *d);
void draw_status_reset(struct drawing *d);
void draw_status_set(struct drawing *d);
void draw_near_each_other(struct drawing *d);
void draw_stops_soon(struct drawing *d);
void draw_read_at_carry(struct drawing *d);
void draw_reload(struct drawing *d);
void draw_topdown(struct drawing *d);

/* ---- Scenes: other registers, and sampling. */

void draw_debugctl(struct drawing *d);
void draw_records(struct drawing *d);
void draw_further(struct drawing *d);
void draw_refused(struct drawing *d);
void draw_reserved(struct drawing *d);
void draw_sampling(struct drawing *d);
/* A trace that is turned on, and often off again. */
void draw_tracing(struct drawing *d);
/* Is this a register of processor trace? And a value for it, with which a trace stays in its memory. */
bool draw_of_trace(const struct drawing *d, u32 msr);
u64 draw_trace_value(struct drawing *d, u32 msr);

/* ---- Scenes: NetBurst. */

void draw_netburst_program(struct drawing *d);
void draw_netburst_event(struct drawing *d);
void draw_netburst_value(struct drawing *d);
void draw_netburst_control(struct drawing *d);
void draw_netburst_off(struct drawing *d);
void draw_netburst_soon(struct drawing *d);
void draw_netburst_rdpmc(struct drawing *d);
void draw_netburst_sampling(struct drawing *d);
/* Reads a counter or its CCCR. */
void draw_netburst_read(struct drawing *d);

/* ---- The grammar as a whole. */

/* Waits until a PMI on its way has arrived. */
void draw_settle(struct drawing *d);
/* Instructions of which it is known what they count. */
void draw_block(struct drawing *d);
/* Any scene. */
void draw_one(struct drawing *d);
/* Another handler. The body gets lost. */
void draw_handler(struct drawing *d);
