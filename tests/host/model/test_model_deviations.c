/* links: pmu/reference/model/ pmu/reference/deviations/ */
/* Deviations of data, of access and of counting: what each does. */
#include "tests/host/model/model_probe.h"

#define FULL 0xffffffffffff

static u64 legacy_write(struct rig *r)
{
    wr(r, MSR_PMC(1), 0x1180000000);
    return rd(r, MSR_PMC(1));
}

static u64 legacy_positive(struct rig *r)
{
    wr(r, MSR_PMC(1), 0x12);
    return rd(r, MSR_PMC(1));
}

static u64 alias(struct rig *r)
{
    wr(r, MSR_A_PMC(0), 0xabcdef000001);
    wr(r, MSR_A_PMC(0), 0x123400000002);
    return rd(r, MSR_PMC(0));
}

static u64 gp_full(struct rig *r)
{
    wr(r, MSR_A_PMC(3), FULL);
    return rd(r, MSR_A_PMC(3));
}

static u64 fixed_full(struct rig *r)
{
    wr(r, MSR_FIXED_CTR(1), FULL);
    return rd(r, MSR_FIXED_CTR(1));
}

static u64 above_width(struct rig *r)
{
    return (u64)wr_faults(r, MSR_A_PMC(0), BIT(48)) | (u64)wr_faults(r, MSR_FIXED_CTR(0), BIT(48)) << 4 |
           rd(r, MSR_FIXED_CTR(0)) >> 40;
}

static u64 last_ones_fault(struct rig *r)
{
    return (u64)rd_faults(r, MSR_PMC(3)) | (u64)rd_faults(r, MSR_FIXED_CTR(2)) << 4 |
           (u64)rd_faults(r, MSR_PERFEVTSEL(3)) << 8;
}

static u64 rdpmc_at(struct rig *r, u32 index, u8 cpl, bool pce)
{
    u64 value = 0;
    return model_rdpmc(r->model, index, cpl, pce, &value) ? value : 0xbad;
}

static u64 rdpmc_running(struct rig *r)
{
    wr(r, MSR_A_PMC(0), 0xf00000000);
    wr(r, MSR_PERFEVTSEL(0), EVTSEL_BOTH | ARCH_EVENT_INSTRUCTIONS);
    plain(r, 5);
    return rdpmc_at(r, 0, 0, false);
}

static u64 rdpmc_fixed(struct rig *r)
{
    return rdpmc_at(r, RDPMC_FIXED(0), 0, false);
}

static u64 rdpmc_user(struct rig *r)
{
    return rdpmc_at(r, 0, 3, false);
}

static u64 rdpmc_last(struct rig *r)
{
    return rdpmc_at(r, 3, 3, true);
}

/* 1000 instructions at CPL 0 and 100 at CPL 3 counted as `evtsel` says. */
static u64 counted(struct rig *r, unsigned n, u64 evtsel)
{
    wr(r, MSR_PERFEVTSEL(n), evtsel);
    plain(r, 1000);
    retire(r, RETIRED_PLAIN, 3, false, 100);
    return rd(r, MSR_PMC(n));
}

static u64 os_only(struct rig *r)
{
    return counted(r, 0, EVTSEL_EN | EVTSEL_OS | ARCH_EVENT_INSTRUCTIONS);
}

static u64 usr_only(struct rig *r)
{
    return counted(r, 0, EVTSEL_EN | EVTSEL_USR | ARCH_EVENT_INSTRUCTIONS);
}

static u64 no_ring(struct rig *r)
{
    return counted(r, 0, EVTSEL_EN | ARCH_EVENT_INSTRUCTIONS);
}

static u64 no_enable(struct rig *r)
{
    return counted(r, 0, EVTSEL_OS | EVTSEL_USR | ARCH_EVENT_INSTRUCTIONS);
}

static u64 no_global(struct rig *r)
{
    wr(r, MSR_PERF_GLOBAL_CTRL, 0);
    return counted(r, 0, EVTSEL_BOTH | ARCH_EVENT_INSTRUCTIONS);
}

static u64 last_gp(struct rig *r)
{
    return counted(r, 3, EVTSEL_BOTH | ARCH_EVENT_INSTRUCTIONS);
}

static u64 cycles(struct rig *r)
{
    return counted(r, 2, EVTSEL_BOTH | ARCH_EVENT_CORE_CYCLES);
}

static u64 references(struct rig *r)
{
    return counted(r, 2, EVTSEL_BOTH | ARCH_EVENT_LLC_REFERENCE);
}

static u64 fixed_counted(struct rig *r, u64 control, unsigned i)
{
    wr(r, MSR_FIXED_CTR_CTRL, control);
    wr(r, MSR_PERF_GLOBAL_CTRL, 0x70000000f);
    plain(r, 1050);
    return rd(r, MSR_FIXED_CTR(i));
}

