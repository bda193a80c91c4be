/*
 * An address that is not canonical cannot be written to a branch record: WRMSR faults, and the record stays. Judged
 * where the record's origin has no flags in its upper bits, record format 5: the published errata of those CPUs tell of
 * the fault, which is missing while somebody traces (SKL47); then the test is skipped. Of format 7 and of architectural
 * records it is measured.
 *
 * Software that restores a foreign program's records relies on it: the CPU would report an address that no code has.
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

/* Of the others nobody has published it. */
static bool judged(const struct test *t, const struct recording *r)
{
    return !r->stack.architectural && (t->caps->perf_capabilities & PERF_CAP_LBR_FORMAT) == LBR_FORMAT_INFO;
}

/* Returns whether a canonical address was kept before. */
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

TEST("lbr.canonical", .title = "Branch records take canonical addresses alone",
     .spec = "SDM 2D, WRMSR - Write to Model Specific Register", .covers = "A-056", .needs = {.version = 2},
     .scope = EACH_CORE, .prepare = prepare, .run = canonical, .measures = true);
