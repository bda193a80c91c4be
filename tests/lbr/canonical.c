/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * An address that is not canonical cannot be written to a branch record: WRMSR faults and leaves the record unchanged.
 * The fault is judged for record format 5, whose origin has no flags in its upper bits: the published errata of those
 * CPUs mention the fault. It is missing while somebody traces (SKL47); then the test is skipped. For format 7 and
 * architectural records the fault is only measured.
 *
 * Software that restores another program's records relies on it: the CPU would report an address that no code has.
 */
#include "harness/chapter/branches.h"

static void prepare(struct test *t)
{
    struct lbr_stack stack;
    need_writable_records(t);
    if (lbr_stack(t->caps, &stack) && !stack.info)
        skip(t, "IA32_PERF_CAPABILITIES=0x%lx: flags are in the records' addresses", t->caps->perf_capabilities);
}

#define CANONICAL 0x1000

/* No manual or erratum mentions the fault for other formats. */
static bool judged(const struct test *t, const struct recording *r)
{
    return !r->stack.architectural && (t->caps->perf_capabilities & PERF_CAP_LBR_FORMAT) == LBR_FORMAT_INFO;
}

/* Returns whether the record kept a canonical address before. */
static bool try(struct test *t, const struct recording *r, const char *label, u32 msr)
{
    write_msr(t, msr, CANONICAL);
    u64 before = read_msr(t, msr);
    fault_t fault = wrmsr_try(msr, LBR_NOT_CANONICAL);
    if (judged(t, r))
        check_fault(t, label, fault, FAULT_GP, msr);
    else
        measure(t, "faults", "0-or-1", fault == FAULT_GP);
    if (fault)
        check_equal(t, "changed-by-fault", read_msr(t, msr), before, msr);
    write_msr(t, msr, 0);
    return before == CANONICAL;
}

static void canonical(struct test *t)
{
    struct recording r = recording_begin(t);
    u32 kept = 0;
    for (u32 n = 0; n < r.stack.depth; n++) {
        kept += try(t, &r, "from-accepted", r.stack.from + n);
        kept += try(t, &r, "to-accepted", r.stack.to + n);
    }
    check_equal(t, "not-kept", kept, 2 * r.stack.depth, 0);
    recording_end(t, &r);
}

TEST("lbr.canonical", .title = "Branch records accept only canonical addresses",
     .spec = "SDM 2D, WRMSR - Write to Model Specific Register", .covers = "A-056", .needs = {.version = 2},
     .scope = EACH_CORE, .prepare = prepare, .run = canonical, .measures = true);
