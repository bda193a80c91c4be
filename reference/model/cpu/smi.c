/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * System management interrupts: they are counted in MSR 34H, take time, and their instructions may be counted.
 * DEBUGCTL[14] stops the counters meanwhile. SDM 3C, "System Management Mode"; SDM 3B, "FREEZE_WHILE_SMM".
 */
#include "reference/model/model_state.h"

#define SMI_TICKS 100000 /* TSC ticks: tens of microseconds */

static void count_inside(struct model *m, uint32_t instructions)
{
    static const struct retired plain = {.kind = RETIRED_PLAIN};
    uint64_t wrapped = 0;
    if (m->controls.stored[STORED_DEBUGCTL] & DEBUGCTL_FREEZE_WHILE_SMM)
        return;
    for (uint32_t i = 0; i < instructions; i++)
        wrapped |= model_count_instruction(m, &plain, m->active.list, m->active.count);
    if (wrapped)
        model_overflow(m, wrapped);
}

void model_smi(struct model *m, uint32_t instructions)
{
    model_smi_counted(m);
    if (m->host.stall)
        m->host.stall(m->host.context, SMI_TICKS);
    count_inside(m, instructions);
    mark_stale(m); /* the firmware may change which counters count */
}

#define HANDLER_INSTRUCTIONS 300 /* to find that ACPI mode is on, and to leave it on */

/* Its instructions are counted unless counters stand still in SMM; nothing else changes. */
void good_smi_asked(struct model *m)
{
    model_smi(m, HANDLER_INSTRUCTIONS);
}

void model_smi_asked(struct model *m)
{
    rule(m, smi_asked)(m);
}
