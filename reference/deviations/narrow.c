/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Narrows a deviation to one counter, one ring or one CPU: only there its functions replace the model's rules;
 * elsewhere the replaced rules are called. This works for rules that are called for a certain counter, or that return a
 * bit for each. What other rules do cannot be attributed to a counter, so such deviations cannot be narrowed.
 */
#include "reference/deviations/narrow.h"

static bool here(const struct at_work *work, unsigned bit)
{
    return !work->place.counter || work->place.counter - 1u == bit;
}

static bool in_ring(const struct at_work *work, uint8_t ring)
{
    return !work->place.rings || (work->place.rings & ring);
}

static uint8_t ring_of(uint8_t cpl)
{
    return cpl ? RING_USR : RING_OS;
}

/* A rule that deviates where `condition` holds for the narrowed deviation, `work`; else the replaced rule. */
#define NARROWED(type, rule, parameters, arguments, condition)                               \
    static type narrowed_##rule parameters                                                   \
    {                                                                                        \
        const struct at_work *work = narrowed_at_work(m);                                    \
        return (condition) ? work->deviating.rule arguments : work->replaced.rule arguments; \
    }

/* A rule that returns a bit for each counter: one bit is the deviating rule's. */
#define NARROWED_BITS(rule, parameters, arguments)                                                \
    static uint64_t narrowed_##rule parameters                                                    \
    {                                                                                             \
        const struct at_work *work = narrowed_at_work(m);                                         \
        uint64_t mine = work->place.counter ? 1ull << (work->place.counter - 1) : ~0ull;          \
        return (work->deviating.rule arguments & mine) | (work->replaced.rule arguments & ~mine); \
    }

/* A rule that returns a bit for each ring. */
#define NARROWED_RINGS(rule, parameters, arguments, bit)                                      \
    static uint8_t narrowed_##rule parameters                                                 \
    {                                                                                         \
        const struct at_work *work = narrowed_at_work(m);                                     \
        uint8_t good = work->replaced.rule arguments;                                         \
        if (!here(work, bit))                                                                 \
            return good;                                                                      \
        uint8_t mine = work->place.rings ? work->place.rings : (uint8_t)(RING_OS | RING_USR); \
        return (uint8_t)((work->deviating.rule arguments & mine) | (good & ~mine));           \
    }

#define FIXED_BIT 32

NARROWED(bool, evtsel_read, (struct model * m, unsigned n, uint64_t *value), (m, n, value), here(work, n))
NARROWED(uint64_t, evtsel_kept, (struct model * m, unsigned n, uint64_t was, uint64_t value), (m, n, was, value),
         here(work, n))
NARROWED(bool, pmc_read, (struct model * m, unsigned n, uint64_t *value), (m, n, value), here(work, n))
NARROWED(bool, pmc_write, (struct model * m, unsigned n, uint64_t value), (m, n, value), here(work, n))
NARROWED(bool, a_pmc_write, (struct model * m, unsigned n, uint64_t value), (m, n, value), here(work, n))
NARROWED(uint64_t, gp_shown, (struct model * m, unsigned n), (m, n), here(work, n))
NARROWED(uint8_t, selected_event, (struct model * m, unsigned n, uint64_t evtsel), (m, n, evtsel), here(work, n))
NARROWED(uint8_t, gp_threshold, (struct model * m, unsigned n, uint64_t evtsel), (m, n, evtsel), here(work, n))
NARROWED(bool, gp_in_use, (struct model * m, unsigned n), (m, n), here(work, n))
NARROWED(bool, fixed_read, (struct model * m, unsigned i, uint64_t *value), (m, i, value), here(work, FIXED_BIT + i))
NARROWED(bool, fixed_write, (struct model * m, unsigned i, uint64_t value), (m, i, value), here(work, FIXED_BIT + i))
NARROWED(bool, fixed_in_use, (struct model * m, unsigned i), (m, i), here(work, FIXED_BIT + i))
NARROWED(bool, rdpmc_answers, (struct model * m, unsigned bit), (m, bit), here(work, bit))
NARROWED(uint64_t, rdpmc_shown, (struct model * m, unsigned bit, uint8_t cpl), (m, bit, cpl), here(work, bit))
NARROWED(uint64_t, wrapped_value, (struct model * m, const struct counting *c, uint64_t sum), (m, c, sum),
         here(work, c->bit))
NARROWED(uint32_t, counted, (struct model * m, const struct retired *in, const struct counting *c, uint32_t n),
         (m, in, c, n), here(work, c->bit) && in_ring(work, ring_of(in->cpl)))
NARROWED(bool, ring_counts, (struct model * m, const struct counting *c, uint8_t ring), (m, c, ring),
         here(work, c->bit) && in_ring(work, ring))
