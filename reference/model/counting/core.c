/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * What the threads of a core share on NetBurst: counters, CCCRs and ESCRs, and those other registers whose scope in the
 * profile is the core. Each thread has its own model, perhaps on its own CPU, and nothing is locked: each access to
 * shared state is one atomic operation, writes are numbered, and before its next instruction a thread takes over what
 * the other one has written. SDM 3B, "Performance Monitoring and Intel Hyper-Threading Technology in Processors Based
 * on Intel NetBurst Microarchitecture".
 *
 * A thread whose instructions are not reported learns of a write at the next call of model_stepping(); the host's
 * wake_other() makes that soon.
 */
#include "reference/model/model_state.h"

uint64_t model_core_size(void)
{
    return sizeof(struct model_core);
}

static uint32_t thread_bit(const struct model *m)
{
    return 1u << (m->p.threads > 1 ? m->cpu % m->p.threads % 32 : 0);
}

static bool shared_register(const struct model *m, unsigned which)
{
    return m->p.stored[which].scope == SCOPE_CORE;
}

/* PEBS_MY_THREAD and PEBS_OTHER_THREAD depend on the reader: the core stores them as the first thread sees them. */
static uint64_t turned(const struct model *m, unsigned which, uint64_t value)
{
    if (which != STORED_PEBS_ENABLE || !m->p.netburst_count || !model_netburst_thread(m))
        return value;
    uint64_t mine = value & PEBS_MY_THREAD, other = value & PEBS_OTHER_THREAD;
    return (value & ~(PEBS_MY_THREAD | PEBS_OTHER_THREAD)) | mine << 1 | other >> 1;
}

/* Numbers a write. This thread has seen its own writes. */
static void changed(struct model *m)
{
    uint32_t now = __atomic_add_fetch(&m->sharing.core->changes, 1, __ATOMIC_ACQ_REL);
    if (now == m->sharing.seen + 1)
        m->sharing.seen = now;
}

static void reset_netburst(struct model *m)
{
    for (unsigned n = 0; n < m->p.netburst_count; n++) {
        shared_set(&m->sharing.core->netburst[n], m->p.netburst_counter.reset);
        shared_set(&m->sharing.core->cccr[n], m->p.cccr.reset);
    }
    for (unsigned n = 0; n < ESCR_COUNT; n++)
        shared_set(&m->sharing.core->escr[n], m->p.escr.reset);
}

void model_core_join(struct model *m, struct model_core *core)
{
    m->sharing.shares = core && m->p.threads > 1 && m->p.netburst_count;
    m->sharing.core = m->sharing.shares ? core : &m->sharing.own;
    m->sharing.beside = core && m->p.threads > 1 ? core : &m->sharing.own;
    m->sharing.pair = core ? core : &m->sharing.own;
    for (unsigned n = 0; n < GP_MAX; n++)
        __atomic_store_n(&m->sharing.beside->handed[m->cpu % 2][n], 0, __ATOMIC_RELEASE);
    __atomic_store_n(&m->sharing.beside->microcode, 0, __ATOMIC_RELEASE);
    m->sharing.seen = __atomic_load_n(&m->sharing.core->changes, __ATOMIC_ACQUIRE);
    reset_netburst(m);
    for (unsigned i = 0; i < STORED_COUNT; i++)
        if (shared_register(m, i))
            shared_set(&m->sharing.core->stored[i], turned(m, i, m->controls.stored[i]));
    __atomic_fetch_and(&m->sharing.core->asked, ~thread_bit(m), __ATOMIC_ACQ_REL);
    __atomic_fetch_or(&m->sharing.core->running, thread_bit(m), __ATOMIC_ACQ_REL);
    changed(m);
}

void model_core_counts(struct model *m)
{
    bool counts = m->active.mask & width_mask(m->p.gp_count);
    if (counts)
        __atomic_fetch_or(&m->sharing.beside->counting, thread_bit(m), __ATOMIC_ACQ_REL);
    else
        __atomic_fetch_and(&m->sharing.beside->counting, ~thread_bit(m), __ATOMIC_ACQ_REL);
}

bool model_core_other_counts(const struct model *m)
{
    return __atomic_load_n(&m->sharing.beside->counting, __ATOMIC_ACQUIRE) & ~thread_bit(m);
}

void model_core_written(struct model *m, unsigned which)
{
    if (!m->sharing.shares || !shared_register(m, which))
        return;
    shared_set(&m->sharing.core->stored[which], turned(m, which, m->controls.stored[which]));
    changed(m);
}

void model_core_changed(struct model *m, bool concerns_other)
{
    if (!m->sharing.shares)
        return;
    changed(m);
    if (concerns_other && m->host.wake_other && (m->cpu ^ 1) < m->cpus)
        m->host.wake_other(m->host.context, m->cpu ^ 1);
}

bool model_core_calls(const struct model *m)
{
    return m->sharing.shares && (__atomic_load_n(&m->sharing.core->changes, __ATOMIC_ACQUIRE) != m->sharing.seen ||
                                 (__atomic_load_n(&m->sharing.core->asked, __ATOMIC_ACQUIRE) & thread_bit(m)));
}

void model_core_sync(struct model *m)
{
    if (!model_core_calls(m))
        return;
    m->sharing.seen = __atomic_load_n(&m->sharing.core->changes, __ATOMIC_ACQUIRE);
    for (unsigned i = 0; i < STORED_COUNT; i++)
        if (shared_register(m, i))
            model_stored_set(m, i, turned(m, i, shared_get(&m->sharing.core->stored[i])));
    mark_stale(m);
    if (__atomic_fetch_and(&m->sharing.core->asked, ~thread_bit(m), __ATOMIC_ACQ_REL) & thread_bit(m))
        rule(m, pmi_raise)(m);
}

void model_core_ask_other(struct model *m)
{
    if (!m->sharing.shares)
        return;
    __atomic_fetch_or(&m->sharing.core->asked, thread_bit(m) ^ 3, __ATOMIC_ACQ_REL);
    model_core_changed(m, true);
}

bool model_core_suits(const struct model *m, uint64_t active_thread)
{
    uint32_t running = m->sharing.shares ? __atomic_load_n(&m->sharing.core->running, __ATOMIC_ACQUIRE) : 1;
    bool both = running & (running - 1);
    switch (active_thread) {
    case 0: /* counts while no thread is active, but this one is */
        return false;
    case 1:
        return !both;
    case 2:
        return both;
    default:
        return true;
    }
}

/* State that the core loses by power gating is saved before and restored after, so nothing changes. */
void good_deep_sleep(struct model *m)
{
    (void)m;
}

void model_slept(struct model *m)
{
    rule(m, deep_sleep)(m);
}

void model_halted(struct model *m, bool halted)
{
    model_machine_halted(m, halted);
    if (!m->sharing.shares)
        return;
    if (halted)
        __atomic_fetch_and(&m->sharing.core->running, ~thread_bit(m), __ATOMIC_ACQ_REL);
    else
        __atomic_fetch_or(&m->sharing.core->running, thread_bit(m), __ATOMIC_ACQ_REL);
    changed(m);
}
