#include "kernel/text/format.h"
#include "kernel/text/string.h"
#include "pmu/cpu/second_names.h"
#include "pmu/registers.h"
#include "pmu/state/register_names.h"
#include "pmu/state/snapshot.h"

/* Families are rows of more than one register, their name followed by its number. */
static const struct {
    u32 first, count;
    const char *name;
} names[] = {
    {MSR_PERFEVTSEL(0), GP_COUNTERS_MAX, "IA32_PERFEVTSEL"},
    {MSR_PMC(0), GP_COUNTERS_MAX, "IA32_PMC"},
    {MSR_A_PMC(0), GP_COUNTERS_MAX, "IA32_A_PMC"},
    {MSR_FIXED_CTR(0), FIXED_COUNTERS_MAX, "IA32_FIXED_CTR"},
    {MSR_FIXED_CTR_CTRL, 1, "IA32_FIXED_CTR_CTRL"},
    {MSR_PERF_GLOBAL_STATUS, 1, "IA32_PERF_GLOBAL_STATUS"},
    {MSR_PERF_GLOBAL_CTRL, 1, "IA32_PERF_GLOBAL_CTRL"},
    {MSR_PERF_GLOBAL_STATUS_RESET, 1, "IA32_PERF_GLOBAL_STATUS_RESET"},
    {MSR_PERF_GLOBAL_STATUS_SET, 1, "IA32_PERF_GLOBAL_STATUS_SET"},
    {MSR_PERF_GLOBAL_INUSE, 1, "IA32_PERF_GLOBAL_INUSE"},
    {MSR_PERF_CAPABILITIES, 1, "IA32_PERF_CAPABILITIES"},
    {MSR_PERF_METRICS, 1, "MSR_PERF_METRICS"},
    {MSR_DEBUGCTL, 1, "IA32_DEBUGCTL"},
    {MSR_MISC_ENABLE, 1, "IA32_MISC_ENABLE"},
    {MSR_PEBS_ENABLE, 1, "IA32_PEBS_ENABLE"},
    {MSR_PEBS_DATA_CFG, 1, "MSR_PEBS_DATA_CFG"}, /* on NetBurst MSR_PEBS_MATRIX_VERT */
    {MSR_PEBS_LD_LAT, 1, "MSR_PEBS_LD_LAT_THRESHOLD"},
    {MSR_PEBS_FRONTEND, 1, "MSR_PEBS_FRONTEND"},
    {MSR_PEBS_BASE, 1, "IA32_PEBS_BASE"},
    {MSR_PEBS_INDEX, 1, "IA32_PEBS_INDEX"},
    {MSR_DS_AREA, 1, "IA32_DS_AREA"},
    {MSR_SMI_COUNT, 1, "MSR_SMI_COUNT"},
    {MSR_BIOS_SIGN_ID, 1, "IA32_BIOS_SIGN_ID"},
    {MSR_THERM_STATUS, 1, "IA32_THERM_STATUS"},
    {MSR_PACKAGE_THERM_STATUS, 1, "IA32_PACKAGE_THERM_STATUS"},
    {MSR_TIME_STAMP_COUNTER, 1, "IA32_TIME_STAMP_COUNTER"},
    {MSR_EFER, 1, "IA32_EFER"},
    {MSR_PAT, 1, "IA32_PAT"},
    {MSR_NETBURST_COUNTER(NETBURST_IQ_COUNTER(4)), 1, "MSR_IQ_COUNTER4"},
    {MSR_NETBURST_COUNTER(NETBURST_IQ_COUNTER(5)), 1, "MSR_IQ_COUNTER5"},
    {MSR_CCCR(NETBURST_IQ_COUNTER(4)), 1, "MSR_IQ_CCCR4"},
    {MSR_CCCR(NETBURST_IQ_COUNTER(5)), 1, "MSR_IQ_CCCR5"},
    {MSR_CRU_ESCR(0), 1, "MSR_CRU_ESCR0"},
    {MSR_CRU_ESCR(1), 1, "MSR_CRU_ESCR1"},
    {MSR_CRU_ESCR(2), 1, "MSR_CRU_ESCR2"},
    {MSR_CRU_ESCR(3), 1, "MSR_CRU_ESCR3"},
    {MSR_CRU_ESCR(4), 1, "MSR_CRU_ESCR4"},
    {MSR_CRU_ESCR(5), 1, "MSR_CRU_ESCR5"},
    {MSR_FIRM_ESCR(0), 2, "MSR_FIRM_ESCR"},
    {MSR_RAT_ESCR(0), 2, "MSR_RAT_ESCR"},
    {MSR_LBR_TOS, 1, "MSR_LASTBRANCH_TOS"},
    {MSR_LBR_SELECT, 1, "MSR_LBR_SELECT"},
    {MSR_LBR_FROM(0), 32, "MSR_LASTBRANCH_FROM_"},
    {MSR_LBR_TO(0), 32, "MSR_LASTBRANCH_TO_"},
    {MSR_LBR_INFO(0), 32, "MSR_LBR_INFO_"},
    {MSR_ARCH_LBR_CTL, 1, "IA32_LBR_CTL"},
    {MSR_ARCH_LBR_DEPTH, 1, "IA32_LBR_DEPTH"},
    {MSR_ARCH_LBR_FROM(0), 32, "IA32_LBR_FROM_"},
    {MSR_ARCH_LBR_TO(0), 32, "IA32_LBR_TO_"},
    {MSR_ARCH_LBR_INFO(0), 32, "IA32_LBR_INFO_"},
    {MSR_OFFCORE_RSP(0), 2, "MSR_OFFCORE_RSP_"},
    {MSR_RTIT_OUTPUT_BASE, 1, "IA32_RTIT_OUTPUT_BASE"},
    {MSR_RTIT_OUTPUT_MASK_PTRS, 1, "IA32_RTIT_OUTPUT_MASK_PTRS"},
    {MSR_RTIT_CTL, 1, "IA32_RTIT_CTL"},
    {MSR_RTIT_STATUS, 1, "IA32_RTIT_STATUS"},
    {MSR_RTIT_CR3_MATCH, 1, "IA32_RTIT_CR3_MATCH"},
    {MSR_RTIT_ADDR(0), 1, "IA32_RTIT_ADDR0_A"},
    {MSR_RTIT_ADDR(1), 1, "IA32_RTIT_ADDR0_B"},
    {MSR_RTIT_ADDR(2), 1, "IA32_RTIT_ADDR1_A"},
    {MSR_RTIT_ADDR(3), 1, "IA32_RTIT_ADDR1_B"},
    {MSR_RTIT_ADDR(4), 1, "IA32_RTIT_ADDR2_A"},
    {MSR_RTIT_ADDR(5), 1, "IA32_RTIT_ADDR2_B"},
    {MSR_RTIT_ADDR(6), 1, "IA32_RTIT_ADDR3_A"},
    {MSR_RTIT_ADDR(7), 1, "IA32_RTIT_ADDR3_B"},
    {SNAPSHOT_LVTPC, 1, "LVTPC"},
};

