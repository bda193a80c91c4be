/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The record of a branch in the upper half of the address space, where kernels are, has complete addresses including
 * the sign bits. That software can write such values to a record does not show that the CPU does.
 *
 * The image is mapped a second time up there: a jump leads up, a call returns, a jump leads down. Judged are the bits
 * that belong to the address in this CPU's record format. Only measured are flags in the upper bits of an origin, and
 * its sign on CPUs without transactions that lose it (HSD172, BDM127 and their class) or where a mispredicted branch
 * shows in it (Knights Landing, in a format without flags). The origin of the first record may be wrong (BJ43 and its
 * class).
 */
#include "harness/chapter/branches.h"

#define ALL MASK(63, 0)

/* By IA32_PERF_CAPABILITIES[5:0]: SDM 3B, "LBR Stack". Formats without a row are judged like the first, by 32 bits. */
struct address_bits {
    u64 from, to;
};
static const struct address_bits formats[] = {
    {MASK(31, 0), MASK(31, 0)},
    {MASK(62, 0), ALL},
    {ALL, ALL},
    {MASK(62, 0), ALL},
    [LBR_FORMAT_TSX] = {MASK(60, 0), ALL},
    [LBR_FORMAT_INFO] = {ALL, ALL},
    [LBR_FORMAT_CYCLES] = {MASK(62, 0), MASK(47, 0)},
    [LBR_FORMAT_INFO_PLAIN] = {ALL, ALL},
    [LBR_FORMAT_ARCHITECTURAL] = {ALL, ALL},
};

static struct address_bits judged(const struct test *t)
{
    struct address_bits bits = formats[t->caps->perf_capabilities & PERF_CAP_LBR_FORMAT];
    return bits.from ? bits : formats[0];
}

static bool high_addresses(struct test *t)
{
    struct recording r = recording_begin(t);
    struct address_bits bits = judged(t);
    record_high(t, &r);
    for (u32 age = 0; age < LADDER_HIGH_BRANCHES; age++) {
        struct branch_record now = lbr_record(&r.stack, age), want = high_record(age);
        check_equal(t, "wrong-to", now.to & bits.to, want.to & bits.to, r.stack.to);
        if (age == LADDER_HIGH_BRANCHES - 1)
            continue;
        check_equal(t, "wrong-from", now.from & bits.from, want.from & bits.from, r.stack.from);
        measure(t, "upper-bits-of-from", "63:48", now.from >> 48);
    }
    recording_end(t, &r);
    return more_samples(t);
}

TEST("lbr.high-addresses", .title = "Branches in the upper half of the address space have records",
     .spec = "SDM 3B, LBR Stack and Intel 64 Processors", .covers = "A-056,B-094", .needs = {.version = 2},
     .scope = EACH_CORE, .prepare = need_branch_records, .repeat = high_addresses, .measures = true);
