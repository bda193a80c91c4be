/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Transactions (TSX), as far as counters see them. Of a good PMU each aborts at once, as the manual allows and the last
 * microcode of most CPUs does. SDM 3B, "Performance Monitoring and Intel TSX".
 */
#include "reference/model/model_state.h"

/* XBEGIN continues at its fallback address. */
bool good_transaction_goes_on(struct model *m)
{
    (void)m;
    return false;
}

/* With IN_TXCP a counter goes back to the value that it had as the transaction began. */
uint64_t good_transaction_undone(struct model *m, unsigned n)
{
    return m->transaction.began[n];
}

static void settle(struct model *m, bool open)
{
    m->transaction.open = open;
    mark_stale(m);
    model_settle(m);
}

bool model_transaction_begins(struct model *m)
{
    if (!rule(m, transaction_goes_on)(m))
        return false;
    for (unsigned n = 0; n < m->p.gp_count; n++)
        m->transaction.began[n] = m->counters.pmc[n];
    settle(m, true);
    return true;
}

void model_transaction_aborts(struct model *m)
{
    for (unsigned n = 0; n < m->p.gp_count; n++)
        if (m->controls.evtsel[n] & EVTSEL_IN_TXCP)
            model_counter_set(m, n, rule(m, transaction_undone)(m, n));
    settle(m, false);
}
