/* links: */
/*
 * pmu/registers.h against numbers typed here anew: an index or a bit that is wrong there would be wrong in the tests
 * and in the reference PMU alike, and no run could show it.
 */
#include "pmu/registers.h"

#include <setjmp.h>
#include <stdarg.h>

#include <cmocka.h>

struct number {
    const char *name;
    u64 got, want;
};
#define IS(expression, want)              \
    {                                     \
#expression, (expression), (want) \
    }

static const struct number indices[] = {
    IS(MSR_PMC(0), 193),
    IS(MSR_PMC(3), 0xc4),
    IS(MSR_A_PMC(0), 0x4c1),
    IS(MSR_A_PMC(7), 0x4c8),
    IS(MSR_PERFEVTSEL(0), 390),
    IS(MSR_PERFEVTSEL(7), 0x18d),
    IS(MSR_FIXED_CTR(0), 777),
    IS(MSR_FIXED_CTR(2), 0x30b),
    IS(MSR_FIXED_CTR(3), 0x30c),
    IS(MSR_FIXED_CTR_CTRL, 909),
    IS(MSR_PERF_GLOBAL_STATUS, 910),
    IS(MSR_PERF_GLOBAL_CTRL, 911),
    IS(MSR_PERF_GLOBAL_STATUS_RESET, 912),
    IS(MSR_PERF_GLOBAL_STATUS_SET, 913),
    IS(MSR_PERF_GLOBAL_INUSE, 914),
    IS(MSR_PERF_METRICS, 0x329),
    IS(MSR_PERF_CAPABILITIES, 0x345),
    IS(MSR_DEBUGCTL, 0x1d9),
    IS(MSR_MISC_ENABLE, 0x1a0),
    IS(MSR_PEBS_ENABLE, 0x3f1),
    IS(MSR_PEBS_DATA_CFG, 0x3f2),
    IS(MSR_PEBS_BASE, 0x3f4),
    IS(MSR_PEBS_INDEX, 0x3f5),
    IS(MSR_PEBS_LD_LAT, 0x3f6),
    IS(MSR_PEBS_FRONTEND, 0x3f7),
    IS(MSR_DS_AREA, 0x600),
    IS(MSR_OFFCORE_RSP(0), 0x1a6),
    IS(MSR_OFFCORE_RSP(1), 0x1a7),
    IS(MSR_RELOAD_PMC(0), 0x14c1),
    IS(MSR_RELOAD_FIXED_CTR(0), 0x1309),
    IS(MSR_PMC_GP_CTR(0), 0x1900),
    IS(MSR_PMC_GP_CTR(1), 0x1904),
    IS(MSR_PMC_GP_CFG_A(1), 0x1905),
    IS(MSR_PMC_GP_CFG_B(1), 0x1906),
    IS(MSR_PMC_GP_CFG_C(1), 0x1907),
    IS(MSR_PMC_FX_CTR(2), 0x1988),
    IS(MSR_PMC_FX_CFG_B(2), 0x198a),
    IS(MSR_PMC_FX_CFG_C(2), 0x198b),
    IS(MSR_LBR_SELECT, 0x1c8),
    IS(MSR_LBR_TOS, 0x1c9),
    IS(MSR_TIME_STAMP_COUNTER, 0x10),
    IS(MSR_PLATFORM_ID, 0x17),
    IS(MSR_APIC_BASE, 0x1b),
    IS(MSR_SMI_COUNT, 0x34),
    IS(MSR_FEATURE_CONTROL, 0x3a),
    IS(MSR_BIOS_SIGN_ID, 0x8b),
    IS(MSR_PLATFORM_INFO, 0xce),
    IS(MSR_MPERF, 0xe7),
    IS(MSR_APERF, 0xe8),
    IS(MSR_ARCH_CAPABILITIES, 0x10a),
    IS(MSR_TSX_FORCE_ABORT, 0x10f),
    IS(MSR_THERM_STATUS, 0x19c),
    IS(MSR_PACKAGE_THERM_STATUS, 0x1b1),
    IS(MSR_PAT, 0x277),
    IS(MSR_X2APIC, 0x800),
    IS(MSR_X2APIC_REGISTER(0x340), 0x834),
    IS(MSR_MC_STATUS(0), 0x401),
    IS(MSR_EFER, 0xc0000080),
    IS(MSR_STAR, 0xc0000081),
    IS(MSR_LSTAR, 0xc0000082),
    IS(MSR_FMASK, 0xc0000084),
    IS(MSR_VM_HSAVE_PA, 0xc0010117),
};

