/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The MSRs that the model answers, and the function for each. One table for all profiles: an access to a register that
 * the profile lacks faults in its function. SDM 4, "Model-Specific Registers (MSRs)".
 */
#include "reference/model/model_state.h"

struct row {
    uint32_t first, last;
    bool (*read)(struct model *m, unsigned argument, uint64_t *value); /* NULL: #GP */
    bool (*write)(struct model *m, unsigned argument, uint64_t value); /* NULL: #GP */
    unsigned argument;                                                 /* of the first */
};

/* Accesses that are rules. */
static bool pmc_read(struct model *m, unsigned n, uint64_t *value)
{
    return rule(m, pmc_read)(m, n, value);
}
static bool pmc_write(struct model *m, unsigned n, uint64_t value)
{
    return rule(m, pmc_write)(m, n, value);
}
static bool a_pmc_write(struct model *m, unsigned n, uint64_t value)
{
    return rule(m, a_pmc_write)(m, n, value);
}
static bool evtsel_read(struct model *m, unsigned n, uint64_t *value)
{
    return rule(m, evtsel_read)(m, n, value);
}
static bool fixed_read(struct model *m, unsigned i, uint64_t *value)
{
    return rule(m, fixed_read)(m, i, value);
}

#define STORED(msr, which)                                                  \
    {                                                                       \
        (msr), (msr), model_stored_read, model_stored_write, STORED_##which \
    }
#define MACHINE(msr, which)                                                    \
    {                                                                          \
        (msr), (msr), model_machine_read, model_machine_write, MACHINE_##which \
    }
#define ABSENT(first, last)            \
    {                                  \
        (first), (last), NULL, NULL, 0 \
    }

