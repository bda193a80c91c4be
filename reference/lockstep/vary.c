/* SPDX-License-Identifier: BSD-2-Clause */
/* Variations of a walk. */
#include "boot/cpu.h"
#include "reference/lockstep/draw.h"

/* The walk's delivery mode: that of its first write to LVTPC, also if only the handler writes it. */
static u64 delivery_of(struct drawing *d)
{
    const struct walk *walk = d->walk;
    for (u32 i = 0; i < walk->body_count + walk->handler_count; i++) {
        const struct walk_step *step = i < walk->body_count ? &walk->body[i] : &walk->handler[i - walk->body_count];
        if (step->op == OP_WRITE_LVTPC)
            return step->value & ~LVT_MASKED;
    }
    return one_in(d, 2) ? LVT_DELIVERY_NMI : LVT_DELIVERY_FIXED | VECTOR_PMI;
}

/* Appends steps from..to of another walk. */
static void append(struct drawing *d, const struct walk *from, u32 first, u32 end)
{
    for (u32 i = first; i < end; i++)
        step(d, from->body[i].op, from->body[i].number, from->body[i].value);
}

/* From `at` on: `gone` steps go, up to three are drawn, and the rest follows; or the gone ones come twice. */
static void vary_body(struct drawing *d, const struct walk *was)
{
    u32 at = below(d, was->body_count + 1), rest = was->body_count - at;
    u32 gone = rest ? below(d, rest < 6 ? rest + 1 : 6) : 0;
    bool twice = one_in(d, 4);
    d->walk->body_count = 0;
    append(d, was, 0, twice ? at + gone : at);
    for (u32 n = twice ? 0 : below(d, 4); n; n--)
        draw_one(d);
    append(d, was, twice ? at : at + gone, was->body_count);
}

static void vary_handler(struct drawing *d, const struct walk *was)
{
    d->walk->body_count = d->walk->handler_count = 0;
    draw_handler(d);
    append(d, was, 0, was->body_count);
}

void walk_vary(const struct space *space, u64 seed, struct walk *walk)
{
    struct walk was = *walk;
    struct drawing d = {.s = space, .state = seed, .walk = walk};
    d.delivery = delivery_of(&d);
    if (one_in(&d, 5))
        vary_handler(&d, &was);
    else
        vary_body(&d, &was);
}