static const struct number bits[] = {
    IS(EVTSEL_EVENT(0xc4), 0xc4),
    IS(EVTSEL_UMASK(0x41), 0x4100),
    IS(EVTSEL_ENCODING(0x412e), 0x412e),
    IS(EVTSEL_USR, 0x10000),
    IS(EVTSEL_OS, 0x20000),
    IS(EVTSEL_EDGE, 0x40000),
    IS(EVTSEL_PC, 0x80000),
    IS(EVTSEL_INT, 0x100000),
    IS(EVTSEL_ANY, 0x200000),
    IS(EVTSEL_EN, 0x400000),
    IS(EVTSEL_INV, 0x800000),
    IS(EVTSEL_CMASK(0x81), 0x81000000),
    IS(EVTSEL_IN_TX, 0x100000000),
    IS(EVTSEL_IN_TXCP, 0x200000000),
    IS(EVTSEL_ADAPTIVE, 0x400000000),
    IS(EVTSEL_BR_CNTR, 0x800000000),
    IS(EVTSEL_EQ, 0x1000000000),
    IS(EVTSEL_RDPMC_USER_DISABLE, 0x2000000000),
    IS(EVTSEL_UMASK2(0xff), 0xff0000000000),
    IS(FIXED_OS(0) | FIXED_USR(1) | FIXED_PMI(2), 0x821),
    IS(FIXED_ANY(1), 0x40),
    IS(FIXED_FIELD(2), 0xf00),
    IS(FIXED_ADAPTIVE(1), 0x1000000000),
    IS(FIXED_RDPMC_USER_DISABLE(0), 0x200000000),
    IS(STATUS_GP(3), 8),
    IS(STATUS_FIXED(2), 0x400000000),
    IS(STATUS_METRICS, 0x1000000000000),
    IS(STATUS_ARCH_PEBS, 0x40000000000000),
    IS(STATUS_TRACE_TOPA_PMI, 0x80000000000000),
    IS(STATUS_LBR_FRZ, 0x400000000000000),
    IS(STATUS_CTR_FRZ, 0x800000000000000),
    IS(STATUS_ASCI, 0x1000000000000000),
    IS(STATUS_OVF_UNCORE, 0x2000000000000000),
    IS(STATUS_OVF_BUFFER, 0x4000000000000000),
    IS(STATUS_COND_CHGD, 0x8000000000000000),
    IS(GLOBAL_GP(1) | GLOBAL_FIXED(0) | GLOBAL_METRICS, 0x1000100000002),
    IS(INUSE_GP(1) | INUSE_FIXED(2), 0x400000002),
    IS(INUSE_PMI, 0x8000000000000000),
    IS(PERF_CAP_LBR_FORMAT, 0x3f),
    IS(PERF_CAP_PEBS_TRAP | PERF_CAP_PEBS_ARCH_REGS, 0xc0),
    IS(PERF_CAP_PEBS_FORMAT, 0xf00),
    IS(PERF_CAP_FREEZE_WHILE_SMM, 0x1000),
    IS(PERF_CAP_FULL_WIDTH, 0x2000),
    IS(PERF_CAP_PEBS_BASELINE, 0x4000),
    IS(PERF_CAP_METRICS, 0x8000),
    IS(PERF_CAP_PEBS_OUTPUT_PT, 0x10000),
    IS(PERF_CAP_PEBS_TIMING, 0x20000),
    IS(PERF_CAP_RDPMC_METRICS_CLEAR, 0x80000),
    IS(DEBUGCTL_LBR | DEBUGCTL_BTF | DEBUGCTL_BUS_LOCK, 7),
    IS(DEBUGCTL_TR | DEBUGCTL_BTS | DEBUGCTL_BTINT, 0x1c0),
    IS(DEBUGCTL_BTS_OFF_OS | DEBUGCTL_BTS_OFF_USR, 0x600),
    IS(DEBUGCTL_FREEZE_LBRS_ON_PMI, 0x800),
    IS(DEBUGCTL_FREEZE_PERFMON_ON_PMI, 0x1000),
    IS(DEBUGCTL_UNCORE_PMI, 0x2000),
    IS(DEBUGCTL_FREEZE_WHILE_SMM, 0x4000),
    IS(DEBUGCTL_RTM, 0x8000),
    IS(MISC_ENABLE_PERFMON, 0x80),
    IS(MISC_ENABLE_BTS_UNAVAILABLE, 0x800),
    IS(MISC_ENABLE_PEBS_UNAVAILABLE, 0x1000),
    IS(MISC_ENABLE_LIMIT_CPUID, 0x400000),
    IS(MISC_ENABLE_XD_DISABLE, 0x400000000),
    IS(MISC_ENABLE_TURBO_DISABLE, 0x4000000000),
    IS(PEBS_GP(3), 8),
    IS(PEBS_LL(0), 0x100000000),
    IS(PEBS_FIXED(1), 0x200000000),
    IS(PEBS_PS, 0x8000000000000000),
    IS(PEBS_DATA_MEMINFO | PEBS_DATA_GPR | PEBS_DATA_XMM | PEBS_DATA_LBR, 15),
    IS(PEBS_DATA_LBR_ENTRIES(32), 0x1f000000),
    IS(PLATFORM_ID, 0x1c000000000000),
    IS(BIOS_SIGN_REVISION, 0xffffffff00000000),
    IS(THERM_PROCHOT | THERM_PROCHOT_LOG | THERM_CRITICAL, 0x13),
    IS(APIC_BASE_BSP | APIC_BASE_EXTD | APIC_BASE_EN, 0xd00),
    IS(EFER_SCE | EFER_LME | EFER_LMA | EFER_NXE | EFER_SVME, 0x1d01),
    IS(RDPMC_GP(2), 2),
    IS(RDPMC_FIXED(1), 0x40000001),
    IS(RDPMC_METRICS, 0x20000000),
};