static const struct row rows[] = {
    {MSR_PMC(0), MSR_PMC(GP_MAX - 1), pmc_read, pmc_write, 0},
    {MSR_PERFEVTSEL(0), MSR_PERFEVTSEL(GP_MAX - 1), evtsel_read, model_evtsel_write, 0},
    {MSR_A_PMC(0), MSR_A_PMC(GP_MAX - 1), model_a_pmc_read, a_pmc_write, 0},
    {MSR_FIXED_CTR(0), MSR_FIXED_CTR(FIXED_MAX - 1), fixed_read, model_fixed_write, 0},
    {MSR_PERF_GLOBAL_STATUS, MSR_PERF_GLOBAL_STATUS, model_status_read, model_status_write, 0},
    {MSR_PERF_GLOBAL_STATUS_RESET, MSR_PERF_GLOBAL_STATUS_RESET, model_status_command_read, model_status_reset_write,
     false},
    {MSR_PERF_GLOBAL_STATUS_SET, MSR_PERF_GLOBAL_STATUS_SET, model_status_command_read, model_status_set_write, true},
    {MSR_PERF_GLOBAL_INUSE, MSR_PERF_GLOBAL_INUSE, model_inuse_read, model_inuse_write, 0},
    STORED(MSR_FIXED_CTR_CTRL, FIXED_CTR_CTRL),
    STORED(MSR_PERF_GLOBAL_CTRL, GLOBAL_CTRL),
    STORED(MSR_DEBUGCTL, DEBUGCTL),
    STORED(MSR_MISC_ENABLE, MISC_ENABLE),
    STORED(MSR_PEBS_ENABLE, PEBS_ENABLE),
    STORED(MSR_PEBS_DATA_CFG, PEBS_DATA_CFG),
    STORED(MSR_PEBS_LD_LAT, PEBS_LD_LAT),
    STORED(MSR_PEBS_FRONTEND, PEBS_FRONTEND),
    STORED(MSR_PEBS_BASE, PEBS_BASE),
    STORED(MSR_PEBS_INDEX, PEBS_INDEX),
    STORED(MSR_DS_AREA, DS_AREA),
    STORED(MSR_LBR_SELECT, LBR_SELECT),
    {MSR_LBR_TOS, MSR_LBR_TOS, model_lbr_tos_read, model_lbr_tos_write, 0},
    {MSR_LBR_FROM(0), MSR_LBR_FROM(LBR_MAX - 1), model_lbr_read, model_lbr_write, 0},
    {MSR_LBR_TO(0), MSR_LBR_TO(LBR_MAX - 1), model_lbr_read, model_lbr_write, LBR_MAX},
    {MSR_LBR_OLD_FROM(0), MSR_LBR_OLD_FROM(7), model_lbr_read, model_lbr_write, LBR_OLD},
    {MSR_LBR_OLD_TO(0), MSR_LBR_OLD_TO(7), model_lbr_read, model_lbr_write, LBR_OLD + LBR_MAX},
    {MSR_LBR_INFO(0), MSR_LBR_INFO(LBR_MAX - 1), model_lbr_info_read, model_lbr_info_write, 0},
    {MSR_ARCH_LBR_CTL, MSR_ARCH_LBR_CTL, model_lbr_ctl_read, model_lbr_ctl_write, 0},
    {MSR_ARCH_LBR_DEPTH, MSR_ARCH_LBR_DEPTH, model_lbr_depth_read, model_lbr_depth_write, 0},
    {MSR_ARCH_LBR_FROM(0), MSR_ARCH_LBR_FROM(LBR_MAX - 1), model_lbr_entry_read, model_lbr_entry_write, 0},
    {MSR_ARCH_LBR_TO(0), MSR_ARCH_LBR_TO(LBR_MAX - 1), model_lbr_entry_read, model_lbr_entry_write, LBR_MAX},
    {MSR_ARCH_LBR_INFO(0), MSR_ARCH_LBR_INFO(LBR_MAX - 1), model_lbr_entry_read, model_lbr_entry_write, 2 * LBR_MAX},
    {MSR_PERF_METRICS, MSR_PERF_METRICS, model_metrics_read, model_metrics_write, 0},
    STORED(MSR_OFFCORE_RSP(0), OFFCORE_RSP0),
    STORED(MSR_OFFCORE_RSP(1), OFFCORE_RSP1),
    STORED(MSR_THERM_STATUS, THERM_STATUS),
    STORED(MSR_PACKAGE_THERM_STATUS, PACKAGE_THERM_STATUS),
    MACHINE(MSR_PERF_CAPABILITIES, PERF_CAPABILITIES),
    MACHINE(MSR_PLATFORM_ID, PLATFORM_ID),
    MACHINE(MSR_SMI_COUNT, SMI_COUNT),
    MACHINE(MSR_BIOS_SIGN_ID, BIOS_SIGN_ID),
    {MSR_BIOS_UPDT_TRIG, MSR_BIOS_UPDT_TRIG, NULL, model_microcode_write, 0},
    MACHINE(MSR_PLATFORM_INFO, PLATFORM_INFO),
    MACHINE(MSR_MPERF, MPERF),
    MACHINE(MSR_APERF, APERF),
    {MSR_APIC_BASE, MSR_APIC_BASE, model_apic_base_read, model_apic_base_write, 0},
    {MSR_X2APIC, MSR_X2APIC_LAST, model_x2apic_read, model_x2apic_write, 0},
    {MSR_RTIT_OUTPUT_BASE, MSR_RTIT_OUTPUT_MASK_PTRS, model_trace_read, model_trace_write, TRACE_OUTPUT_BASE},
    {MSR_RTIT_CTL, MSR_RTIT_CR3_MATCH, model_trace_read, model_trace_write, TRACE_CTL},
    {MSR_RTIT_ADDR(0), MSR_RTIT_ADDR(2 * RTIT_RANGES_MAX - 1), model_trace_read, model_trace_write, TRACE_ADDR},
    MACHINE(MSR_TSX_FORCE_ABORT, TSX_FORCE_ABORT),
    ABSENT(MSR_RELOAD_PMC(0), MSR_RELOAD_PMC(7)),
    ABSENT(MSR_RELOAD_FIXED_CTR(0), MSR_RELOAD_FIXED_CTR(FIXED_MAX - 1)),
    {MSR_PMC_GP_CTR(0), MSR_PMC_GP_CFG_C(GP_MAX - 1), model_gp_alias_read, model_gp_alias_write, 0},
    {MSR_PMC_FX_CTR(0), MSR_PMC_FX_CFG_C(FIXED_MAX - 1), model_fixed_alias_read, model_fixed_alias_write, 0},
};

/* NetBurst's registers, which come first on NetBurst; on other CPUs they fault unless `rows` has them. */
static const struct row netburst_rows[] = {
    {MSR_NETBURST_COUNTER(0), MSR_NETBURST_COUNTER(NETBURST_COUNT - 1), model_netburst_counter_read,
     model_netburst_counter_write, 0},
    {MSR_CCCR(0), MSR_CCCR(NETBURST_COUNT - 1), model_cccr_read, model_cccr_write, 0},
    {MSR_ESCR, MSR_ESCR_LAST, model_escr_read, model_escr_write, 0},
};

