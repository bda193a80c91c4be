/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * IA32_PERF_GLOBAL_STATUS and its two command registers: a 1 written to STATUS_RESET clears the bit, to STATUS_SET sets
 * it. CTR_FRZ in it stops every counter. SDM 3B, "Architectural Performance Monitoring Version 4".
 */
#include "reference/model/model_state.h"

/* Reading IA32_PERF_GLOBAL_STATUS changes nothing. */
uint64_t good_status_shown(struct model *m)
{
    return m->status.bits;
}

void model_status_raise(struct model *m, uint64_t bits)
{
    m->status.bits |= bits;
}

void model_status_drop(struct model *m, uint64_t bits)
{
    m->status.bits &= ~bits;
}

/* IA32_PERF_GLOBAL_STATUS exists from version 2 on. */
bool good_status_readable(struct model *m)
{
    return m->p.version >= 2;
}

bool model_status_read(struct model *m, unsigned unused, uint64_t *value)
{
    (void)unused;
    if (!rule(m, status_readable)(m))
        return false;
    *value = rule(m, status_shown)(m);
    return true;
}

/* IA32_PERF_GLOBAL_STATUS is read-only: each write is a #GP. */
bool good_status_writable(struct model *m)
{
    (void)m;
    return false;
}

bool model_status_write(struct model *m, unsigned unused, uint64_t value)
{
    (void)unused, (void)value;
    return m->p.version >= 2 && rule(m, status_writable)(m);
}

/* The command registers read as 0. */
uint64_t good_status_command_shown(struct model *m, bool set)
{
    (void)m, (void)set;
    return 0;
}

bool model_status_command_read(struct model *m, unsigned set, uint64_t *value)
{
    *value = rule(m, status_command_shown)(m, set);
    return set ? m->p.status_set.exists : m->p.status_reset.exists;
}

/* Each 1 clears its own bit and no other; clearing CTR_FRZ or LBR_FRZ ends the freeze. */
uint64_t good_status_cleared(struct model *m, uint64_t clear)
{
    (void)m;
    return clear;
}

/* `value` was written, which clears the bits `clear`. */
void good_status_reset(struct model *m, uint64_t value, uint64_t clear)
{
    (void)value;
    clear = rule(m, status_cleared)(m, clear);
    m->status.bits &= ~clear;
}

bool model_status_reset_write(struct model *m, unsigned unused, uint64_t value)
{
    uint64_t clear;
    (void)unused;
    if (!model_rule_apply(&m->p.status_reset, 0, value, &clear))
        return false;
    rule(m, status_reset)(m, value, clear);
    mark_stale(m);
    return true;
}

/* Each 1 sets its own bit, as a wrap or a freeze would. */
uint64_t good_status_set(struct model *m, uint64_t set)
{
    (void)m;
    return set;
}

bool model_status_set_write(struct model *m, unsigned unused, uint64_t value)
{
    uint64_t set;
    (void)unused;
    if (!model_rule_apply(&m->p.status_set, 0, value, &set))
        return false;
    m->status.bits |= rule(m, status_set)(m, set);
    mark_stale(m);
    return true;
}