NARROWED_RINGS(gp_rings, (struct model * m, unsigned n, uint64_t evtsel), (m, n, evtsel), n)
NARROWED_RINGS(fixed_rings, (struct model * m, unsigned i), (m, i), FIXED_BIT + i)
NARROWED(bool, register_read, (struct model * m, uint32_t msr, uint64_t *value), (m, msr, value),
         deviation_is_of(work->place, msr))
NARROWED(bool, register_write, (struct model * m, uint32_t msr, uint64_t value), (m, msr, value),
         deviation_is_of(work->place, msr))
NARROWED_BITS(overflows_seen, (struct model * m, uint64_t wrapped), (m, wrapped))
NARROWED_BITS(overflows_asking, (struct model * m, uint64_t wrapped), (m, wrapped))
NARROWED_BITS(spared_by_freeze, (struct model * m), (m))
NARROWED_BITS(globally_enabled, (struct model * m), (m))
NARROWED_BITS(global_ctrl_kept, (struct model * m, uint64_t value), (m, value))
NARROWED_BITS(status_shown, (struct model * m), (m))
NARROWED_BITS(status_cleared, (struct model * m, uint64_t clear), (m, clear))
NARROWED_BITS(status_set, (struct model * m, uint64_t set), (m, set))
NARROWED_BITS(inuse_shown, (struct model * m, uint64_t in_use), (m, in_use))

static const struct {
    struct stand_in in;
    bool counter, ring; /* what it can be narrowed to */
} rows[] = {
    {FOR(register_read, narrowed_register_read), false, false},
    {FOR(register_write, narrowed_register_write), false, false},
    {FOR(evtsel_read, narrowed_evtsel_read), true, false},
    {FOR(evtsel_kept, narrowed_evtsel_kept), true, false},
    {FOR(pmc_read, narrowed_pmc_read), true, false},
    {FOR(pmc_write, narrowed_pmc_write), true, false},
    {FOR(a_pmc_write, narrowed_a_pmc_write), true, false},
    {FOR(gp_shown, narrowed_gp_shown), true, false},
    {FOR(selected_event, narrowed_selected_event), true, false},
    {FOR(gp_threshold, narrowed_gp_threshold), true, false},
    {FOR(gp_in_use, narrowed_gp_in_use), true, false},
    {FOR(fixed_read, narrowed_fixed_read), true, false},
    {FOR(fixed_write, narrowed_fixed_write), true, false},
    {FOR(fixed_in_use, narrowed_fixed_in_use), true, false},
    {FOR(rdpmc_answers, narrowed_rdpmc_answers), true, false},
    {FOR(rdpmc_shown, narrowed_rdpmc_shown), true, false},
    {FOR(wrapped_value, narrowed_wrapped_value), true, false},
    {FOR(counted, narrowed_counted), true, true},
    {FOR(ring_counts, narrowed_ring_counts), true, true},
    {FOR(gp_rings, narrowed_gp_rings), true, true},
    {FOR(fixed_rings, narrowed_fixed_rings), true, true},
    {FOR(overflows_seen, narrowed_overflows_seen), true, false},
    {FOR(overflows_asking, narrowed_overflows_asking), true, false},
    {FOR(spared_by_freeze, narrowed_spared_by_freeze), true, false},
    {FOR(globally_enabled, narrowed_globally_enabled), true, false},
    {FOR(global_ctrl_kept, narrowed_global_ctrl_kept), true, false},
    {FOR(status_shown, narrowed_status_shown), true, false},
    {FOR(status_cleared, narrowed_status_cleared), true, false},
    {FOR(status_set, narrowed_status_set), true, false},
    {FOR(inuse_shown, narrowed_inuse_shown), true, false},
};

bool deviation_narrows(const struct deviation *deviation, bool counter, bool ring)
{
    if (deviation->data)
        return !counter && !ring;
    for (const struct stand_in *in = deviation->stands_in; in && in->function; in++) {
        unsigned i = 0;
        while (i < ARRAY_SIZE(rows) && rows[i].in.rule != in->rule)
            i++;
        if (i == ARRAY_SIZE(rows) ? counter || ring : (counter && !rows[i].counter) || (ring && !rows[i].ring))
            return false;
    }
    return true;
}

bool deviation_narrows_to_register(const struct deviation *deviation)
{
    return deviation->registers;
}

bool deviation_waits(const struct deviation *deviation)
{
    return deviation->stands_in;
}

void narrow(struct model *m, const struct deviation *deviation)
{
    for (const struct stand_in *in = deviation->stands_in; in && in->function; in++)
        for (unsigned i = 0; i < ARRAY_SIZE(rows); i++)
            if (rows[i].in.rule == in->rule)
                stand_in(m, &rows[i].in);
}
