/* SPDX-License-Identifier: BSD-2-Clause */
/*
 * The record of a load sampled by latency holds its whole linear address, in the upper half of the address space, where
 * kernels are, with all of the sign's bits. On some CPUs bits 63:48 are 0 there (AAJ75).
 *
 * In every second run the block loads its word by the address at which all memory is mapped a second time, up there.
 * Records of the word and of the block's stack are told from each other by the lower bits, and only the upper ones are
 * judged: the latter may be wrong by another erratum (AAJ74). Which loads are recorded is random, so it is not judged
 * whether any are.
 */
#include "harness/chapter/probing.h"
#include "harness/chapter/sampling.h"

#define LEAST 3 /* the lowest threshold allowed */
#define ROUNDS 512
#define TRIES 4
#define ADDRESS MASK(47, 0)

static void sample_loads(struct test *t, struct sampling *s, u64 high)
{
    struct sampling_pair pair = sampling_need(t, PEBS_LATENCY);
    sampling_clear(t, s);
    sampling_add(s, &pair)->adaptive = pebs_adaptive(t->caps);
    s->setup.data_cfg = PEBS_DATA_MEMINFO;
    s->setup.latency = LEAST;
    sampling_begin(t, s);
    sampled_prepare(&s->block, ROUNDS);
    s->block.reg[PEBS_R14] += high;
    sampled_run(&s->setup.start_stop, &s->block);
    sampling_end(s);
}

static u32 check_addresses(struct test *t, const struct sampling *s, u64 address, const char *label)
{
    u32 found = 0;
    for_each_record (s, record) {
        if ((record.address ^ address) & ADDRESS)
            continue;
        found++;
        check_equal(about(t, ASPECT_LOAD_SIGN), label, record.address, address, 0);
    }
    return found;
}

static bool one_sample(struct test *t)
{
    struct sampling s;
    u64 high = t->turn % 2 ? 0 : PAGING_HIGH;
    u32 found = 0;
    if (!paging_mapped((u64)&s.block.word + PAGING_HIGH))
        skip(t, "the stack at 0x%lx is not mapped a second time", (u64)&s);
    for (unsigned n = 0; n < TRIES && !found; n++) {
        sample_loads(t, &s, high);
        found = check_addresses(t, &s, s.block.reg[PEBS_R14], high ? "upper-half" : "lower-half");
    }
    measure(t, "records", "records", found);
    return sampling_more(t, 2);
}

TEST("errata.load-sign", .title = "The record of a load in the upper half of the addresses has its whole address",
     .spec = "SDM 3B, Load Latency Performance Monitoring Facility", .covers = "B-080",
     .needs = {.pebs = true, .pebs_format = 1, .probe = true, .told = 1 + FACT_LOAD_SIGN}, .scope = EACH_CPU_IN_TURN,
     .repeat = one_sample, .measures = true);
