/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Makes a walk with a difference shorter, and its values simple: leaves out steps and clears bits as long as the same
 * difference comes.
 */
#include "reference/lockstep/oracle.h"

bool same_difference(const struct difference *a, const struct difference *b)
{
    return a->kind == b->kind && a->op == b->op && a->number == b->number;
}

static void leave_out(struct walk *walk, bool handler, u32 at)
{
    struct walk_step *list = handler ? walk->handler : walk->body;
    u32 *count = handler ? &walk->handler_count : &walk->body_count;
    --*count;
    for (u32 i = at; i < *count; i++)
        list[i] = list[i + 1];
}

struct shrinking {
    struct walk *walk;
    struct difference *difference;
    walk_maker make;
    void *context;
    u32 runs;
};

/* Leaves one step out, for good if the same difference comes. */
static bool smaller(struct shrinking *s, bool handler, u32 at)
{
    struct walk without = *s->walk;
    struct difference difference;
    leave_out(&without, handler, at);
    s->runs++;
    s->make(s->context, &without, &difference);
    if (!same_difference(&difference, s->difference))
        return false;
    *s->walk = without;
    *s->difference = difference;
    return true;
}

/* Tries the walk with another step in this place, for good if the same difference comes. */
static bool simpler(struct shrinking *s, bool handler, u32 at, struct walk_step step)
{
    struct walk with = *s->walk;
    struct difference difference;
    (handler ? with.handler : with.body)[at] = step;
    s->runs++;
    s->make(s->context, &with, &difference);
    if (!same_difference(&difference, s->difference))
        return false;
    *s->walk = with;
    *s->difference = difference;
    return true;
}

#define BITS_FEW 24 /* a value with more is a counter's, near its overflow */

/* May bits of its value be cleared? Other LVTPC values would name other vectors. */
static bool may_lose_bits(const struct walk_step *step)
{
    u32 bits = 0;
    for (u64 value = step->value; value; value &= value - 1)
        bits++;
    return bits <= BITS_FEW && step->op != OP_WRITE_LVTPC;
}

/* Clears bits of a step's value, and makes a loop shorter, as long as the same difference comes. */
static void simplify_step(struct shrinking *s, bool handler, u32 at)
{
    const struct walk_step *step = &(handler ? s->walk->handler : s->walk->body)[at];
    bool may = may_lose_bits(step);
    for (u64 bit = 1ull << 63; may && bit && s->runs < SHRINK_RUNS; bit >>= 1) {
        struct walk_step without = *step;
        without.value &= ~bit;
        if (step->value & bit)
            simpler(s, handler, at, without);
    }
    while (step->op == OP_LOOP && step->number > 1 && s->runs < SHRINK_RUNS) {
        struct walk_step half = *step;
        half.number /= 2;
        if (!simpler(s, handler, at, half))
            break;
    }
}

static void simplify(struct shrinking *s)
{
    for (u32 at = 0; at < s->walk->body_count; at++)
        simplify_step(s, false, at);
    for (u32 at = 0; at < s->walk->handler_count; at++)
        simplify_step(s, true, at);
}

/* Goes through the list once, from its end: no later step needs the last one. */
static bool pass(struct shrinking *s, bool handler)
{
    bool any = false;
    for (u32 at = handler ? s->walk->handler_count : s->walk->body_count; at-- && s->runs < SHRINK_RUNS;)
        any |= smaller(s, handler, at);
    return any;
}

u32 walk_shrink(struct walk *walk, struct difference *difference, walk_maker make, void *context)
{
    struct shrinking s = {walk, difference, make, context, 0};
    bool any = true;
    while (any && s.runs < SHRINK_RUNS) {
        any = pass(&s, true);
        any |= pass(&s, false);
    }
    simplify(&s);
    return s.runs;
}
