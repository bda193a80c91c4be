/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The record of a sampled load holds the linear address that it loaded from (Haswell and later; in adaptive records in
 * the memory group, in architectural ones in the auxiliary group). The block loads from only two places, a word and its
 * stack, so the address is one of these two, whichever load it was.
 *
 * With hyper-threading some CPUs drop loads or count them on the other thread (HSD29): the test runs on one thread per
 * core, and missing records are a known erratum there.
 */
#include "harness/chapter/sampling.h"

#define RECORDS 4

static bool one_sample(struct test *t)
{
    struct sampling_pair pair = sampling_need(t, PEBS_LOADS);
    struct sampling s;
    sampling_clear(t, &s);
    sampling_add(&s, &pair);
    sampling_group(t, &s, PEBS_DATA_MEMINFO, CFG_C_AUX);
    sample(t, &s, RECORDS);
    for_each_record (&s, record) {
        u64 word = s.block.reg[PEBS_R14], stack = s.block.reg[PEBS_RSP];
        check_true(t, "another-address", record.address == word || record.address == stack, record.address,
                   "an address that the code loads from", 0);
    }
    check_recorded(about(t, ASPECT_OWN_EVENTS), &s);
    return sampling_more(t, 1);
}

static void need_load_address(struct test *t)
{
    if (apebs_usable(t->caps))
        need_group(t, CFG_C_AUX);
    if (!pebs_load_address(t->caps))
        skip(t, "signature %08x: records are not known to hold the address of every load", t->caps->signature);
}

TEST("pebs.load-address", .title = "The record of a load holds the address that it loaded from",
     .spec = "SDM 3B, PEBS Data Address Profiling", .covers = "B-080", .needs = {.sampling = true, .pebs_format = 2},
     .scope = EACH_CORE, .prepare = need_load_address, .repeat = one_sample);