static const struct number events[] = {
    IS(ARCH_EVENT_CORE_CYCLES, 0x003c),      IS(ARCH_EVENT_INSTRUCTIONS, 0x00c0),
    IS(ARCH_EVENT_REF_CYCLES, 0x013c),       IS(ARCH_EVENT_LLC_REFERENCE, 0x4f2e),
    IS(ARCH_EVENT_LLC_MISS, 0x412e),         IS(ARCH_EVENT_BRANCHES, 0x00c4),
    IS(ARCH_EVENT_BRANCH_MISSES, 0x00c5),    IS(ARCH_EVENT_TOPDOWN_SLOTS, 0x01a4),
    IS(ARCH_EVENT_TOPDOWN_BACKEND, 0x02a4),  IS(ARCH_EVENT_TOPDOWN_BAD_SPEC, 0x0073),
    IS(ARCH_EVENT_TOPDOWN_FRONTEND, 0x019c), IS(ARCH_EVENT_TOPDOWN_RETIRING, 0x02c2),
    IS(ARCH_EVENT_LBR_INSERTS, 0x01e4),
};

static void check(const struct number *rows, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (rows[i].got != rows[i].want)
            fail_msg("%s is %llx, not %llx", rows[i].name, (unsigned long long)rows[i].got,
                     (unsigned long long)rows[i].want);
}

static void test_indices(void **state)
{
    (void)state;
    check(indices, ARRAY_SIZE(indices));
}

static void test_bits(void **state)
{
    (void)state;
    check(bits, ARRAY_SIZE(bits));
}

static void test_events(void **state)
{
    (void)state;
    check(events, ARRAY_SIZE(events));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_indices),
        cmocka_unit_test(test_bits),
        cmocka_unit_test(test_events),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
