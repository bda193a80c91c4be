/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * Branch records, their top and, if the CPU has them, their flags can be written: a system that switches programs
 * restores each one's records. Each keeps an address of either half of the address space, sign-extended.
 *
 * Of an address only the address bits are compared, since CPUs keep flags in some of the others; of the flags only
 * those that the manual does not call undefined.
 */
#include "harness/chapter/branches.h"

#define LOW 0x123450000000
#define HIGH 0xffffa34500000000

static void check_record_kept(struct test *t, const struct recording *r, const struct branch_record *written)
{
    u64 kept = lbr_info_kept(t->caps);
    for (u32 age = 0; age < r->stack.depth; age++)
        lbr_put(&r->stack, age,
                &(struct branch_record){written->from + age, written->to + 2 * age, written->info + age});
    for (u32 age = 0; age < r->stack.depth; age++) {
        struct branch_record now = lbr_record(&r->stack, age);
        check_equal(t, "from-not-kept", now.from & MASK(47, 0), (written->from + age) & MASK(47, 0), r->stack.from);
        check_equal(t, "to-not-kept", now.to & MASK(47, 0), (written->to + 2 * age) & MASK(47, 0), r->stack.to);
        if (r->stack.info)
            check_equal(t, "info-not-kept", now.info & kept, (written->info + age) & kept, r->stack.infos);
    }
}

static void write_top(struct test *t, const struct recording *r)
{
    u64 top = read_msr(t, MSR_LBR_TOS);
    for (u32 n = 0; n < r->stack.depth; n++) {
        write_msr(t, MSR_LBR_TOS, n);
        check_equal(t, "top-not-kept", read_msr(t, MSR_LBR_TOS), n, MSR_LBR_TOS);
    }
    write_msr(t, MSR_LBR_TOS, top);
}

static void write_records(struct test *t)
{
    struct recording r = recording_begin(t);
    if (!r.stack.architectural)
        write_top(t, &r);
    check_record_kept(t, &r, &(struct branch_record){LOW, HIGH, 0x20});
    check_record_kept(t, &r, &(struct branch_record){HIGH, LOW, LBR_INFO_MISPREDICTED | 0x40});
    recording_end(t, &r);
}

TEST("lbr.write", .title = "Branch records keep what is written to them", .spec = "SDM 3B, LBR Stack",
     .covers = "A-043,A-056,A-057,B-095", .needs = {.version = 2}, .scope = EACH_CORE, .prepare = need_writable_records,
     .run = write_records);