static u64 fixed0(struct rig *r)
{
    return fixed_counted(r, 3, 0);
}

static u64 fixed0_disabled(struct rig *r)
{
    return fixed_counted(r, 0x30, 0);
}

static u64 fixed1(struct rig *r)
{
    return fixed_counted(r, 0x30, 1);
}

static u64 fixed2(struct rig *r)
{
    return fixed_counted(r, 0x300, 2);
}

/* Started by one WRMSR together with PMC0: the difference between the two, plus 100. */
static u64 fixed0_spread(struct rig *r)
{
    wr(r, MSR_PERF_GLOBAL_CTRL, 0);
    wr(r, MSR_PERFEVTSEL(0), EVTSEL_BOTH | ARCH_EVENT_INSTRUCTIONS);
    wr(r, MSR_FIXED_CTR_CTRL, 3);
    wrmsr_retired(r, MSR_PERF_GLOBAL_CTRL, 0x100000001);
    plain(r, 50);
    wr(r, MSR_PERF_GLOBAL_CTRL, 0);
    return 100 + rd(r, MSR_FIXED_CTR(0)) - rd(r, MSR_PMC(0));
}

/* 100 taken and 40 not taken branches among 60 others. */
static u64 branches(struct rig *r)
{
    wr(r, MSR_PERFEVTSEL(0), EVTSEL_BOTH | ARCH_EVENT_BRANCHES);
    retire(r, RETIRED_BRANCH, 0, true, 100);
    retire(r, RETIRED_BRANCH, 0, false, 40);
    plain(r, 60);
    return rd(r, MSR_PMC(0));
}

static u64 carry(struct rig *r)
{
    wr(r, MSR_A_PMC(0), 0x1fffffffe);
    return counted(r, 0, EVTSEL_EN | EVTSEL_USR | ARCH_EVENT_INSTRUCTIONS);
}

static u64 smis(struct rig *r)
{
    wr(r, MSR_PERFEVTSEL(0), EVTSEL_BOTH | ARCH_EVENT_INSTRUCTIONS);
    plain(r, 40009);
    return rd(r, MSR_SMI_COUNT) << 32 | rd(r, MSR_PMC(0));
}

static u64 foreign(struct rig *r)
{
    wr(r, MSR_PERFEVTSEL(0), EVTSEL_BOTH | ARCH_EVENT_INSTRUCTIONS);
    plain(r, 51000);
    return r->nmis;
}

static u64 evtsel_accepts(struct rig *r)
{
    static const u64 bits[] = {EVTSEL_PC, EVTSEL_ANY, EVTSEL_IN_TX, BIT(40)};
    u64 answer = 0;
    for_each_row (bits, bit) {
        bool fault = wr_faults(r, MSR_PERFEVTSEL(0), *bit);
        answer = answer << 4 | (fault ? 0xf : rd(r, MSR_PERFEVTSEL(0)) == *bit);
    }
    return answer; /* a digit each: f faults, 1 kept, 0 dropped */
}

static u64 handoff(struct rig *r)
{
    return rd(r, MSR_PERF_GLOBAL_CTRL) | rd(r, MSR_PERF_GLOBAL_STATUS) << 8 | rd(r, MSR_FIXED_CTR_CTRL) << 16;
}

static u64 microcode(struct rig *r)
{
    return rd(r, MSR_BIOS_SIGN_ID) >> 32;
}

static u64 smm_freeze(struct rig *r)
{
    wr(r, MSR_DEBUGCTL, DEBUGCTL_FREEZE_WHILE_SMM);
    return rd(r, MSR_DEBUGCTL);
}

static u64 status_set_answers(struct rig *r)
{
    return (u64)!rd_faults(r, MSR_PERF_GLOBAL_STATUS_SET) | (u64)!wr_faults(r, MSR_PERF_GLOBAL_STATUS_SET, 0) << 4;
}

static u64 full_width_exists(struct rig *r)
{
    return (u64)rd_faults(r, MSR_A_PMC(0)) << 16 | rd(r, MSR_PERF_CAPABILITIES);
}

