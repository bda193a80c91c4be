#include "pmu/reference/lockstep/shrink.h"

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
    return s.runs;
}
