/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * With bit 63 of IA32_PEBS_ENABLE set, Sandy Bridge and Ivy Bridge sample stores on IA32_PMC3: the record holds the
 * linear address that the store wrote to. The block stores to one place only, the word that counts its rounds. About
 * the latency the manual says both that it is 0 and that it is reserved: it is measured.
 */
#include "harness/chapter/sampling.h"

#define RECORDS 4

static bool one_sample(struct test *t)
{
    struct sampling_pair pair = sampling_need(t, PEBS_STORES);
    struct sampling s;
    sampling_clear(t, &s);
    sampling_add(&s, &pair);
    sample(t, &s, RECORDS);
    for_each_record (&s, record) {
        u64 word = s.block.reg[PEBS_RSP];
        check_true(t, "another-address", record.address == word, record.address, "the address that the code stores to",
                   0);
        measure(t, "latency", "cycles", record.latency);
    }
    check_recorded(t, &s);
    return sampling_more(t, 1);
}

TEST("pebs.precise-store", .title = "The record of a sampled store holds the address that it stored to",
     .spec = "SDM 3B, Precise Store Facility", .needs = {.pebs = true, .pebs_format = 1}, .scope = EACH_CORE,
     .repeat = one_sample, .measures = true);