static const struct probe_row rows[] = {
    {"legacy-write-not-sign-extended", legacy_write, 0xffff80000000, 0x80000000},
    {"legacy-write-takes-edx", legacy_write, 0xffff80000000, 0x1180000000},
    {"legacy-write-extends-ones", legacy_positive, 0x12, 0xffff00000012},
    {"a-pmc-alias-lags", alias, 0x123400000002, 0xabcd00000002},
    {"upper-bits-lost", gp_full, FULL, 0xffffffff},
    {"fixed-upper-bits-lost", fixed_full, FULL, 0xffffffff},
    {"fixed-ctr1-write-corrupt", fixed_full, FULL, 0xffff00000001},
    {"full-width-write-no-gp", above_width, 0x11, 0x10},
    {"fixed-write-above-width-accepted", above_width, 0x11, 0x101},
    {"fixed-upper-dropped", above_width, 0x11, 0x01},
    {"enumerated-counter-faults", last_ones_fault, 0, 1},
    {"enumerated-fixed-faults", last_ones_fault, 0, 0x10},
    {"enumerated-evtsel-faults", last_ones_fault, 0, 0x100},
    {"full-width-claimed-absent", full_width_exists, 0x33c5, 0x133c5},
    {"one-cpu-differs-capabilities", full_width_exists, 0x33c5, 0x23c5},
    {"smm-freeze-claimed-absent", smm_freeze, 0x4000, 0},
    {"status-set-absent", status_set_answers, 0x11, 0},
    {"no-full-width", full_width_exists, 0x33c5, 0x113c5},
    {"rdpmc-stale", rdpmc_running, 0xf00000005, 0xf00000000},
    {"rdpmc-truncates", rdpmc_running, 0xf00000005, 5},
    {"rdpmc-fixed-faults", rdpmc_fixed, 0, 0xbad},
    {"rdpmc-user-unchecked", rdpmc_user, 0xbad, 0},
    {"rdpmc-gp-faults", rdpmc_last, 0, 0xbad},
    {"os-counts-in-user", os_only, 1000, 1100},
    {"usr-counts-in-os", usr_only, 100, 1100},
    {"usr-counts-nothing", usr_only, 100, 0},
    {"inst-retired-undercounts", usr_only, 100, 97},
    {"one-cpu-counts-double", usr_only, 100, 125},
    {"counts-without-ring", no_ring, 0, 1100},
    {"counts-without-event-enable", no_enable, 0, 1100},
    {"counts-without-global-enable", no_global, 0, 1100},
    {"last-gp-dead", last_gp, 1100, 0},
    {"cycles-stop", cycles, 1100, 0},
    {"throttled", cycles, 1100, 550},
    {"arch-event-claimed-absent", cycles, 1100, 0},
    {"llc-zero", references, 17, 0},
    {"fixed0-dead", fixed0, 1050, 0},
    {"fixed-counts-disabled", fixed0_disabled, 0, 1050},
    {"cycles-stop", fixed1, 1050, 0},
    {"ref-cycles-step", fixed2, 1000, 984},
    {"ref-cycles-boot-ratio", fixed2, 1000, 1050},
    {"fixed0-one-less", fixed0_spread, 100, 99},
    {"fixed0-plus-32", fixed0_spread, 100, 132},
    {"branches-not-taken-missed", branches, 140, 100},
    {"branches-taken-twice", branches, 140, 240},
    {"branches-count-instructions", branches, 140, 200},
    {"br-retired-wrong-on-lp1", branches, 140, 123},
    {"branch-event-claimed-absent", branches, 140, 0},
    {"carry-lost-at-bit-32", carry, 0x200000062, 0x100000062},
    {"smi-during-blocks", smis, 40009, 0x100009c49},
    {"smi-counted", smis, 40009, 0x100009c49 + 500},
    {"foreign-nmi", foreign, 0, 1},
    {"evtsel-pc-kept", evtsel_accepts, 0xf11f, 0x111f},
    {"evtsel-pc-dropped", evtsel_accepts, 0xf11f, 0x011f},
    {"evtsel-any-faults", evtsel_accepts, 0xf11f, 0xff1f},
    {"evtsel-any-dropped", evtsel_accepts, 0xf11f, 0xf01f},
    {"evtsel-tsx-faults", evtsel_accepts, 0xf11f, 0xf1ff},
    {"evtsel-upper-dropped", evtsel_accepts, 0xf11f, 0xf100},
    {"handoff-zero", handoff, 0xf, 0},
    {"handoff-fixed-on", handoff, 0xf, 0x70000000f},
    {"handoff-status-0", handoff, 0xf, 0x10f},
    {"firmware-counters-run", handoff, 0xf, 0x600000000 | 0x330000f},
    {"microcode-differs", microcode, 0xf0, 0xe0},
};

static void each_does_what_it_says(void **state)
{
    (void)state;
    check_probes(rows, ARRAY_SIZE(rows));
}

/* What concerns one CPU leaves the others alone. */
static void one_cpu_only(void **state)
{
    static const char *const names[] = {"one-cpu-counts-double", "br-retired-wrong-on-lp1", "microcode-differs"};
    (void)state;
    for_each_row (names, name) {
        struct rig r;
        rig_open(&r, *name, 1, 0);
        assert_int_equal(branches(&r), 140);
        wr(&r, MSR_PMC(0), 0);
        assert_int_equal(counted(&r, 0, EVTSEL_BOTH | ARCH_EVENT_INSTRUCTIONS), 1100);
        assert_int_equal(microcode(&r), 0xf0);
        rig_close(&r);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_does_what_it_says),
        cmocka_unit_test(one_cpu_only),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
