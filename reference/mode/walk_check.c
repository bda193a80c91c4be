/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The difference that a random walk has found, as a failed check of the result `lockstep`: what is wrong decides its
 * label, so that the same fault has the same label whichever walk finds it.
 */
#include "kernel/register/msr.h"
#include "kernel/text/text.h"
#include "pmu/state/register.h"
#include "reference/mode/lockstep.h"

/* ---- Which register a step has accessed. 0: none. */

static u32 counter_of(u32 index)
{
    if (index == RDPMC_METRICS)
        return MSR_PERF_METRICS;
    return index >= RDPMC_FIXED(0) ? MSR_FIXED_CTR(index - RDPMC_FIXED(0)) : MSR_PMC(index);
}

static u32 register_of(const struct difference *d)
{
    switch (d->op) {
    case OP_WRMSR:
    case OP_RDMSR:
        return d->number;
    case OP_RDPMC:
        return counter_of(d->number);
    case OP_READ_LVTPC:
    case OP_WRITE_LVTPC:
    case OP_X2_READ_LVTPC:
    case OP_X2_WRITE_LVTPC:
        return REGISTER_LVTPC;
    default:
        return 0;
    }
}

/* ---- A wrong value: the label tells what holds it. */

static bool is_counter(u32 msr, const struct pmu_caps *caps)
{
    const struct register_row *row = register_row_of(caps, msr);
    return msr == MSR_PERF_METRICS ||
           (row && (row->moving == GP_COUNTS || row->moving == FIXED_COUNTS || row->moving == NETBURST_COUNTS));
}

static const char *label_of_value(u32 msr, const struct pmu_caps *caps)
{
    static const struct {
        const char *registers; /* globs */
        const char *label;
    } labels[] = {
        {"IA32_PERF_GLOBAL_STATUS", "walk-status"},
        {"IA32_PERF_GLOBAL_INUSE", "walk-in-use"},
        {"LVTPC", "walk-lvtpc"},
        {"IA32_RTIT_*", "walk-trace"},
        {"MSR_LASTBRANCH_*,MSR_LBR_INFO_*,IA32_LBR_*_*", "walk-branch-record"},
    };
    char name[REGISTER_NAME_SIZE];
    if (!msr)
        return "walk-answer"; /* of an instruction that names no register: CPUID, a read of memory or CR8 */
    if (is_counter(msr, caps))
        return "walk-counter";
    for_each_row (labels, row)
        if (glob_list_match(row->registers, register_name(caps, msr, name)))
            return row->label;
    return "walk-control";
}

/* ---- All kinds. */

struct check walk_check(const struct difference *d, const struct pmu_caps *caps)
{
    struct check check = {.msr = register_of(d), .bit = NO_BIT, .got = d->got, .want = d->want};
    switch (d->kind) {
    case DIFFERENCE_FAULT:
        check.label = "walk-faults";
        check.kind = CHECK_FAULT;
        check.got = FAULT_GP;
        check.want = NO_FAULT;
        return check;
    case DIFFERENCE_NO_FAULT:
        check.label = "walk-accepted";
        check.kind = CHECK_FAULT;
        check.got = NO_FAULT;
        check.want = FAULT_GP;
        return check;
    case DIFFERENCE_RECORD:
        check.label = "walk-memory"; /* records or a trace; the step's number is an offset */
        check.msr = 0;
        return check;
    case DIFFERENCE_PMI:
        check.label = "walk-stray-pmi";
        check.words = "no PMI, as nothing has raised one, or it is blocked";
        break;
    case DIFFERENCE_NO_PMI:
        check.label = "walk-no-pmi";
        check.words = "a PMI";
        break;
    case DIFFERENCE_STORM:
        check.label = "walk-storm";
        check.words = "an end of PMIs";
        break;
    case DIFFERENCE_PLACE:
        check.label = "walk-place";
        check.words = "PMIs and faults where the walk is";
        break;
    default:
        check.label = label_of_value(check.msr, caps);
        return check;
    }
    check.kind = CHECK_TRUE;
    check.msr = 0;
    return check;
}
