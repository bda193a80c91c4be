/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * At-retirement counting of NetBurst: uops are tagged on their way and counted when they retire. Front-end tagging, by
 * uop_type in a RAT ESCR: loads, stores. Replay tagging, by the metric that MSR_PEBS_ENABLE and MSR_PEBS_MATRIX_VERT
 * name together: cache and TLB misses, mispredicted branches. Execution tagging, by an event of a FIRM ESCR with its
 * tag enable bit: data types; the event mask says which of its tag bits are counted. SDM 3B, "At-Retirement Counting",
 * "Replay Event Metrics", "Tagging Mechanism For Execution_event".
 */
#include "reference/model/model_state.h"

/* ESCR events and their masks. */
#define FRONT_END_EVENT 0x08
#define REPLAY_EVENT 0x09
#define EXECUTION_EVENT 0x0c
#define UOP_TYPE 0x02
#define MASK_NOT_BOGUS 0x1
#define MASK_TAGLOADS 0x2
#define MASK_TAGSTORES 0x4

static const struct {
    uint32_t enable, vertical;
    uint8_t event;
} replay_metrics[] = {
    {0x1, 0x1, EVENT_L1_MISS},        {0x2, 0x1, EVENT_L2_MISS},  {0x4, 0x1, EVENT_TLB_LOAD_MISS},
    {0x4, 0x2, EVENT_TLB_STORE_MISS}, {0x4, 0x3, EVENT_TLB_MISS}, {0x18000, 0x10, EVENT_BRANCH_MISSES},
};

/* Upstream events of execution tagging. */
static const struct {
    uint8_t event, execution;
} execution_events[] = {
    {0x08, EXECUTION_PACKED_SP}, {0x0c, EXECUTION_PACKED_DP}, {0x0a, EXECUTION_SCALAR_SP}, {0x0e, EXECUTION_SCALAR_DP},
    {0x02, EXECUTION_MMX_64},    {0x1a, EXECUTION_MMX_128},   {0x04, EXECUTION_X87},
};
#define MASK_ALL 0x8000
#define MASK_NOT_BOGUS_BY_TAG MASK(3, 0) /* of execution_event: a bit for each tag */

#define REPLAY_BITS (MASK(12, 0) | MASK(16, 15)) /* bits of MSR_PEBS_ENABLE that the metrics above use */

unsigned model_netburst_thread(const struct model *m)
{
    return m->p.threads > 1 ? m->cpu & 1 : 0;
}

static uint8_t rings(uint64_t escr, uint64_t os, uint64_t user)
{
    return (uint8_t)((escr & os ? RING_OS : 0) | (escr & user ? RING_USR : 0));
}

/* Each thread counts by its own bits of the ESCR. */
uint8_t good_escr_rings(struct model *m, unsigned thread, uint64_t escr)
{
    (void)m;
    return thread ? rings(escr, ESCR_T1_OS, ESCR_T1_USR) : rings(escr, ESCR_T0_OS, ESCR_T0_USR);
}

bool model_netburst_at_retirement(uint64_t escr)
{
    unsigned event = FIELD_GET(escr, 30, 25);
    return event == FRONT_END_EVENT || event == REPLAY_EVENT || event == EXECUTION_EVENT;
}

static uint8_t front_end(struct model *m)
{
    unsigned tags = 0;
    for (unsigned n = 0; n < 2; n++) {
        uint64_t escr = shared_get(&m->sharing.core->escr[MSR_RAT_ESCR(n) - MSR_ESCR]);
        if (FIELD_GET(escr, 30, 25) == UOP_TYPE && rule(m, escr_rings)(m, model_netburst_thread(m), escr))
            tags |= FIELD_GET(escr, 24, 9) & (MASK_TAGLOADS | MASK_TAGSTORES);
    }
    switch (tags) {
    case MASK_TAGLOADS:
        return EVENT_LOADS;
    case MASK_TAGSTORES:
        return EVENT_STORES;
    }
    return tags ? EVENT_LOADS_AND_STORES : EVENT_NONE;
}

/* MSR_PEBS_MATRIX_VERT, which is at 3F2H. */
uint64_t good_netburst_matrix(struct model *m)
{
    return m->controls.stored[STORED_PEBS_DATA_CFG];
}

static uint8_t replay(struct model *m)
{
    uint64_t enable = m->controls.stored[STORED_PEBS_ENABLE], vertical = rule(m, netburst_matrix)(m);
    if (!(enable & PEBS_UOP_TAG))
        return EVENT_NONE;
    for_each_row (replay_metrics, row)
        if ((enable & REPLAY_BITS) == row->enable && (vertical & PEBS_MATRIX) == row->vertical)
            return row->event;
    return EVENT_NONE;
}

static uint64_t firm_escr(const struct model *m, unsigned n)
{
    return shared_get(&m->sharing.core->escr[MSR_FIRM_ESCR(n) - MSR_ESCR]);
}

bool model_netburst_executes(struct model *m, unsigned n, const struct retired *in)
{
    uint64_t escr = firm_escr(m, n);
    uint8_t ring = in->cpl ? RING_USR : RING_OS;
    if (!(FIELD_GET(escr, 24, 9) & MASK_ALL) || !(rule(m, escr_rings)(m, model_netburst_thread(m), escr) & ring))
        return false;
    for_each_row (execution_events, row)
        if (row->event == FIELD_GET(escr, 30, 25))
            return row->execution == in->execution;
    return false;
}

/* Which of the two FIRM ESCRs set a tag that is counted? */
static uint8_t execution(const struct model *m, unsigned mask)
{
    bool counts[2];
    for (unsigned n = 0; n < 2; n++)
        counts[n] =
            (firm_escr(m, n) & ESCR_TAG_ENABLE) && (FIELD_GET(firm_escr(m, n), 8, 5) & mask & MASK_NOT_BOGUS_BY_TAG);
    if (counts[0])
        return counts[1] ? EVENT_TAGGED_ANY : EVENT_TAGGED_0;
    return counts[1] ? EVENT_TAGGED_1 : EVENT_NONE;
}

uint8_t model_netburst_tagged(struct model *m, unsigned event, unsigned mask)
{
    if (event == EXECUTION_EVENT)
        return execution(m, mask);
    if (!(mask & MASK_NOT_BOGUS)) /* bogus uops do not retire, so there are none */
        return EVENT_NONE;
    return event == FRONT_END_EVENT ? front_end(m) : event == REPLAY_EVENT ? replay(m) : EVENT_NONE;
}