/* Second names of counters, four registers apart. */
static const struct {
    u32 first, count;
    const char *name, *kind;
} second_names[] = {
    {MSR_PMC_GP_CTR(0), GP_COUNTERS_MAX, "GP", "CTR"},        {MSR_PMC_GP_CFG_A(0), GP_COUNTERS_MAX, "GP", "CFG_A"},
    {MSR_PMC_GP_CFG_B(0), GP_COUNTERS_MAX, "GP", "CFG_B"},    {MSR_PMC_GP_CFG_C(0), GP_COUNTERS_MAX, "GP", "CFG_C"},
    {MSR_PMC_FX_CTR(0), FIXED_COUNTERS_MAX, "FX", "CTR"},     {MSR_PMC_FX_CFG_B(0), FIXED_COUNTERS_MAX, "FX", "CFG_B"},
    {MSR_PMC_FX_CFG_C(0), FIXED_COUNTERS_MAX, "FX", "CFG_C"},
};

static bool second_name(u32 msr, char *text)
{
    for_each_row (second_names, row) {
        u32 n = (msr - row->first) / SECOND_APART;
        if (msr < row->first || n >= row->count || (msr - row->first) % SECOND_APART)
            continue;
        format_text(text, REGISTER_NAME_SIZE, "IA32_PMC_%s%u_%s", row->name, n, row->kind);
        return true;
    }
    return false;
}

const char *register_name(u32 msr, char *text)
{
    for_each_row (names, row) {
        if (msr < row->first || msr - row->first >= row->count)
            continue;
        if (row->count > 1)
            format_text(text, REGISTER_NAME_SIZE, "%s%u", row->name, msr - row->first);
        else
            format_text(text, REGISTER_NAME_SIZE, "%s", row->name);
        return text;
    }
    if (second_name(msr, text))
        return text;
    format_text(text, REGISTER_NAME_SIZE, "MSR_%xH", msr);
    return text;
}

bool register_number(const char *name, u32 *msr)
{
    char text[REGISTER_NAME_SIZE];
    for_each_row (names, row)
        for (u32 n = 0; n < row->count && row->first != SNAPSHOT_LVTPC; n++)
            if (!strcmp(register_name(row->first + n, text), name)) {
                *msr = row->first + n;
                return true;
            }
    for_each_row (second_names, row)
        for (u32 n = 0; n < row->count; n++)
            if (second_name(row->first + SECOND_APART * n, text) && !strcmp(text, name)) {
                *msr = row->first + SECOND_APART * n;
                return true;
            }
    return false;
}
