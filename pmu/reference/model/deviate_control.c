/* What deviations make of a write to, or a read of, the control registers and counters: each defect shows in one line.
 */
#include "pmu/reference/model/model_state.h"

#define EVENT_SELECT MASK(7, 0)

static bool last_gp(const struct model *m, unsigned n)
{
    return n == m->p.gp_count - 1u;
}

uint64_t model_deviate_evtsel(struct model *m, unsigned n, uint64_t was, uint64_t value)
{
    if (!(value & EVENT_SELECT) && deviates(m, DEV_EVTSEL_INT_NEEDS_EVENT))
        value &= ~EVTSEL_INT;
    bool branches = (was & EVTSEL_OS) && (was & MASK(15, 0)) == ARCH_EVENT_BRANCHES;
    if (!value && branches && deviates(m, DEV_EVTSEL_EVENT_STAYS))
        value = was & EVENT_SELECT;
    if ((was & EVENT_SELECT) && (value & EVENT_SELECT) && deviates(m, DEV_EVTSEL_LOCKED))
        value = was;
    if (n == 0 && last_cpu(m) && deviates(m, DEV_EVTSEL0_BIT_LOST_ON_LAST_CPU))
        value &= ~EVTSEL_EDGE;
    if (n > 0 && deviates(m, DEV_EVTSEL_WRITE_LEAKS_DOWN))
        m->evtsel[n - 1] ^= EVTSEL_UMASK(1);
    return value;
}

uint64_t model_deviate_global_ctrl(struct model *m, uint64_t was, uint64_t value)
{
    uint64_t enumerated = width_mask(m->p.gp_count) | (uint64_t)m->p.fixed_bitmap << 32;
    if (deviates(m, DEV_GLOBAL_CTRL_DROPS_LAST))
        value &= ~GLOBAL_GP(m->p.gp_count - 1u);
    if (deviates(m, DEV_GLOBAL_CTRL_SETS_NEIGHBOUR))
        value |= value << 1 & enumerated;
    m->global_fixed_late = value & ~was & ~width_mask(32);
    if (value || was)
        m->global_ctrl_was = value ? 0 : was;
    return value;
}

uint64_t model_deviate_fixed_ctrl(struct model *m, uint64_t value)
{
    if (deviates(m, DEV_FIXED_CTRL_DROPS_USR))
        value &= ~FIXED_USR(2);
    if ((value & (FIXED_OS(0) | FIXED_USR(0))) && deviates(m, DEV_FIXED_CTRL_ENABLES_BOTH))
        value |= FIXED_OS(0) | FIXED_USR(0);
    return value;
}

uint64_t model_deviate_control_read(struct model *m, unsigned which, uint64_t value)
{
    uint64_t stale = m->global_ctrl_was;
    if (which == STORED_GLOBAL_CTRL && stale && deviates(m, DEV_GLOBAL_CTRL_READS_STALE)) {
        m->global_ctrl_was = 0;
        return stale;
    }
    if (which == STORED_GLOBAL_CTRL && deviates(m, DEV_GLOBAL_CTRL_FIXED_LATE)) {
        value ^= m->global_fixed_late;
        m->global_fixed_late = 0;
    }
    if (which == STORED_DS_AREA && m->pebs.area_was && deviates(m, DEV_DS_AREA_READS_STALE))
        return m->pebs.area_was;
    if (which == STORED_PEBS_ENABLE && m->pebs.enable_was && deviates(m, DEV_PEBS_ENABLE_READS_STALE)) {
        value = m->pebs.enable_was;
        m->pebs.enable_was = 0;
        return value;
    }
    if (which == STORED_MISC_ENABLE && deviates(m, DEV_MISC_ENABLE_FLAPS))
        return value ^ (++m->random % 3 ? 0 : MISC_ENABLE_TM1);
    return value;
}

uint64_t model_deviate_counter_read(struct model *m, unsigned n, uint64_t value)
{
    if (!m->evtsel[n] && deviates(m, DEV_FREE_COUNTER_READS_ZERO))
        return 0;
    if (last_gp(m, n) && deviates(m, DEV_COUNTER_BIT_7_DEAD))
        return value & ~BIT(7);
    if (deviates(m, DEV_COUNTER_ONES_ABOVE_WIDTH))
        return value | ~width_mask(m->p.gp_width);
    return value;
}
