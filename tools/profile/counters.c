/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Adds the counters and events that leaves 0AH and 23H name and the profile lacks. Counters are only added, never
 * removed: a profile also lists counters that CPUID does not show, as on silicon a P core's beside Atom cores.
 * Registers with a bit for each counter accept the bits of the added ones.
 */
#include "tools/profile/form.h"

#define ALL_EVENTS 32

static const uint32_t *leaf_23(const struct profile *p, uint32_t subleaf)
{
    static const uint32_t none[4];
    for (unsigned i = 0; i < LEAVES_MAX && p->leaves[i].leaf; i++)
        if (p->leaves[i].leaf == 0x23 && p->leaves[i].subleaf == subleaf)
            return p->leaves[i].value;
    return none;
}

static void allow(struct write_rule *rule, uint64_t bits)
{
    rule->faults &= ~bits;
    rule->dropped &= ~bits;
}

static uint32_t ones(unsigned count)
{
    return count < 32 ? (1u << count) - 1 : ~0u;
}

/* The counters that CPUID names and the profile lacks. */
static uint64_t missing(const struct profile *p)
{
    uint32_t gp = ones(FIELD_GET(p->leaf0a[0], 15, 8)) | leaf_23(p, 1)[0];
    uint32_t fixed = ones(FIELD_GET(p->leaf0a[3], 4, 0)) | p->leaf0a[2] | leaf_23(p, 1)[1];
    gp &= ones(GP_MAX) & ~ones(p->gp_count);
    fixed &= ones(FIXED_MAX) & ~(uint32_t)p->fixed_bitmap;
    return (uint64_t)fixed << 32 | gp;
}

static void add_gp(struct profile *p)
{
    if (!p->gp_width)
        p->gp_width = (uint8_t)FIELD_GET(p->leaf0a[0], 23, 16);
    if (p->stored[STORED_GLOBAL_CTRL].reset)
        p->stored[STORED_GLOBAL_CTRL].reset |= 1ull << p->gp_count;
    p->gp_count++;
}

static void add_fixed(struct profile *p, unsigned i)
{
    if (!p->fixed_width)
        p->fixed_width = (uint8_t)FIELD_GET(p->leaf0a[3], 12, 5);
    p->fixed_bitmap |= (uint8_t)(1u << i);
    allow(&p->stored[STORED_FIXED_CTR_CTRL], FIXED_OS(i) | FIXED_USR(i) | FIXED_PMI(i));
}

void profile_add_counters(struct profile *p)
{
    uint64_t more = missing(p);
    allow(&p->stored[STORED_GLOBAL_CTRL], more);
    allow(&p->status_reset, more);
    allow(&p->status_set, more);
    for (unsigned bit = 0; bit < 64; bit++)
        if (more >> bit & 1 && bit < 32)
            add_gp(p);
        else if (more >> bit & 1)
            add_fixed(p, bit - 32);
    if (p->gp_count_alone && p->gp_count >= p->gp_count_alone)
        p->threads = 1;
}

/* AnyThread exists in versions 3 and 4, unless EDX[15] deprecates it. */
void profile_follow_any_thread(struct profile *p)
{
    p->any_thread = p->version >= 3 && p->version < 5 && !(p->leaf0a[3] >> 15 & 1);
    if (!p->any_thread)
        return;
    allow(&p->evtsel, EVTSEL_ANY);
    for (unsigned i = 0; i <= FIXED_REF_CYCLES; i++)
        allow(&p->stored[STORED_FIXED_CTR_CTRL], FIXED_ANY(i));
}

/* An event counts if one of the leaves names it. */
void profile_follow_events(struct profile *p)
{
    uint32_t live = (ones(FIELD_GET(p->leaf0a[0], 31, 24)) & ~p->leaf0a[1]) | leaf_23(p, 3)[0];
    p->event_length = 0;
    while (p->event_length < ALL_EVENTS && live >> p->event_length)
        p->event_length++;
    p->events_dead = ~live & ones(p->event_length);
}