static const struct row *find_row(const struct row *first, unsigned count, uint32_t msr)
{
    for (const struct row *row = first; row < first + count; row++)
        if (msr >= row->first && msr <= row->last)
            return row;
    return NULL;
}

static const struct row *row_of(const struct model *m, uint32_t msr)
{
    const struct row *netburst = find_row(netburst_rows, ARRAY_SIZE(netburst_rows), msr);
    return netburst && m->p.netburst_count ? netburst : find_row(rows, ARRAY_SIZE(rows), msr);
}

bool model_owns_msr(uint32_t msr)
{
    return find_row(rows, ARRAY_SIZE(rows), msr) || find_row(netburst_rows, ARRAY_SIZE(netburst_rows), msr);
}

/* Each access ends, at most with a fault. */
bool good_never_returns(struct model *m, uint32_t msr, bool write)
{
    (void)m, (void)msr, (void)write;
    return false;
}

bool model_never_returns(struct model *m, uint32_t msr, bool write)
{
    return rule(m, never_returns)(m, msr, write);
}

/* Starting and stopping counters counts nothing, except that some CPUs count the WRMSR itself. No manual says. */
void good_counting_changed(struct model *m, uint64_t started, uint64_t stopped)
{
    (void)started;
    if (m->p.start_stop & COUNT_STOP)
        model_count_stopping(m, stopped);
}

/* Settles which counters the access has started and stopped. */
static void settle(struct model *m)
{
    if (m->active.stale)
        model_settle(m);
}

/* Before an access to a register that the threads of a core may share: takes over what the other thread has written. */
static void look_at_core(struct model *m, const struct row *row)
{
    if (!row || row->read != model_stored_read)
        return;
    model_core_sync(m);
    settle(m);
}

/* RDMSR of a register that the CPU has shows its value, of any other it faults, and it changes no register. */
bool good_register_read(struct model *m, uint32_t msr, uint64_t *value)
{
    const struct row *row = row_of(m, msr);
    uint64_t read;
    look_at_core(m, row);
    if (!row || !row->read || !row->read(m, row->argument + (msr - row->first), &read))
        return false;
    *value = read;
    settle(m);
    return true;
}

/* A counter that counts instructions while its value is written counts the WRMSR, too. No manual says. */
bool good_write_counted(struct model *m, unsigned bit)
{
    (void)m, (void)bit;
    return true;
}

#define ALIASES 4 /* registers of each counter */

/* The counter whose value this register is, as its bit in STATUS; 64: it is none. */
static unsigned counter_of(const struct row *row, unsigned index)
{
    if (row->write == pmc_write || row->write == a_pmc_write)
        return index;
    if (row->write == model_fixed_write)
        return 32 + index;
    if (index % ALIASES || (row->write != model_gp_alias_write && row->write != model_fixed_alias_write))
        return 64;
    return index / ALIASES + (row->write == model_fixed_alias_write ? 32 : 0);
}

/* `counting`: the counters that counted before the write and still do. */
static void value_written(struct model *m, uint64_t counting, unsigned bit)
{
    if (bit < 64 && counting >> bit & 1 && model_counting_at(m, 0) >> bit & 1 && !rule(m, write_counted)(m, bit))
        model_write_uncounted(m, BIT(bit));
}

/* WRMSR of a register that the CPU has writes this register, of any other it faults. */
bool good_register_write(struct model *m, uint32_t msr, uint64_t value)
{
    const struct row *row = row_of(m, msr);
    uint64_t was = m->active.mask;
    if (m->p.start_stop & COUNT_STOP)
        model_remember_active(m);
    look_at_core(m, row);
    if (!row || !row->write || !row->write(m, row->argument + (msr - row->first), value))
        return false;
    if (row->write == model_stored_write)
        model_core_written(m, row->argument);
    settle(m);
    uint64_t started = m->active.mask & ~was;
    model_counting_started(m, started);
    value_written(m, was & m->active.mask, counter_of(row, row->argument + (msr - row->first)));
    rule(m, counting_changed)(m, started, was & ~m->active.mask);
    settle(m);
    return true;
}

/* These two rules are called by each access, so calls of them are not noted: they would tell nothing. */
bool model_rdmsr(struct model *m, uint32_t msr, uint64_t *value)
{
    return m->rules.register_read(m, msr, value);
}

bool model_wrmsr(struct model *m, uint32_t msr, uint64_t value)
{
    return m->rules.register_write(m, msr, value);
}
