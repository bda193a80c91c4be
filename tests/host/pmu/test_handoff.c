/* SPDX-License-Identifier: BSD-2-Clause */
/* The meaning of registers at hand-off. The values of the first table were read on real machines. */
#include "pmu/registers.h"
#include "pmu/state/handoff.h"
#include "pmu/state/register.h"
#include "tests/host/case.h"
#include "tests/host/pmu/cpu_dumps.h"

#include <stdio.h>
#include <string.h>

static struct pmu_caps caps;
static struct snapshot snapshot;
static struct handoff_finding findings[HANDOFF_FINDINGS];

static void put(u32 msr, u64 value)
{
    for (unsigned i = 0; i < snapshot.count; i++)
        if (snapshot.entry[i].msr == msr)
            snapshot.entry[i].value = value;
}

/* A CPU at reset. */
static struct handoff_view at_reset(const char *cpu)
{
    caps = cpu_caps(cpu);
    caps.ds = caps.pdcm;
    snapshot_list(&caps, SNAPSHOT_ALL, &snapshot);
    for (unsigned i = 0; i < snapshot.count; i++)
        snapshot.entry[i].readable = true;
    put(MSR_PERF_GLOBAL_CTRL, counter_mask(caps.gp_count));
    put(REGISTER_LVTPC, 0x10000);
    return (struct handoff_view){.caps = &caps, .snapshot = &snapshot, .boot_cpu = true};
}

CASE(real_machines)
{
    static const struct {
        const char *cpu;
        u64 global_ctrl, status, fixed_control;
        enum handoff_grade grade;
    } rows[] = {
        {"conroe-b2", 0x700000003, 0, 0, GRADE_BENIGN},
        {"harpertown", ~0ull, 0, 0, GRADE_BENIGN},
        {"bonnell", 0x700000003, 0, 0, GRADE_BENIGN},
        {"silvermont", 0x3, 0, 0, GRADE_CLEAN},
        {"sandy-bridge", 0xf, 0, 0, GRADE_CLEAN},
        {"sandy-bridge", 0xf, 1ull << 63, 0, GRADE_BENIGN},
        {"ivy-bridge-8", 0x7000000ff, 0, 0, GRADE_BENIGN},
        {"broadwell", 0xf, 0, 0, GRADE_CLEAN},
        {"skylake", 0xf, 1, 0, GRADE_BENIGN},
        {"skylake", 0, 0, 0, GRADE_BENIGN},
        {"sandy-bridge", 0x7000000ff, 0, 0x330, GRADE_CLAIMS},
        {"sandy-bridge", 0xf, 0, 0xb0, GRADE_CLAIMS}, /* in kernels of kdump */
        {"sandy-bridge", 0xf, 0, 0x3, GRADE_CLAIMS},
    };
    for_each_row (rows, row) {
        struct handoff_view view = at_reset(row->cpu);
        put(MSR_PERF_GLOBAL_CTRL, row->global_ctrl);
        put(MSR_PERF_GLOBAL_STATUS, row->status);
        put(MSR_FIXED_CTR_CTRL, row->fixed_control);
        unsigned count = handoff_find(&view, findings);
        if (handoff_grade(findings, count) != row->grade)
            fail_msg("%s %#llx: %s", row->cpu, (unsigned long long)row->global_ctrl,
                     handoff_grade_name(handoff_grade(findings, count)));
    }
}

