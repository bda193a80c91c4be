/* SPDX-License-Identifier: BSD-2-Clause */
/* What a random walk has found, as a failed check: a label for each kind of difference, and the register. */
#include "harness/core/judge.h"
#include "kernel/register/msr.h"
#include "pmu/state/register.h"
#include "reference/mode/lockstep.h"
#include "tests/host/case.h"
#include "tools/pmucheck/judge/judge.h"
#include <string.h>

static const struct {
    struct difference difference;
    const char *label;
    u32 msr;
} rows[] = {
    {{.kind = DIFFERENCE_VALUE, .op = OP_RDMSR, .number = MSR_PERF_GLOBAL_STATUS},
     "walk-status",
     MSR_PERF_GLOBAL_STATUS},
    {{.kind = DIFFERENCE_VALUE, .op = OP_RDMSR, .number = MSR_PERF_GLOBAL_INUSE}, "walk-in-use", MSR_PERF_GLOBAL_INUSE},
    {{.kind = DIFFERENCE_VALUE, .op = OP_RDMSR, .number = MSR_PMC(1)}, "walk-counter", MSR_PMC(1)},
    {{.kind = DIFFERENCE_VALUE, .op = OP_RDMSR, .number = MSR_A_PMC(3)}, "walk-counter", MSR_A_PMC(3)},
    {{.kind = DIFFERENCE_VALUE, .op = OP_RDMSR, .number = MSR_FIXED_CTR(2)}, "walk-counter", MSR_FIXED_CTR(2)},
    {{.kind = DIFFERENCE_VALUE, .op = OP_RDPMC, .number = RDPMC_GP(1)}, "walk-counter", MSR_PMC(1)},
    {{.kind = DIFFERENCE_VALUE, .op = OP_RDPMC, .number = RDPMC_FIXED(1)}, "walk-counter", MSR_FIXED_CTR(1)},
    {{.kind = DIFFERENCE_VALUE, .op = OP_RDPMC, .number = RDPMC_METRICS}, "walk-counter", MSR_PERF_METRICS},
    {{.kind = DIFFERENCE_VALUE, .op = OP_RDMSR, .number = MSR_PERFEVTSEL(0)}, "walk-control", MSR_PERFEVTSEL(0)},
    {{.kind = DIFFERENCE_VALUE, .op = OP_RDMSR, .number = MSR_FIXED_CTR_CTRL}, "walk-control", MSR_FIXED_CTR_CTRL},
    {{.kind = DIFFERENCE_VALUE, .op = OP_RDMSR, .number = MSR_ARCH_LBR_CTL}, "walk-control", MSR_ARCH_LBR_CTL},
    {{.kind = DIFFERENCE_VALUE, .op = OP_RDMSR, .number = MSR_ARCH_LBR_FROM(2)},
     "walk-branch-record",
     MSR_ARCH_LBR_FROM(2)},
    {{.kind = DIFFERENCE_VALUE, .op = OP_RDMSR, .number = MSR_LBR_TOS}, "walk-branch-record", MSR_LBR_TOS},
    {{.kind = DIFFERENCE_VALUE, .op = OP_RDMSR, .number = MSR_RTIT_STATUS}, "walk-trace", MSR_RTIT_STATUS},
    {{.kind = DIFFERENCE_VALUE, .op = OP_X2_READ_LVTPC}, "walk-lvtpc", REGISTER_LVTPC},
    {{.kind = DIFFERENCE_VALUE, .op = OP_CPUID, .number = 0x0a}, "walk-answer", 0},
    {{.kind = DIFFERENCE_RECORD, .op = OP_RDMSR, .number = MSR_PMC(0)}, "walk-memory", 0},
    {{.kind = DIFFERENCE_FAULT, .op = OP_WRMSR, .number = MSR_PERFEVTSEL(1)}, "walk-faults", MSR_PERFEVTSEL(1)},
    {{.kind = DIFFERENCE_NO_FAULT, .op = OP_WRMSR, .number = MSR_PERFEVTSEL(1)}, "walk-accepted", MSR_PERFEVTSEL(1)},
    {{.kind = DIFFERENCE_PMI, .got = 0xe0}, "walk-stray-pmi", 0},
    {{.kind = DIFFERENCE_NO_PMI, .want = 0xe0}, "walk-no-pmi", 0},
    {{.kind = DIFFERENCE_STORM}, "walk-storm", 0},
    {{.kind = DIFFERENCE_PLACE}, "walk-place", 0},
};

CASE(each_kind_has_its_label)
{
    const struct pmu_caps caps = {.intel = true, .family = 6};
    bool kinds[DIFFERENCE_KINDS] = {[DIFFERENCE_NONE] = true};
    for_each_row (rows, row) {
        struct check check = walk_check(&row->difference, &caps);
        assert_string_equal(check.label, row->label);
        assert_int_equal(check.msr, row->msr);
        assert_true(rejudge_label_known(WALKS_TEST, check.label)); /* tests/labels.txt */
        assert_true(check.kind != CHECK_TRUE || check.words[0]);
        kinds[row->difference.kind] = true;
    }
    for (unsigned kind = 0; kind < DIFFERENCE_KINDS; kind++)
        assert_true(kinds[kind]);
}

CASE(faults_are_faults)
{
    const struct pmu_caps caps = {0};
    struct difference fault = {.kind = DIFFERENCE_FAULT, .op = OP_RDMSR, .number = MSR_PMC(0)},
                      none = {.kind = DIFFERENCE_NO_FAULT, .op = OP_RDMSR, .number = MSR_PMC(0)};
    assert_int_equal(walk_check(&fault, &caps).got, FAULT_GP);
    assert_int_equal(walk_check(&fault, &caps).want, NO_FAULT);
    assert_int_equal(walk_check(&none, &caps).got, NO_FAULT);
    assert_int_equal(walk_check(&none, &caps).kind, CHECK_FAULT);
}

int main(void)
{
    return run_cases();
}