CASE(one_register)
{
    static const struct {
        u32 msr;
        u64 value;
        const char *label; /* NULL: nothing to say */
    } rows[] = {
        {0x189, 0x4300c0, "handoff.gp-running"},
        {0x189, 0x0300c0, "handoff.gp-claimed"},
        {0x189, 0x420000, "handoff.gp-hidden"},
        {0x189, 0x100000, "handoff.gp-interrupt"},
        {0x189, 0x000100, "handoff.gp-left"},
        {0x4c1, 5, "handoff.counter-left"},
        {0x30a, 5, "handoff.counter-left"},
        {0x38d, 0x1, "handoff.fixed-claimed"},
        {0x38d, 0x8, "handoff.fixed-interrupt"},
        {0x38d, 0x4, "handoff.fixed-left"},
        {0x38e, 1ull << 59, "handoff.frozen"},
        {0x38e, 1ull << 33, "handoff.overflow-left"},
        {0x3f1, 1, "handoff.pebs-on"},
        {0x600, 0x1000, "handoff.ds-area"},
        {0x1d9, 0x80, "handoff.branch-trace"},
        {0x1d9, 0x1000, "handoff.freeze-on-pmi"},
        {0x1d9, 0x1, "handoff.lbr-on"},
        {0x1d9, 0x4000, "handoff.smm-freeze"},
        {0x1d9, 0x2, "handoff.debugctl"},
        {REGISTER_LVTPC, 0x10200, "handoff.lvtpc-smi"},
        {REGISTER_LVTPC, 0xef, "handoff.lvtpc-open"},
        {REGISTER_LVTPC, 0x10400, "handoff.lvtpc-left"},
        {REGISTER_LVTPC, 0x11000, NULL},
        {0x1a6, 1, "handoff.register-left"},
        {0x1c8, 1, "handoff.register-left"},
        {0x3f6, 0xffff, NULL},
    };
    for_each_row (rows, row) {
        struct handoff_view view = at_reset("skylake");
        put(row->msr, row->value);
        unsigned count = handoff_find(&view, findings);
        assert_int_equal(count, row->label ? 1 : 0);
        if (row->label)
            assert_string_equal(findings[0].meaning->label, row->label);
    }
}

/* The meaning of registers that Skylake does not have. */
CASE(architectural_registers)
{
    static const struct {
        u32 msr;
        u64 value;
        const char *label;
        u64 counters;
    } rows[] = {
        {0x3f4, 0x1002, "handoff.pebs-base", 0},
        {0x3f5, 1ull << 32, "handoff.register-left", 0},
        {0x1906, 1, "handoff.register-left", 1 << 1},
        {0x1982, 1, "handoff.register-left", 1ull << 32},
        {0x1907, 1ull << 63, "handoff.arch-pebs-on", 1 << 1},
        {0x1987, 0x80000000, "handoff.register-left", 1ull << 33},
        {0x1987, 1ull << 63, "handoff.arch-pebs-on", 1ull << 33},
        {0x14ce, 0xf0003, "handoff.lbr-on", 0},
        {0x14ce, 0xf0002, "handoff.register-left", 0},
        {0x14cf, 0x20, NULL, 0},
        {0x570, 0x2008, NULL, 0},
    };
    for_each_row (rows, row) {
        struct handoff_view view = at_reset("skylake");
        snapshot.entry[snapshot.count++] = (struct snapshot_entry){.msr = row->msr,
                                                                   .row = register_row_of(&caps, row->msr),
                                                                   .part = SNAPSHOT_OWN,
                                                                   .readable = true,
                                                                   .value = row->value};
        unsigned count = handoff_find(&view, findings);
        assert_int_equal(count, row->label ? 1 : 0);
        if (row->label) {
            assert_string_equal(findings[0].meaning->label, row->label);
            assert_int_equal(findings[0].counters, row->counters);
        }
    }
}

/* Each register that is kept is told where all of its bits are set, but for these. */
CASE(all_that_is_kept)
{
    static const u32 silent[] = {0x329, 0x3f6, 0x14cf, 0x560, 0x561, 0x570};
    for_each_register (row) {
        bool told = row->keep == KEPT && !row->netburst;
        for_each_row (silent, msr)
            told &= row->first != *msr;
        struct handoff_view view = at_reset("skylake");
        snapshot.entry[snapshot.count++] = (struct snapshot_entry){
            .msr = row->first,
            .row = row,
            .part = row->keep == HANDED_BACK ? SNAPSHOT_RECORDS : SNAPSHOT_OWN,
            .readable = true,
            .value = ~0ull,
        };
        if (row->keep == KEPT && !row->netburst && (handoff_find(&view, findings) != 0) != told)
            fail_msg("%xH", row->first);
    }
}

CASE(other_cpus_lvtpc_says_nothing)
{
    struct handoff_view view = at_reset("skylake");
    put(REGISTER_LVTPC, 0x10200);
    view.boot_cpu = false;
    assert_int_equal(handoff_find(&view, findings), 0);
}

CASE(what_moves)
{
    char text[HANDOFF_TEXT];
    struct handoff_view view = at_reset("skylake");
    put(MSR_FIXED_CTR_CTRL, 0x330);
    put(MSR_PERF_GLOBAL_CTRL, 0x70000000f);
    for (unsigned i = 0; i < snapshot.count; i++)
        if (snapshot.entry[i].msr == 0x30a)
            snapshot.entry[i].moved = true;
    assert_int_equal(handoff_find(&view, findings), 2);
    assert_string_equal(findings[0].meaning->label, "handoff.fixed-running");
    assert_string_equal(handoff_text(&findings[0], text), "found=0x330 reset=0x0 counters=fixed1,fixed2 moving=fixed1");
    assert_string_equal(handoff_text(&findings[1], text), "found=0x70000000f reset=0xf");
    assert_non_null(strstr(findings[0].meaning->text, "Utilization Monitoring")); /* as HP's set-up ends */
    put(MSR_FIXED_CTR_CTRL, 0xb0);
    assert_int_equal(handoff_find(&view, findings), 2);
    assert_string_equal(findings[0].meaning->label, "handoff.fixed-running");
    assert_null(strstr(findings[0].meaning->text, "Utilization Monitoring"));
    assert_non_null(strstr(findings[0].meaning->text, "watchdog")); /* not firmware, even without a sign of kexec */
    assert_null(strstr(findings[0].meaning->text, "owner=firmware"));
    put(MSR_PERF_GLOBAL_CTRL, 0xf);
    assert_int_equal(handoff_find(&view, findings), 1);
    assert_string_equal(findings[0].meaning->label, "handoff.fixed-claimed");
    assert_non_null(strstr(findings[0].meaning->text, "watchdog"));
    view = at_reset("skylake");
    snapshot.entry[0].moved = true; /* IA32_A_PMC0, which has no meaning */
    assert_int_equal(handoff_find(&view, findings), 1);
    assert_string_equal(findings[0].meaning->label, "handoff.counter-moves");
    assert_int_equal(handoff_grade(findings, 1), GRADE_HIDDEN);
}

CASE(in_use)
{
    struct handoff_view view = at_reset("skylake");
    view.in_use_known = true;
    assert_int_equal(handoff_find(&view, findings), 0);
    view.in_use = 8;
    assert_int_equal(handoff_find(&view, findings), 1);
    assert_string_equal(findings[0].meaning->label, "handoff.in-use-disagrees");
    view.in_use = 1ull << 40; /* not named by the manual */
    assert_int_equal(handoff_find(&view, findings), 0);
}

/* Any found value has room, and a line that fits the log. */
CASE(everything_at_once)
{
    char text[HANDOFF_TEXT];
    struct handoff_view view = at_reset("ice-lake");
    for (unsigned i = 0; i < snapshot.count; i++) {
        snapshot.entry[i].value = 0x0123456789abcdefull * (i + 1);
        snapshot.entry[i].moved = true;
    }
    view.in_use_known = true;
    unsigned count = handoff_find(&view, findings);
    assert_in_range(count, 8, HANDOFF_FINDINGS);
    for (unsigned i = 0; i < count; i++)
        assert_true(strlen(handoff_text(&findings[i], text)) < HANDOFF_TEXT - 1);
    for (unsigned i = 1; i <= SMI_CHANGES; i++) {
        assert_in_range(strlen(handoff_meanings[i].text), 60, 500);
        assert_non_null(strstr(handoff_meanings[i].by_linux, " owner=linux "));
        assert_null(strstr(handoff_meanings[i].text, "owner=linux"));
        assert_string_equal(strstr(handoff_meanings[i].by_linux, " label="),
                            strstr(handoff_meanings[i].text, " label="));
    }
}

int main(void)
{
    return run_cases();
}
